"""A document on its way: what has come of it, of which version, and which header fields ask for the rest.

The version is what the server says about it (`ETag`, `Last-Modified`). With a note beside the file, it
outlives the process. The note is removed before other bytes are written, and written before the bytes that it
describes. So a process killed at any moment never leaves bytes under the name of another version.
"""

from __future__ import annotations

import os
from datetime import datetime
from email.message import Message
from email.utils import format_datetime
from pathlib import Path
from typing import IO

import msgspec

_VERSION_CHARACTERS = 512


class TryAgain(Exception):  # never leaves `ingest`: it becomes an outage when no attempt is left
    """Something that may pass; `after` is what the server asks us to wait, in seconds."""

    def __init__(self, reason: str, after: float = 0) -> None:
        super().__init__(reason)
        self.after = after


class _Note(msgspec.Struct, frozen=True):
    version: str = ""
    size: int | None = None  # of all of it, once all has come


class Arriving:
    """A file with the bytes of one version of a document, all or the first of them."""

    def __init__(self, file: IO[bytes], since: datetime | None = None, note: Path | None = None) -> None:
        self.file = file
        self._since = since
        self._path = note
        self._note = _read(note)
        size = file.seek(0, os.SEEK_END)
        if not self._note.version or self._note.size not in (None, size):
            self.forget()

    @property
    def is_complete(self) -> bool:
        """Whether all bytes have come and it is only in question whether they are still the newest."""
        return self._note.size is not None and bool(self._note.version)

    def wanted(self) -> dict[str, str]:
        """Return the header fields that ask for the rest of it, or for all of it if it is newer."""
        version = self._note.version
        if self.is_complete:
            return {"If-None-Match" if version.startswith('"') else "If-Modified-Since": version}
        if version and self.file.tell():
            return {"Range": f"bytes={self.file.tell()}-", "If-Range": version}
        self.forget()
        return {"If-Modified-Since": format_datetime(self._since, usegmt=True)} if self._since else {}

    def forget(self) -> None:
        """Drop what has come so far."""
        if self._path:
            self._path.unlink(missing_ok=True)
        self._note = _Note()
        self.file.seek(0)
        self.file.truncate()

    def begin(self, headers: Message) -> None:
        """Start again with the version that an answer is of."""
        self.forget()
        self._keep(_Note(_version(headers)))

    def go_on(self, headers: Message) -> None:
        """Continue with an answer that is the rest of the same version; if it is not, start again."""
        expected = f"bytes {self.file.tell()}-"
        is_rest = headers.get("Content-Range", "").startswith(expected)
        if not is_rest or _version(headers) != self._note.version:
            self.forget()
            raise TryAgain("another part than was asked for")

    def complete(self) -> None:
        """Note that the last byte has come, and make sure of it where the note outlives the process."""
        if self._path:
            os.fsync(self.file.fileno())
        self._keep(_Note(self._note.version, self.file.tell()))

    def _keep(self, note: _Note) -> None:
        self._note = note
        if self._path and note.version:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(note))


def _read(path: Path | None) -> _Note:
    """Return what is noted of an earlier process; a note that was cut off is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Note) if path else _Note()
    except (OSError, msgspec.DecodeError):
        return _Note()


def _version(headers: Message) -> str:
    """Return what names the version of an answer exactly, or nothing."""
    if headers.get("Accept-Ranges", "bytes") == "none":
        return ""
    tag = headers.get("ETag", "")
    version = tag if tag.startswith('"') else headers.get("Last-Modified", "")
    return version if len(version) <= _VERSION_CHARACTERS and version.isprintable() else ""
