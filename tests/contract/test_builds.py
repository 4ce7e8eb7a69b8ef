"""OPS-7: editions are built by any number of workers, across interruptions, and only if something differs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest

from sankofa.core.errors import BelowFloor, Refused
from sankofa.editions.publish import is_due, publish
from sankofa.editions.work import work
from sankofa.fundamentals.line_items import MapEntry
from support.editions import content
from support.filings import Filer

FILERS = 9
CHUNK = 2
WORK = 6  # of an organisation with one filing


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Divide the few organisations of these tests into several chunks."""
    monkeypatch.setattr("sankofa.entities.walk._CHUNK_WORK", CHUNK * WORK)


def load(service):
    service.ingest(*(Filer(n).says(n, filed="2024-02-01").document() for n in range(1, FILERS + 1)))


class Dies(Exception):
    pass


INTERRUPTION = Dies()


def dying(service, chunks, error=INTERRUPTION):
    """Return the publisher of a build that is interrupted after some chunks of organisations."""
    publisher = service.publisher()
    judgements, organisations, *others = publisher.walks
    entities, fundamentals, *later = organisations.steps
    left = iter(range(chunks))

    class Interrupted(type(fundamentals)):
        def publish(self, connection, edition):
            changes = super().publish(connection, edition)
            if next(left, None) is None:
                raise error
            return changes

    interrupted = replace(organisations, steps=(entities, Interrupted(service.line_items), *later))
    return replace(publisher, walks=(judgements, interrupted, *others))


def facts(service, edition):
    return service.rows(
        "SELECT row_id FROM serving.fundamentals_fact WHERE published_in = %s ORDER BY row_id", edition
    )


@pytest.mark.proves("OPS-7")
def test_workers_share_a_build_and_write_what_one_alone_writes(make_service):
    alone, shared = make_service(), make_service()
    for service in (alone, shared):
        load(service)
    alone.publish()
    publisher, is_over = shared.publisher(), Event()
    done = []
    with ThreadPoolExecutor() as pool:
        workers = [
            pool.submit(
                work,
                publisher.dsn,
                publisher.stages,
                publisher.versions(),
                is_wanted=lambda: not is_over.is_set(),
                report=lambda *told: done.append(told),
            )
            for _ in range(3)
        ]
        publish(publisher)
        is_over.set()
        for worker in workers:
            worker.result()
    assert content(shared, 1) == content(alone, 1)
    assert {edition for edition, _ in done} <= {1}
    assert shared.rows("SELECT count(*) FROM build.chunk WHERE done_at IS NULL") == [(0,)]


@pytest.mark.proves("OPS-7")
def test_an_interrupted_build_is_continued_and_its_chunks_are_not_done_again(make_service):
    whole, service = make_service(), make_service()
    for one in (whole, service):
        load(one)
    whole.publish()
    with pytest.raises(Dies):
        publish(dying(service, 3))
    done = facts(service, 1)
    assert len(done) == 3 * CHUNK
    service.ingest(Filer(99).says(7, filed="2024-02-01").document())
    assert service.publish().edition == 2
    assert facts(service, 1)[: len(done)] == done
    assert content(service, 1) == content(whole, 1)
    assert len(content(service, 2)[0]) == FILERS + 1


@pytest.mark.proves("OPS-7")
def test_a_build_that_other_rules_interrupt_is_undone(service):
    load(service)
    with pytest.raises(Dies):
        publish(dying(service, 2))
    assert facts(service, 1)
    service.line_items = (*service.line_items, MapEntry("demo_line", 1, "demo:Nothing", "monetary"))
    assert service.publish().edition == 1
    assert len(facts(service, 1)) == FILERS
    assert service.rows("SELECT count(*) FROM ops.pending") == [(0,)]


@pytest.mark.proves("OPS-7")
def test_a_build_whose_state_a_crash_of_the_server_emptied_is_undone(service):
    load(service)
    with pytest.raises(Dies):
        publish(dying(service, 2))
    with service.connect() as admin:  # what recovery does to tables that are not logged
        admin.execute("SELECT build.clear()")
    assert service.publish().edition == 1
    assert len(facts(service, 1)) == FILERS


@pytest.mark.proves("OPS-7")
def test_a_refused_build_is_undone_and_what_mends_it_is_taken_in(service):
    load(service)
    with pytest.raises(BelowFloor):
        publish(dying(service, 2, BelowFloor("too bad")))
    service.ingest(Filer(99).says(7, filed="2024-02-01").document())
    assert service.publish().edition == 1
    assert len(facts(service, 1)) == FILERS + 1


@pytest.mark.proves("OPS-7")
def test_a_worker_with_other_rules_does_not_join(service):
    load(service)
    with pytest.raises(Dies):
        publish(dying(service, 1))
    publisher = service.publisher()
    with pytest.raises(Refused, match="line_items"):
        work(publisher.dsn, publisher.stages, publisher.versions() | {"line_items": "others"})


@pytest.mark.proves("OPS-7")
def test_what_changes_no_row_waits_for_the_next_edition(service):
    load(service)
    service.publish()
    service.closed_sources = ("sec-companyfacts",)
    assert service.publish().edition == 2
    silent = Filer(50).says(1, filed="2024-02-01").document()
    service.ingest(silent, source_name="sec-companyfacts")
    assert service.publish() is None
    assert facts(service, 3) == []
    with service.connect("publish") as connection:
        assert not is_due(connection, service.publisher())
    assert service.rows("SELECT kind, changed_nothing FROM ops.pending") == [("batch", True)]
    service.ingest(Filer(51).says(1, filed="2024-02-01").document())
    assert service.publish().edition == 3
    held = "SELECT count(*) FROM ops.edition_holds WHERE edition = 3 AND kind = 'batch'"
    assert service.rows(held) == [(2,)]


@pytest.mark.proves("OPS-7")
def test_looking_for_something_new_writes_nothing(service):
    load(service)
    service.publish()
    with service.connect("publish") as connection:
        is_due(connection, service.publisher())
        assert min(written_by_looks(service, connection) for _ in range(5)) < 10_000


def written_by_looks(service, connection):
    """Return the bytes of WAL that 20 looks write, with what the server itself wrote meanwhile."""
    ((before,),) = service.rows("SELECT pg_current_wal_insert_lsn()")
    for _ in range(20):
        assert not is_due(connection, service.publisher())
    ((written,),) = service.rows("SELECT pg_current_wal_insert_lsn() - %s::pg_lsn", before)
    return written
