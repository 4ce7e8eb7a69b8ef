"""Signals at size: every page is one index scan that stops, whoever asks and wherever the page begins.

Connections keep prepared statements, so the plans are looked at as PostgreSQL makes them without knowing any
value.
"""

from __future__ import annotations

import json
import re

import pytest

from sankofa.storage.postgres import sql
from sankofa.storage.queries import named
from sankofa.storage.reading import SESSION

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ROWS = 101
_NAMED = re.compile(r"%\((\w+)\)s")
# 3 panels of 26 countries and 10 categories over 10 years; edition 2 closed every seventh row.
_FILL = """
INSERT INTO ops.edition_build (edition) VALUES (1), (2);
INSERT INTO serving.signal (
    published_in, signal_id, observed_at, month, reason, cell, panel, country, breakdown, methodology_ref,
    license_class, figures, source_ref
)
SELECT
    1, md5(concat_ws('|', panel, country, month, category))::uuid, '2026-01-05', month, 'added',
    country || to_char(month, ' YYYY-MM'), 'panel-' || panel, country, 'category ' || category, 'panel-v1',
    'synthetic', '{"awards": 1}', 'demo@sha256:' || repeat('0', 64)
FROM generate_series(1, 3) AS panel
CROSS JOIN (SELECT 'A' || chr(65 + number) AS country FROM generate_series(0, 25) AS number) AS country
CROSS JOIN generate_series('2014-01-01'::date, '2023-12-01', '1 month') AS moment
CROSS JOIN LATERAL (SELECT moment::date AS month) AS first_day
CROSS JOIN generate_series(0, 9) AS category;
INSERT INTO serving.edition (edition, mark, changes) VALUES (1, 'aaaaaaaa', '{}');
UPDATE serving.signal SET superseded_in = 2 WHERE row_id % 7 = 0;
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'bbbbbbbb', '{}')
"""
ALWAYS = {
    "edition": 2,
    "rows": ROWS,
    "panel": "panel-2",
    "country": None,
    "breakdown": None,
    "since": "0001-01-01",
    "until": "9999-12-31",
    "open_from": "2023-12-01",
    "after_breakdown": "",
    "after_country": "",
}
MIDDLE = {"until": "2018-06-01", "after_breakdown": "category 5", "after_country": "AM"}
# By question: the statement, what is asked, its index, and how many rows of the table a page may look at.
QUESTIONS = {
    "a country": ("observations_of_country", {"country": "AC"}, "signal_by_country", 130),
    "a country, middle": ("observations_of_country", {"country": "AC"} | MIDDLE, "signal_by_country", 130),
    "a category of a country": (
        "observations_of_country",
        {"country": "AC", "breakdown": "category 3"},
        "signal_by_country",
        1_300,
    ),
    "all": ("observations_of_all", {}, "signal_by_month", 400),
    "all, middle": ("observations_of_all", MIDDLE, "signal_by_month", 400),
}


@pytest.fixture(scope="module")
def filled(module_service):
    with module_service.connect() as admin:
        with admin.transaction():
            for statement in _FILL.split(";\n"):
                admin.execute(statement)
        admin.execute("VACUUM ANALYZE serving.signal")
        assert admin.execute("SELECT count(*) FROM serving.signal").fetchall() == [(93_600,)]
    return module_service


def plan(service, statement, asked):
    """Run a statement as the API does, by its general plan, and return the plan's nodes."""
    names = list(dict.fromkeys(_NAMED.findall(statement)))
    numbered = _NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
    with service.connect("read") as connection:
        for option in SESSION.removeprefix("-c ").split(" -c "):
            connection.execute(f"SET {option}")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute(f"PREPARE asked AS {numbered}")
        values = sql.SQL(", ").join(sql.Literal(asked[name]) for name in names)
        explain = sql.SQL("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked ({})").format(values)
        ((told,),) = connection.execute(explain).fetchall()
    return list(nodes((told if isinstance(told, list) else json.loads(told))[0]["Plan"]))


def nodes(node):
    yield node
    for inner in node.get("Plans", ()):
        yield from nodes(inner)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_page_is_read_by_its_index_and_no_further_than_it_reaches(filled, question):
    name, asked, index, most = QUESTIONS[question]
    found = plan(filled, named("sankofa.signals")[name], ALWAYS | asked)
    assert {node["Node Type"] for node in found} <= {"Limit", "Index Scan", "Incremental Sort"}
    (scan,) = (node for node in found if node.get("Relation Name") == "signal")
    assert scan["Index Name"] == index
    looked_at = scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0)
    print(f"{question}: {found[0]['Actual Rows']} rows of {looked_at} looked at")
    assert found[0]["Actual Rows"] == ROWS
    assert looked_at <= most
