"""Answers by their ETag, bounded in bytes: in memory, and pinned ones in a directory if the caller names one.

The service is asked each time whether an answer in memory still holds.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from sankofa_client._disk_cache import DiskCache, is_pinned, name_of
from sankofa_client._retry import Reply


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer and its name."""

    etag: str
    reply: Reply


class Cache:
    """The answers used last, as many as fit; threads may share it."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[str, str], Kept] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, address: str, form: str) -> Kept | None:
        """Return what is kept of an address in a form."""
        with self._lock:
            kept = self._kept.get((address, form))
            if kept:
                self._kept.move_to_end((address, form))
            return kept

    def keep(self, address: str, form: str, reply: Reply) -> None:
        """Keep an answer that has a name; one that would push out most of the others is not kept."""
        etag = reply.headers.get("etag")
        with self._lock:
            self._drop((address, form))
            if not etag or len(reply.content) > self._most // 4:
                return
            self._kept[address, form] = Kept(etag, reply)
            self._bytes += len(reply.content)
            while self._bytes > self._most:
                self._drop(next(iter(self._kept)))

    def drop(self, address: str, form: str) -> None:
        """Remove an answer."""
        with self._lock:
            self._drop((address, form))

    def _drop(self, place: tuple[str, str]) -> None:
        dropped = self._kept.pop(place, None)
        if dropped:
            self._bytes -= len(dropped.reply.content)

    @property
    def bytes(self) -> int:
        """How much is kept."""
        return self._bytes


class Answers:
    """The answers that a client has, in memory and on disk."""

    def __init__(self, memory: Cache, disk: DiskCache | None, url: str, key: str | None) -> None:
        self._memory = memory
        self._disk = disk
        self._url, self._key = url, key

    def confirmed(self, address: str, form: str) -> Reply | None:
        """Return an answer that may be used without a request."""
        if self._disk is None or not is_pinned(address):
            return None
        stored = self._disk.get(self._name(address, form))
        return stored.reply if stored and stored.is_fresh else None

    def get(self, address: str, form: str) -> Kept | None:
        """Return an answer to be confirmed by its ETag."""
        kept = self._memory.get(address, form)
        if kept or self._disk is None or not is_pinned(address):
            return kept
        stored = self._disk.get(self._name(address, form))
        return Kept(stored.reply.headers["etag"], stored.reply) if stored else None

    def keep(self, address: str, form: str, reply: Reply) -> None:
        """Keep an answer."""
        self._memory.keep(address, form, reply)
        if self._disk is not None and is_pinned(address):
            self._disk.put(self._name(address, form), reply)

    def confirm(self, address: str, form: str) -> None:
        """Note that the service confirmed an answer."""
        if self._disk is not None and is_pinned(address):
            self._disk.confirm(self._name(address, form))

    def drop(self, address: str, form: str) -> None:
        """Remove an answer that the service no longer gives."""
        self._memory.drop(address, form)
        if self._disk is not None and is_pinned(address):
            self._disk.drop(self._name(address, form))

    def _name(self, address: str, form: str) -> str:
        return name_of(self._url, self._key, address, form)
