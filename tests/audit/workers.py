"""A publish by several processes, watched: how much processor time each lane took, and who can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from threading import Event, Thread

from dev.installation import command

_TICKS = os.sysconf("SC_CLK_TCK")
_SAMPLE_SECONDS = 0.1
_BACKENDS = "SELECT pid, application_name FROM pg_stat_activity WHERE application_name LIKE 'sankofa %%'"


class Family:
    """`sankofa publish --workers n` and its children."""

    def __init__(self, service, workers):
        line, environment = command(service.installation, "publish", "--workers", str(workers))
        self._process = subprocess.Popen(
            line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    @property
    def pids(self):
        """The coordinator, then the workers that it has started."""
        return [self._process.pid, *children(self._process.pid)]

    def is_over(self):
        return self._process.poll() is not None

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        if pid == self._process.pid:
            self._process.wait()

    def wait(self):
        """Wait for the coordinator to end; it must have succeeded."""
        assert self._process.wait() == 0


def children(pid):
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def lanes(service, workers):
    """Publish with so many workers; return the processor seconds of each lane, and the seconds it took.

    A lane is a process together with its backends.
    """
    spent = defaultdict(dict)  # by lane: processor seconds of each process in it
    family, is_over = Family(service, workers), Event()

    def sample():
        with service.connect() as connection:
            while not is_over.wait(_SAMPLE_SECONDS):
                for pid in family.pids:
                    note(spent[pid], pid)
                for backend, name in connection.execute(_BACKENDS).fetchall():
                    lane = int(name.rsplit(" ", 1)[1])
                    if lane in spent:
                        note(spent[lane], backend)

    began = time.monotonic()
    sampler = Thread(target=sample)
    sampler.start()
    family.wait()
    seconds = time.monotonic() - began
    is_over.set()
    sampler.join()
    return sorted((sum(one.values()) for one in spent.values()), reverse=True), seconds


def note(lane, pid):
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except (FileNotFoundError, ProcessLookupError):
        return
    lane[pid] = (int(fields[11]) + int(fields[12])) / _TICKS
