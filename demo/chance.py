"""How the world draws its luck: from `random()` and integers only, so every machine draws the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of draws named by a string.

    Python promises the same sequence from `Random.random()` in every version; it promises nothing
    about `choice`, `shuffle` or `randrange`, so those are made here.
    """

    def __init__(self, name: str) -> None:
        self._draw = Random(name).random

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to bound - 1."""
        return int(self._draw() * bound)

    def between(self, low: int, high: int) -> int:
        """Draw an integer from low to high, both included."""
        return low + int(self._draw() * (high - low + 1))

    def percent(self, chance: int) -> bool:
        """Say yes in `chance` of 100 draws."""
        return self._draw() * 100 < chance

    def pick(self, choices: Sequence[T]) -> T:
        """Draw one of the choices."""
        return choices[int(self._draw() * len(choices))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items in a drawn order."""
        return [
            item for _, _, item in sorted((self._draw(), place, item) for place, item in enumerate(items))
        ]
