"""The bulk SKUs: what each holds, in which order its files do, and which statements find its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sankofa.macro.countries import countries
from sankofa.storage.parquet import Columns

_FACTS = 100_000  # row ids that one statement takes: a second or less; where it is more, it is halved
_JOINED = 2_000  # rows that facts are joined with, each by many facts

CLOSINGS: Columns = (("row_id", "BIGINT"), ("published_in", "INTEGER"), ("superseded_in", "INTEGER"))
SELECT_CLOSINGS = "SELECT row_id, published_in, superseded_in FROM gathered ORDER BY row_id, published_in"


@dataclass(frozen=True, slots=True)
class Source:
    """A statement of `bulk.sql`, and the table by whose row ids it goes."""

    statement: str
    table: str
    step: int = _FACTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Sku:
    """One dataset that is sold whole: all rows of all editions."""

    name: str
    facts: Source  # rows that the editions of a range put themselves
    joined: tuple[Source, ...] = ()  # rows they made anew by what facts are joined with
    closed: tuple[Source, ...]
    columns: Columns
    order: str
    shaped: Mapping[str, str] = field(
        default_factory=dict
    )  # SQL of columns that are not gathered as they are

    @property
    def select(self) -> str:
        """How gathered rows become rows of a file."""
        shown = (
            f'{self.shaped[name]} AS "{name}"' if name in self.shaped else f'"{name}"'
            for name, _ in self.columns
        )
        return f"SELECT {', '.join(shown)} FROM gathered ORDER BY {self.order}"  # noqa: S608  # our own names


_EXACT = "DECIMAL(38,12)"
_ORIGIN: Columns = (
    ("source_ref", "VARCHAR"),
    ("license_class", "VARCHAR"),
    ("observed_at", "TIMESTAMP WITH TIME ZONE"),
    ("extraction_confidence", _EXACT),
    ("method", "VARCHAR"),
    ("provenance_id", "VARCHAR"),
    ("fact_id", "VARCHAR"),
)
_PLACE: Columns = (("row_id", "BIGINT"), ("published_in", "INTEGER"))
_CODES = ", ".join(f"'{known.alpha2}': '{known.alpha3}'" for known in sorted(countries()))

FUND = Sku(
    name="AF-FUND",
    facts=Source("fund", "fundamentals_fact"),
    closed=(Source("fund_closed", "fundamentals_fact"),),
    columns=(
        *_PLACE,
        ("service_id", "VARCHAR"),
        ("line_item", "VARCHAR"),
        ("value_reported", _EXACT),
        ("currency_reported", "VARCHAR"),
        ("unit", "VARCHAR"),
        ("scope", "VARCHAR"),
        ("period_start", "DATE"),
        ("period_end", "DATE"),
        ("period_type", "VARCHAR"),
        ("fiscal_year", "INTEGER"),
        ("vintage", "INTEGER"),
        ("available_at", "DATE"),
        ("available_at_basis", "VARCHAR"),
        ("withdrawn_at", "DATE"),
        ("reported_as", "VARCHAR"),
        *_ORIGIN,
        ("labelled_from", "DATE"),
        ("labelled_until", "DATE"),
        ("revision", "VARCHAR"),
        ("passed_over", "BOOLEAN"),
        ("decimals", "INTEGER"),
        ("accepted_at", "TIMESTAMP WITH TIME ZONE"),
        ("form", "VARCHAR"),
        ("filing_id", "VARCHAR"),
        ("first_filing_held", "BOOLEAN"),
    ),
    order="service_id, line_item, period_end, row_id, published_in",
)
MACRO = Sku(
    name="AF-MACRO",
    facts=Source("macro", "macro_value"),
    joined=(Source("macro_of_series", "series", _JOINED // 10),),
    closed=(
        Source("macro_closed", "macro_value"),
        Source("macro_closed_by_series", "series", _JOINED // 10),
    ),
    columns=(
        *_PLACE,
        ("series", "VARCHAR"),
        ("series_type", "VARCHAR"),
        ("frequency", "VARCHAR"),
        ("country_iso2", "VARCHAR"),
        ("country_iso3", "VARCHAR"),
        ("measure", "VARCHAR"),
        ("indicator_name", "VARCHAR"),
        ("period_start", "DATE"),
        ("period_end", "DATE"),
        ("value", _EXACT),
        ("value_exact", "VARCHAR"),
        ("unit", "VARCHAR"),
        ("vintage", "INTEGER"),
        ("available_at", "DATE"),
        ("available_at_basis", "VARCHAR"),
        ("withdrawn_at", "DATE"),
        *_ORIGIN,
    ),
    order="country_iso3, series, period_end, row_id, published_in",
)
TENDER = Sku(
    name="AF-TENDER",
    facts=Source("award", "tender_fact"),
    joined=(
        Source("award_of_id", "issued_id", _JOINED),
        Source("award_of_organisation", "organisation", _JOINED),
    ),
    closed=(
        Source("award_closed", "tender_fact"),
        Source("award_closed_by_id", "issued_id", _JOINED),
        Source("award_closed_by_organisation", "organisation", _JOINED),
    ),
    columns=(
        *_PLACE,
        ("service_id", "VARCHAR"),
        ("entity_name", "VARCHAR"),
        ("country_iso3", "VARCHAR"),
        ("portal_country", "VARCHAR"),
        ("measure", "VARCHAR"),
        ("value", _EXACT),
        ("value_exact", "VARCHAR"),
        ("unit", "VARCHAR"),
        ("period_end", "DATE"),
        ("vintage", "INTEGER"),
        ("available_at", "DATE"),
        ("available_at_basis", "VARCHAR"),
        ("known_until", "DATE"),
        *_ORIGIN,
    ),
    order="service_id, period_end, row_id, published_in",
    # A part of a country (US-DE) begins with the country's own code.
    shaped={"country_iso3": f"MAP {{{_CODES}}}[upper(jurisdiction[:2])]"},
)

SKUS = {sku.name: sku for sku in (FUND, MACRO, TENDER)}
