"""KEY-19: a key that many networks use is counted as passed on; one behind a shared address is not."""

from __future__ import annotations

import json

import httpx
import pytest
from redis import Redis as Client

from contract.keyed import furnish
from dev.ports import unused_ports
from sankofa.access.networks import network
from support.command import sankofa
from support.scraping import scrape, value
from support.waiting import until

pytestmark = pytest.mark.proves("KEY-19")
MANY = 100  # the default of SANKOFA_MANY_NETWORKS
PASSED_ON = 1_000  # addresses of one key


@pytest.fixture(scope="module")
def api(module_service):
    """An API process that believes the addresses that callers forward."""
    port, metrics = (next(unused_ports()) for _ in range(2))
    environment = {
        "SANKOFA_PROXIES": '["127.0.0.1"]',
        "SANKOFA_METRICS": f"127.0.0.1:{metrics}",
        "SANKOFA_TIERS": '{"professional": {"per_minute": 1000000}}',
    }
    furnish(module_service)
    api = module_service.installation.api(port, environment=environment)
    api.metrics = metrics
    api.start()
    yield api
    api.stop()


def use(api, issued, addresses):
    with httpx.Client(base_url=api.url, headers={"X-API-Key": issued.key}) as client:
        for address in addresses:
            assert client.get("/v1/editions", headers={"X-Forwarded-For": address}).status_code == 200


def networks(service):
    """Return by key how many networks have used it today, as the command prints it."""
    rows = json.loads(sankofa(service, "keys", "networks", "--json"))
    assert [row["networks"] for row in rows] == sorted((row["networks"] for row in rows), reverse=True)
    return {row["key_id"]: row["networks"] for row in rows}


def test_a_key_passed_on_to_a_thousand_networks_is_counted_and_a_hundred_keys_of_one_office_are_not(
    module_service, api
):
    passed_on, *office = (module_service.issue() for _ in range(101))
    public = module_service.issue("sample", public=True)
    for issued in office:
        use(api, issued, ["198.51.100.7"])
    use(api, passed_on, (f"10.{number // 250}.{number % 250}.9" for number in range(PASSED_ON)))
    use(api, public, (f"172.16.{number}.1" for number in range(MANY)))
    until(lambda: abs(networks(module_service).get(passed_on.key_id, 0) - PASSED_ON) <= PASSED_ON * 0.05)
    counted = networks(module_service)
    assert {counted[issued.key_id] for issued in office} == {1}
    assert public.key_id not in counted
    until(lambda: value(scrape(api.metrics), "sankofa_keys_in_many_networks") == 1)


def test_a_store_that_lost_its_contents_is_told_again(module_service, api):
    issued = module_service.issue()
    use(api, issued, ["198.51.100.7", "192.0.2.7"])
    until(lambda: networks(module_service).get(issued.key_id) == 2)
    with Client.from_url(module_service.installation.environment["SANKOFA_USAGE_URL"]) as store:
        store.flushdb()
    until(lambda: networks(module_service).get(issued.key_id) == 2)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("203.0.113.200", "203.0.113.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("::ffff:203.0.113.9", "203.0.113.0/24"),
        ("", "unknown"),
    ],
)
def test_an_address_counts_as_its_network(address, expected):
    assert network(address) == expected
