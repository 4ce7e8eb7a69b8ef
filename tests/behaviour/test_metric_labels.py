"""Metrics read labels by their days, each vintage once, and pass over a vintage that only rounds another."""

from __future__ import annotations

import pytest

from sankofa.metrics.publish import Metrics
from support.filings import FY2022, FY2023, Filer
from support.lines import reports

# As the publisher of fundamentals would write it: the same vintage once for each span of days of its labels.
_RELABEL = """
INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, withdrawn_at, scope, reason,
    vintage, fiscal_year, is_own_period, service_id, line_item, period_type, unit, concept, value,
    labelled_from, labelled_until, passed_over
)
SELECT
    2, fact_id, provenance_id, period_end, period_start, available_at, withdrawn_at, scope, reason, vintage,
    label.fiscal_year, is_own_period, service_id, line_item, label.period_type, unit, concept, value,
    label.since::date, label.until::date, passed_over
FROM serving.fundamentals_fact CROSS JOIN (VALUES {labels}) AS label (since, until, period_type, fiscal_year)
WHERE period_end = '2023-12-31' AND period_start > '-infinity' AND published_in = 1
"""
_CLOSE = """
UPDATE serving.fundamentals_fact SET superseded_in = 2
WHERE period_end = '2023-12-31' AND period_start > '-infinity' AND published_in = 1
"""
_PASS_OVER = "UPDATE serving.fundamentals_fact SET passed_over = TRUE WHERE vintage = 2"
_PIECES = """
SELECT
    period_end::text, fiscal_year, known_from::text, last_until::text, value::text,
    CASE WHEN exact_from IS NULL THEN 'revised_after_as_of' END, length(inputs) / 6
FROM serving.metric_value WHERE metric = %s AND superseded_in = 2147483647 AND last_until > known_from
ORDER BY known_from
"""


@pytest.fixture
def derived(make_service):
    """Return a maker of the metrics that follow from facts which were altered by hand; it keeps nothing."""
    service = make_service()

    def derive(filer, metric, *statements):
        service.ingest(filer.document())
        service.publish()
        with service.connect() as admin:
            admin.execute("BEGIN")
            admin.execute("SET session_replication_role = replica")
            for table in ("fundamentals_fact", "metric_value", "metric_absence", "issuer_coverage"):
                admin.execute(f"ALTER TABLE serving.{table} DISABLE TRIGGER USER")
            for statement in statements:
                admin.execute(statement)
            service_id = service.id_of(filer.identifier)
            admin.execute("CREATE TEMPORARY TABLE touched (service_id text) ON COMMIT DROP")
            admin.execute("INSERT INTO touched VALUES (%s)", [service_id])
            Metrics().publish(admin, 2)
            rows = admin.execute(_PIECES, [metric]).fetchall()
            admin.execute("ROLLBACK")
        return [tuple(row) for row in rows]

    return derive


def filer_of_two_years():
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=10)
    return reports(filer, FY2023, "2024-03-01", revenue=100, net_income=30)


def relabelled(*labels):
    values = ", ".join(
        f"({', '.join('NULL' if value is None else repr(value) for value in label)})" for label in labels
    )
    return _RELABEL.format(labels=values), _CLOSE


def test_a_full_year_is_known_from_the_day_of_its_label(derived):
    rows = derived(
        filer_of_two_years(),
        "net_margin",
        *relabelled((None, "2024-09-01", "", None), ("2024-09-01", None, "FY", 2023)),
    )
    assert [row[:6] for row in rows] == [
        ("2022-12-31", 2022, "2023-03-01", "2024-09-01", "0.1", None),
        ("2023-12-31", 2023, "2024-09-01", "infinity", "0.3", None),
    ]


def test_a_year_that_is_no_full_year_in_the_end_is_never_exact(derived):
    rows = derived(
        filer_of_two_years(),
        "net_margin",
        *relabelled((None, "2024-09-01", "FY", 2023), ("2024-09-01", None, "TTM", None)),
    )
    assert [row[:6] for row in rows] == [
        ("2022-12-31", 2022, "2023-03-01", "2024-03-01", "0.1", None),
        ("2023-12-31", 2023, "2024-03-01", "2024-09-01", "0.3", "revised_after_as_of"),
        ("2022-12-31", 2022, "2024-09-01", "infinity", "0.1", None),
    ]


def test_a_vintage_with_several_labels_is_one_input_and_its_year_goes_by_the_day(derived):
    rows = derived(
        filer_of_two_years(),
        "net_margin",
        *relabelled((None, "2024-09-01", "FY", 2023), ("2024-09-01", None, "FY", 2024)),
    )
    assert rows[1:] == [
        ("2023-12-31", 2023, "2024-03-01", "2024-09-01", "0.3", None, 2),
        ("2023-12-31", 2024, "2024-09-01", "infinity", "0.3", None, 2),
    ]


def test_a_vintage_that_only_rounds_another_is_passed_over(derived):
    filer = reports(Filer(1), FY2023, "2024-03-01", revenue=1000, net_income=333)
    reports(filer, FY2023, "2025-03-01", net_income=300)
    assert [row[2:6] for row in derived(filer, "net_margin", _PASS_OVER)] == [
        ("2024-03-01", "infinity", "0.333", None)
    ]
    assert [row[2:6] for row in derived(filer, "net_margin")] == [
        ("2024-03-01", "2025-03-01", "0.333", "revised_after_as_of"),
        ("2025-03-01", "infinity", "0.3", None),
    ]
