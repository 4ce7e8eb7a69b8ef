"""Copies the tallies that API processes report to the usage store into PostgreSQL.

Absolute counts are written, and only larger ones, so any step can be repeated: after a crash of this process,
of the store, or of PostgreSQL between its commit and its reply. The store confirms a count to the API process
only after the commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from sankofa.access.keys import is_key_id
from sankofa.access.tallies import COMPLETE, UNSETTLED, store_keys
from sankofa.access.tally import is_name
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore

_SQL = named(__package__, "settling.sql")
_SETTLE = resources.files(__package__).joinpath("settle.lua").read_text(encoding="utf-8")
_SETTLED = store_keys("")[2]
# Settled counts are remembered for a database that is restored from a backup.
_REMEMBERED_SECONDS = 7 * 86_400


class Settling:
    """Brings PostgreSQL up to date with the tallies of the usage store."""

    def __init__(self, connection: Connection, store: JobStore) -> None:
        self._connection = connection
        self._store = store

    def repeat(self) -> None:
        """Write all counts again that the store remembers as settled.

        A database that was restored from a backup lacks some of them.
        """
        for names in self._store.names(f"{_SETTLED}*"):
            for name in names:
                self._keep(name.removeprefix(_SETTLED), self._store.ask("HGETALL", name))

    def settle(self) -> None:
        """Copy every count that PostgreSQL lacks, then record the time at which it lacked none."""
        for tally in sorted(self._store.ask("SMEMBERS", UNSETTLED)):
            names = store_keys(tally)
            counts: dict[str, str] = self._store.ask("HGETALL", names[1])
            self._keep(tally, counts)
            words = [word for entry in counts.items() for word in entry]
            self._store.ask("EVAL", _SETTLE, len(names), *names, tally, _REMEMBERED_SECONDS, *words)
        self._connection.execute(_SQL["settled"])

    def _keep(self, tally: str, counts: Mapping[str, str]) -> None:
        """Write the counts of one tally in one transaction. Entries of another form are left out."""
        if not is_name(tally):
            return
        requests = {key_id: int(count) for key_id, count in counts.items() if is_key_id(key_id)}
        values = {
            "tally": tally,
            "day": tally.partition(".")[0],
            "is_complete": COMPLETE in counts,
            "key_ids": [*requests],
            "requests": [*requests.values()],
        }
        with self._connection.transaction():
            self._connection.execute(_SQL["keep_tally"], values)
            self._connection.execute(_SQL["keep"], values)
