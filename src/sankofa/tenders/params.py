"""Parameters of tenders, each declared once."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from typing import Annotated

import msgspec
from msgspec import field

from sankofa.ask.country import ALPHA_2
from sankofa.ask.params import (
    DATE_SCHEMA,
    AsOf,
    CursorText,
    EditionNumber,
    Limit,
    Parameter,
    calendar_date,
    matching,
    one_of,
    organisation,
    refuse_reversed,
)
from sankofa.core.errors import BadParameter
from sankofa.tenders.marks import words

_WORD = re.compile(r"[ -~]{1,200}")
_CATEGORY = re.compile(r"[^\x00-\x1f\x7f]{1,200}")
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_AMOUNT = re.compile(r"[0-9]{1,26}(?:\.[0-9]{1,6})?")
_OCID = re.compile(r"[!-~]{1,200}")
_DEFAULT_COUNTRY = "ZA"
_MOST_WORDS = 8
_LONGEST_QUERY = 200


PortalCountry = Annotated[
    str,
    Parameter(
        description="Country of the publishing portals, ISO 3166-1 alpha-2, any case.",
        parse=ALPHA_2.parse,
        schema={**ALPHA_2.schema, "default": _DEFAULT_COUNTRY},
        example="ZA",
    ),
]
UsualPortalCountry = Annotated[
    str | None,
    Parameter(
        description="Country of the publishing portals, ISO 3166-1 alpha-2, any case. If ocid, buyer or "
        "supplier is sent, the default is all.",
        parse=ALPHA_2.parse,
        schema={**ALPHA_2.schema, "default": _DEFAULT_COUNTRY},
        example="ZA",
    ),
]
AnyPortalCountry = Annotated[
    str | None,
    Parameter(
        description="Country of the publishing portals, ISO 3166-1 alpha-2, any case. Default: all.",
        parse=ALPHA_2.parse,
        schema=ALPHA_2.schema,
        example="ZA",
    ),
]
FromDay = Annotated[
    dt.date | None,
    Parameter(
        description="Earliest day of a release, in UTC, inclusive.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2024-01-01",
    ),
]
# Of the code list partyRole of OCDS. Portals may use others, which are compared as they are.
_ROLES = (
    "buyer",
    "enquirer",
    "funder",
    "interestedParty",
    "payee",
    "payer",
    "procuringEntity",
    "reviewBody",
    "supplier",
    "tenderer",
)
_ROLES_IN_ANY_CASE = {role.lower(): role for role in _ROLES}


def _role(text: str) -> str:
    role = matching(_WORD, "expected 1 to 200 printable ASCII characters")(text)
    return _ROLES_IN_ANY_CASE.get(role.lower(), role)


Role = Annotated[
    str | None,
    Parameter(
        description="Only parties in this role, as OCDS names it, in any case: buyer, procuringEntity, "
        "supplier, tenderer and others.",
        parse=_role,
        schema={"type": "string", "pattern": f"^{_WORD.pattern}$"},
        example="buyer",
    ),
]
PartyId = Annotated[str | None, organisation("Only this organisation.")]
ToDay = Annotated[
    dt.date | None,
    Parameter(
        description="Latest day of a release, in UTC, inclusive.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2024-12-31",
    ),
]
_OCID_HINT = "expected 1 to 200 printable ASCII characters without spaces"
Ocid = Annotated[
    str | None,
    Parameter(
        description="Only releases of this contracting process. Compared exactly.",
        parse=matching(_OCID, _OCID_HINT),
        schema={"type": "string", "pattern": f"^{_OCID.pattern}$"},
        example="",
    ),
]
PathOcid = Annotated[
    str,
    Parameter(
        description="The contracting process, as releases name it. Compared exactly.",
        parse=matching(_OCID, _OCID_HINT),
        schema={"type": "string", "pattern": f"^{_OCID.pattern}$"},
        example="ocds-demoke-000003",
        in_path=True,
    ),
]


Buyer = Annotated[
    str | None, organisation("Only releases that name this organisation as buyer: its service_id.")
]
Supplier = Annotated[
    str | None, organisation("Only releases that name this organisation as supplier: its service_id.")
]
CategoryOfTender = Annotated[
    str | None,
    Parameter(
        description="Only tenders of this category: the portal's own word, or goods, works or services. "
        "Compared exactly.",
        parse=matching(_CATEGORY, "expected 1 to 200 characters, none of them a control character"),
        schema={"type": "string", "minLength": 1, "maxLength": 200},
        example="",
    ),
]
Status = Annotated[
    str | None,
    Parameter(
        description="Only tenders of this status, as OCDS names it, such as active or complete.",
        parse=matching(_WORD, "expected 1 to 200 printable ASCII characters"),
        schema={"type": "string", "pattern": f"^{_WORD.pattern}$"},
        example="",
    ),
]
ValueCurrency = Annotated[
    str | None,
    Parameter(
        description="Only releases with a value of the tender or of an award in this currency, ISO 4217, any "
        "case. Nothing is converted.",
        parse=lambda text: matching(_CURRENCY, "expected an ISO 4217 code")(text).upper(),
        schema={"type": "string", "pattern": f"^{_CURRENCY.pattern}$"},
        example="",
    ),
]


def _amount(which: str) -> Parameter:
    hint = "expected an amount in digits, with up to 26 of them before and 6 after the point"
    return Parameter(
        description=f"The {which} such value, inclusive. Needs currency.",
        parse=lambda text: Decimal(matching(_AMOUNT, hint)(text)),
        schema={"type": "string", "pattern": f"^{_AMOUNT.pattern}$"},
        example="",
    )


LeastValue = Annotated[Decimal | None, _amount("least")]
MostValue = Annotated[Decimal | None, _amount("largest")]


def _query(text: str) -> str:
    if len(text) > _LONGEST_QUERY or not 1 <= len(list(words([text]))) <= _MOST_WORDS:
        raise ValueError(f"expected 1 to {_MOST_WORDS} words, in up to {_LONGEST_QUERY} characters")
    return text


TitleWords = Annotated[
    str | None,
    Parameter(
        description="Words of titles, in any case, with or without accents: releases that have them all. "
        "Text that is withheld is not searched.",
        parse=_query,
        schema={"type": "string", "minLength": 1, "maxLength": _LONGEST_QUERY},
        example="",
    ),
]


PartyOrder = Annotated[
    str | None,
    Parameter(
        description="service_id, the default, or releases: those of the most releases first.",
        parse=one_of("service_id", "releases"),
        schema={"type": "string", "enum": ["service_id", "releases"], "default": "service_id"},
        example="service_id",
    ),
]


class TendersParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of releases."""

    country: UsualPortalCountry = None
    ocid: Ocid = None
    buyer: Buyer = None
    supplier: Supplier = None
    category: CategoryOfTender = None
    status: Status = None
    currency: ValueCurrency = None
    min_value: LeastValue = None
    max_value: MostValue = None
    q: TitleWords = None
    since: FromDay = field(default=None, name="from")
    until: ToDay = field(default=None, name="to")
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        refuse_reversed(self.since, self.until)
        bounds = [name for name in ("min_value", "max_value") if getattr(self, name) is not None]
        if bounds and self.currency is None:
            raise BadParameter("currency", f"required with {bounds[0]}: values are not converted")
        if self.min_value is not None and self.max_value is not None and self.min_value > self.max_value:
            raise BadParameter("min_value", "expected no more than max_value", ("max_value",))
        if self.country is None and not (self.ocid or self.buyer or self.supplier):
            msgspec.structs.force_setattr(self, "country", _DEFAULT_COUNTRY)

    @property
    def is_filtered(self) -> bool:
        """Whether there are filters other than the country and the days."""
        filters = (self.buyer, self.supplier, self.category, self.status, self.currency, self.q)
        return any(one is not None for one in filters)


class ProcessParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of one process."""

    ocid: PathOcid
    as_of: AsOf = None
    edition: EditionNumber = None


class TenderPartiesParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameters of parties."""

    country: AnyPortalCountry = None
    role: Role = None
    service_id: PartyId = None
    order: PartyOrder = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        if self.is_by_releases and self.service_id is not None:
            raise BadParameter("order", "expected service_id, or no service_id to filter by", ("service_id",))

    @property
    def is_by_releases(self) -> bool:
        """Whether the order is by number of releases."""
        return self.order == "releases"
