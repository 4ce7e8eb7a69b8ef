"""Bulk files through many editions: rows and closings together say what each edition held."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from support.exports import at, bulk, listed
from support.filings import Filer
from support.stated_macro import GDP, indicator, rates
from support.stated_tenders import PERSON, ROADS, SOURCE, WORKS, award, id_of_party, package, release

# What an edition holds, read from the tables themselves and joined at that edition.
HELD = {
    "fundamentals": """
        SELECT fact_id::text, service_id, vintage, value FROM serving.fundamentals_fact
        WHERE published_in <= %(e)s AND superseded_in > %(e)s
    """,
    "macro": """
        SELECT v.fact_id::text, s.indicator_name, v.vintage, v.value
        FROM serving.macro_value AS v JOIN serving.series AS s USING (series_key)
        WHERE v.published_in <= %(e)s AND v.superseded_in > %(e)s
            AND s.published_in <= %(e)s AND s.superseded_in > %(e)s
    """,
    "awards": """
        SELECT f.fact_id::text, o.service_id || o.legal_name, f.vintage, f.value
        FROM serving.tender_fact AS f JOIN serving.issued_id AS i ON i.service_id = f.party
        JOIN serving.organisation AS o ON o.service_id = i.resolves_to
        WHERE f.measure = 'award_value'
            AND f.published_in <= %(e)s AND f.superseded_in > %(e)s
            AND i.published_in <= %(e)s AND i.superseded_in > %(e)s
            AND o.published_in <= %(e)s AND o.superseded_in > %(e)s
    """,
}


def told(sku, row):
    """Return what a row of a file says, in the terms of the statement above."""
    who = {
        "fundamentals": lambda: row["service_id"],
        "macro": lambda: row["indicator_name"],
        "awards": lambda: row["service_id"] + row["entity_name"],
    }[sku]()
    return row["fact_id"], who, row["vintage"], row.get("value_reported", row.get("value"))


def held(service, sku, edition):
    with service.connect() as admin:
        return Counter(admin.execute(HELD[sku], {"e": edition}).fetchall())


@pytest.fixture(scope="module")
def grown(module_service):
    """A service that changes in every way from edition to edition, and is exported after most."""
    service, filers = module_service, [Filer(number) for number in range(1, 4)]
    years = {("KEN", year): year for year in range(2000, 2010)}

    def tender(number, *suppliers):
        won = [award(str(place), 10 + place, name) for place, name in enumerate(suppliers)]
        return package(release(f"ocds-{number}", tag=["award"], awards=won))

    def say(value, day):
        for filer in filers:
            service.ingest(filer.says(value, filed=day).document())

    def state(name, **changed):
        service.ingest(
            indicator(years | changed.get("values", {}), (GDP[0], name)), source_name="demo-world-bank"
        )

    say(100, "2023-02-01")
    state(GDP[1])
    service.ingest(tender(1, WORKS, ROADS, PERSON), source_name=SOURCE)
    service.publish()
    service.export()
    say(90, "2023-03-01")
    state("GDP, renamed", values={("KEN", 2001): 7})
    service.publish()
    service.export()
    service.merge(id_of_party(service, ROADS), id_of_party(service, WORKS))
    service.publish()  # exported together with the next
    service.merge(service.id_of(filers[0].identifier), service.id_of(filers[1].identifier))
    service.ingest(rates({"2024-02-29": {"ZAR": "20.7"}}), source_name="demo-fx")
    service.publish()
    service.export()
    service.merge(id_of_party(service, ROADS), id_of_party(service, ROADS), "two after all")
    service.ingest(tender(2, WORKS), source_name=SOURCE)
    service.publish()
    service.export()
    service.await_edition(service.publish().edition)
    return service


@pytest.mark.parametrize("sku", HELD)
def test_rows_and_closings_give_every_edition_back(grown, sku):
    rows, closed = bulk(grown, sku)
    newest = max(artifact["edition"] for artifact in listed(grown))
    changed = {tuple(sorted(held(grown, sku, edition).items())) for edition in range(1, newest + 1)}
    assert len(changed) > 2
    for edition in range(1, newest + 1):
        assert Counter(told(sku, row) for row in at(rows, closed, edition)) == held(grown, sku, edition)
    assert all(PERSON not in str(row) for row in rows)


def test_a_run_with_nothing_new_writes_nothing_and_makes_no_edition(grown):
    done = grown.export()
    assert (done.files, done.swept) == (0, 0)
    assert grown.publish() is None


def test_a_filing_adds_a_file_and_no_file_is_written_again(grown):
    before = {each["name"] for each in listed(grown) if each["kind"] == "rows"}
    grown.ingest(Filer(8).says(5, filed="2024-02-01").document())
    last = grown.publish().edition
    assert grown.export().files > 0
    grown.await_edition(grown.publish().edition)
    files = {each["name"]: each for each in listed(grown) if each["kind"] == "rows"}
    assert before < set(files)
    assert {each["last_edition"] for name, each in files.items() if name not in before} == {last}


def test_what_a_killed_run_left_behind_is_removed_and_nobody_else_s(grown):
    (prefix,) = {key.partition("/")[0] for key in keys(grown)}
    kept = keys(grown)
    grown.licensed.keep(f"{prefix}/left-behind.parquet", b"half")
    grown.licensed.keep("00000000/of-another-installation.parquet", b"theirs")
    assert grown.export().swept == 1
    assert keys(grown) == kept
    assert grown.licensed.fetch("00000000/of-another-installation.parquet") == b"theirs"
    grown.licensed.remove(["00000000/of-another-installation.parquet"])


def keys(service):
    ((instance,),) = service.rows("SELECT left(instance_id::text, 8) FROM ops.instance")
    return set(service.licensed.keys(f"{instance}/"))


def test_every_object_is_the_one_that_was_recorded(grown):
    recorded = grown.rows("SELECT object_key, sha256 FROM ops.artifact WHERE kind <> 'panel'")
    assert {key for key, _ in recorded} >= keys(grown)
    for key, sha256 in recorded:
        content = grown.licensed.fetch(key)
        assert content is None or hashlib.sha256(content).digest() == sha256
