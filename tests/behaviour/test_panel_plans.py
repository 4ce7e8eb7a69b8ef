"""The panel, filings and single facts at size: every statement is an index range that stops, for any page.

Connections keep prepared statements, so the plans are looked at as PostgreSQL makes them without knowing any
value.
"""

from __future__ import annotations

import json
import re
import statistics
import time

import pytest

from sankofa.storage.postgres import sql
from sankofa.storage.queries import named
from sankofa.storage.reading import SESSION

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ISSUERS, ROWS = 2_000, 101
_NAMED = re.compile(r"%\((\w+)\)s")
# 2,000 issuers with 8 line items of 5 years by year and quarter, each in two vintages, and 50 filings; every
# fortieth issuer is Kenyan. Every hundredth also has a rare line item and a rare type of period. Edition 2
# closed every tenth row.
_FILL = """
INSERT INTO ops.edition_build (edition) VALUES (1), (2);
INSERT INTO serving.provenance
SELECT md5(number::text)::uuid, 'demo@sha256:' || number, 'synthetic', '2026-01-05', 'filing', 'xbrl', NULL
FROM generate_series(1, 2000) AS number;
INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    fiscal_year, is_own_period, service_id, line_item, period_type, unit, concept, value
)
SELECT
    1, md5(concat_ws('|', issuer, item, year, part, vintage))::uuid, md5(issuer::text)::uuid,
    make_date(year, 12, 31), make_date(year, 1, 1), make_date(year + vintage, 3, 1), 'consolidated', 'added',
    vintage, year, TRUE, 'DC' || lpad(issuer::text, 5, '0'),
    CASE item WHEN 1 THEN 'revenue' WHEN 2 THEN 'net_income' ELSE 'line_' || item END,
    (ARRAY['FY', 'Q1', 'Q2', 'Q3'])[part], 'KES', 'demo:Line' || item, issuer + item + vintage
FROM generate_series(1, 2000) AS issuer CROSS JOIN generate_series(2018, 2022) AS year
CROSS JOIN generate_series(1, 8) AS item CROSS JOIN generate_series(1, 4) AS part
CROSS JOIN generate_series(1, 2) AS vintage
ORDER BY issuer, year, item;
INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    fiscal_year, is_own_period, service_id, line_item, period_type, unit, concept, value
)
SELECT
    1, md5(line_item || issuer)::uuid, md5(issuer::text)::uuid, '2020-12-31', '2020-01-01', '2021-03-01',
    'consolidated', 'added', 1, 2020, TRUE, 'DC' || lpad(issuer::text, 5, '0'), line_item, period_type, 'KES',
    'demo:Rare', issuer
FROM generate_series(100, 2000, 100) AS issuer
CROSS JOIN (VALUES ('investments', 'FY'), ('revenue', 'H1')) AS rare (line_item, period_type);
INSERT INTO serving.issuer_coverage (
    published_in, first_known_at, reason, service_id, country, keys, first_dates, last_dates, license_classes
)
SELECT
    1, '2019-03-01', 'added', 'DC' || lpad(issuer::text, 5, '0'), 'KE', keys,
    array_fill('2018-12-31'::date, ARRAY[cardinality(keys)]),
    array_fill('2022-12-31'::date, ARRAY[cardinality(keys)]),
    array_fill('synthetic'::text, ARRAY[cardinality(keys)])
FROM generate_series(1, 2000) AS issuer
CROSS JOIN LATERAL (
    SELECT
        ARRAY['line-items/net_income', 'line-items/revenue', 'period-types/FY', 'period-types/Q1']
        || CASE WHEN issuer % 100 = 0 THEN ARRAY['line-items/investments', 'period-types/H1'] ELSE '{}' END
        AS keys
) AS covered;
INSERT INTO serving.coverage (
    published_in, coverage_id, issuers, reason, shelf, kind, key, country, license_classes
)
SELECT 1, md5(key)::uuid, issuers, 'added', 'DC0', kind, key, 'KE', '{synthetic}'
FROM (
    VALUES
        ('line-items', 'revenue', 2000), ('line-items', 'net_income', 2000),
        ('line-items', 'investments', 20),
        ('period-types', 'FY', 2000), ('period-types', 'Q1', 2000), ('period-types', 'H1', 20)
    UNION ALL
    SELECT 'line-items', 'line_' || number, 1 FROM generate_series(1, 5000) AS number
) AS counted (kind, key, issuers);
INSERT INTO serving.issuer_place (published_in, known_from, known_until, reason, service_id, place)
SELECT 1, '2019-01-01', 'infinity', 'added', 'DC' || lpad(issuer::text, 5, '0'), place
FROM generate_series(1, 2000) AS issuer
CROSS JOIN LATERAL unnest(ARRAY['', CASE WHEN issuer % 40 = 0 THEN 'KE' ELSE 'NG' END]) AS place;
INSERT INTO serving.filing (
    published_in, provenance_id, available_at, facts, changed_values, reason, service_id, country, form,
    filing_id
)
SELECT
    1, md5(issuer::text)::uuid, '2015-01-01'::date + number * 60 + issuer % 60, 16, 1, 'added',
    'DC' || lpad(issuer::text, 5, '0'),
    CASE issuer % 40 WHEN 0 THEN 'KE' ELSE 'C' || chr(65 + issuer % 26) END,
    CASE number % 20 WHEN 0 THEN '10-K' ELSE 'FORM ' || number % 20 END, issuer || '-' || number
FROM generate_series(1, 2000) AS issuer CROSS JOIN generate_series(1, 50) AS number;
INSERT INTO serving.edition (edition, mark, changes) VALUES (1, 'aaaaaaaa', '{}');
UPDATE serving.fundamentals_fact SET superseded_in = 2 WHERE row_id % 10 = 0;
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'bbbbbbbb', '{}')
"""
# Whose value of 2020 edition 2 closed.
_CLOSED = """
SELECT service_id FROM serving.fundamentals_fact
WHERE line_item = %s AND fiscal_year = 2020 AND period_type = %s AND vintage = 1 AND superseded_in = 2
"""
DAY = "2021-06-30"
SOME = [f"DC{number:05}" for number in range(40, 2001, 40)]
ALWAYS = {"edition": 2, "day": DAY, "rows": ROWS}
FIRST = {
    f"after_{name}": None
    for name in ("service_id", "line_item", "period_end", "period_start", "unit", "scope", "vintage")
}
ITEMS = {"line_items": ["net_income", "revenue"], "period_type": "FY", "vintages": "latest"}
PAGE = {"since": "0001-01-01", "until": "9999-12-31", "after_filing_id": "", "after_service_id": ""}
RARE = {"keys": ["line-items/investments"], "period_type": "FY"}
RARE_PERIOD = {"keys": ["line-items/revenue"], "period_type": "H1"}
NOBODY = {"country": None, "form": None, "service_id": None}


def variant(name):
    return named("sankofa.facts", "filings.sql", name)["filings"]


PANEL = named("sankofa.facts", "panel.sql")
# By question: statement, what is asked beside what always is, table, its index, and the most rows to look at.
QUESTIONS = {
    "issuers of a country": (
        PANEL["issuers_of_place"],
        {"place": "KE", "first": "", "done": "", "issuers": 50},
        *("issuer_place", "issuer_place_by_place", 60),
    ),
    "issuers of all, middle": (
        PANEL["issuers_of_place"],
        {"place": "", "first": "DC01000", "done": "DC01000", "issuers": 50},
        *("issuer_place", "issuer_place_by_place", 60),
    ),
    "issuers of a rare line item": (
        PANEL["issuers_with_items"],
        {"place": "", "first": "DC01000", "done": "DC01000", "issuers": 50} | RARE,
        *("issuer_coverage", "issuer_coverage_by_key", 20),
    ),
    "issuers of a rare type of period": (
        PANEL["issuers_with_items"],
        {"place": "", "first": "DC01000", "done": "DC01000", "issuers": 50} | RARE_PERIOD,
        *("issuer_coverage", "issuer_coverage_by_key", 20),
    ),
    "reporters": (
        PANEL["reporters"],
        ITEMS,
        *("coverage", "coverage_by_key", 3),
    ),
    "last years": (
        PANEL["last_years"],
        ITEMS | {"service_ids": SOME},
        *("fundamentals_fact", "fundamentals_fact_by_issuer", 4_000),
    ),
    "cells of a year": (
        PANEL["cells"],
        ITEMS
        | FIRST
        | {
            "service_ids": SOME,
            "first_years": [2020] * 50,
            "last_years": [2020] * 50,
            "fiscal_years": [2020],
        },
        *("fundamentals_fact", "fundamentals_fact_by_issuer", 1_000),
    ),
    "filings": (
        named("sankofa.facts", "filings.sql")["filings"],
        PAGE | NOBODY,
        *("filing", "filing_by_day", 400),
    ),
    "filings, middle": (
        named("sankofa.facts", "filings.sql")["filings"],
        PAGE | NOBODY | {"until": "2018-06-30"},
        *("filing", "filing_by_day", 400),
    ),
    "filings of a country": (
        variant("of_country"),
        PAGE | NOBODY | {"country": "KE"},
        *("filing", "filing_by_country", 400),
    ),
    "filings of a form": (
        variant("of_form"),
        PAGE | NOBODY | {"form": "10-K"},
        *("filing", "filing_by_form", 400),
    ),
}


@pytest.fixture(scope="module")
def filled(module_service):
    with module_service.connect() as admin:
        with admin.transaction():
            for statement in _FILL.split(";\n"):
                admin.execute(statement)
        admin.execute(
            "VACUUM ANALYZE serving.fundamentals_fact, serving.issuer_place, serving.filing,"
            " serving.provenance, serving.issuer_coverage, serving.coverage"
        )
        ((count,),) = admin.execute("SELECT count(*) FROM serving.fundamentals_fact").fetchall()
    print(f"{count:,} facts")
    assert count >= 600_000
    return module_service


def plan(service, statement, asked):
    """Run a statement by the plan that is made without knowing its values, and return the plan's nodes."""
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


def looked_at(found, table):
    scans = [node for node in found if node.get("Relation Name") == table]
    rows = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in scans
    )
    indexes = {node["Index Name"] for node in found if table in node.get("Index Name", "")}
    return rows, indexes


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_statement_is_read_by_its_index_and_no_further_than_it_reaches(filled, question):
    statement, asked, table, index, most = QUESTIONS[question]
    found = plan(filled, statement, ALWAYS | asked)
    rows, indexes = looked_at(found, table)
    assert "Seq Scan" not in {node["Node Type"] for node in found if node["Actual Loops"]}
    assert indexes == {index}
    print(f"{question}: {index}, {found[0]['Actual Rows']} rows of {rows:.0f} looked at")
    assert found[0]["Actual Rows"] > 0
    assert rows <= most


def test_a_fact_is_found_by_a_part_of_its_hash(filled):
    ((fact_id,),) = filled.rows("SELECT fact_id::text FROM serving.fundamentals_fact WHERE row_id = 123457")
    statement = named("sankofa.facts", "fact.sql")["versions_of_fact"]
    found = plan(filled, statement, ALWAYS | {"fact_id": fact_id, "day": "2026-01-01"})
    rows, indexes = looked_at(found, "fundamentals_fact")
    assert "fundamentals_fact_by_hash" in indexes
    assert "Seq Scan" not in {node["Node Type"] for node in found if node["Actual Loops"]}
    print(f"a fact: {sorted(indexes)}, {found[0]['Actual Rows']} rows of {rows:.0f} looked at")
    assert rows <= 400


@pytest.mark.parametrize(
    ("line_item", "period_type", "issuers", "limit"),
    [
        ("investments", "FY", range(100, 2001, 100), 7),
        ("revenue", "H1", range(100, 2001, 100), 7),
        ("revenue", "FY", range(1, 2001), 900),
        ("revenue", "TTM", (), 7),
    ],
)
def test_a_panel_of_all_issuers_has_everyone_who_reported_page_after_page(
    filled, line_item, period_type, issuers, limit
):
    """What is rare is found by the issuers that report it, anything else by looking at all of them."""
    asked = {"line_item": line_item, "period_type": period_type, "fiscal_year": "2020", "limit": limit}
    asked["as_of"], found = "2021-06-30", []
    while asked:
        answer = filled.get("/v1/panel", **asked).json()
        found += [row["service_id"] for row in answer["data"]]
        asked = {"cursor": answer["next_cursor"]} if answer["next_cursor"] else None
    closed = {service_id for (service_id,) in filled.rows(_CLOSED, line_item, period_type)}
    assert found == [one for number in issuers if (one := f"DC{number:05}") not in closed]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("/v1/panel", {"line_item": "revenue,net_income", "country": "KE", "fiscal_year": "2020"}),
        ("/v1/panel", {"line_item": "revenue,net_income", "fiscal_year": "2019,2020", "limit": 1_000}),
        ("/v1/panel", {"line_item": "revenue"}),
        ("/v1/panel", {"line_item": "investments"}),
        ("/v1/panel", {"line_item": "revenue", "period_type": "H1"}),
        ("/v1/filings", {"country": "KE"}),
        ("/v1/filings", {}),
    ],
)
def test_what_an_answer_costs(filled, path, asked):
    """The figures are printed; a bound that a busy machine could break is not asserted."""
    times = []
    for ago in range(60):
        began = time.perf_counter()
        answer = filled.get(path, as_of=f"2021-0{1 + ago // 28}-{1 + ago % 28:02}", **asked)
        times.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.text
    assert answer.json()["count"] > 0
    worst, middle = max(times) * 1000, statistics.median(times) * 1000
    print(f"{path} {asked}: {answer.json()['count']} rows, p50 {middle:.1f} ms, worst of 60 {worst:.1f} ms")
