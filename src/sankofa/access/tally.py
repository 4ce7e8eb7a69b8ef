"""A tally: the requests that one API process counted on one UTC day, by key.

Its counts are in a file that is mapped into memory, so a process that is killed leaves them behind, and
another process reports them. A count is one aligned machine word: it is never written by halves. Without a
folder, or on a full disk, the counts are in memory alone.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Self

import structlog

_NAME = re.compile(r"\d{4}-\d{2}-\d{2}\.[0-9a-f]{16}")
_SUFFIX = ".tally"
_WORD_BYTES = 8
_SLOT_BYTES = 2 * _WORD_BYTES  # the id of a key as a number plus one (0: no key), and its count
_FIRST_BYTES = 64 << 10
_log = structlog.get_logger()


def is_name(text: str) -> bool:
    """Return whether a text has the form of a tally's name: its day and 16 hexadecimal digits."""
    return _NAME.fullmatch(text) is not None


class Tally:
    """Counts by key. They only grow."""

    def __init__(self, name: str, path: Path | None = None, descriptor: int | None = None) -> None:
        """Make a tally in memory, or open the file of one, whose lock the caller holds."""
        self.name = name
        self.day = date.fromisoformat(name.partition(".")[0])
        self._path = path
        self._descriptor = descriptor
        size = os.fstat(descriptor).st_size if descriptor is not None else _FIRST_BYTES
        self._words = self._mapped(size - size % _SLOT_BYTES)
        self._places = {
            f"{word - 1:012x}": place + 1
            for place in range(0, len(self._words), 2)
            if (word := self._words[place])
        }
        self.unsettled = set(self._places)  # the keys whose counts PostgreSQL may lack

    @classmethod
    def begin(cls, day: date, folder: Path | None) -> Self:
        """Make an empty tally of a day. Its file is locked before another process can find it."""
        name = f"{day}.{secrets.token_hex(8)}"
        if folder is None:
            return cls(name)
        path = folder / f"{name}{_SUFFIX}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            unfinished = path.with_suffix(".new")
            descriptor = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.posix_fallocate(descriptor, 0, _FIRST_BYTES)
            unfinished.rename(path)
        except OSError as error:
            _log.error("requests are counted in memory alone", folder=str(folder), reason=error.strerror)
            return cls(name)
        return cls(name, path, descriptor)

    @classmethod
    def left_behind(cls, folder: Path) -> Iterator[Self]:
        """Yield the tallies of processes that have ended; from then on they belong to this process."""
        for path in sorted(folder.glob(f"*{_SUFFIX}")):
            if not is_name(path.stem):
                continue
            with suppress(FileNotFoundError):
                descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    os.close(descriptor)
                    continue
                if not os.fstat(descriptor).st_nlink:  # another process has reported and removed it
                    os.close(descriptor)
                    continue
                yield cls(path.stem, path, descriptor)

    def add(self, key_id: str) -> None:
        """Count one request of a key."""
        place = self._places.get(key_id)
        if place is None:
            self._begin(key_id)
        else:
            self._words[place] += 1
        self.unsettled.add(key_id)

    def count(self, key_id: str) -> int:
        """Return the requests of a key."""
        return self._words[self._places[key_id]]

    def settle(self, key_id: str, count: int) -> None:
        """Record that PostgreSQL has a count of a key."""
        if count >= self.count(key_id):
            self.unsettled.discard(key_id)

    def close(self) -> None:
        """Close the file and its lock; the file stays, and another process may take it over."""
        self._words.release()
        if self._descriptor is not None:
            os.close(self._descriptor)

    def remove(self) -> None:
        """Remove the file, once PostgreSQL has all counts."""
        if self._path:
            self._path.unlink(missing_ok=True)
        self.close()

    def _begin(self, key_id: str) -> None:
        """Add a key with one request. Its id is written last, so that a slot with an id has a count."""
        place = 2 * len(self._places)
        if place == len(self._words):
            self._words = self._mapped(2 * place * _WORD_BYTES)
        self._words[place + 1] = 1
        self._words[place] = int(key_id, 16) + 1
        self._places[key_id] = place + 1

    def _mapped(self, size: int) -> memoryview[int]:
        """Return the words of the tally with room for `size` bytes. Space on the disk is allocated first.

        If there is none, the file goes: without its tally, a day is not final.
        """
        if self._descriptor is not None and self._path:
            try:
                os.posix_fallocate(self._descriptor, 0, size)
                return memoryview(mmap.mmap(self._descriptor, size)).cast("Q")
            except OSError as error:
                _log.error("requests are counted in memory alone", reason=error.strerror)
                self._path.unlink(missing_ok=True)
                self._path = None
        before = self._words.tobytes() if hasattr(self, "_words") else b""
        return memoryview(bytearray(before.ljust(size, b"\0"))).cast("Q")
