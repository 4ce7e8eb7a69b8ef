"""Rows as they are served, which a process keeps so that PostgreSQL sends only those that it lacks (ADR 82).

A statement says which rows an answer has; what a row says follows from its key. So questions about the same
issuer, as of other days for instance, read most rows once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

Key = tuple[Any, ...]
R = TypeVar("R")


class KeptRows(Generic[R]):
    """Rows by what they are about and by their keys; what was least recently asked for is dropped first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._count = 0
        self._kept: OrderedDict[str, dict[Key, R]] = OrderedDict()
        self._cleared = 0

    def __len__(self) -> int:
        return self._count

    @property
    def cleared(self) -> int:
        """How often all rows were dropped; what was read before the last time is not kept."""
        return self._cleared

    def about(self, subject: str) -> Mapping[Key, R]:
        """Return the rows about a subject that are kept."""
        if subject not in self._kept:
            return {}
        self._kept.move_to_end(subject)
        return self._kept[subject]

    def keep(self, subject: str, rows: Mapping[Key, R], cleared: int) -> None:
        """Keep rows about a subject, unless all rows were dropped since these were read."""
        kept = self._kept.get(subject, {})
        # Nothing is noted of a subject without rows: a register has millions of them.
        if not rows or cleared != self._cleared or len(kept) + len(rows) > self._most:
            return
        self._kept[subject] = kept
        self._kept.move_to_end(subject)
        self._count -= len(kept)
        kept.update(rows)
        self._count += len(kept)
        while self._count > self._most:
            _, dropped = self._kept.popitem(last=False)
            self._count -= len(dropped)

    def clear(self) -> None:
        """Drop all rows: some were taken down, or the servers have another history."""
        self._kept.clear()
        self._count = 0
        self._cleared += 1
