"""The key registry: every decision about a key goes to PostgreSQL first, then the key store follows.

The key store is a copy that can be lost. Its sentinel names the last event it has taken in, so a command
that finds it behind brings it up to date, and one that finds no sentinel fills it anew. All writes to the
key store happen under one lock, in the order of the events: none can undo a later one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple, cast

from sankofa.access import keys, records
from sankofa.access.keys import KeyHash
from sankofa.access.tiers import TierName
from sankofa.core.errors import NotFound, Refused, StoreUnavailable
from sankofa.storage.postgres import Connection, UniqueViolation
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore, Word

_SQL = named(__package__, "registry.sql")
_LOCK = 0x5A4E4B4F04
_BATCH = 1_000
ROTATION_GRACE = timedelta(days=1)


class Issued(NamedTuple):
    """A new key, the only time it is shown. Not live: the key store must be brought up to date first."""

    key: str
    key_id: str
    is_live: bool


class Registered(NamedTuple):
    """A key as the registry knows it."""

    key_id: str
    tier: TierName
    label: str
    is_public: bool
    issued_at: datetime
    ends_at: datetime | None
    replaced_by: str | None


class _Standing(NamedTuple):
    """A key as the key store should hold it."""

    key_id: str
    key_hash: str
    tier: TierName
    is_public: bool
    ends_at_ms: int | None
    is_valid: bool


class Registry:
    """The operator's acts on keys."""

    def __init__(self, connection: Connection, store: JobStore, hashing: KeyHash) -> None:
        self._connection = connection
        self._store = store
        self._hash = hashing

    def issue(self, tier: TierName, label: str, *, public: bool = False) -> Issued:
        """Issue a key. It exists once it is recorded, even if the key store has to learn of it later."""
        with self._alone():
            key, key_id = self._record_new(tier, label, is_public=public)
            return Issued(key, key_id, self._try_to_follow())

    def rotate(self, key_id: str, grace: timedelta = ROTATION_GRACE) -> Issued:
        """Issue a key in place of another, which ends after the grace period (at once, if that is zero)."""
        with self._alone():
            tier, label, is_public, ends_at = self._standing(key_id)
            if ends_at is not None:
                raise Refused(f"{key_id} was rotated before and ends at {ends_at:%Y-%m-%d %H:%M} UTC")
            with self._connection.transaction():
                key, successor = self._record_new(tier, label, is_public=is_public)
                self._decide(key_id, "rotated", ends_in=grace, replaced_by=successor)
            return Issued(key, successor, self._try_to_follow())

    def change_tier(self, key_id: str, tier: TierName) -> None:
        """Give a key another tier; it stays the same key."""
        with self._alone():
            self._standing(key_id)
            self._decide(key_id, "tier_changed", tier=tier)
            self._follow()

    def revoke(self, key_id: str) -> None:
        """End a key. If the key store cannot be told, this says so: the key works until it is."""
        with self._alone():
            self._standing(key_id)
            self._decide(key_id, "revoked", ends_in=timedelta())
            try:
                self._follow()
            except StoreUnavailable as error:
                raise StoreUnavailable(
                    "keys", f"{key_id} is recorded as revoked, but in force until the key store is synced"
                ) from error

    def registered(self) -> Iterator[Registered]:
        """Yield every key ever issued, oldest first."""
        for row in self._connection.execute(_SQL["registered"]):
            yield Registered(*row)  # type: ignore[arg-type]  # the statement's own columns

    def is_behind(self) -> bool:
        """Tell whether the key store has yet to take in something, without changing it."""
        return self._store_generation() != self._generation()

    def sync(self) -> int:
        """Fill the key store anew and return its generation. No valid key is refused meanwhile.

        Records of valid keys are only ever written, never removed and put back; a store that had lost
        its contents stays unavailable until the sentinel is written, last.
        """
        with self._alone():
            before = self._generation()
            self._require_not_ahead(self._store_generation() or 0, before)
        after = ""
        while True:
            with self._alone():
                batch = self._standings("batch", after=after, size=_BATCH)
                if not batch:
                    break
                self._store.apply([_command(each) for each in batch])
                after = batch[-1].key_id
        for stored in self._store.names(f"{records.RECORDS}*"):
            with self._alone():
                self._remove_strangers(stored)
        with self._alone():
            return self._take_in(before)

    def _follow(self) -> None:
        """Bring the key store up to date; called with the lock held, after the decision is recorded."""
        stored = self._store_generation()
        if stored is None:
            self.sync()
        else:
            self._take_in(stored)

    def _try_to_follow(self) -> bool:
        try:
            self._follow()
        except StoreUnavailable:
            return False
        return True

    def _take_in(self, stored: int) -> int:
        """Apply the events after a generation; their records and the sentinel change together."""
        generation = self._generation()
        self._require_not_ahead(stored, generation)
        changed = self._standings("changed", generation=stored)
        self._store.apply([*map(_command, changed), ("SET", records.SENTINEL, generation)])
        return generation

    def _remove_strangers(self, stored: Sequence[str]) -> None:
        hashes = [name.removeprefix(records.RECORDS) for name in stored]
        key_ids = [keys.key_id(key_hash) for key_hash in hashes]
        rows = self._connection.execute(_SQL["valid_among"], {"key_ids": key_ids})
        valid = {str(row[0]) for row in rows}
        strangers = [records.name(key_hash) for key_hash in hashes if key_hash not in valid]
        if strangers:
            self._store.ask("DEL", *strangers)

    def _require_not_ahead(self, stored: int, generation: int) -> None:
        if stored > generation:
            raise Refused(
                f"the key store has seen event {stored}, the registry ends at {generation}: it was restored "
                "from a backup. Revoke again what was revoked since, empty the key store, sync, and restart "
                "the API processes"
            )

    def _record_new(self, tier: TierName, label: str, *, is_public: bool) -> tuple[str, str]:
        while True:
            key = keys.generate()
            key_hash = self._hash.of(key)
            key_id = keys.key_id(key_hash)
            row = {
                "key_id": key_id,
                "key_hash": key_hash,
                "tier": tier,
                "label": label,
                "is_public": is_public,
            }
            try:
                with self._connection.transaction():
                    self._connection.execute(_SQL["issue"], row)
            except UniqueViolation:
                continue  # another key has this id
            return key, key_id

    def _standing(self, key_id: str) -> tuple[TierName, str, bool, datetime | None]:
        row = self._connection.execute(_SQL["standing"], {"key_id": key_id}).fetchone()
        if row is None:
            raise NotFound(f"no valid key has the id {key_id}")
        return cast("tuple[TierName, str, bool, datetime | None]", row)

    def _decide(
        self,
        key_id: str,
        kind: str,
        *,
        tier: TierName | None = None,
        ends_in: timedelta | None = None,
        replaced_by: str | None = None,
    ) -> None:
        change = {
            "key_id": key_id,
            "kind": kind,
            "tier": tier,
            "ends_in": ends_in,
            "replaced_by": replaced_by,
        }
        self._connection.execute(_SQL["decide"], change)

    def _standings(self, statement: str, **values: object) -> list[_Standing]:
        rows = self._connection.execute(_SQL[statement], values).fetchall()
        return [_Standing(*row) for row in rows]  # type: ignore[arg-type]  # the statement's own columns

    def _generation(self) -> int:
        row = self._connection.execute(_SQL["generation"]).fetchone()
        return cast("tuple[int]", row)[0]

    def _store_generation(self) -> int | None:
        stored = self._store.ask("GET", records.SENTINEL)
        return None if stored is None else int(stored)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the registry's lock; it may be taken again while held, and ends with the connection."""
        self._connection.execute(_SQL["lock"], {"lock": _LOCK})
        try:
            yield
        finally:
            if not self._connection.broken:
                self._connection.execute(_SQL["unlock"], {"lock": _LOCK})


def _command(key: _Standing) -> tuple[Word, ...]:
    name = records.name(key.key_hash)
    if not key.is_valid:
        return ("DEL", name)
    record = records.encode(records.Record(tier=key.tier, is_public=key.is_public))
    return ("SET", name, record) if key.ends_at_ms is None else ("SET", name, record, "PXAT", key.ends_at_ms)
