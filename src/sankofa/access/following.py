"""The key store follows the registry: event by event, or filled anew when it has lost its contents.

The key store is a copy that can be lost, replaced by an older one, or emptied at any moment. Its sentinel
names the last event it holds. All writes happen under one lock, in the order of the events, and the sentinel
is written only if the store is still the one that was read.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from sankofa.access import keys, records
from sankofa.access.key_journal import newest_event
from sankofa.access.tiers import TierName
from sankofa.core.errors import Refused
from sankofa.storage.locks import holding
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore, Word

_SQL = named(__package__, "registry.sql")
_LOCK = 0x5A4E4B4F04
_BATCH = 1_000
_FILL_SECONDS = 86_400


class Standing(NamedTuple):
    """A key as the key store should hold it."""

    key_id: str
    key_hash: str
    tier: TierName
    is_public: bool
    ends_at_ms: int | None
    is_valid: bool


class Following:
    """Brings the key store up to date. Reads the registry and never writes it."""

    def __init__(self, connection: Connection, store: JobStore) -> None:
        self._connection = connection
        self._store = store
        # The lock is held for one batch at most, so a longer wait indicates a fault.
        connection.execute("SET lock_timeout = '10s'")

    def alone(self) -> AbstractContextManager[None]:
        """Hold the registry's lock. It is reentrant and ends with the connection."""
        return holding(self._connection, _LOCK, "key registry")

    def is_behind(self) -> bool:
        """Return whether the key store lacks an event, without changing it."""
        return self._stored() != self._newest()

    def follow(self) -> int:
        """Bring the key store up to date and return the newest event it holds."""
        with self.alone():
            self._require_not_aside()
            stored = self._stored()
            if stored is not None:
                return self._catch_up(stored, guard=(records.SENTINEL, str(stored)))
        return self.sync()

    def sync(self) -> int:
        """Refill the key store and return its newest event. No valid key is rejected meanwhile.

        Records of valid keys are only ever written, never removed and put back. A store that had lost its
        contents stays unavailable until the sentinel is written, last. A mark that is set first proves that
        the store did not lose its contents again while it was filled.
        """
        mark = f"{records.SENTINEL}:{secrets.token_hex(8)}"
        with self.alone():
            self._require_not_aside()
            before = self._newest()
            self._require_not_ahead(self._stored() or 0, before)
            self._store.ask("SET", mark, before, "EX", _FILL_SECONDS)
        for batch in self.batches():
            self._store.apply([_command(each) for each in batch])
        for stored in self._store.names(f"{records.RECORDS}*"):
            with self.alone():
                self._remove_strangers(stored)
        with self.alone():
            return self._catch_up(before, guard=(mark, str(before)), done=[("DEL", mark)])

    def set_aside(self) -> None:
        """Make the key store unavailable until `forget`; the value of its sentinel is kept."""
        self._store.apply([("SET", records.ASIDE, self.seen()), ("DEL", records.SENTINEL)])

    def seen(self) -> int:
        """Return the newest event that the key store has seen, also if its sentinel was set aside."""
        return max(self._stored() or 0, self._stored(records.ASIDE) or 0)

    def forget(self) -> None:
        """Remove the sentinel; the key store is unavailable until it is synced."""
        self._store.ask("DEL", records.SENTINEL, records.ASIDE)

    def batches(self) -> Iterator[list[Standing]]:
        """Yield all keys in their present state, each batch with the lock held."""
        after = ""
        while True:
            with self.alone():
                batch = self._standings("batch", after=after, size=_BATCH)
                if not batch:
                    return
                yield batch
                after = batch[-1].key_id

    def _catch_up(self, stored: int, *, guard: tuple[str, str], done: Sequence[Sequence[Word]] = ()) -> int:
        """Apply the events after `stored`; their records and the sentinel change together."""
        newest = self._newest()
        self._require_not_ahead(stored, newest)
        changed = self._standings("changed", generation=stored)
        sentinel: Sequence[Word] = ("SET", records.SENTINEL, newest)
        self._store.apply([*map(_command, changed), sentinel, *done], guard=guard)
        return newest

    def _remove_strangers(self, stored: Sequence[str]) -> None:
        hashes = [name.removeprefix(records.RECORDS) for name in stored]
        key_ids = [keys.key_id(key_hash) for key_hash in hashes]
        rows = self._connection.execute(_SQL["valid_among"], {"key_ids": key_ids})
        valid = {str(row[0]) for row in rows}
        strangers = [records.name(key_hash) for key_hash in hashes if key_hash not in valid]
        if strangers:
            self._store.ask("DEL", *strangers)

    def _require_not_aside(self) -> None:
        if self._store.ask("EXISTS", records.ASIDE):
            raise Refused("the registry lacks decisions that the journal has. Run `sankofa catch-up`")

    def _require_not_ahead(self, stored: int, newest: int) -> None:
        if stored > newest:
            raise Refused(
                f"the key store has seen event {stored}, the registry ends at {newest}: it was restored "
                "from an older copy. Stop the API processes, run `sankofa catch-up`, and start them again"
            )

    def _standings(self, statement: str, **values: object) -> list[Standing]:
        rows = self._connection.execute(_SQL[statement], values).fetchall()
        return [Standing(*row) for row in rows]  # type: ignore[arg-type]  # the statement's own columns

    def _newest(self) -> int:
        return newest_event(self._connection)

    def _stored(self, sentinel: str = records.SENTINEL) -> int | None:
        """Return the event of the sentinel, or None if it is missing or unreadable."""
        stored = str(self._store.ask("GET", sentinel))
        return int(stored) if stored.isdecimal() else None


def _command(key: Standing) -> tuple[Word, ...]:
    name = records.name(key.key_hash)
    if not key.is_valid:
        return ("DEL", name)
    record = records.encode(records.Record(tier=key.tier, is_public=key.is_public))
    return ("SET", name, record) if key.ends_at_ms is None else ("SET", name, record, "PXAT", key.ends_at_ms)
