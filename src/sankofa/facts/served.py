"""The rows and parameters of shared facts: one shape for every dataset."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from sankofa.ask.country import ALPHA_3
from sankofa.ask.params import AsOf, CursorText, EditionNumber, Limit, Parameter, one_of
from sankofa.core.errors import BadParameter
from sankofa.datasets import either
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.macro.dataset import DATASET as INDICATORS
from sankofa.macro.served import KEY_SCHEMA, ExactValue, key_text
from sankofa.tenders.dataset import DATASET as TENDERS

_ENTITY_ID = re.compile(r"DC[A-Za-z0-9]+|[A-Z]{3}")
_CAPITALS = re.compile(r"[A-Z]{3}")
FUND, TENDER, MACRO = SHARED = (FUNDAMENTALS.name, TENDERS.name, INDICATORS.name)
_BY_COUNTRY = (TENDER, MACRO)
_BY_ISSUER = (FUND, TENDER)


if TYPE_CHECKING:
    SharedName = str
else:
    SharedName = Literal[SHARED]


class SharedFact(msgspec.Struct, frozen=True):
    """One value of one organisation or country, in its latest vintage."""

    fact_id: str
    entity_id: str
    entity_name: str | None
    name_as_of: date | None
    country_iso3: str | None
    dataset: Annotated[
        SharedName, msgspec.Meta(description=f"The dataset that the fact is from: {either(SHARED)}.")
    ]
    measure: str
    value: ExactValue
    unit: str | None
    period_end: date
    period_type: str | None
    available_at: date | None
    available_at_basis: str | None
    vintage: int
    provenance_id: str
    source_ref: str
    license_class: str
    extraction_confidence: Decimal | None
    observed_at: datetime
    method: str
    joint: bool | None


def _entity_id(text: str) -> str:
    if not _ENTITY_ID.fullmatch(text):
        raise ValueError("expected an id that begins with DC, or the three capitals of a country")
    return text


EntityId = Annotated[
    str | None,
    Parameter(
        description=f"An issuer's id, or three capitals for a country, which selects {MACRO}. Either this or "
        "`country`.",
        parse=_entity_id,
        schema={"type": "string", "pattern": f"^({_ENTITY_ID.pattern})$"},
        example="KEN",
    ),
]
CountryIso3 = Annotated[
    str | None,
    Parameter(
        description="ISO 3166-1 alpha-3, any case. Needs `dataset`. Either this or `entity_id`.",
        parse=ALPHA_3.parse,
        schema=ALPHA_3.schema,
        example="",
    ),
]
DatasetName = Annotated[
    SharedName | None,
    Parameter(
        description=f"Of an issuer: {FUND}, the default, or {TENDER} (awards it won). With `country`: "
        f"{TENDER} (tender values) or {MACRO}.",
        parse=one_of(*SHARED),
        schema={"type": "string", "enum": list(SHARED)},
        example=FUND,
    ),
]
MeasureName = Annotated[
    str | None,
    Parameter(
        description="One measure: a line item, tender_value or award_value, a series key or an indicator "
        "code. Compared exactly.",
        parse=key_text,
        schema=KEY_SCHEMA,
        example="revenue",
    ),
]


class SharedFactsParams(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a query for shared facts: the subject and the dataset."""

    entity_id: EntityId = None
    country: CountryIso3 = None
    dataset: DatasetName = None
    measure: MeasureName = None
    as_of: AsOf = None
    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None

    def __post_init__(self) -> None:
        if (self.entity_id is None) == (self.country is None):
            raise BadParameter("entity_id", "expected either entity_id or country", ("country",))
        if self.country and self.dataset not in _BY_COUNTRY:
            raise BadParameter("dataset", f"with country, expected one of {', '.join(_BY_COUNTRY)}")
        if self.is_of_issuer and self.dataset not in (None, *_BY_ISSUER):
            raise BadParameter("dataset", f"for an issuer, expected one of {', '.join(_BY_ISSUER)}")
        if self.entity_id and not self.is_of_issuer and self.dataset not in (None, MACRO):
            raise BadParameter("dataset", f"an entity_id of three capitals is a country: expected {MACRO}")
        default = FUND if self.is_of_issuer else MACRO
        msgspec.structs.force_setattr(self, "dataset", self.dataset or default)

    @property
    def is_of_issuer(self) -> bool:
        """Whether the subject is an organisation; three capitals are a country."""
        return self.entity_id is not None and not _CAPITALS.fullmatch(self.entity_id)

    @property
    def subject(self) -> str:
        """The id of the organisation, or the code of the country."""
        return self.entity_id or self.country or ""
