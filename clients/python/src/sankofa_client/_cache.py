"""Answers by their ETag, bounded in bytes; the service is still asked each time whether they hold."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

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

    def _drop(self, place: tuple[str, str]) -> None:
        dropped = self._kept.pop(place, None)
        if dropped:
            self._bytes -= len(dropped.reply.content)

    @property
    def bytes(self) -> int:
        """How much is kept."""
        return self._bytes
