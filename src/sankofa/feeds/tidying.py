"""Scheduled cleanup: old jobs, partial downloads, temporary files."""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from sankofa.ingest.portals.spool import sweep
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
_KEPT_DAYS = 30  # of failed jobs; the reasons stay in the records of the run
_LEFT_SECONDS = 86_400  # after this, no process uses a temporary file any more
_TEMPORARY = "sankofa-*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """The counts of removed items."""

    jobs: int
    parts: int
    temporary: int


def tidy(connection: Connection, spool: Path | None, temporary: Path | None = None) -> Tidied:
    """Remove obsolete items. Safe to repeat, and safe while other processes run."""
    return Tidied(
        jobs=_jobs(connection),
        parts=_swept(spool) if spool else 0,
        temporary=_removed(temporary or Path(tempfile.gettempdir())),
    )


def _jobs(connection: Connection) -> int:
    with connection.transaction():
        connection.execute("SET LOCAL search_path = queue")  # its triggers name no schema
        return connection.execute(_SQL["tidy_jobs"], {"days": _KEPT_DAYS}).rowcount


def _swept(spool: Path) -> int:
    before = _parts(spool)
    sweep(spool)
    return len(before - _parts(spool))


def _parts(spool: Path) -> set[Path]:
    return set(spool.glob("*.part"))


def _removed(folder: Path) -> int:
    """Remove the files of killed processes. A file being written is younger than a day."""
    removed = 0
    for file in folder.glob(_TEMPORARY):
        with suppress(FileNotFoundError, PermissionError):
            found = file.lstat()
            if S_ISREG(found.st_mode) and time.time() - found.st_mtime > _LEFT_SECONDS:
                file.unlink()
                removed += 1
    return removed
