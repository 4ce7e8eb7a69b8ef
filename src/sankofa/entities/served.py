"""Parameters and rows of organisations and their identifiers."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated, Literal, NamedTuple, get_args

import msgspec

from sankofa.ask.country import ALPHA_2
from sankofa.ask.params import (
    AnyServiceId,
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    matching,
    one_of,
)
from sankofa.core.errors import BadParameter
from sankofa.entities.exchanges import mic_of, mics_of_ambiguous_code
from sankofa.entities.model import IdType, Status

ID_TYPES: tuple[IdType, ...] = get_args(IdType)
OPEN_TYPES: tuple[IdType, ...] = ("lei", "ticker")  # what every tier may see and look up
PAID_TYPES = frozenset(ID_TYPES) - frozenset(OPEN_TYPES)
# Regulators whose filer number is part of the number of every filing. All source references of filings print
# it, so it is public provenance: the crosswalk shows it to every tier.
FILER_REGISTERS = ("US-SEC", "BR-CVM")
# A place in a document whose last part may be a paid identifier: the ISIN of a listing, a FIGI, the register
# number of a tender party. The place of a party that is known by country and name, or by LEI, has none.
PAID_PLACE = r"^(ticker:[^:]*:[^:]*|figi|party:(?!XI-LEI:)(?![A-Z]{2}:[^0-9]*$)[^:]*):.*"

MOST_MATCHES = 20  # of a look-up: current ones, and former ones

_FILER_NUMBER = re.compile(r"\s*(?:CIK[ :]?)?0*([0-9]{1,10})\s*", re.IGNORECASE)
_EXCHANGE = re.compile(r"[A-Z0-9-]{1,10}")
_ID_VALUE = re.compile(r"[^\x00-\x1f\x7f]{1,64}")
_TEXT = re.compile(r"[^\x00-\x1f\x7f]{3,200}")
Evidence = Literal["register", "third_party"]
LeiStatus = Literal["current", "retired"]
Kind = Literal["issuer", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class FormerName(msgspec.Struct, frozen=True):
    """A name that an organisation no longer has, and the days on which it was the last one known."""

    name: str
    since: date | None
    until: date
    source_ref: str


class Industry(msgspec.Struct, frozen=True):
    """What an organisation does, by a classification, and the days on which that was the last one known."""

    scheme: Literal["SIC"]
    code: str
    since: date
    until: date | None


class Organisation(msgspec.Struct, frozen=True):
    """One organisation, and by what evidence it is known to be one."""

    service_id: str
    legal_name: str | None
    name_as_of: date | None
    former_names: list[FormerName]
    industries: list[Industry]
    jurisdiction: str | None
    lei: str | None
    lei_status: LeiStatus | None
    status: Status
    established_by: list[str]
    rule_version: str
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


class HeldIdentifier(msgspec.Struct, frozen=True):
    """One identifier of an organisation that holds today."""

    service_id: str
    id_type: IdType
    id_value: str
    issuer: str | None
    evidence: Evidence
    available_at: date
    valid_from: date | None
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


class IdentifiedOrganisation(msgspec.Struct, frozen=True):
    """An organisation that an outside identifier belongs to."""

    service_id: str
    legal_name: str | None
    id_type: IdType
    id_value: str
    issuer: str | None
    evidence: Evidence
    available_at: date
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


class FormerHolder(msgspec.Struct, frozen=True):
    """An organisation that had an identifier until a day before the edition's."""

    service_id: str
    id_type: IdType
    id_value: str
    issuer: str | None
    valid_from: date | None
    valid_to: date


class NamedOrganisation(msgspec.Struct, frozen=True, dict=True):
    """An organisation that a search found, and what about it matched; its place is kept beside the fields."""

    service_id: str
    legal_name: str | None
    jurisdiction: str | None
    lei: str | None
    kind: Kind
    matched: Literal["identifier", "former_identifier", "name", "former_name", "words", "similar"]
    matched_text: str
    since: date | None
    until: date | None
    source_ref: str
    license_class: str
    observed_at: datetime
    provenance_id: str


IdTypeName = Annotated[
    str,
    Parameter(
        description="What kind of identifier `id_value` is.",
        parse=one_of(*ID_TYPES),
        schema={"type": "string", "enum": list(ID_TYPES)},
        example="ticker",
    ),
]
IdValue = Annotated[
    str,
    Parameter(
        description=(
            "The identifier; case, spaces and punctuation do not matter, nor do leading zeros of a CIK. A "
            "ticker is EXCHANGE:TICKER, the exchange as its MIC or as one of its `aliases` in the catalogue."
        ),
        parse=matching(_ID_VALUE, "expected 1 to 64 characters, none of them a control"),
        schema={"type": "string", "minLength": 1, "maxLength": 64, "pattern": r"^[^\x00-\x1f\x7f]+$"},
        example="XNAI:NYAL",
    ),
]
SearchText = Annotated[
    str,
    Parameter(
        description=(
            "A name, present or former, or an identifier. Case, accents, word order and legal form do not "
            "matter."
        ),
        parse=matching(_TEXT, "expected 3 to 200 characters, none of them a control"),
        schema={"type": "string", "minLength": 3, "maxLength": 200, "pattern": r"^[^\x00-\x1f\x7f]+$"},
        example="Nyalumera Foods",
    ),
]
Country = Annotated[
    str | None,
    Parameter(
        description="Only organisations of this country: ISO 3166-1 alpha-2, any case.",
        parse=ALPHA_2.parse,
        schema=ALPHA_2.schema,
        example="KE",
    ),
]

KindName = Annotated[
    str | None,
    Parameter(
        description="`issuer`: only organisations that had filed accounts by the day; `other`: the rest.",
        parse=one_of(*KINDS),
        schema={"type": "string", "enum": list(KINDS)},
        example="issuer",
    ),
]


def exchange_code(text: str) -> str:
    """Return the MIC of an exchange, which may be unknown. Raise for a malformed or ambiguous code."""
    code = text.upper()
    if not _EXCHANGE.fullmatch(code):
        raise ValueError("expected an exchange as its MIC or an alias")
    if mics := mics_of_ambiguous_code(code):
        raise ValueError(f"this exchange code is ambiguous; expected one of the MICs {', '.join(mics)}")
    return mic_of(code) or code


def filer_number(text: str) -> str | None:
    """Return the ten digits of a regulator's filer number, however many zeros it is written with, or None."""
    written = _FILER_NUMBER.fullmatch(text)
    return f"{int(written[1]):010d}" if written else None


class EntityParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: the organisation."""

    service_id: AnyServiceId
    edition: EditionNumber = None


class CrosswalkParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter: the organisation whose identifiers are requested."""

    service_id: AnyServiceId
    edition: EditionNumber = None
    cursor: CursorText = None


class Ticker(NamedTuple):
    """A ticker and the exchange that it is unique on."""

    mic: str
    symbol: str

    @classmethod
    def read(cls, text: str) -> Ticker | None:
        """Return a ticker written EXCHANGE:TICKER, or None."""
        exchange, colon, symbol = text.partition(":")
        mic = mic_of(exchange.strip().upper())
        if not colon or mic is None or not symbol.strip() or ":" in symbol:
            return None
        return cls(mic, symbol.strip())

    @classmethod
    def require(cls, text: str) -> Ticker:
        """Return a ticker whose exchange may be unknown. Raise for a malformed or ambiguous code."""
        exchange, _, symbol = (part.strip() for part in text.partition(":"))
        if not _EXCHANGE.fullmatch(exchange.upper()) or not symbol or ":" in symbol:
            raise BadParameter("id_value", "expected EXCHANGE:TICKER, the exchange as its MIC or an alias")
        try:
            return cls(exchange_code(exchange), symbol)
        except ValueError as error:
            raise BadParameter("id_value", str(error)) from None


class LookupParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of a look-up by identifier."""

    id_type: IdTypeName
    id_value: IdValue
    edition: EditionNumber = None

    def __post_init__(self) -> None:
        """Raise if the ticker does not name exactly one exchange."""
        if self.id_type == "ticker":
            Ticker.require(self.id_value)


class SearchParams(msgspec.Struct, frozen=True, kw_only=True, rename={"text": "q"}):
    """Parameters of search."""

    text: SearchText
    country: Country = None
    kind: KindName = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None


class ToolSearchParams(msgspec.Struct, frozen=True, kw_only=True, rename={"text": "query"}):
    """Parameters of the search tool, which names the text `query`."""

    text: SearchText
    country: Country = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None
