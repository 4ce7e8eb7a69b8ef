"""Processor time that servers have used, from /proc: less moved by other work on the machine than a rate."""

from __future__ import annotations

import os
from pathlib import Path

from dev import process
from dev.service import Service

TICKS = os.sysconf("SC_CLK_TCK")
_OWN = slice(11, 13)  # counted from the state, which follows the name: in user mode, in the kernel
_OF_ENDED_CHILDREN = slice(13, 15)


def seconds(*services: Service) -> float:
    """Return the time that the processes of these servers have used so far, also those that have ended."""
    return sum(_family_seconds(service.pid) for service in services if service.pid is not None)


def _family_seconds(parent: int) -> float:
    while True:
        ended = _seconds(parent, _OF_ENDED_CHILDREN)
        running = sum(seconds_of(pid) for pid in (parent, *process.children(parent)))
        if _seconds(parent, _OF_ENDED_CHILDREN) == ended:  # else one ended in between, and is in neither
            return ended + running


def seconds_of(pid: int) -> float:
    """Return the time that one process has used so far; 0 if it has ended."""
    return _seconds(pid, _OWN)


def _seconds(pid: int, fields_of: slice) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[fields_of])) / TICKS
