"""A replica that lags never answers for an edition it lacks."""

from __future__ import annotations

import asyncio
import itertools
import time
from contextlib import asynccontextmanager
from datetime import timedelta

import httpx
import psycopg
import pytest

from dev.ports import unused_ports
from dev.stack import temporary_home
from sankofa.storage.reading import Reader, ReadOptions
from support.filings import Filer
from support.waiting import until


@pytest.fixture
def replica(stack):
    with temporary_home() as home:
        standby = stack.postgres.replica(home / "standby", next(unused_ports()))
        standby.start()
        yield standby
        standby.destroy()


def hosts(service, *ports):
    name = service.installation.database
    hosts, numbers = ",".join(["127.0.0.1"] * len(ports)), ",".join(map(str, ports))
    return f"host={hosts} port={numbers} dbname={name} user=sankofa_api"


def replay(service, replica, act):
    with psycopg.connect(replica.dsn("postgres", service.installation.database), autocommit=True) as standby:
        standby.execute(f"SELECT pg_wal_replay_{act}()")


def caught_up(service, replica):
    (((lsn,),)) = service.rows("SELECT pg_current_wal_lsn()::text")
    with psycopg.connect(replica.dsn("postgres", "postgres"), autocommit=True) as standby:
        query = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
        until(lambda: standby.execute(query, [lsn]).fetchone()[0])


def test_a_paused_replica_is_passed_over_and_alone_says_unavailable(stack, replica, make_service):
    both = make_service()
    filer = Filer(1).says(100, filed="2024-02-01")
    both.ingest(filer.document())
    both.publish()
    service_id = both.id_of(filer.identifier)
    caught_up(both, replica)
    both.environment["SANKOFA_READ_DSN"] = hosts(both, replica.ports["postgres"], stack.ports.postgres)
    alone = both.installation.api(
        next(unused_ports()), environment={"SANKOFA_READ_DSN": hosts(both, replica.ports["postgres"])}
    )
    alone.start()
    try:
        assert both.facts(service_id)[0]["value_reported"] == 100
        replay(both, replica, "pause")
        both.ingest(filer.says(90, filed="2024-06-01").document())
        both.publish()
        both.await_edition(2)
        for _ in range(20):
            assert [row["value_reported"] for row in both.facts(service_id)] == [90]
            assert [row["value_reported"] for row in both.facts(service_id, edition=1)] == [100]
        path = f"{alone.url}/v1/fundamentals/{service_id}"
        # On its own the replica knows edition 1 only; it cannot say that edition 2 does not exist.
        for edition, status in itertools.product((1, 2), range(5)):
            answer = httpx.get(path, params={"edition": edition}, headers=both.headers)
            assert answer.status_code == (200 if edition == 1 else 503), (edition, status, answer.text)
        assert httpx.get(path, headers=both.headers).json()["edition"] == 1
        replay(both, replica, "resume")
        caught_up(both, replica)
        until(lambda: httpx.get(path, headers=both.headers).json()["edition"] == 2)
        assert httpx.get(path, headers=both.headers).json()["data"][0]["value_reported"] == 90
        assert httpx.get(path, params={"edition": 3}, headers=both.headers).status_code == 503
        assert both.get(f"/v1/fundamentals/{service_id}", edition=3).status_code == 400
    finally:
        alone.stop()


def test_a_paused_replica_answers_what_later_editions_left_untouched(stack, replica, make_service):
    service = make_service()
    filer, other = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(5, filed="2024-02-01")
    service.ingest(filer.document(), other.document())
    service.publish()
    changing, still = service.id_of(filer.identifier), service.id_of(other.identifier)
    caught_up(service, replica)
    service.environment["SANKOFA_READ_DSN"] = hosts(service, replica.ports["postgres"], stack.ports.postgres)
    assert service.facts(changing)[0]["value_reported"] == 100
    replay(service, replica, "pause")
    try:
        service.ingest(filer.says(90, filed="2024-06-01").document())
        service.publish()
        service.await_edition(2)
        with service.connect() as admin, admin.transaction():
            admin.execute("LOCK TABLE serving.fundamentals_fact IN ACCESS EXCLUSIVE MODE")
            body = service.get(f"/v1/fundamentals/{still}").exact
            assert (body["edition"], body["data"][0]["value_reported"]) == (1, 5)
            # Only the primary holds what edition 2 touched, and it has to wait for the lock.
            assert service.get(f"/v1/fundamentals/{changing}").status_code == 503
        assert service.facts(changing)[0]["value_reported"] == 90
    finally:
        replay(service, replica, "resume")


def test_a_replica_that_missed_a_takedown_is_not_asked(stack, replica, make_service):
    service = make_service()
    filer = Filer(1).says(100, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    caught_up(service, replica)
    service.environment["SANKOFA_READ_DSN"] = hosts(service, replica.ports["postgres"], stack.ports.postgres)
    assert service.facts(service_id)
    replay(service, replica, "pause")
    service.take_down(service_id)
    until(lambda: service.get(f"/v1/fundamentals/{service_id}").status_code == 404)
    for _ in range(20):
        assert service.get(f"/v1/fundamentals/{service_id}", edition=1).status_code == 404
    replay(service, replica, "resume")


@pytest.mark.proves("EDN-9")
def test_a_new_edition_waits_until_most_servers_hold_it_and_not_for_ever(stack, replica, make_service):
    service = make_service()
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    caught_up(service, replica)
    replay(service, replica, "pause")

    async def watch():
        async with reading(service, replica.ports["postgres"], stack.ports.postgres) as reader:
            publish(service, Filer(1).says(90, filed="2024-06-01"))
            await shown(reader, {1, 2})
            held, waited = reader.newest, await seconds_until_newest(reader, 2)
            replay(service, replica, "resume")
            await shown(reader, {2})
            publish(service, Filer(2).says(1, filed="2024-07-01"))
            return held, waited, await seconds_until_newest(reader, 3)

    held, waited, followed = asyncio.run(watch())
    print(
        f"held back for {waited:.1f} s while the replica had stopped, and {followed:.1f} s once it followed"
    )
    assert held == 1
    assert 3 < waited < 8
    assert followed < 3


def test_one_replica_of_two_that_stopped_delays_no_edition(stack, replica, make_service):
    service = make_service()
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    with temporary_home() as home:
        stopped = stack.postgres.replica(home / "standby", next(unused_ports()))
        stopped.start()
        try:
            caught_up(service, stopped)
            replay(service, stopped, "pause")
            ports = (stopped.ports["postgres"], replica.ports["postgres"], stack.ports.postgres)

            async def watch():
                async with reading(service, *ports) as reader:
                    publish(service, Filer(1).says(90, filed="2024-06-01"))
                    return await seconds_until_newest(reader, 2)

            assert asyncio.run(watch()) < 3
        finally:
            stopped.destroy()


def test_requests_that_check_a_server_at_once_share_one_query(stack, make_service):
    service = make_service()
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    queries = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"

    async def ask():
        async with reading(service, stack.ports.postgres) as reader:
            await asyncio.gather(*(reader.probe() for _ in range(1_000)))

    ((before,),) = service.rows(queries)
    asyncio.run(ask())  # its session ends, and with that it reports its counts
    ((after,),) = service.rows(queries)
    assert after - before < 500


def publish(service, filer):
    service.ingest(filer.document())
    service.publish()


async def shown(reader, editions):
    standings = reader.standings
    await asyncio.to_thread(until, lambda: {server.edition for server in standings()} == editions)


async def seconds_until_newest(reader, edition):
    began = time.monotonic()
    await asyncio.to_thread(until, lambda: reader.newest == edition)
    return time.monotonic() - began


@asynccontextmanager
async def reading(service, *ports):
    reader = Reader(ReadOptions(dsn=hosts(service, *ports), poll=timedelta(milliseconds=50)))
    await reader.open()
    try:
        yield reader
    finally:
        await reader.close()
