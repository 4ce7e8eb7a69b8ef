"""Macro reads at size: every page is an index scan that stops, whoever asks and wherever the page begins.

Connections keep prepared statements, so the plans are looked at as PostgreSQL makes them without knowing any
value: one plan for all questions.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from contextlib import contextmanager

import pytest

from sankofa.storage.postgres import sql
from sankofa.storage.queries import named
from sankofa.storage.reading import SESSION

pytestmark = pytest.mark.heavy  # a world large enough for its plans

ROWS = 101
READS = 200
_NAMED = re.compile(r"%\((\w+)\)s")

# 40 series of 2,500 days and 10 indicators of 200 countries over 50 years; every fifth value has a second
# vintage, and every tenth of those was closed by edition 2.
_FILL = """
INSERT INTO serving.provenance
SELECT
    md5(number::text)::uuid, 'demo@sha256:' || number, 'synthetic', '2026-01-05', 'publisher', 'series', NULL
FROM generate_series(1, 5000) AS number;

CREATE TEMPORARY TABLE country AS
SELECT number, 'A' || chr(65 + number / 26) || chr(65 + number % 26) AS code
FROM generate_series(0, 199) AS number;

INSERT INTO serving.series
(
    published_in, reason, series_key, source, series_type, frequency, country_iso2, country_iso3, area, unit
)
SELECT 1, 'added', 'FX.EUR.' || code, 'demo', 'fx', 'D', left(code, 2), code, code, code
FROM country WHERE number < 40;

INSERT INTO serving.series
(
    published_in, reason, series_key, source, series_type, frequency, country_iso2, country_iso3, area,
    indicator
)
SELECT
    1, 'added', 'WB.IND.' || digit || '.' || code, 'demo', 'indicator', 'A', left(code, 2), code, code,
    'IND.' || digit
FROM country CROSS JOIN generate_series(0, 9) AS indicator (digit);

INSERT INTO serving.macro_value (
    published_in, fact_id, provenance_id, period_start, period_end, available_at, known_until, reason,
    vintage, frequency, country_iso3, area, series_key, measure, value
)
SELECT
    vintage, md5(concat_ws('|', series.series_key, period.period_end, vintage))::uuid,
    md5(number::text)::uuid,
    period.period_start, period.period_end, period.period_end + 30 * (vintage - 1),
    CASE WHEN vintage = 1 AND number % 5 = 0 THEN period.period_end + 30 ELSE 'infinity' END, 'added',
    vintage, series.frequency, series.country_iso3, series.area, series.series_key,
    coalesce(series.indicator, series.series_key), number
FROM serving.series AS series
CROSS JOIN LATERAL (
    SELECT number, '2024-06-30'::date - number AS period_start, '2024-06-30'::date - number AS period_end
    FROM generate_series(1, 2500) AS number WHERE series.frequency = 'D'
    UNION ALL
    SELECT number, make_date(2024 - number, 1, 1), make_date(2024 - number, 12, 31)
    FROM generate_series(1, 50) AS number WHERE series.frequency = 'A'
) AS period
CROSS JOIN LATERAL (
    SELECT vintage FROM generate_series(1, CASE WHEN number % 5 = 0 THEN 2 ELSE 1 END) AS vintage
) AS vintages;

INSERT INTO ops.edition_build (edition) VALUES (1), (2);
INSERT INTO serving.edition (edition, mark, changes) VALUES (1, 'aaaaaaaa', '{}');
UPDATE serving.macro_value SET superseded_in = 2 WHERE vintage = 1 AND value % 50 = 0;
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'bbbbbbbb', '{}');
"""


@pytest.fixture(scope="module")
def filled(module_service):
    with module_service.connect() as admin:
        with admin.transaction():
            for statement in _FILL.split(";\n"):
                admin.execute(statement)
        admin.execute("VACUUM ANALYZE serving.macro_value, serving.series, serving.provenance")
        ((count,),) = admin.execute("SELECT count(*) FROM serving.macro_value").fetchall()
    print(f"{count:,} values")
    assert count >= 200_000
    return module_service


ALWAYS = {
    "edition": 2,
    "day": "2024-06-30",
    "rows": ROWS,
    "since": "0001-01-01",
    "until": "9999-12-31",
    "vintages": "latest",
    "after_series": "",
    "after_vintage": 0,
} | dict.fromkeys(("series", "areas", "indicators", "series_type", "frequency"))
FACTS = {"subject": "AAB", "lowest": "", "highest": "\x7f", "after_measure": "", "after_series": ""}
BY_SERIES, BY_AREA = "macro_value_by_series", "macro_value_by_area"
BY_DAY, BY_YEAR, BY_INDICATOR = "macro_value_by_day", "macro_value_by_year", "macro_value_by_indicator"
MIDDLE = {"until": "2020-12-31"}
ONE, THREE = {"series": ["FX.EUR.AAB"]}, {"series": ["FX.EUR.AAB", "FX.EUR.AAC", "WB.IND.3.AAB"]}
# By question: package, statement, what is asked beside what always is, the index it should go by, and how
# many rows of the table a page may look at; of a country, years and days are in one index.
QUESTIONS = {
    "a series": ("macro", "of_series", ONE, BY_SERIES, 200),
    "a series, all vintages": ("macro", "of_series", ONE | {"vintages": "all"}, BY_SERIES, 200),
    "a series, middle": (
        *("macro", "of_series", ONE | MIDDLE | {"after_series": "FX.EUR.AAB", "after_vintage": 1}),
        *(BY_SERIES, 200),
    ),
    "three series": ("macro", "of_series", THREE, BY_SERIES, 400),
    "years of a series": ("macro", "of_series", {"series": ["WB.IND.3.AAB"]}, BY_SERIES, 100),
    "series of a country": ("macro", "of_areas", {"areas": ["AAB"]}, BY_AREA, 400),
    "series of three countries": ("macro", "of_areas", {"areas": ["AAB", "AAC", "AAD"]}, BY_AREA, 600),
    "series of all": ("macro", "of_all", {}, BY_DAY, 400),
    "series of all, middle": ("macro", "of_all", MIDDLE | {"after_series": "FX.EUR.ACC"}, BY_DAY, 400),
    "years of a country": ("macro", "of_areas", {"areas": ["AAB"], "frequency": "A"}, BY_AREA, 3_500),
    "years of an indicator": ("macro", "of_indicators", {"indicators": ["IND.3"]}, BY_INDICATOR, 400),
    "years of two indicators": (
        *("macro", "of_indicators", {"indicators": ["IND.3", "IND.4"]}, BY_INDICATOR, 800),
    ),
    "years of all": ("macro", "years_of_all", {}, BY_YEAR, 800),
    "years of all, middle": (
        *("macro", "years_of_all", MIDDLE | {"after_series": "WB.IND.8.ABC", "after_vintage": 1}),
        *(BY_YEAR, 800),
    ),
    "facts of a country": ("facts", "values_of_country", FACTS, BY_AREA, 200),
}


@contextmanager
def reading(service):
    """Connect as the API does."""
    with service.connect("read") as connection:
        for option in SESSION.removeprefix("-c ").split(" -c "):
            connection.execute(f"SET {option}")
        yield connection


def plan(connection, statement, asked):
    """Run a statement by the plan that is made without knowing its values, and return the plan's nodes."""
    names = list(dict.fromkeys(_NAMED.findall(statement)))
    numbered = _NAMED.sub(lambda found: f"${names.index(found[1]) + 1}", statement)
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
    package, name, asked, index, most = QUESTIONS[question]
    with reading(filled) as connection:
        found = plan(connection, named(f"sankofa.{package}")[name], ALWAYS | asked)
    scans = [node for node in found if node.get("Relation Name") == "macro_value"]
    assert {(scan["Node Type"], scan["Index Name"]) for scan in scans} == {("Index Scan", index)}
    assert {"Seq Scan"}.isdisjoint(node["Node Type"] for node in found if node["Actual Loops"])
    looked_at = sum(scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0) for scan in scans)
    print(f"{question}: {index}, {found[0]['Actual Rows']} rows of {looked_at} looked at")
    assert found[0]["Actual Rows"] == (50 if question == "years of a series" else ROWS)
    assert looked_at <= most


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_a_page_costs(filled, question):
    package, name, asked, *_ = QUESTIONS[question]
    statement = named(f"sankofa.{package}")[name]
    times, bare = [], []
    with reading(filled) as connection:
        for _ in range(READS):
            began = time.perf_counter()
            assert connection.execute(statement, ALWAYS | asked).fetchall()
            times.append(time.perf_counter() - began)
            began = time.perf_counter()
            connection.execute("SELECT 1").fetchall()
            bare.append(time.perf_counter() - began)
    read, one = statistics.median(times) * 1000, statistics.median(bare) * 1000
    print(f"{question}: p50 {read:.2f} ms, {read / one:.1f} times a bare SELECT 1")
    assert read < 100 * one


_ALL = """
SELECT series_key, measure, country_iso3, period_end::text, frequency, vintage, fact_id::text
FROM serving.macro_value
WHERE published_in <= 2 AND superseded_in > 2 AND available_at <= %s
"""
DAY = "2024-05-20"
WALKS = [
    ({"country": "AAB"}, 7),
    ({"indicator": "IND.3", "from": "2020"}, 97),
    ({"country": "AAC", "indicator": "IND.9"}, 11),
    ({"from": "2022", "to": "2023"}, 997),
    ({"as_of": DAY, "from": "2024-04-01"}, 97),
    ({"as_of": DAY, "country": "AAB", "from": "2023-01-01"}, 7),
    ({"as_of": DAY, "series": "FX.EUR.ABA", "to": "2018-12-31"}, 50),
]


def expected(service, asked):
    """Return the ids of the facts that match, in order, from all rows of the edition."""
    newest = {}
    day = asked.get("as_of") or service.rows("SELECT max(published_at)::date FROM serving.edition")[0][0]
    for key, measure, country, end, frequency, vintage, fact_id in service.rows(_ALL, day):
        if (
            (frequency == "A" or "as_of" in asked)
            and asked.get("country", country) == country
            and asked.get("indicator", measure) == measure
            and asked.get("series", key) == key
            and asked.get("from", "") <= end[: len(asked.get("from", ""))]
            and end[: len(asked.get("to", ""))] <= asked.get("to", "")
        ):
            found = (vintage, measure, "" if "as_of" in asked else country, key, fact_id)
            newest[key, end] = max(newest.get((key, end), found), found)
    rows = sorted((*row[1:4], end, row[4]) for (_, end), row in newest.items())
    return [row[4] for row in sorted(rows, key=lambda row: row[3], reverse=True)]


@pytest.mark.parametrize(("asked", "limit"), WALKS)
def test_a_walk_over_the_pages_gives_every_value_once_and_in_order(filled, asked, limit):
    body = filled.get("/v1/macro", limit=limit, **asked).exact
    walked = [row["fact_id"] for row in body["data"]]
    while body["next_cursor"]:
        assert body["count"] == limit
        body = filled.get("/v1/macro", limit=limit, cursor=body["next_cursor"]).exact
        walked += [row["fact_id"] for row in body["data"]]
    whole = expected(filled, asked)
    assert len(whole) > 3 * limit
    assert walked == whole
    print(f"{asked}: {len(walked):,} rows in pages of {limit}")
