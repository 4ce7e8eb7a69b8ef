"""The drills of the alerts about the API: how each fault begins and ends."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager

import httpx
import psycopg

from audit.drills import Drill
from dev import process
from dev.ports import unused_ports
from sankofa.access.keys import generate
from support.waiting import until

# A worker that ends sooner after its start ends the API, which the service manager then starts again.
SETTLED_SECONDS = 6
NETWORKS = 3  # the alert's number in a drill, as the settings of the API have it
# Longer than the alert's second, shorter than the time that the API waits for an answer.
LOCKED_SECONDS = 1.1


@contextmanager
def stopped_api(world):
    world.api.stop()
    try:
        yield
    finally:
        world.api.start()


@contextmanager
def unanswered(world, store):
    """Ask for answers that need a store, which is frozen meanwhile."""
    with world.asking("/v1/editions"):
        store.pause()
        try:
            yield
        finally:
            store.resume()
        until(lambda: world.prometheus.state("SankofaStoreSilent") is None)  # while requests probe the store


def silent_key_store(world):
    return unanswered(world, world.stack.redis_keys)


def silent_usage_store(world):
    return unanswered(world, world.stack.redis_usage)


@contextmanager
def locked_tenders(world):
    """Lock a table again and again, so that answers about tenders wait for it."""
    is_over = threading.Event()

    def lock():
        with world.service.connect() as admin:
            while not is_over.wait(0.05):
                with admin.transaction():
                    admin.execute("LOCK TABLE serving.tender_release IN ACCESS EXCLUSIVE MODE")
                    is_over.wait(LOCKED_SECONDS)

    locker = threading.Thread(target=lock)
    with world.asking():
        locker.start()
        try:
            yield
        finally:
            is_over.set()
            locker.join()


@contextmanager
def killed_workers(world):
    """Kill all workers, and those that replace them, and so on."""
    for _ in range(3):
        killed = set(process.children(world.api.pid))
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        until(lambda killed=killed: len(set(process.children(world.api.pid)) - killed) == world.api.workers)
        time.sleep(SETTLED_SECONDS)
    yield


@contextmanager
def passed_on_key(world):
    """Use one key from several networks. It counts as passed on until the end of the day."""
    with httpx.Client(base_url=world.api.url, headers={"X-API-Key": world.keys[0]}) as client:
        for number in range(NETWORKS + 1):
            response = client.get("/v1/editions", headers={"X-Forwarded-For": f"203.0.{number}.9"})
            assert response.status_code == 200, response.text
    yield


@contextmanager
def unknown_keys(world):
    with world.asking("/v1/editions", key=generate()):
        yield


@contextmanager
def stopped_log_reader(world):
    with world.access_log.stopped(), world.asking("/health"):
        yield


@contextmanager
def paused_replica(world):
    """Add a replica that follows, then stops to, and publish. The API goes on with both servers."""
    standby = world.stack.postgres.replica(world.stack.home / "standby", next(unused_ports()))
    world.parts.callback(standby.destroy)
    standby.start()
    world.serve(standby.port)
    until(lambda: world.prometheus.state("SankofaApiDown") is None)
    on_standby(standby, "SELECT pg_wal_replay_pause()")
    world.ingest()
    try:
        yield
    finally:
        on_standby(standby, "SELECT pg_wal_replay_resume()")


def on_standby(standby, statement):
    with psycopg.connect(standby.dsn(), autocommit=True) as admin:
        admin.execute(statement)


DRILLS = (
    Drill(alert="SankofaApiDown", fault=stopped_api, finds={"curl": "000"}),
    Drill(alert="SankofaApiErrors", fault=silent_key_store, finds={"curl": '"degraded"'}),
    Drill(alert="SankofaApiSlow", fault=locked_tenders),
    Drill(alert="SankofaWorkersRestart", fault=killed_workers),
    Drill(
        alert="SankofaStoreSilent",
        fault=silent_key_store,
        finds={"sankofa doctor": "key store"},
        afterwards=("sankofa keys sync",),
    ),
    Drill(alert="SankofaLimitsDegraded", fault=silent_usage_store),
    Drill(
        alert="SankofaKeysShared",
        fault=passed_on_key,
        stays_because="a key counts as passed on until the end of the day (UTC)",
    ),
    Drill(alert="SankofaKeysRefused", fault=unknown_keys),
    Drill(alert="SankofaAccessLogDropped", fault=stopped_log_reader),
    Drill(alert="SankofaReplicaBehind", fault=paused_replica),
)
