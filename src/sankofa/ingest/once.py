"""The values of one document: each once, without those on which it contradicts itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from decimal import Decimal
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Once(Generic[K]):
    """Values by their keys while a document is being read.

    A repeated value is kept once. If two rows give one key different values, all of its rows are rejected:
    the document does not show which is right, and taking the first or the last would let the order of rows
    decide. A wrong value that looks certain is worse than none.
    """

    __slots__ = ("_conflicts", "_repeats", "_values")

    def __init__(self) -> None:
        self._values: dict[K, Decimal | None] = {}
        self._repeats: Counter[K] = Counter()
        self._conflicts: set[K] = set()

    def add(self, key: K, value: Decimal | None) -> None:
        """Add one row of the document. None is a value too: nil, or missing."""
        known = len(self._values)
        held = self._values.setdefault(key, value)
        if len(self._values) == known:
            self._repeats[key] += 1
            if held != value:
                self._conflicts.add(key)

    def drop_conflicts(self) -> list[tuple[K, int]]:
        """Remove the keys with different values, and return each with its number of rows."""
        dropped = [(key, 1 + self._repeats[key]) for key in self._values if key in self._conflicts]
        for key, _ in dropped:
            del self._values[key]
        return dropped
