"""Whose process is it: decided by its command line in /proc, never by a number left in a pid file.

A pid file may name a process that ended, or another one that got its number. A command line that names
our program and our folder is ours, whoever started it and however that one ended. Zombies have no command
line, so they count as gone.
"""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path


def command_line(pid: int) -> list[str]:
    """Return the arguments `pid` was started with; empty when it is gone or a zombie."""
    try:
        content = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return []
    return os.fsdecode(content).removesuffix("\0").split("\0") if content else []


def find(program: str, argument: str) -> int | None:
    """Find the running `program` that was given `argument`; of a process and its forks, the parent."""
    found = {pid for pid in _all() if is_running(pid, program, argument)}
    return next((pid for pid in sorted(found) if _parent(pid) not in found), None)


def is_running(pid: int, program: str, argument: str) -> bool:
    """Tell whether `pid` runs `program` and was given `argument`."""
    arguments = command_line(pid)
    return bool(arguments) and Path(arguments[0]).name == program and argument in arguments


def children(pid: int) -> list[int]:
    """List the direct children of `pid`."""
    return [other for other in _all() if _parent(other) == pid]


def send(pid: int, number: signal.Signals) -> None:
    """Send a signal; a process that has already ended needs none."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def titled(prefix: str) -> list[int]:
    """List the processes that gave themselves a title beginning with `prefix`."""
    return [pid for pid in _all() if "".join(command_line(pid)[:1]).startswith(prefix)]


def is_gone(pid: int) -> bool:
    """Tell whether `pid` ended with all its threads, and so holds no file, port or memory any more."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        return _stat(pid)[0] == "Z" and len(list(Path(f"/proc/{pid}/task").iterdir())) == 1
    except OSError:
        return True


def is_frozen(pid: int) -> bool:
    """Tell whether `pid` runs nothing: stopped by a signal, or ended."""
    try:
        return _stat(pid)[0] in "TtZX"
    except OSError:
        return True


def _all() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _parent(pid: int) -> int | None:
    try:
        return int(_stat(pid)[1])
    except OSError:
        return None


def _stat(pid: int) -> list[str]:
    """Return the state, the parent and so on: what follows the name, which may itself hold brackets."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
