"""ALFRED's real vintages over HTTP: what the service tells for a day is what ALFRED recorded for it."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from sankofa.macro.periods import beginning
from support.macro_files import DATA, TODAY, needs_real_files

pytestmark = needs_real_files

CUT = "2019-01-01"
PAGE = 97  # no divisor of anything here, so that pages end anywhere


def recorded(file):
    """Return an answer of ALFRED as it was recorded: rows by quarter, in force from one day to another."""
    path = DATA / "vintages/alfred" / f"alfred_GDP_{file}.json"
    return json.loads(path.read_text())["observations"]


def quarter_end(first):
    """Return the last day of the quarter that ALFRED names by its first."""
    return beginning(date.fromisoformat(first), "Q").end.isoformat()


@pytest.fixture(scope="module")
def served(module_service):
    document = (DATA / "vintages/alfred/alfred_GDP_all_releases.json").read_bytes()
    (batch,) = module_service.ingest((document, TODAY), source_name="alfred-gdp")
    assert (batch.outcome, batch.rejected) == ("accepted", {})
    module_service.closed_sources = ()  # ALFRED may not be redistributed; here it is read by nobody else
    module_service.publish()
    return module_service


def known_on(service, day):
    """Ask for everything known on a day, page after page."""
    cursor, rows = {}, []
    while cursor is not None:
        sent = cursor or {"series": "FRED.GDP", "as_of": day}
        body = service.get("/v1/macro", limit=PAGE, **sent).exact
        assert body["as_of"] == day
        rows += body["data"]
        cursor = {"cursor": body["next_cursor"]} if body["truncated"] else None
    assert [row["date"] for row in rows] == sorted({row["date"] for row in rows}, reverse=True)
    return rows


def test_the_answer_of_every_day_of_release_is_the_one_that_was_recorded(served):
    rows = recorded(f"asof_{CUT}")
    assert len(rows) == 2_902
    seen = set()
    for day in sorted({row["realtime_start"] for row in rows}):
        in_force = {
            (quarter_end(row["date"]), row["realtime_start"], Decimal(row["value"]))
            for row in rows
            if row["realtime_start"] <= day <= row["realtime_end"] and row["value"] != "."
        }
        answer = {(row["date"], row["available_at"], row["value"]) for row in known_on(served, day)}
        assert answer == in_force, day
        seen |= answer
    told = {
        (quarter_end(row["date"]), row["realtime_start"], Decimal(row["value"]))
        for row in rows
        if row["value"] != "."
    }
    assert seen == told
    missing = sum(row["value"] == "." for row in rows)
    assert len(seen) + missing == len(rows)
    print(f"{len(seen) + missing} of {len(rows)} recorded rows, {missing} of them stated as missing")


def test_the_first_vintage_of_a_quarter_is_its_initial_release(served):
    rows = recorded("initial_release")
    assert len(rows) == 132
    for row in rows:
        end = quarter_end(row["date"])
        sent = {"series": "FRED.GDP", "as_of": row["realtime_start"], "from": end, "to": end}
        (first,) = served.get("/v1/macro", **sent).exact["data"]
        assert (first["vintage"], first["available_at"]) == (1, row["realtime_start"])
        assert (first["value"], first["frequency"]) == (Decimal(row["value"]), "quarterly")
    print(f"{len(rows)} of {len(rows)} initial releases")


def test_shared_facts_tell_the_same(served):
    for day in ("1995-06-30", "2009-08-01", CUT):
        macro = {(row["date"], row["vintage"], row["value"], row["fact_id"]) for row in known_on(served, day)}
        facts, cursor = [], {}
        while cursor is not None:
            sent = cursor or {"entity_id": "USA", "measure": "FRED.GDP", "as_of": day}
            body = served.get("/v1/shared/facts", limit=PAGE, **sent).exact
            facts += body["data"]
            cursor = {"cursor": body["next_cursor"]} if body["truncated"] else None
        assert {(row["period_end"], row["vintage"], row["value"], row["fact_id"]) for row in facts} == macro


def test_gross_domestic_product_is_told_in_billions(served):
    """The release of 2018-12-21: 20,658.204 billion dollars, not dollars."""
    asked = {"series": "FRED.GDP", "as_of": "2018-12-21", "from": "2018-09-30", "to": "2018-09-30"}
    (row,) = served.get("/v1/macro", **asked).exact["data"]
    assert (row["value"], row["unit"]) == (Decimal("20658.204"), "USD billions")
    (listed,) = served.get("/v1/catalog/series").exact["data"]
    assert (listed["key"], listed["unit"]) == ("FRED.GDP", "USD billions")
