"""Acts of an operator as processes of their own, which can be killed, and what must hold afterwards."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import time

import pyarrow as pa
import pyarrow.parquet as pq

from dev import process
from dev.installation import command

PARQUET = {"panel", "rows", "closings"}  # the other kinds of files are the metadata of tables


def run(service, arguments):
    """Run a command to its end."""
    line, environment = command(service.installation, *arguments)
    subprocess.run(line, env=environment, check=True, capture_output=True)


def timed(service, arguments):
    """Run a command to its end and return how many seconds it took."""
    began = time.monotonic()
    run(service, arguments)
    return time.monotonic() - began


def kill_at_random(service, arguments, seconds, rng):
    """Start a command that takes about so many seconds, and kill it before, or just after, it ends."""
    line, environment = command(service.installation, *arguments)
    with subprocess.Popen(
        line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            process.wait(rng.uniform(0, seconds * 1.1))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)


class Crew:
    """Commands that run side by side, each started again when it has ended, until the crew is sent home."""

    def __init__(self, service, acts):
        """Describe a crew; `acts` return the words of a command, by its name."""
        self._service = service
        self._acts = acts
        self._running = {}

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        for one in self._running.values():
            one.terminate()
        for one in self._running.values():
            one.wait()

    def tend(self):
        """Start every command that does not run."""
        for name, act in self._acts.items():
            one = self._running.get(name)
            if one is None or one.poll() is not None:
                line, environment = command(self._service.installation, *act())
                self._running[name] = subprocess.Popen(
                    line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )

    def kill(self, rng):
        """Kill one of the commands, or one of the processes that they have started; return the command."""
        self.tend()
        name = rng.choice([name for name, one in self._running.items() if one.poll() is None])
        pid = self._running[name].pid
        process.send(rng.choice([pid, pid, *process.children(pid)]), signal.SIGKILL)
        return name


def consistent(service):
    """Check that the current edition is whole: every fact its batches told of, and no other."""
    ((edition,),) = service.rows("SELECT coalesce(max(edition), 0) FROM serving.edition")
    ((held,),) = service.rows(
        "SELECT count(DISTINCT bs.subject_id) FROM ops.edition_holds h JOIN ops.batch_subject bs"
        " ON bs.batch_id = h.number WHERE h.kind = 'batch' AND h.edition <= %s",
        edition,
    )
    ((shown,),) = service.rows(
        "SELECT count(*) FROM serving.issued_id WHERE published_in <= %s AND superseded_in > %s",
        edition,
        edition,
    )
    assert shown == held
    ((doubled,),) = service.rows(
        "SELECT count(*) FROM (SELECT fact_id FROM serving.fundamentals_fact WHERE published_in <= %s"
        " AND superseded_in > %s GROUP BY fact_id, line_item, labelled_from HAVING count(*) > 1) AS twice",
        edition,
        edition,
    )
    assert doubled == 0
    return edition


def listed_files(service):
    """Check that every file that any edition lists is whole and true; return how many there are."""
    named = service.rows("SELECT DISTINCT object_key, kind, sha256, rows FROM serving.artifact")
    for key, kind, sha256, rows in named:
        content = (service.panels if kind == "panel" else service.licensed).fetch(key)
        assert content is not None, key
        assert hashlib.sha256(content).digest() == sha256
        if kind in PARQUET:
            assert pq.ParquetFile(pa.BufferReader(content)).metadata.num_rows == rows
    return len(named)
