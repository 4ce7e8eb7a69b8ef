"""A partial download: its bytes, their version, and the header fields that request the rest.

The version is taken from the server (`ETag`, `Last-Modified`, its length). With a note beside the file, it
survives the process. The note is removed before other bytes are written, and written before the
bytes that it describes. So a process killed at any moment never leaves bytes under the name of another
version.
"""

from __future__ import annotations

import os
import re
from datetime import timedelta
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import IO

import msgspec

from sankofa.ingest.portals.post import Body
from sankofa.ingest.validators import Validators

_VERSION_CHARACTERS = 512
_PART = re.compile(r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18})")
_WHOLE = re.compile(r"bytes \*/([0-9]{1,18})")
# Two versions of one second have the same Last-Modified. It names a version only if the answer was sent later
# (RFC 9110, 8.8.2.2). Both times may come from different clocks, so one second is not enough.
_SETTLED = timedelta(seconds=60)
_OPENINGS = (b"{", b"[", b"<", b"PK\x03\x04", b"\x1f\x8b")  # of JSON, XML, zip and gzip
_BLANK = b"\xef\xbb\xbf \t\r\n"


class TryAgain(Exception):  # never leaves `ingest`: it becomes an outage when no attempt is left
    """A temporary failure; `after` is the delay that the server requested, in seconds."""

    def __init__(self, reason: str, after: float = 0) -> None:
        super().__init__(reason)
        self.after = after


class WrongAnswer(Exception):  # never leaves `ingest`: it becomes an outage that names source and address
    """A wrong answer that a retry would not change."""


class _Note(msgspec.Struct, frozen=True):
    version: str = ""  # the strong one of them
    validators: Validators = Validators()
    size: int | None = None  # of the whole file, once complete
    total: int | None = None  # of the whole file, as the server states it


class Arriving:
    """A file with all or the first bytes of one version of a document."""

    def __init__(
        self,
        file: IO[bytes],
        known: Validators | None = None,
        note: Path | None = None,
        body: Body | None = None,
    ) -> None:
        self.file = file
        self.body = body  # of a POST, whose answer is always sent whole
        self._known = known or Validators()  # of the version that need not be sent again
        self._path = note
        self._note = _read(note)
        size = file.seek(0, os.SEEK_END)
        if not self._note.version or self._note.size not in (None, size):
            self.forget()

    @property
    def is_complete(self) -> bool:
        """Whether all bytes have arrived; they may still be outdated."""
        return self._note.size is not None and bool(self._note.version)

    @property
    def validators(self) -> Validators:
        """The server's validators of the received version."""
        return self._note.validators

    def wanted(self) -> dict[str, str]:
        """Return the header fields that request the rest, or the whole file if it has changed."""
        version = self._note.version
        if self.body:
            self.forget()
            return {"Content-Type": self.body.media_type}
        if self.is_complete:
            return {"If-None-Match" if version.startswith('"') else "If-Modified-Since": version}
        if version and self.file.tell():
            return {"Range": f"bytes={self.file.tell()}-", "If-Range": version}
        self.forget()
        return self._known.conditions()

    def forget(self) -> None:
        """Drop the received bytes."""
        if self._path:
            self._path.unlink(missing_ok=True)
        self._note = _Note()
        self.file.seek(0)
        self.file.truncate()

    def begin(self, headers: Message, length: int | None) -> None:
        """Restart with the version of an answer, and its length if stated."""
        self.forget()
        self._keep(_Note(_version(headers), _validators(headers), total=length))

    def go_on(self, headers: Message) -> None:
        """Continue with an answer that is the rest of the same version; otherwise restart."""
        part = _PART.fullmatch(headers.get("Content-Range", ""))
        total = int(part[2]) if part else None
        is_rest = part is not None and int(part[1]) == self.file.tell() and self._note.total in (None, total)
        if not is_rest or _version(headers) != self._note.version:
            self.forget()
            raise TryAgain("another part than was asked for")
        self._keep(msgspec.structs.replace(self._note, total=total))

    def without_rest(self, headers: Message) -> str:
        """Return the error for a server that rejects the range of an incomplete file."""
        whole = _WHOLE.fullmatch(headers.get("Content-Range", ""))
        has = f"has {int(whole[1]):,}" if whole else f"has no more than {self.file.tell():,}"
        if self._note.total is None:
            return f"the server {has} bytes now: it has become shorter"
        return (
            f"Content-Length stated {self._note.total:,} bytes, and the server {has}:"
            " the stated length is wrong, or it has become shorter"
        )

    def complete(self, *, is_certain: bool) -> None:
        """Record that the last byte has arrived; sync the file if its note survives the process.

        Without a stated length, and unless the end is certain for another reason, only a format that shows
        its own end is accepted: a parser refuses JSON, XML and archives that were cut, but a table that was
        cut after a line looks whole.
        """
        size, total = self.file.tell(), self._note.total
        if total is not None and size != total:
            if size > total:
                self.forget()
            raise TryAgain(f"{size:,} of {total:,} bytes")
        if total is None and not is_certain and not self._shows_its_end():
            self.forget()
            raise TryAgain("neither Content-Length nor chunks: nothing shows that it is whole")
        if self._path:
            os.fsync(self.file.fileno())
        self._keep(msgspec.structs.replace(self._note, size=size))

    def _shows_its_end(self) -> bool:
        """Return whether the format of the bytes shows a missing end."""
        end = self.file.tell()
        self.file.seek(0)
        opening = self.file.read(64).lstrip(_BLANK)
        self.file.seek(end)
        return opening.startswith(_OPENINGS)

    def _keep(self, note: _Note) -> None:
        self._note = note
        if self._path and note.version:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(note))


def _read(path: Path | None) -> _Note:
    """Return the note of an earlier process; a truncated note is ignored."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Note) if path else _Note()
    except (OSError, msgspec.DecodeError):
        return _Note()


def _version(headers: Message) -> str:
    """Return the strong validator of an answer, or an empty string."""
    if headers.get("Accept-Ranges", "bytes") == "none":
        return ""
    validators = _validators(headers)
    return validators.etag if validators.etag.startswith('"') else validators.last_modified


def _validators(headers: Message) -> Validators:
    """Return the validators of an answer, without a date that two versions could share."""
    tag, modified = _field(headers, "ETag"), _field(headers, "Last-Modified")
    return Validators(tag, modified if _is_settled(modified, headers.get("Date", "")) else "")


def _field(headers: Message, name: str) -> str:
    value = headers.get(name, "")
    return value if len(value) <= _VERSION_CHARACTERS and value.isprintable() else ""


def _is_settled(modified: str, sent: str) -> bool:
    try:
        return parsedate_to_datetime(sent) - parsedate_to_datetime(modified) >= _SETTLED
    except (ValueError, TypeError, OverflowError):
        return False
