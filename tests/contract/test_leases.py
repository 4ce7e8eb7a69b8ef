"""KEY-15, KEY-16: leases of limits, and stores behind Sentinels, as a caller sees them."""

from __future__ import annotations

import re
import time

import httpx
import pytest
from redis import Redis as Client

from dev.ports import unused_ports
from dev.sentinels import WatchedRedis
from dev.stack import temporary_home

PATH = "/v1/tenders?limit=0"  # 400: it needs a key and counts, and reads no data
BACK_SECONDS = 5.0


def remaining(response):
    return {name: int(left) for name, left in re.findall(r'"(\w+)";r=(\d+)', response.headers["RateLimit"])}


@pytest.mark.proves("KEY-15")
def test_the_fields_count_every_request_and_few_of_them_reach_the_usage_store(module_service):
    key = module_service.issue("professional").key
    with Client.from_url(module_service.settings.usage_url, decode_responses=True) as usage:
        usage.config_resetstat()
        for number in range(1, 101):
            left = remaining(module_service.client.get(PATH, headers={"X-API-Key": key}))
            assert (left["burst"], left["month"]) == (1_200 - number, 5_000_000 - number)
        calls = usage.info("commandstats")["cmdstat_fcall"]["calls"]
    print(f"{calls} calls for 100 requests")
    assert calls <= 40


@pytest.mark.proves("KEY-15")
def test_a_revoked_key_with_a_lease_ends_within_five_seconds(module_service):
    issued = module_service.issue("professional")
    headers = {"X-API-Key": issued.key}
    assert {module_service.client.get(PATH, headers=headers).status_code for _ in range(30)} == {400}
    with module_service.installation.registry() as registry:
        registry.revoke(issued.key_id)
    start = time.monotonic()
    while module_service.client.get(PATH, headers=headers).status_code != 401:
        assert time.monotonic() - start < 5


@pytest.mark.proves("KEY-16")
def test_a_master_that_dies_is_replaced_and_keys_and_counts_remain(module_service):
    ports = unused_ports()
    with temporary_home() as home:
        stores = [WatchedRedis(home, name, ports, persistent=name == "keys") for name in ("keys", "usage")]
        module_service.installation.keys, module_service.installation.usage = stores
        api = module_service.installation.api(next(ports))
        try:
            for store in stores:
                store.start()
            with module_service.installation.registry() as registry:
                registry.sync()
            key = module_service.issue("starter").key
            api.start()

            def ask():
                return httpx.get(api.url + PATH, headers={"X-API-Key": key}, timeout=10)

            before = remaining(ask())["burst"]
            for store in stores:
                store.master.kill9()
            start, statuses = time.monotonic(), set()
            while True:
                response = ask()
                statuses.add(response.status_code)
                if 503 in statuses and response.status_code == 400 and "RateLimit" in response.headers:
                    break
                assert time.monotonic() - start < BACK_SECONDS
            took = time.monotonic() - start
        finally:
            api.stop()
            for store in stores:
                store.destroy()
    print(f"back after {took:.1f} s")
    assert statuses == {400, 503}
    assert remaining(response)["burst"] < before
