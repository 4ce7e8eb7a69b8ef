"""Parquet equals REST: every field of sampled rows, in every dataset and panel, 0 differences."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import date, datetime
from decimal import Decimal

import pytest

from demo import write
from demo.world import World
from sankofa.signals.panels import PANELS
from support.exports import at, bulk, listed, table

NOT_IN_REST = {
    *("row_id", "published_in", "reason", "withdrawn_at", "known_until", "value_exact", "portal_country"),
    *("labelled_from", "labelled_until", "passed_over", "closed_in"),
}
DERIVED = {"known_until", "previous_value", "restated_on"}
TIMES = {"observed_at", "accepted_at"}


@pytest.fixture(scope="module")
def published(module_service, seed, size):
    """The demo world, large enough, exported and listed."""
    service = module_service
    # Not each fact becomes a row: some issuers are persons, and some filings repeat a value.
    for name, made in write.made(World(seed=seed, facts=size.compared * 3 // 2)):
        service.ingest((made.content, made.fetched_at), source_name=name)
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    return service


def written(row):
    """Return a row of a file as JSON would say it."""
    exact = row.get("value_exact")
    return {
        name: Decimal(exact) if name == "value" and exact else plain(value)
        for name, value in row.items()
        if name not in NOT_IN_REST
    }


def plain(value):
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


def rest(row):
    """Return a row of REST with its times in one spelling."""
    return {
        name: datetime.fromisoformat(value).isoformat().replace("+00:00", "Z")
        if name in TIMES and value
        else value
        for name, value in row.items()
    }


def stored(said):
    """Return an answer's row without what is derived from its other vintages when it is read."""
    return {name: value for name, value in said.items() if name not in DERIVED}


def pages(service, path, key="data", **asked):
    while True:
        response = service.get(path, **asked)
        assert response.status_code == 200, response.text
        yield from map(rest, response.exact[key])
        if not response.exact["next_cursor"]:
            return
        asked = {"cursor": response.exact["next_cursor"]}


def live(service, sku):
    """Return a dataset's rows in the edition it was made from, that were known on its day."""
    edition = max(each["edition"] for each in listed(service) if each["table"] == sku)
    ((day,),) = service.rows(
        "SELECT (published_at AT TIME ZONE 'UTC')::date FROM serving.edition WHERE edition = %s", edition
    )
    rows, closed = bulk(service, sku)
    known = [row for row in at(rows, closed, edition) if (row["available_at"] or day) <= day]
    return edition, day, known


def labelled(rows, day):
    """Return the rows whose label holds on a day: a value whose label changed has one row for each."""
    for row in rows:
        if (row["labelled_from"] or day) <= day and (row["labelled_until"] or date.max) > day:
            yield row


def test_fundamentals(published, size, rng):
    edition, day, rows = live(published, "fundamentals")
    by_issuer = defaultdict(dict)
    for row in labelled(rows, day):
        by_issuer[row["service_id"]][row["fact_id"]] = written(row)
    compared = 0
    for service_id in rng.sample(sorted(by_issuer), len(by_issuer)):
        said = pages(
            published, f"/v1/fundamentals/{service_id}", vintages="all", items="all", edition=edition
        )
        assert {row["fact_id"]: stored(row) for row in said} == by_issuer[service_id]
        compared += len(by_issuer[service_id])
        if compared >= size.compared:
            break
    print(f"AF-FUND: {compared:,} rows compared, 0 differences")
    assert compared >= size.compared


def test_awards(published, rng):
    edition, day, rows = live(published, "awards")
    by_party = defaultdict(dict)
    for row in rows:
        if row["known_until"] is None or row["known_until"] > day:
            shape = {"entity_id": row["service_id"], "dataset": "AF-TENDER", "period_type": None}
            told = written(row) | shape
            del told["service_id"]
            by_party[row["service_id"]][row["fact_id"]] = told
    compared = 0
    for service_id in rng.sample(sorted(by_party), len(by_party)):
        asked = {"entity_id": service_id, "dataset": "AF-TENDER", "edition": edition, "limit": "1000"}
        said = {row["fact_id"]: row for row in pages(published, "/v1/shared/facts", **asked)}
        for row in said.values():
            del row["name_as_of"]  # a file holds the edition's own names, not those of a day
        assert said == by_party[service_id]
        compared += len(said)
    print(f"AF-TENDER: {compared:,} rows compared, 0 differences")
    assert compared


def test_macro(published):
    edition, day, rows = live(published, "macro")
    by_country = defaultdict(dict)
    for row in rows:
        if row["available_at"] <= day and (row["known_until"] is None or row["known_until"] > day):
            by_country[row["country_iso3"]][row["fact_id"]] = written(row)
    compared = 0
    for country in sorted(filter(None, by_country)):
        asked = {"entity_id": country, "edition": edition, "limit": "1000"}
        said = {row["fact_id"]: row for row in pages(published, "/v1/shared/facts", **asked)}
        assert said.keys() == by_country[country].keys()
        for fact_id, row in said.items():
            told = by_country[country][fact_id]
            assert {name: told[name] for name in told.keys() & row.keys()} == {
                name: row[name] for name in told.keys() & row.keys()
            }
        compared += len(said)
    print(f"AF-MACRO: {compared:,} rows compared, 0 differences")
    assert compared


def shown(rows):
    """Return the rows of a panel that the newest edition of its file shows."""
    return [row for row in rows if row["closed_in"] is None]


def test_panels(published):
    compared = 0
    for artifact in listed(published):
        if artifact["access"] == "open":
            panel = PANELS[artifact["signal_key"]]
            place = ("country", "month", panel.breakdown)
            held = {
                tuple(row[name] for name in place): row
                for row in map(written, shown(table(published, artifact).to_pylist()))
            }
            asked = {"edition": artifact["edition"], "limit": "1000"}
            said = [
                row
                for country in sorted({country for country, *_ in held})
                for row in pages(
                    published, f"/v1/signals/{panel.key}", "observations", country=country, **asked
                )
            ]
            assert {tuple(row[name] for name in place): row for row in said} == held
            compared += len(held)
    print(f"panels: {compared:,} rows compared, 0 differences")
    assert compared


def test_the_comparison_can_fail(published):
    _, day, rows = live(published, "fundamentals")
    row = random.choice([*labelled(rows, day)])
    (said,) = (
        each
        for each in pages(published, f"/v1/fundamentals/{row['service_id']}", vintages="all", items="all")
        if each["fact_id"] == row["fact_id"]
    )
    assert written(row) == stored(said)
    assert written(row | {"value_reported": row["value_reported"] + Decimal("1e-12")}) != stored(said)
