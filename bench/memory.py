"""Memory that a process has, from /proc."""

from __future__ import annotations

from pathlib import Path


def resident(pid: int) -> int:
    """Return the bytes of a process that are in memory."""
    return _bytes(pid, "Rss:")


def private(pid: int) -> int:
    """Return the bytes in memory that a process shares with no other."""
    return _bytes(pid, "Private_")


def _bytes(pid: int, field: str) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(field))
