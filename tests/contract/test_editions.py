"""EDN and ENT-2: editions are atomic and immutable, takedowns reach all of them, ids keep answering."""

from __future__ import annotations

import itertools
import re
import threading

import httpx
import psycopg
import pytest

from sankofa.editions import takedown
from sankofa.entities.identity import check_character, service_id
from support.filings import FY2022, Filer
from support.waiting import until

REFUSALS = (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)


@pytest.mark.proves("EDN-1")
def test_a_reader_never_sees_a_mixture_of_two_editions(service):
    """Every fact of edition n holds the value n, over many issuers; readers run while editions appear."""
    numbers = range(1, 41)

    def documents(value):
        return [
            Filer(n)
            .says(value, filed=f"2024-01-{value:02d}")
            .says(value, filed=f"2024-01-{value:02d}", period=FY2022)
            .document()
            for n in numbers
        ]

    service.ingest(*documents(1))
    service.publish()
    ids = [service.id_of(f"cik:{n:010d}") for n in numbers]
    url, wrong, seen, done = service.api.url, [], set(), threading.Event()

    def read():
        keys = itertools.cycle([service.issue().key for _ in range(20)])
        with httpx.Client(base_url=url) as client:
            while not done.is_set():
                for service_id in ids:
                    response = client.get(f"/v1/fundamentals/{service_id}", headers={"X-API-Key": next(keys)})
                    if response.status_code == 429:  # cached answers come faster than a key may ask
                        continue
                    body = response.json()
                    shown = {row["value_reported"] for row in body["data"]}
                    seen.add(body["edition"])
                    if shown != {body["edition"]}:
                        wrong.append((body["edition"], shown))

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for value in range(2, 6):
            service.ingest(*documents(value))
            service.await_edition(service.publish().edition)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert wrong == []
    assert len(seen) >= 2


@pytest.mark.proves("EDN-3")
def test_no_login_can_change_or_remove_what_is_published(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    before = service.rows("SELECT * FROM serving.fundamentals_fact")
    for role in ("ingest", "publish", "read", "privacy", "export", "keys", "migrate"):
        with service.connect(role) as connection:
            if role == "migrate":
                connection.execute("SET ROLE sankofa_owner")
            for attack in (
                "UPDATE serving.fundamentals_fact SET value = 1",
                "UPDATE serving.fundamentals_fact SET superseded_in = 1",
                "DELETE FROM serving.fundamentals_fact",
                "TRUNCATE serving.fundamentals_fact",
                "UPDATE serving.edition SET mark = 'aaaaaaaa'",
                "DELETE FROM serving.edition",
            ):
                with pytest.raises(REFUSALS):
                    connection.execute(attack)
    assert service.rows("SELECT * FROM serving.fundamentals_fact") == before


@pytest.mark.proves("EDN-3")
def test_no_login_that_runs_unattended_can_disable_what_prevents_it(service):
    for role in ("ingest", "publish", "read", "privacy", "export", "keys"):
        with service.connect(role) as connection:
            for attack in (
                "ALTER TABLE serving.fundamentals_fact DISABLE TRIGGER ALL",
                "ALTER TABLE ledger.fact DISABLE TRIGGER ALL",
                "SET session_replication_role = replica",
                "SET ROLE sankofa_owner",
            ):
                with pytest.raises(REFUSALS):
                    connection.execute(attack)


@pytest.mark.proves("EDN-3")
def test_a_correction_is_a_new_edition(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    service.ingest(filer.says(90, filed="2024-06-01").document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    assert [row["value_reported"] for row in service.facts(service_id, edition=1)] == [100]
    assert [row["value_reported"] for row in service.facts(service_id)] == [90]


@pytest.mark.proves("EDN-4")
def test_editions_are_listed_newest_first_with_what_each_changed(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(70, filed="2024-02-01", period=FY2022)
    service.ingest(filer.document())
    service.publish()
    service.ingest(filer.says(90, filed="2024-06-01").document())
    service.publish()
    service.ingest(Filer(1).says(80, filed="2023-12-01").document())
    service.publish()
    service.take_down(service.id_of(filer.identifier))
    body = service.get("/v1/editions").exact
    assert [row["edition"] for row in body["data"]] == [3, 2, 1]
    assert all(re.fullmatch("[0-9a-z]{8}", row["mark"]) for row in body["data"])
    assert len({row["mark"] for row in body["data"]}) == 3
    assert all(re.fullmatch("[0-9a-f]{64}", row["digest"]) for row in body["data"])
    assert len({row["digest"] for row in body["data"]}) == 3
    third, second, first = (row["datasets"]["AF-FUND"] for row in body["data"])
    assert first == {"put": {"added": 2}, "removed": {}}
    assert second == {"put": {"restated": 1}, "removed": {}}
    # The late filing becomes vintage 1; the two after it are renumbered.
    assert third == {"put": {"added": 1, "renumbered": 2}, "removed": {"renumbered": 2}}
    assert [len(row["takedowns"]) for row in body["data"]] == [1, 0, 0]
    assert body["data"][0]["takedowns"][0]["rows_removed"] > 0
    assert all(row["published_at"].endswith("Z") for row in body["data"])


@pytest.mark.proves("EDN-7")
def test_a_takedown_of_an_issuer_holds_for_every_edition_and_every_rebuild(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    other = Filer(2).says(5, filed="2024-02-01")
    service.ingest(filer.document(), other.document())
    service.publish()
    service.ingest(filer.says(90, filed="2024-06-01").document())
    service.publish()
    gone, stays = service.id_of(filer.identifier), service.id_of(other.identifier)
    assert service.facts(gone)
    assert service.take_down(gone) == [1]
    until(lambda: service.get(f"/v1/fundamentals/{gone}").status_code == 404)
    service.ingest(filer.says(80, filed="2024-09-01").document())
    service.await_edition(service.publish().edition)
    for edition in (1, 2, 3):
        assert service.get(f"/v1/fundamentals/{gone}", edition=edition).status_code == 404
        assert [row["value_reported"] for row in service.facts(stays, edition=edition)] == [5]
    tombstones = service.rows("SELECT dataset, length(digest) FROM ops.tombstone")
    derived = [tombstone for tombstone in tombstones if tombstone[0].startswith("metric_")]
    assert derived
    assert {length for _, length in derived} == {32}
    assert sorted(set(tombstones) - set(derived)) == [
        ("filing", 32),
        ("fundamentals_fact", 32),
        ("identifier", 32),
        ("issued_id", 32),
        ("issuer", 32),
        ("issuer_coverage", 32),
        ("issuer_place", 32),
        ("organisation", 32),
        ("organisation_name", 32),
        ("provenance", 32),
    ]
    assert tombstones.count(("fundamentals_fact", 32)) == 2
    assert service.rows(
        "SELECT count(*) FROM serving.provenance WHERE document_ref LIKE '%%:0000000001-%%'"
    ) == [(0,)]


@pytest.mark.proves("EDN-7")
def test_a_fact_taken_down_leaves_a_gap_and_nothing_older_in_its_place(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    fact_id = service.facts(service_id)[0]["fact_id"]
    service.take_down(service_id, fact_id)
    until(lambda: not service.facts(service_id))
    assert [row["vintage"] for row in service.facts(service_id, vintages="all")] == [1]
    service.ingest(Filer(3).says(1, filed="2024-02-01").document())
    service.await_edition(service.publish().edition)
    assert [(row["vintage"], row["value_reported"]) for row in service.facts(service_id)] == [(1, 100)]
    assert service.facts(service_id, edition=1) == []


@pytest.mark.proves("EDN-7")
def test_only_the_privacy_role_can_take_down(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    asked = (service.id_of(filer.identifier), "no right to", "a test")
    for role in ("ingest", "publish", "read"):
        with service.connect(role) as connection, pytest.raises(REFUSALS):
            takedown.take_down_issuer(connection, *asked)


@pytest.mark.proves("EDN-7")
def test_every_row_that_a_takedown_removed_left_a_record(service):
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    service.publish()
    rows = "SELECT row_id FROM serving.fundamentals_fact ORDER BY row_id"
    stood = service.rows(rows)
    service.take_down(service.id_of(filer.identifier))
    assert service.rows(rows) == []
    buried = "SELECT row_id FROM ops.tombstone WHERE dataset = 'fundamentals_fact' ORDER BY row_id"
    assert service.rows(buried) == stood


@pytest.mark.proves("EDN-7")
@pytest.mark.parametrize("survives", [True, False])
def test_who_is_one_with_somebody_taken_down_is_served_no_more(service, survives):
    gone, other = (Filer(number).says(100, filed="2024-02-01") for number in (1, 2))
    service.ingest(gone.document(), other.document())
    service.publish()
    down, up = service.id_of(gone.identifier), service.id_of(other.identifier)
    service.take_down(down)
    service.merge(*((up, down) if survives else (down, up)))
    service.await_edition(service.publish().edition)
    assert [service.get(f"/v1/fundamentals/{one}").status_code for one in (down, up)] == [404, 404]
    assert service.get(f"/v1/fundamentals/{up}", edition=1).exact["count"] == 1
    service.take_down(up)
    until(lambda: service.get(f"/v1/fundamentals/{up}", edition=1).status_code == 404)


@pytest.mark.proves("ENT-2")
def test_a_merged_id_answers_with_the_survivor_and_earlier_editions_as_they_did(service):
    one, two = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(70, filed="2023-02-01", period=FY2022)
    service.ingest(one.document(), two.document())
    service.publish()
    duplicate, survivor = service.id_of(one.identifier), service.id_of(two.identifier)
    assert duplicate != survivor
    assert all(re.fullmatch("DC[0-9A-Z]{12,}", issued) for issued in (duplicate, survivor))
    service.merge(duplicate, survivor)
    service.publish()
    body = service.get(f"/v1/fundamentals/{duplicate}").exact
    assert body["resolved_from"] == duplicate
    assert [(row["service_id"], row["value_reported"]) for row in body["data"]] == [
        (survivor, 100),
        (survivor, 70),
    ]
    assert service.facts(survivor) == body["data"]
    assert "resolved_from" not in service.get(f"/v1/fundamentals/{survivor}").exact
    then = service.get(f"/v1/fundamentals/{duplicate}", edition=1).exact
    assert [(row["service_id"], row["value_reported"]) for row in then["data"]] == [(duplicate, 100)]
    assert "resolved_from" not in then
    service.merge(duplicate, duplicate, "they are two after all")
    service.await_edition(service.publish().edition)
    assert [row["value_reported"] for row in service.facts(duplicate)] == [100]
    assert [row["value_reported"] for row in service.facts(survivor)] == [70]


@pytest.mark.proves("ENT-2")
def test_ids_are_compared_exactly_and_cannot_be_guessed_from_their_subject(service):
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    issued = service.id_of(filer.identifier)
    assert service.get(f"/v1/fundamentals/{issued.lower()}").status_code == 404
    assert issued[-1] == check_character(issued[2:-1])
    assert service_id(b"another secret", filer.identifier) != issued
