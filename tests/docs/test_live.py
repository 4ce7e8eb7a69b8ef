"""`make live`: days of the demo world arrive while somebody watches, and Ctrl-C ends all of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import asdict

import pytest

from demo import companyfacts
from demo.world import World
from dev.worker import Worker
from support.repository import ROOT
from support.waiting import until

WORLD = World(facts=250)  # one issuer
# What `dev.live` does for the local stack, here for a test's installation.
COMMAND = """
from pathlib import Path
from demo.world import World
from dev.installation import Installation
from dev.live import Live, until_interrupted
from dev.ports import Ports
from dev.stack import Stack

stack = Stack(Path({home!r}), Ports(**{ports!r}), durable=False, shared_buffers="128MB")
installation = Installation(stack, {database!r}, {redis!r})
live = Live(installation=installation, url={url!r}, key={key!r}, world=World(facts={facts}))
raise SystemExit(until_interrupted(lambda: live.run(seconds=1, most=2)))
"""


def command(service):
    installation = service.installation
    text = COMMAND.format(
        home=str(installation.stack.home),
        ports=asdict(installation.stack.ports),
        database=installation.database,
        redis=installation.redis_database,
        url=service.api.url,
        key=service.headers["X-API-Key"],
        facts=WORLD.facts,
    )
    return [sys.executable, "-c", text]


def revenues(service, issuer):
    rows = service.get(f"/v1/fundamentals/{issuer}", vintages="all", period_type="FY").exact["data"]
    return [
        row["value_reported"] for row in rows if (row["line_item"], row["fiscal_year"]) == ("revenue", 2024)
    ]


@pytest.mark.heavy
def test_a_restatement_and_a_tender_arrive_and_ctrl_c_ends_everything(make_service, tmp_path):
    service = make_service()
    service.ingest(companyfacts.part(WORLD, 0).content)
    service.publish()
    service.await_edition(1)
    issuer = service.id_of("cik:9000000000")
    assert revenues(service, issuer) == [1_300_000_000]
    worker = Worker(service.installation)
    printed = tmp_path / "printed"
    with printed.open("wb") as out, subprocess.Popen(command(service), cwd=ROOT, stdout=out) as live:
        try:
            until(lambda: live.poll() is not None or len(revenues(service, issuer)) > 1)
            until(lambda: "    tender " in printed.read_text() and "    restated " in printed.read_text())
            assert worker.alive
        finally:
            live.send_signal(signal.SIGINT)
    assert live.returncode == 0
    assert revenues(service, issuer)[:2] == [1_300_000_000, 1_299_000_000]
    assert "revenue FY2024: 1,300,000,000 → 1,29" in printed.read_text()
    assert service.get("/v1/tenders", country="KE").exact["count"] > 0
    assert not worker.alive
    assert not worker.sources.exists()
