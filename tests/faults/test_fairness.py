"""KEY-14, KEY-6: one key that asks for the dearest pages as fast as it can does not starve the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from audit.tender_documents import release
from dev.ports import unused_ports
from sankofa.ask.endpoint import HEAVIEST
from sankofa.surfaces.rest import ENDPOINTS
from sankofa.tenders.routes import TENDERS
from support.load import Paced, p99

TESTS = Path(__file__).parents[1]
IS_FULL = os.environ.get("AUDIT_SIZE") == "full"
RELEASES = 20_000 if IS_FULL else 1_200
SECONDS = 30 if IS_FULL else 6
TIMES_SLOWER = 2  # how much slower others' slow answers may become, where nothing else runs
MOST_SECONDS = 3.0  # in CI, beside other tests


@pytest.fixture(scope="module")
def service(module_service):
    package = {"releases": [release(number, RELEASES) for number in range(RELEASES)]}
    module_service.ingest(json.dumps(package).encode(), source_name="demo-tenders")
    module_service.publish()
    return module_service


@pytest.fixture(scope="module")
def api(service):
    api = service.installation.api(next(unused_ports()), workers=2)
    api.start()
    yield api
    api.stop()


@pytest.mark.parametrize("connections", [16, 32])
def test_the_dearest_pages_of_one_key_do_not_starve_the_others(service, api, connections):
    keys = [service.issue(tier).key for tier in ("professional", "professional", "starter", "sample") * 5]
    # A pace within the 60 requests a minute of a sample key.
    others = Paced(api.port, keys, 10, lambda took: max(0.0, 1.05 - took))
    _, usual = others.ask(SECONDS)
    command = [sys.executable, "-m", "support.starving", str(api.port), str(connections), str(SECONDS)]
    with subprocess.Popen(
        command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(service.issue("professional").key + "\n")
        process.stdin.flush()
        outcomes, spent = others.ask(SECONDS)
        said, _ = process.communicate(timeout=60)
    statuses, alone, beside = json.loads(said), p99(usual), p99(spent)
    print(
        f"{connections} connections: {statuses}; others {dict(outcomes)}, p99 {1_000 * alone:.0f} →"
        f" {1_000 * beside:.0f} ms, p50 {1_000 * median(usual):.0f} → {1_000 * median(spent):.0f} ms"
    )
    assert statuses["200"]
    assert set(statuses) <= {"200", "429"}
    assert set(outcomes) == {200}
    assert beside < (TIMES_SLOWER * alone if IS_FULL else MOST_SECONDS)


def test_a_page_costs_no_more_than_the_heaviest_one_allowed(service):
    assert all(endpoint.weight * endpoint.largest_page <= HEAVIEST for endpoint in ENDPOINTS)
    page = service.get("/v1/tenders", limit=10_000)
    assert len(page.exact["data"]) == TENDERS.largest_page
    assert page.exact["truncated"]
    seen = {row["id"] for row in page.exact["data"]}
    following = service.get("/v1/tenders", limit=10_000, cursor=page.exact["next_cursor"])
    assert len(following.exact["data"]) == TENDERS.largest_page
    assert seen.isdisjoint(row["id"] for row in following.exact["data"])
