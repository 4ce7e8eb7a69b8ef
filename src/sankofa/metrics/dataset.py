"""The dataset of metrics-v1, and the coverage of each issuer that the catalogue reads."""

from __future__ import annotations

from sankofa.core.dataset import EXACT, Bulk, BulkColumn, Dataset, ServingTable, place

VALUES = ServingTable(
    name="metric_value",
    columns={
        "metric": "Slug of metrics-v1.",
        "period_end": "Last day of the year.",
        "published_at": "First day on which the year was known to be one, and an input of it was known.",
        "known_from": "First day on which the value was computed from these facts.",
        "known_until": (
            "First day on which it was computed from others, or not at all; infinity while there is none."
        ),
        "last_until": (
            "From known_from up to this day the year was the last one published; known_from itself if not."
        ),
        "exact_from": (
            "First day from which on these facts decide the value, up to the end of the edition; null if "
            "they were replaced."
        ),
        "first_year": "Calendar year of known_from.",
        "last_year": "Calendar year of last_until; 9999 for infinity.",
        "fiscal_year": "The issuer's fiscal year.",
        "service_id": "The issuer.",
        "country": "ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.",
        "value": "Rounded once, half to even, to ten places.",
        "numerator": "Of the exact value; ranks among values that round alike.",
        "denominator": "Of the exact value, in lowest terms.",
        "inputs": "Rows of serving.fundamentals_fact that the value rests on, six bytes for each.",
    },
    identity=("service_id", "metric", "period_end", "known_from"),
    cluster=("service_id", "metric", "period_end", "known_from"),
    known=("known_from", "known_until"),
    days=("last_until",),
    changes_daily=True,
    changed=(
        "CASE WHEN (was.exact_from IS NULL) <> (now.exact_from IS NULL) THEN 'restated' ELSE 'corrected' END"
    ),
    fresh="CASE WHEN now.known_from > now.published_at THEN 'restated' ELSE 'added' END",
    gone="'withdrawn'",
    taken_down=("organisation", "fact"),
)
ABSENCES = ServingTable(
    name="metric_absence",
    columns={
        "period_end": "Last day of the year.",
        "known_from": "First day on which the year was the last one published and there was no value.",
        "known_until": "First day on which that was otherwise; infinity while there is none.",
        "service_id": "The issuer.",
        "country": "ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.",
        "left_out": "Why basis=exact shows no value.",
        "metrics": "The metrics that had none, as slugs of metrics-v1.",
    },
    identity=("service_id", "period_end", "known_from", "left_out"),
    cluster=("service_id", "period_end", "known_from"),
    known=("known_from", "known_until"),
    changes_daily=True,
    gone="'withdrawn'",
    taken_down=("organisation",),
)
COVERAGE = ServingTable(
    name="issuer_coverage",
    columns={
        "first_known_at": "First day on which anything that it reported was known.",
        "first_year_at": "First day on which a full year was known; null without one.",
        "service_id": "The issuer.",
        "country": "ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.",
        "keys": "What there is of it, as kind/key of the catalogue.",
        "first_dates": "For each key the first period end.",
        "last_dates": "For each key the last period end.",
        "license_classes": "For each key the licences that it is held under.",
    },
    identity=("service_id",),
    gone="'withdrawn'",
    taken_down=("organisation",),
)

DATASET = Dataset(
    name="metrics",
    package=__package__,
    about="Ratios of issuers, computed from their facts.",
    tables=(VALUES, ABSENCES, COVERAGE),
    beside=("metric_span",),
    bulk=(
        Bulk(
            name="metrics",
            about="Every value of every metric, with the days on which it was known.",
            facts=VALUES,
            view="bulk_metric",
            columns=(
                *place("Row id of the value.", "First edition that holds the row."),
                BulkColumn("service_id", "VARCHAR"),
                BulkColumn("country", "VARCHAR"),
                BulkColumn("metric", "VARCHAR"),
                BulkColumn("period_end", "DATE"),
                BulkColumn("fiscal_year", "INTEGER"),
                BulkColumn("value", EXACT),
                BulkColumn("published_at", "DATE"),
                BulkColumn(
                    "available_at", "DATE", "First day on which the value was computed from these facts."
                ),
                BulkColumn("known_until", "DATE", "First day on which it was not any more; null while none."),
                BulkColumn("exact_from", "DATE"),
                BulkColumn("inputs", "BIGINT[]", "`row_id` of the facts in `fundamentals` that it rests on."),
            ),
            order="service_id, metric, period_end, available_at, row_id",
            rests_on="fundamentals",
        ),
    ),
)
