"""Editions in memory: numbers, marks, days, and the newest edition that touched each bucket."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

WHOLE = -1  # the bucket for all keys of a dataset

Editions = Iterable[tuple[int, str, str]]  # number, mark and day of each
Buckets = Iterable[
    tuple[str, list[int], list[int]]
]  # dataset, its buckets, and the edition that touched each


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """One edition as a request sees it; `day` is the default `as_of`."""

    number: int
    mark: str
    day: date


@lru_cache(maxsize=4_096)
def bucket(key: str) -> int:
    """Return the bucket of a key: the first 12 bits of its MD5, as the publisher computes it in SQL."""
    return int(hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()[:3], 16)


class Touched:
    """The newest edition that touched each dataset and bucket, as of one edition."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[str, int], Edition] = {}
        self._datasets: dict[str, Edition] = {}

    def learn(self, editions: Editions, touched: Buckets) -> None:
        """Add the buckets that newer editions touched."""
        known = {number: Edition(number, mark, date.fromisoformat(day)) for number, mark, day in editions}
        for dataset, buckets, numbers in touched:
            for one, number in zip(buckets, numbers, strict=True):
                self._buckets[dataset, one] = known[number]
            self._datasets[dataset] = known[max(numbers)]

    def round_down(self, current: Edition, reads: Iterable[tuple[str, str | None]]) -> Edition:
        """Return the newest edition that touched one of `reads`: datasets, each with a key or None for all.

        It is the current edition if one of them is unknown, or if the current edition recorded nothing.
        """
        found = [self._last(dataset, key) for dataset, key in reads]
        if None in found or self._datasets.get("edition") != current:
            return current
        return max((edition for edition in found if edition), default=current)

    def _last(self, dataset: str, key: str | None) -> Edition | None:
        if key is None:
            return self._datasets.get(dataset)
        touched = (self._buckets.get((dataset, one)) for one in (WHOLE, bucket(key)))
        return max((edition for edition in touched if edition), default=None)
