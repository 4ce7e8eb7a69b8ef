"""OPS-11: what is due is fetched by whichever worker is alive."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from functools import partial

import pytest

from dev.own_sources import silence
from support.portal_server import Answer, Portal, package, release
from support.waiting import until as until_within

pytestmark = pytest.mark.proves("OPS-11")
SOURCE = """
publisher = "A portal"
license_class = "operator"
parser = "ocds"
country = "ZA"
[portal]
address = "{address}"
pause_seconds = 0.05
retry_seconds = 0.01
attempts = 2
[due]
at = "* * * * * */2"
"""


SILENT = (
    "SELECT count(*) FROM queue.procrastinate_workers WHERE last_heartbeat < now() - interval '6 seconds'"
)
until = partial(until_within, seconds=180)  # a worker starts in seconds, and beside other tests in a minute


class Growing:
    """A portal of several sources, each a list of pages that grows; it may stop answering for one of them."""

    def __init__(self):
        self.pages = {"one": [[release(1)]], "two": [[release(2)]]}
        self.silent = set()

    def __call__(self, asked):
        name = asked.path.strip("/")
        if name in self.silent:
            return Answer(status=503)
        number = int(asked["page"])
        pages = self.pages[name]
        return package(pages[number - 1] if number <= len(pages) else [])


@pytest.fixture
def world(service, tmp_path):
    folder = tmp_path / "sources"
    folder.mkdir()
    silence(folder)
    offered = Growing()
    with Portal(offered) as portal:
        for name in offered.pages:
            address = f"{portal.url}/{name}?page={{page}}"
            (folder / f"zz-{name}.toml").write_text(SOURCE.format(address=address))
        service.worker_environment = os.environ | service.installation.environment
        service.worker_environment |= {"SANKOFA_SOURCES": str(folder), "SANKOFA_CONTACT": "data@example.org"}
        yield service, offered, portal


@contextmanager
def worker(service, *arguments):
    command = [sys.executable, "-m", "sankofa.surfaces", "work", *arguments]
    with subprocess.Popen(command, env=service.worker_environment) as running:
        try:
            yield running
        finally:
            if arguments:
                running.kill()
            else:
                running.terminate()  # it ends the processes of all its duties


def outcomes(service, name):
    return [
        outcome
        for (outcome,) in service.rows(
            "SELECT ended.outcome FROM ops.run AS run INNER JOIN ops.run_end AS ended ON run.run = ended.run"
            " WHERE run.source = %s ORDER BY run.run",
            name,
        )
    ]


def ocids(service):
    return sorted(ocid for (ocid,) in service.rows("SELECT ocid FROM ledger.release"))


def test_what_is_due_is_fetched_again_and_again(world):
    service, offered, _ = world
    with worker(service, "fetch"):
        until(lambda: len(outcomes(service, "zz-one")) > 0 and len(outcomes(service, "zz-two")) > 0)
        offered.pages["one"].append([release(3)])
        until(lambda: "ocds-test-00003" in ocids(service))
    assert set(outcomes(service, "zz-one")) == {"good"}


def test_a_source_that_fails_does_not_delay_another(world):
    service, offered, _ = world
    offered.silent.add("one")
    with worker(service, "fetch", "--jobs", "1"):
        until(lambda: outcomes(service, "zz-one") == ["failed"])
        until(lambda: len(outcomes(service, "zz-two")) > 1)
        offered.silent.clear()
        until(lambda: "good" in outcomes(service, "zz-one"))
    faults = service.rows("SELECT reason FROM ops.run_fault")
    assert faults
    assert all("status 503" in reason for (reason,) in faults)
    dead = service.rows("SELECT args->>'source' FROM queue.procrastinate_jobs WHERE status = 'failed'")
    assert dead == [("zz-one",)], "it is kept in the queue"


def test_a_killed_worker_is_replaced_by_another(world):
    service, offered, _ = world
    offered.pages["one"] = [[release(number)] for number in range(100, 140)]
    with worker(service, "fetch") as first:
        until(lambda: len(ocids(service)) > 5)
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert outcomes(service, "zz-one") == []
    with worker(service, "fetch"):
        until(lambda: outcomes(service, "zz-one")[:1] == ["good"])
    assert len(service.rows("SELECT sha256 FROM ops.document WHERE source = 'zz-one'")) == 40
    assert len(ocids(service)) == 41


def test_a_worker_that_was_taken_for_dead_goes_on_beside_its_successor(world):
    """It sleeps in the middle of a run, as on a paused machine, and finds its job and its number gone."""
    service, offered, _ = world
    offered.pages["one"] = [[release(number)] for number in range(100, 140)]
    with worker(service, "fetch") as first:
        until(lambda: len(ocids(service)) > 5)
        first.send_signal(signal.SIGSTOP)
        until(lambda: service.rows(SILENT) == [(1,)])
        with worker(service, "fetch"):
            until(lambda: service.rows(SILENT) == [(0,)])
            first.send_signal(signal.SIGCONT)
            until(lambda: "good" in outcomes(service, "zz-one"))
        count = len(outcomes(service, "zz-one"))
        until(lambda: len(outcomes(service, "zz-one")) > count + 1)
    assert set(outcomes(service, "zz-one")) == {"good"}
    assert len(ocids(service)) == 41


def test_all_duties_together_bring_a_document_into_an_answer(world):
    service, offered, _ = world
    with worker(service):
        until(lambda: service.rows("SELECT count(*) FROM serving.edition")[0][0] > 0)
        offered.pages["two"].append([release(7)])
        until(
            lambda: (
                "ocds-test-00007"
                in [row["ocid"] for row in service.get("/v1/tenders", country="ZA").exact["data"]]
            )
        )
