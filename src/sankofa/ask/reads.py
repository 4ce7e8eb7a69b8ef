"""The tables an answer depends on. Its ETag changes only when an edition touches one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

DAY = "day"  # listed with the tables of an answer that changes with the edition's day


@dataclass(frozen=True, slots=True)
class Reads:
    """Serving tables that an answer reads.

    With `key`, the tables are read by the value of that parameter alone, and rows of other keys do not
    matter. A table that is read by other columns, or joined to what was found, is declared
    without a key. So is any table in doubt: that costs cached answers, while a missing declaration would
    serve outdated ones.
    """

    tables: tuple[str, ...]
    key: str = ""
    when: Callable[[Any], bool] = field(default=lambda _params: True)

    def touchable_by(self, params: object) -> Iterator[tuple[str, str | None]]:
        """Yield the tables that a request reads, each with its key, or None for the whole table."""
        if self.when(params):
            key = getattr(params, self.key) if self.key else None
            yield from ((table, key) for table in self.tables)
