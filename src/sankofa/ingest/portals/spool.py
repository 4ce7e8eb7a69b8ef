"""The files that documents are downloaded into: temporary, or kept for the next process.

In a spool, a download that was killed stays as `<sha256 of source and address>.part`, with a note of its
version beside it. Both are removed when the document was ingested, or after some days. Files are
private. While one process writes a part, another one downloads the same document into its own file.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, NamedTuple

_STALE_SECONDS = 7 * 86_400  # by then the portal has published a newer version
_PART = re.compile(r"[0-9a-f]{64}\.part")


class Room(NamedTuple):
    """A file to download into, and the path of its version note, if it may survive the process."""

    file: IO[bytes]
    path: Path
    note: Path | None = None


@contextmanager
def room(spool: Path | None, source: str, url: str) -> Iterator[Room]:
    """Yield the file for a document; it is removed afterwards, unless it can be resumed after an error."""
    name = hashlib.sha256(f"{source} {url}".encode()).hexdigest()
    part = spool / f"{name}.part" if spool else None
    file = _locked(part) if part else None
    if file is None or part is None:
        with NamedTemporaryFile(prefix="sankofa-") as temporary:
            yield Room(temporary.file, Path(temporary.name))
        return
    note = part.with_suffix(".version")
    with file:
        try:
            yield Room(file, part, note)
        except BaseException:
            if not note.exists():
                part.unlink(missing_ok=True)
            raise
        _remove(part)


def sweep(spool: Path) -> None:
    """Make the folder if it is missing, and remove parts that were not written to for days."""
    spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    for part in spool.iterdir():
        with suppress(FileNotFoundError):
            is_stale = time.time() - part.stat().st_mtime > _STALE_SECONDS
            if _PART.fullmatch(part.name) and is_stale and (file := _locked(part)):
                with file:
                    _remove(part)


def _remove(part: Path) -> None:
    part.with_suffix(".version").unlink(missing_ok=True)
    part.unlink(missing_ok=True)


def _locked(part: Path) -> IO[bytes] | None:
    """Return the part, locked for this process, or None if another process has it."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(part.stat(), os.fstat(descriptor)):
                return file
        file.close()  # the other process removed it while we waited for the lock
