"""Processor time that servers have used, from /proc: less moved by other work on the machine than a rate."""

from __future__ import annotations

import os
from pathlib import Path

from dev import process
from dev.service import Service

_TICKS = os.sysconf("SC_CLK_TCK")
_USER, _SYSTEM = 11, 12  # counted from the state, which follows the name


def seconds(*services: Service) -> float:
    """Return the time that the running processes of these servers have used so far."""
    servers = [service.pid for service in services]
    families = [[pid, *process.children(pid)] for pid in servers if pid is not None]
    return sum(_seconds(pid) for family in families for pid in family)


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS
