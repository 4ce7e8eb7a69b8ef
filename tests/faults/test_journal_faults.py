"""S3 out of order: revocations and takedowns do not wait for the journal, which gets them afterwards."""

from __future__ import annotations

import time
from contextlib import contextmanager

import httpx
import pytest

from dev.follower import Follower
from dev.service import wait_until
from support.filings import Filer
from support.restoring import run

REVOKED_WITHIN = 5.0  # seconds
RECOVERY = 30.0  # seconds for a busy machine; no promise


@pytest.fixture
def service(make_service):
    service = make_service()
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    return service


@pytest.fixture
def follower(service):
    follower = Follower(service.installation)
    follower.start()
    yield follower
    follower.destroy()


@contextmanager
def silent(server, fault):
    getattr(server, fault)()
    try:
        yield
    finally:
        server.start()


def records(service, kind):
    instance = service.rows("SELECT instance_id FROM ops.instance")[0][0]
    return service.journal.keys(f"{kind}/{instance}/")


@pytest.mark.usefixtures("follower")
@pytest.mark.parametrize("fault", ["pause", "kill9"])
def test_a_revocation_holds_within_five_seconds_without_s3(service, stack, fault):
    issued = service.issue()

    def status():
        address = f"{service.api.url}/v1/editions"
        return httpx.get(address, headers={"X-API-Key": issued.key}, timeout=15).status_code

    assert status() == 200
    with silent(stack.s3, fault):
        began = time.monotonic()
        done = run(service, "keys", "revoke", issued.key_id)
        took = time.monotonic() - began
        assert (done.exit_code, "completes the journal" in done.output) == (0, True), done.output
        assert wait_until(lambda: status() == 401, REVOKED_WITHIN - took)
        print(f"{fault}: the command took {took:.2f} s, all in all {time.monotonic() - began:.2f} s")
    assert wait_until(lambda: len(records(service, "keys")) == 2, RECOVERY)


@pytest.mark.usefixtures("follower")
def test_a_takedown_is_in_force_without_s3(service, stack):
    with silent(stack.s3, "pause"):
        taken_down = service.id_of(Filer(1).identifier)
        done = run(service, "takedown", taken_down, "--yes", "--reason", "asked to")
        assert (done.exit_code, "is recorded, and gone" in done.output) == (1, True), done.output
        assert service.rows("SELECT count(*) FROM serving.fundamentals_fact") == [(0,)]
    assert wait_until(lambda: len(records(service, "takedowns")) == 1, RECOVERY)
