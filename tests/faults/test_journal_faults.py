"""KEY-9 with S3 out of order: a revocation does not wait for the journal, which gets it afterwards."""

from __future__ import annotations

import time

import httpx
import pytest

from dev.follower import Follower
from dev.service import wait_until
from support.filings import Filer
from support.restoring import run

REVOKED_WITHIN = 5.0  # seconds
RECOVERY = 30.0  # seconds for a busy machine; no promise


@pytest.mark.parametrize("fault", ["pause", "kill9"])
def test_a_revocation_holds_within_five_seconds_without_s3(service, stack, fault):
    service.ingest(Filer(1).says(100, filed="2024-02-01").document())
    service.publish()
    issued = service.issue()
    follower = Follower(service.installation)
    follower.start()

    def status():
        address = f"{service.api.url}/v1/editions"
        return httpx.get(address, headers={"X-API-Key": issued.key}, timeout=15).status_code

    try:
        assert status() == 200
        getattr(stack.s3, fault)()
        began = time.monotonic()
        done = run(service, "keys", "revoke", issued.key_id)
        took = time.monotonic() - began
        assert (done.exit_code, "completes the journal" in done.output) == (0, True), done.output
        assert wait_until(lambda: status() == 401, REVOKED_WITHIN - took)
        print(
            f"{fault}: the command took {took:.2f} s, the key was refused in {time.monotonic() - began:.2f} s"
        )
    finally:
        stack.s3.start()
    assert wait_until(lambda: len(records(service)) == 2, RECOVERY)
    follower.destroy()


def records(service):
    instance = service.rows("SELECT instance_id FROM ops.instance")[0][0]
    return service.journal.keys(f"keys/{instance}/")
