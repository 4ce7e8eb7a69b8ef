"""The dataset AF-MACRO: macroeconomic series with every vintage of their values."""

from __future__ import annotations

from sankofa.core.dataset import (
    EXACT,
    Bulk,
    BulkColumn,
    Dataset,
    Joined,
    LedgerTable,
    QualityKeys,
    ServingTable,
    origin,
    place,
)

_TAKEN = "stood.{0} IN (SELECT one.{0} FROM ledger.snapshot AS one WHERE one.brought_by = ANY(%(accepted)s))"

SERIES = ServingTable(
    name="series",
    columns={
        "series_key": "The series.",
        "source": "The most authoritative source that states it; each value cites its own.",
        "series_type": "fx, cpi or indicator.",
        "frequency": "A, Q, M or D.",
        "country_iso2": "ISO 3166-1 alpha-2; null for aggregates and what is of no country.",
        "country_iso3": "ISO 3166-1 alpha-3; null for aggregates and what is of no country.",
        "area": (
            "What the series is of: country_iso3, or the publisher's code of an aggregate; empty where it is "
            "of neither."
        ),
        "unit": "USD, USD billions, index, percent …; null where the source does not say.",
        "indicator": "The source's own code; null where it has none.",
        "indicator_name": "The source's own name for it; null where it has none.",
    },
    identity=("series_key",),
    key="series_key",
    cluster=("series_key",),
)
VALUES = ServingTable(
    name="macro_value",
    columns={
        "fact_id": (
            "Hash of source, series, period, the day it became available, and value; it never changes."
        ),
        "provenance_id": "Where the value comes from, and what evidences available_at.",
        "period_start": "First day of the period.",
        "period_end": "Last day of the period; equal to the first for a day.",
        "available_at": "The day the public could know this vintage, by the snapshot that shows it first.",
        "known_until": (
            "The day another vintage took its place or a snapshot had the value no more; infinity while "
            "neither."
        ),
        "vintage": "1, 2, 3 … in order of availability.",
        "frequency": "A, Q, M or D.",
        "country_iso3": "ISO 3166-1 alpha-3; null for aggregates and what is of no country.",
        "area": (
            "What the series is of: country_iso3, or the publisher's code of an aggregate; empty where it is "
            "of neither."
        ),
        "series_key": "The series.",
        "measure": (
            "What is measured: the indicator's code for a value of a year that has one, else the series."
        ),
        "value": "As stated, exact.",
        "unit": "USD, USD billions, index, percent …; null where the source does not say.",
    },
    identity=("fact_id",),
    key="series_key",
    cluster=("series_key", "period_end", "vintage"),
    known=("available_at", "known_until"),
    changed=(
        "CASE WHEN was.known_until <> now.known_until"
        " THEN CASE WHEN now.is_withdrawn THEN 'withdrawn' ELSE 'restated' END"
        " WHEN was.vintage <> now.vintage THEN 'renumbered' ELSE 'corrected' END"
    ),
    fresh="CASE WHEN now.vintage > 1 THEN 'restated' ELSE 'added' END",
)

DATASET = Dataset(
    name="AF-MACRO",
    package=__package__,
    about="Series of economies, every vintage of their values.",
    tables=(SERIES, VALUES),
    held=(
        LedgerTable("series", condition=_TAKEN.format("series_id")),
        LedgerTable("series_head", condition=_TAKEN.format("head_id")),
        LedgerTable("coverage", "document_id"),
        LedgerTable("snapshot", "brought_by"),
        LedgerTable("observation", "brought_by"),
    ),
    batches="batch_series",
    facts=VALUES,
    bulk=(
        Bulk(
            name="macro",
            about="Every vintage of every value of every series.",
            facts=VALUES,
            view="bulk_macro",
            columns=(
                *place("Row id of the value.", "First edition that holds both."),
                BulkColumn("series", "VARCHAR", "Key of the series."),
                BulkColumn("series_type", "VARCHAR", "fx, cpi or indicator."),
                BulkColumn("frequency", "VARCHAR", "annual, quarterly, monthly or daily."),
                BulkColumn("country_iso2", "VARCHAR", "ISO 3166-1 alpha-2."),
                BulkColumn("country_iso3", "VARCHAR", "ISO 3166-1 alpha-3."),
                BulkColumn(
                    "aggregate",
                    "VARCHAR",
                    "The publisher's code of an aggregate of countries; null of a country.",
                ),
                BulkColumn(
                    "measure",
                    "VARCHAR",
                    "The indicator's code for a value of a year that has one, else the series.",
                ),
                BulkColumn("indicator_name", "VARCHAR", "What the publisher calls it."),
                BulkColumn("period_start", "DATE", "First day."),
                BulkColumn("period_end", "DATE", "Last day."),
                BulkColumn("value", EXACT, "As stated, to 12 places after the point."),
                BulkColumn(
                    "value_exact", "VARCHAR", "All digits, where there are more places than 12; else null."
                ),
                BulkColumn("unit", "VARCHAR", "As stated."),
                BulkColumn("vintage", "INTEGER"),
                BulkColumn("available_at", "DATE", "The day the public could know it."),
                BulkColumn("available_at_basis", "VARCHAR", "What evidences that day."),
                BulkColumn(
                    "known_until",
                    "DATE",
                    "The day another vintage took its place or a snapshot had it no more; "
                    "null while neither.",
                ),
                *origin("Document and series."),
            ),
            order="country_iso3, series, period_end, row_id, published_in",
            joined=(Joined("series", "series_row", step=200),),
        ),
    ),
    counted=QualityKeys(
        kind="series",
        plural="series",
        coverage="Series of which the edition holds a value.",
        touched="touched_series",
        sampled="the series key, the period's end, the value",
    ),
)
