"""OPS-13: files follow editions, and what is left behind goes, without a timer or an operator."""

from __future__ import annotations

import fcntl
import os
import subprocess
import time

import pytest

from dev.installation import command
from dev.ports import unused_ports
from sankofa.core.errors import Refused
from sankofa.feeds.tidying import tidy
from sankofa.surfaces.commands.work import possible
from sankofa.surfaces.settings import Settings
from support.command import sankofa
from support.filings import Filer
from support.links import Link
from support.waiting import until

pytestmark = pytest.mark.proves("OPS-13")
DAY = 86_400
_JOB = """
WITH put AS (
    INSERT INTO queue.procrastinate_jobs (queue_name, task_name, lock, status)
    VALUES ('fetch', 'fetch', %(name)s, 'todo') RETURNING id
), moved AS (
    INSERT INTO queue.procrastinate_events (job_id, type, at)
    SELECT id, 'failed', now() - make_interval(days => %(days)s) FROM put
) SELECT id FROM put
"""


def files(service):
    return {name for (name,) in service.rows("SELECT name FROM ops.artifact")}


def test_files_follow_editions_and_the_next_edition_lists_them(service):
    service.issue()
    filer = Filer(1).says(1, filed="2024-01-01")
    service.ingest(filer.document())
    service.publish()
    arguments, environment = command(service.installation, "export", "--watch", "--interval", "0.2")
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL) as running:
        try:
            until(lambda: files(service), seconds=300)
            first = files(service)
            service.ingest(filer.says(2, filed="2024-02-01").document())
            service.await_edition(service.publish().edition)
            listed = service.get("/v1/export").exact["data"]
            assert first <= {row["name"] for row in listed}
            until(lambda: files(service) > first, seconds=300)
            assert running.poll() is None
        finally:
            running.terminate()


def test_an_exporter_outlives_a_store_that_is_silent(service):
    arguments, environment = command(service.installation, "export", "--watch", "--interval", "0.2")
    environment["SANKOFA_S3_ENDPOINT"] = "http://127.0.0.1:9"  # nobody listens there
    service.ingest(Filer(1).says(1, filed="2024-01-01").document())
    service.publish()
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            said = [next(line for line in running.stdout if "will be repeated" in line) for _ in range(2)]
            assert len(said) == 2
            assert running.poll() is None
        finally:
            running.kill()


def test_a_publisher_that_starts_before_its_store_waits_for_it(service):
    port = next(unused_ports())
    arguments, environment = command(service.installation, "publish", "--watch")
    environment["SANKOFA_S3_ENDPOINT"] = f"http://127.0.0.1:{port}"  # nobody listens there yet
    service.ingest(Filer(1).says(1, filed="2024-01-01").document())
    with subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert any("begins again" in line for line in running.stdout)
            link = Link(port, service.installation.stack.ports.s3)
            assert any("edition 1 " in line for line in running.stdout)
            link.close()
        finally:
            running.kill()


def job(service, name, days, status):
    with service.connect("ingest") as connection:
        connection.execute("SET search_path = queue")  # triggers of the queue name no schema
        ((number,),) = connection.execute(_JOB, {"name": name, "days": days}).fetchall()
        connection.execute("UPDATE queue.procrastinate_jobs SET status = %s WHERE id = %s", [status, number])
        connection.execute(
            "DELETE FROM queue.procrastinate_events WHERE job_id = %s AND at > now() - interval '1 hour'",
            [number],
        )


def test_jobs_that_ended_long_ago_are_removed_and_no_others(service):
    job(service, "old", 31, "failed")
    job(service, "young", 29, "failed")
    job(service, "waiting", 31, "todo")
    job(service, "at-work", 31, "doing")
    assert "1 jobs" in sankofa(service, "tidy")
    left = service.rows("SELECT lock FROM queue.procrastinate_jobs ORDER BY lock")
    assert left == [("at-work",), ("waiting",), ("young",)]
    assert "0 jobs" in sankofa(service, "tidy")


def aged(path, days):
    path.write_bytes(b"left")
    os.utime(path, (time.time() - days * DAY,) * 2)
    return path


def test_parts_and_files_of_killed_processes_go_and_what_is_at_work_stays(service, tmp_path):
    spool, temporary = tmp_path / "spool", tmp_path / "temporary"
    spool.mkdir()
    temporary.mkdir()
    old, young, held = (spool / f"{digit * 64}.part" for digit in "abc")
    aged(old, 8)
    aged(old.with_suffix(".version"), 8)
    aged(young, 6)
    aged(held, 8)
    aged(temporary / "sankofa-old", 2)
    aged(temporary / "sankofa-young", 0.9)
    aged(temporary / "others-old", 2)
    (temporary / "sankofa-folder").mkdir()
    with held.open("rb") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        with service.connect("ingest") as connection:
            done = tidy(connection, spool, temporary)
    assert (done.parts, done.temporary) == (1, 1)
    assert {path.name for path in spool.iterdir()} == {young.name, held.name}
    assert {path.name for path in temporary.iterdir()} == {"sankofa-young", "others-old", "sankofa-folder"}


@pytest.mark.parametrize(
    ("given", "duties"),
    [
        ({"ingest_dsn": "x"}, {"fetch", "tidy"}),
        ({"publish_dsn": "x"}, {"publish", "build"}),
        ({"export_dsn": "x", "open_url": "http://files.example"}, {"export"}),
        ({"follow_dsn": "x", "keys_url": "x", "usage_url": "x"}, {"follow"}),
        ({"ingest_dsn": "x", "publish_dsn": "x"}, {"fetch", "tidy", "publish", "build"}),
    ],
)
def test_a_machine_has_the_duties_that_it_has_logins_for(monkeypatch, given, duties):
    for name in list(os.environ):
        if name.startswith("SANKOFA_"):
            monkeypatch.delenv(name)
    assert set(possible(Settings(**given))) == duties


def test_without_a_login_nothing_is_done(monkeypatch):
    for name in list(os.environ):
        if name.startswith("SANKOFA_"):
            monkeypatch.delenv(name)
    with pytest.raises(Refused, match="no login to work with"):
        possible(Settings())
