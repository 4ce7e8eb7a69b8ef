"""Pinned answers in a directory. An edition does not change, so they are reused for a while.

One event does change them: a takedown. After `max_age` seconds the service is therefore asked again, by ETag.
After a takedown it sends another answer or an error, and the stored one is replaced or removed.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec

from sankofa_client._retry import Reply

_KEPT_HEADERS = ("etag", "content-location", "content-type", "x-request-id")
_ROOM_LEFT = 0.9  # of `max_bytes`, after the oldest files were removed


class _Head(msgspec.Struct, frozen=True):
    """The first line of a file."""

    sha256: str  # of the body
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Stored:
    """An answer from the directory, and whether it was confirmed recently enough to be used as it is."""

    reply: Reply
    is_fresh: bool


class DiskCache:
    """Answers to requests that name an `edition`, in `directory`, up to `max_bytes` in all.

    For `max_age` seconds an answer is reused without a request. Then the service is asked whether it holds,
    so a takedown reaches it no later than that. Threads and processes may share a directory. Its files are
    readable by their owner only.
    """

    def __init__(
        self, directory: str | os.PathLike[str], *, max_bytes: int = 1 << 30, max_age: float = 300.0
    ) -> None:
        self._directory = Path(directory).expanduser()
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._max_bytes = max_bytes
        self._max_age = max_age
        self._lock = threading.Lock()
        self._bytes = sum(size for _, size, _ in self._files())

    def get(self, name: str) -> Stored | None:
        """Return a stored answer; None if there is none, or its file is damaged."""
        try:
            with (self._directory / name).open("rb") as file:
                confirmed = os.fstat(file.fileno()).st_mtime
                head = msgspec.json.decode(file.readline(), type=_Head)
                body = file.read()
        except (OSError, msgspec.MsgspecError):
            return None
        if hashlib.sha256(body).hexdigest() != head.sha256:
            return None
        age = time.time() - confirmed
        return Stored(Reply(200, head.headers, body), is_fresh=0 <= age < self._max_age)

    def confirm(self, name: str) -> None:
        """Note that the service confirmed an answer just now."""
        try:
            os.utime(self._directory / name)
        except FileNotFoundError:
            return  # another process removed it to make room

    def put(self, name: str, reply: Reply) -> None:
        """Store an answer; the oldest ones make room. One larger than a quarter of the room is not stored."""
        headers = {each: reply.headers[each] for each in _KEPT_HEADERS if each in reply.headers}
        head = msgspec.json.encode(_Head(hashlib.sha256(reply.content).hexdigest(), headers))
        content = head + b"\n" + reply.content
        if "etag" not in headers or len(content) > self._max_bytes // 4:
            return
        handle, path = tempfile.mkstemp(dir=self._directory, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(path).replace(self._directory / name)  # whole or not at all, whoever else reads or writes it
        with self._lock:
            self._bytes += len(content)
            if self._bytes > self._max_bytes:
                self._make_room()

    def drop(self, name: str) -> None:
        """Remove an answer that no longer holds."""
        (self._directory / name).unlink(missing_ok=True)

    def _make_room(self) -> None:
        files = sorted(self._files())
        self._bytes = sum(size for _, size, _ in files)
        for _, size, path in files:
            if self._bytes <= self._max_bytes * _ROOM_LEFT:
                return
            path.unlink(missing_ok=True)
            self._bytes -= size

    def _files(self) -> list[tuple[float, int, Path]]:
        """Return moment of confirmation, size and path of each file; some may vanish meanwhile."""
        found = []
        for path in self._directory.iterdir():
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            found.append((state.st_mtime, state.st_size, path))
        return found


def is_pinned(address: str) -> bool:
    """Return whether a request names its edition, so that only a takedown can change the answer."""
    return "edition" in parse_qs(urlsplit(address).query)


def name_of(url: str, key: str | None, address: str, form: str) -> str:
    """Return the name of an answer's file. The key is part of it, because its tier decides the rows."""
    return hashlib.sha256("\n".join((url, key or "", address, form)).encode()).hexdigest()
