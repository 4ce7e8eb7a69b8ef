"""OPS-27: parts of an installation are lost under load, and each answer and each fact is judged."""

from __future__ import annotations

import time

import pytest

from dev.background import Background
from dev.ha import HaStack
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.postgres import OperationalError, connect, transaction_within
from support.filings import Filer
from support.high_availability import WRITES_BACK_SECONDS, Available
from support.verifying import verify
from support.waiting import until

REDIS_BACK_SECONDS = 5.0
WATCH = ("publish", "--watch")


@pytest.fixture(scope="module")
def running():
    with HaStack.throwaway() as stack:
        available = Available(stack)
        yield available
        available.close()


@pytest.fixture
def available(running):
    yield running
    running.heal()


@pytest.mark.parametrize("how", ["kill9", "pause"])
def test_a_lost_primary_is_replaced_and_no_acknowledged_fact_is_lost(available, how):
    lost = available.stack.postgres.primary
    with available.asking() as verdicts, available.writing() as writer:
        took = writer.back_after(getattr(lost, how))
    print(f"{how} of the primary's machine: writes back after {took:.1f} s; reads: {dict(verdicts)}")
    if how == "pause":
        lost.resume()
    available.heal()
    stored = available.every_fact_is_served(writer)
    print(f"{stored} acknowledged documents, all served")
    assert took < WRITES_BACK_SECONDS
    assert set(verdicts) <= {"right", "late"}
    assert is_sealed(available.service)


def test_postgresql_alone_dies_and_its_patroni_hands_over(available):
    lost = available.stack.postgres.primary
    with available.asking() as verdicts, available.writing() as writer:
        took = writer.back_after(lost.server.kill9)
    print(f"kill -9 of PostgreSQL alone: writes back after {took:.1f} s; reads: {dict(verdicts)}")
    available.every_fact_is_served(writer)
    assert took < WRITES_BACK_SECONDS
    assert set(verdicts) <= {"right", "late"}


def test_a_publish_that_meets_a_failover_goes_on_by_itself(available):
    service = available.service
    service.publish()
    (before,) = service.rows("SELECT max(edition) FROM serving.edition")[0]
    service.ingest(*(Filer(50_000 + n).says(n, filed="2024-02-01").document() for n in range(1, 80)))
    publisher = Background("publisher", service.installation, service.installation.environment, *WATCH)
    publisher.start()
    try:
        with service.connect() as admin:
            until(lambda: admin.execute("SELECT 1 FROM build.chunk").fetchone())
            available.stack.postgres.primary.kill9()
        moment = time.monotonic()
        until(lambda: newest(service) > before, 120)  # the number of the interrupted build may be skipped
        print(f"the interrupted publish was current {time.monotonic() - moment:.1f} s after the failure")
        assert publisher.alive
    finally:
        publisher.stop()
    service.publish()
    assert is_sealed(service)


def is_sealed(service):
    status, found, told = verify(service)
    print("\n".join(found))  # notes about numbers without an edition
    return (status, told) == (0, "all is as it was sealed")


def newest(service):
    try:
        return service.rows("SELECT max(edition) FROM serving.edition")[0][0]
    except (OperationalError, StoreUnavailable):
        return 0


def replaying(node, act):
    with connect(node.server.dsn()) as standby:
        standby.execute(f"SELECT pg_wal_replay_{act}()")


def test_a_replica_that_lags_is_promoted_with_everything(available):
    cluster = available.stack.postgres
    lagging, other = cluster.replicas
    other.stop()
    replaying(lagging, "pause")
    with available.writing() as writer:
        took = writer.back_after(cluster.primary.kill9)
    assert cluster.primary is lagging
    stored = available.every_fact_is_served(writer)
    print(f"a lagging replica was promoted: writes back after {took:.1f} s, {stored} documents served")
    assert took < WRITES_BACK_SECONDS


def test_replay_paused_on_one_replica_delays_no_edition(available):
    lagging = available.stack.postgres.replicas[0]
    replaying(lagging, "pause")
    try:
        with available.asking() as verdicts, available.writing() as writer:
            pass
        stored = available.every_fact_is_served(writer)
    finally:
        replaying(lagging, "resume")
    print(f"replay paused on one replica: {dict(verdicts)}, {stored} documents served")
    assert set(verdicts) <= {"right", "late"}


def create_table(admin, seconds):
    with transaction_within(admin, seconds):
        admin.execute("SET LOCAL statement_timeout = '500ms'")
        admin.execute("CREATE TABLE public.waits (row_id integer)")


def test_a_commit_that_no_replica_acknowledges_ends_by_the_clients_deadline(available):
    frozen = available.stack.postgres.replicas
    for node in frozen:
        node.pause()
    try:
        with available.service.connect() as admin:
            moment = time.monotonic()
            with pytest.raises(StoreUnavailable, match="no answer within 1 s"):
                create_table(admin, 1.0)
        took = time.monotonic() - moment
    finally:
        for node in frozen:
            node.resume()
    print(f"a commit without replicas ended after {took:.1f} s")
    assert took < 2.0


def test_without_etcd_reads_and_writes_go_on(available):
    with available.asking() as verdicts, available.writing() as writer:
        available.stack.postgres.etcd.kill9()
        moment = time.monotonic()
        until(lambda: time.monotonic() - moment > 30, 60)  # longer than the lease of the primary
        late = writer.back_after(lambda: None)
    print(f"without etcd for 30 s: {dict(verdicts)}, next document after {late:.1f} s")
    available.heal()
    available.every_fact_is_served(writer)
    assert late < 5.0
    assert set(verdicts) <= {"right", "late"}


@pytest.mark.parametrize("name", ["redis_keys", "redis_usage"])
def test_a_lost_redis_master_is_replaced(available, name):
    with available.asking() as verdicts:
        moment = time.monotonic()
        getattr(available.stack, name).master.kill9()
        until(lambda: time.monotonic() - moment > 2 * REDIS_BACK_SECONDS)
    refused = [answer for answer in available.answers if answer.status == 503]
    took = max((answer.ended - moment for answer in refused), default=0.0)
    print(f"kill -9 of the master of {name}: {dict(verdicts)}, last refusal after {took:.1f} s")
    assert took < REDIS_BACK_SECONDS
    assert verdicts["wrong"] == 0
    assert name == "redis_keys" or not refused


@pytest.mark.parametrize("how", ["kill9", "pause"])
def test_a_lost_api_process_is_passed_over_by_the_proxy(available, how):
    with available.asking() as verdicts:
        moment = time.monotonic()
        getattr(available.apis[0], how)()
        until(lambda: time.monotonic() - moment > 8)
    waited = max(answer.ended - answer.began for answer in available.answers)
    print(f"{how} of an API process: {dict(verdicts)}, the slowest answer took {waited:.1f} s")
    if how == "pause":
        available.apis[0].resume()
    assert set(verdicts) <= {"right", "late"}
