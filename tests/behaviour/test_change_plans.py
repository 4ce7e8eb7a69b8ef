"""The change feed at size: a page is found in indexes, wherever it begins, and no table is read through.

Connections keep prepared statements, so the plans are looked at as PostgreSQL makes them without knowing any
value.
"""

from __future__ import annotations

import json
import re

import pytest

from sankofa.changes.reads import SQL
from sankofa.storage.postgres import sql
from sankofa.storage.reading import SESSION

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ROWS = 101
MOST = 2**63 - 1
_NAMED = re.compile(r"%\((\w+)\)s")
FILED = (True, "AF-FUND")
REASONS = ["added", "restated", "renumbered", "corrected", "merged", "withdrawn"]
DATASETS = {"AF-FUND": "fundamentals_fact", "AF-MACRO": "macro_value", "AF-TENDER": "tender_fact"}
# 2,000 issuers with 60 values in edition 1; edition 2 renumbers every fourth of them and withdraws a few.
# Series and tenders have some rows of their own in each.
_FILL = """
INSERT INTO ops.edition_build (edition) VALUES (1), (2), (3);
INSERT INTO serving.provenance
SELECT md5(number::text)::uuid, 'demo@sha256:' || number, 'synthetic', '2026-01-05', 'filing', 'xbrl', NULL
FROM generate_series(1, 2000) AS number;
INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    is_own_period, service_id, line_item, period_type, unit, concept, value
)
SELECT
    edition, md5(concat_ws('|', issuer, number))::uuid, md5(issuer::text)::uuid, '2020-12-31', '2020-01-01',
    '2021-03-01', 'consolidated', (CASE
        WHEN edition = 1 THEN 'added' WHEN number % 20 = 0 AND issuer % 100 = 0 THEN 'withdrawn'
        ELSE 'renumbered'
    END)::serving.change_reason, edition, TRUE, 'DC' || issuer, 'line_' || number, 'FY', 'KES', 'demo:Line',
    number
FROM generate_series(1, 2) AS edition CROSS JOIN generate_series(1, 2000) AS issuer
CROSS JOIN generate_series(1, 60) AS number
WHERE edition = 1 OR number % 4 = 0
ORDER BY edition, issuer, number;
INSERT INTO serving.macro_value (
    published_in, fact_id, provenance_id, period_start, period_end, available_at, known_until, reason,
    vintage, frequency, area, series_key, measure, value
)
SELECT
    edition, md5(concat_ws('|', 'macro', number))::uuid, md5(number::text)::uuid, '2020-01-01', '2020-12-31',
    '2021-03-01', 'infinity', 'added', edition, 'A', '', 'S' || number, 'S', number
FROM generate_series(1, 3) AS edition CROSS JOIN generate_series(1, 2000) AS number ORDER BY 1, number;
INSERT INTO serving.tender_fact (
    published_in, fact_id, process_key, provenance_id, period_end, available_at, known_until, vintage, reason,
    measure, country, unit, location, named_in_ids, value
)
SELECT
    edition, md5(concat_ws('|', 'tender', number))::uuid, md5(number::text)::uuid, md5(number::text)::uuid,
    '2020-12-31', '2021-03-01', 'infinity', edition, 'added', 'tender_value', 'ZA', 'ZAR', 'o/1', '{}', number
FROM generate_series(1, 3) AS edition CROSS JOIN generate_series(1, 2000) AS number ORDER BY 1, number;
INSERT INTO serving.closing (dataset, closed_in, row_id, reason)
SELECT 'fundamentals_fact', 2, was.row_id, now.reason
FROM serving.fundamentals_fact AS was
JOIN serving.fundamentals_fact AS now ON now.fact_id = was.fact_id AND now.published_in = 2
WHERE was.published_in = 1;
UPDATE serving.fundamentals_fact SET superseded_in = 2
WHERE row_id IN (SELECT row_id FROM serving.closing WHERE dataset = 'fundamentals_fact');
INSERT INTO serving.edition (edition, mark, changes) VALUES (1, 'aaaaaaaa', '{}');
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'bbbbbbbb', '{}');
INSERT INTO serving.edition (edition, mark, changes) VALUES (3, 'cccccccc', '{}')
"""


def place(edition, kind=(True, "AF-TENDER"), row_id=MOST, *, reasons=REASONS, until=3):
    """Return what is bound to go on after a place: each kind of change of each dataset at its own."""

    def after(*other):
        if other == kind:
            return row_id
        return 0 if other > kind else MOST

    return {
        "datasets": list(DATASETS),
        "tables": list(DATASETS.values()),
        "after_removed": [after(False, name) for name in DATASETS],
        "after_put": [after(True, name) for name in DATASETS],
        "after_edition": edition,
        "reasons": reasons,
        "edition": until,
        "rows": ROWS,
    }


# By question: what is bound, and what the first and the last change of the page are.
QUESTIONS = {
    "all": (place(0), (1, "put", "added"), (1, "put", "added")),
    "within edition 1": (place(1, FILED, 70_000), (1, "put", "added"), (1, "put", "added")),
    "into edition 2": (
        place(1, (True, "AF-TENDER"), 1_990),
        (1, "put", "added"),
        (2, "remove", "renumbered"),
    ),
    "within removes": (
        place(2, (False, "AF-FUND"), 60_000),
        (2, "remove", "renumbered"),
        (
            2,
            "remove",
        ),
    ),
    "edition 3": (place(2), (3, "put", "added"), (3, "put", "added")),
    "withdrawn": (place(0, reasons=["withdrawn"]), (2, "remove", "withdrawn"), (2, "put", "withdrawn")),
    "added after a long run": (
        place(2, FILED, 121_000, reasons=["added"]),
        (2, "put", "added"),
        (2, "put"),
    ),
    "an old edition": (place(1, FILED, 119_950, until=1), (1, "put", "added"), (1, "put", "added")),
}


@pytest.fixture(scope="module")
def filled(module_service):
    with module_service.connect() as admin:
        with admin.transaction():
            for statement in _FILL.split(";\n"):
                admin.execute(statement)
        for table in (*DATASETS.values(), "closing", "provenance"):
            admin.execute(f"VACUUM ANALYZE serving.{table}")
        assert admin.execute("SELECT count(*) FROM serving.fundamentals_fact").fetchall() == [(150_000,)]
    return module_service


def run(service, statement, asked):
    """Run a statement as the API does, by its general plan; return its rows and the plan's nodes."""
    names = list(dict.fromkeys(_NAMED.findall(statement)))
    numbered = _NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
    with service.connect("read") as connection:
        for option in SESSION.removeprefix("-c ").split(" -c "):
            connection.execute(f"SET {option}")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute(f"PREPARE asked AS {numbered}")
        values = sql.SQL(", ").join(sql.Literal(asked[name]) for name in names)
        rows = connection.execute(sql.SQL("EXECUTE asked ({})").format(values)).fetchall()
        explain = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({})").format(values)
        ((told,),) = connection.execute(explain).fetchall()
    return rows, list(nodes((told if isinstance(told, list) else json.loads(told))[0]["Plan"]))


def nodes(node):
    yield node
    for inner in node.get("Plans", ()):
        yield from nodes(inner)


def looked_at(found):
    """Return how many rows of tables a plan went through, and by which kinds of scan."""
    scans = [node for node in found if "Relation Name" in node]
    rows = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans
    )
    return rows, {node["Node Type"] for node in scans}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_page_is_found_in_indexes_and_nothing_else_is_read(filled, question):
    asked, first, last = QUESTIONS[question]
    rows, found = run(filled, SQL["changes_of_all"], asked)
    read, kinds = looked_at(found)
    print(f"{question}: {len(rows)} rows of {read} looked at")
    assert len(rows) == ROWS
    assert rows[0][: len(first)] == first
    assert rows[-1][: len(last)] == last
    assert kinds <= {"Index Scan", "Index Only Scan"}
    # A page of places for each dataset, reason and kind at most; then each row and its provenance.
    assert read <= 8 * ROWS + 2 * ROWS


def test_changes_of_an_issuer_are_read_by_its_own_index(filled):
    asked = {"service_id": "DC700", "after_edition": 0, "after_is_put": True, "after_row_id": MOST}
    asked |= {"reasons": REASONS, "edition": 3, "rows": ROWS, "dataset": "AF-FUND"}
    rows, found = run(filled, SQL["changes_of_issuer"], asked)
    read, _ = looked_at(found)
    print(f"an issuer: {len(rows)} rows of {read} looked at")
    assert len(rows) == 90
    small = {"edition", "takedown", "tombstone"}
    large = [node for node in found if node.get("Relation Name", "edition") not in small]
    assert "Seq Scan" not in {node["Node Type"] for node in large}
    assert read <= 5 * 90
