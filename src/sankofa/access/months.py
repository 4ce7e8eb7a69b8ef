"""Copies of the monthly counts in PostgreSQL, restored to a usage store that lost its contents.

A mark beside each counter records that it includes the copy of PostgreSQL. A flush removes counter and mark
together, so the copy is added exactly once to the new count. Public keys are left out: they are counted by
client address, and addresses are not stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib import resources
from typing import NamedTuple, cast

from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore

_SQL = named(__package__, "months.sql")
_INCLUDE = resources.files(__package__).joinpath("months.lua").read_text(encoding="utf-8")
_COUNTER = re.compile(r"u:\{([0-9a-f]{12})\}:month:(\d{4}-\d{2})")
_BATCH = 1_000
_OUTLIVES = timedelta(days=1)  # as in limiter.lua: for late refunds


class Counter(NamedTuple):
    """One key's month in the usage store."""

    key_id: str
    month: str

    @property
    def name(self) -> str:
        """The Redis key of the limiter's counter."""
        return f"u:{{{self.key_id}}}:month:{self.month}"

    @property
    def mark(self) -> str:
        """The Redis key of the mark that the count includes the copy."""
        return f"u:{{{self.key_id}}}:kept:{self.month}"


class Months:
    """Copies counts from the usage store to PostgreSQL, and back after a loss."""

    def __init__(self, connection: Connection, store: JobStore) -> None:
        self._connection = connection
        self._store = store

    def restore(self) -> int:
        """Restore the counts of this month if the store lost its contents; return how many."""
        month = f"{datetime.fromtimestamp(int(self._store.ask('TIME')[0]), UTC):%Y-%m}"
        filled = f"u:{{restored}}:{month}"
        if self._store.ask("GET", filled):
            return 0
        restored = 0
        for counters in self._kept(month):
            self._include(counters)
            restored += len(counters)
        self._store.ask("SET", filled, 1, "EXAT", _end(month))
        return restored

    def keep(self) -> None:
        """Copy every changed count to PostgreSQL."""
        for names in self._store.names("u:{*}:month:*"):
            counters = [Counter(*found.groups()) for found in map(_COUNTER.fullmatch, names) if found]
            if counters:
                requests = self._include(counters)
                key_ids, months = zip(*counters, strict=True)
                kept = {"key_ids": [*key_ids], "months": [*months], "requests": requests}
                self._connection.execute(_SQL["keep"], kept)

    def _include(self, counters: Sequence[Counter]) -> list[int]:
        """Add the copy to each counter that does not include it, and return the counts."""
        key_ids, months = zip(*counters, strict=True)
        rows = self._connection.execute(_SQL["kept"], {"key_ids": [*key_ids], "months": [*months]})
        kept = cast("list[tuple[int]]", rows.fetchall())
        return self._store.apply(
            [
                ("EVAL", _INCLUDE, 2, counter.name, counter.mark, requests, _end(counter.month))
                for counter, (requests,) in zip(counters, kept, strict=True)
            ]
        )

    def _kept(self, month: str) -> Iterator[list[Counter]]:
        after = ""
        while True:
            values = {"month": month, "after": after, "size": _BATCH}
            rows = self._connection.execute(_SQL["kept_after"], values).fetchall()
            if not rows:
                return
            after = str(rows[-1][0])
            yield [Counter(str(key_id), month) for (key_id,) in rows]


def _end(month: str) -> int:
    """Return the second at which a counter of a month expires."""
    first = datetime.strptime(month, "%Y-%m").replace(tzinfo=UTC)
    return int(((first + timedelta(days=32)).replace(day=1) + _OUTLIVES).timestamp())
