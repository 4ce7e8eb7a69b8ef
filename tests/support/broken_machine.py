"""What goes wrong with a machine, not with a program: a full disk, a clock that steps, a network that splits.

Root is needed, and the packages of `dev/setup.sh campaign`. A process with such a clock cannot call
`time.sleep` (a defect of libfaketime 0.9.10 where spans of time are left alone); the API does not.
"""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
from contextlib import suppress
from pathlib import Path

import psutil

_PIECE = bytes(1 << 20)
_NAMES = itertools.count(1)


class Disk:
    """A small file system in place of a folder, which can be filled to its last byte."""

    def __init__(self, folder, megabytes):
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", str(folder))

    def fill(self):
        with (self._folder / "ballast").open("wb", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(_PIECE)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def empty(self):
        (self._folder / "ballast").unlink()

    def close(self):
        run("umount", "--lazy", str(self._folder))


class Clock:
    """The time of day of some processes, which can step; what measures spans of time goes on."""

    def __init__(self, file):
        self._file = file
        self.step(0)

    @property
    def environment(self):
        found = list(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        assert found, "libfaketime is missing: run dev/setup.sh campaign"
        return {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def step(self, seconds):
        """Be so many seconds ahead of the true time."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+d}s\n")
        new.rename(self._file)


class Split:
    """A network that loses everything which some processes send to some ports."""

    def __init__(self):
        self._group = groups() / f"sankofa-split-{os.getpid()}-{next(_NAMES)}"
        self._rules = []

    def begin(self, pids, ports):
        self._group.mkdir()
        for pid in pids:
            (self._group / "cgroup.procs").write_text(str(pid))
        # The group of a connection is that of its process when it was made: older ones are named one by one.
        older = [
            ("--sport", str(met.laddr.port), "--dport", str(met.raddr.port))
            for pid in pids
            for met in psutil.Process(pid).net_connections("tcp")
            if met.raddr and met.raddr.port in ports
        ]
        newer = [("--dport", str(port), "-m", "cgroup", "--path", self._group.name) for port in ports]
        for rule in (*older, *newer):
            run("iptables", "-I", "OUTPUT", "-o", "lo", "-p", "tcp", *rule, "-j", "DROP")
            self._rules.append(rule)

    def end(self):
        while self._rules:
            run("iptables", "-D", "OUTPUT", "-o", "lo", "-p", "tcp", *self._rules.pop(), "-j", "DROP")
        with suppress(FileNotFoundError):
            for pid in (self._group / "cgroup.procs").read_text().split():
                (self._group.parent / "cgroup.procs").write_text(pid)
            self._group.rmdir()


def groups():
    """Return where the second version of control groups is mounted."""
    mounts = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
    return next(Path(folder) for _, folder, kind, *_ in mounts if kind == "cgroup2")


def run(*command):
    subprocess.run(command, check=True, capture_output=True)
