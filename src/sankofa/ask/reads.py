"""What an answer depends on, declared: it keeps its name until an edition touches one of these tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

DAY = "day"  # stands among the tables of an answer that changes with the edition's day alone


@dataclass(frozen=True, slots=True)
class Reads:
    """Serving tables that an answer is made from.

    With `key`, the parameter of that name holds the one key by which the tables are read, and rows of other
    keys do not matter. A table that is read by other columns, or joined to what was found, is declared
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
