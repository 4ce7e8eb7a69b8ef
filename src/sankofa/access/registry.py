"""The key registry: every decision is recorded in PostgreSQL first, then copied to the key store.

A decision holds once it is recorded. If the key store does not answer, `sankofa follow` brings it up to date
as soon as it does; until then the API processes do not trust it with this key. Last, the decision is added to
the journal. If S3 does not answer, `sankofa follow` does that too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple, cast

from sankofa.access import keys
from sankofa.access.following import Following
from sankofa.access.key_journal import key_journal, newest_event
from sankofa.access.keys import KeyHash
from sankofa.access.tiers import TierName
from sankofa.core.errors import NotFound, Refused, StoreUnavailable
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection, UniqueViolation
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore

_SQL = named(__package__, "registry.sql")
ROTATION_GRACE = timedelta(days=1)


class Issued(NamedTuple):
    """A new key in plain text, returned only once. It works as soon as the key store is up to date."""

    key: str
    key_id: str
    is_live: bool


class Registered(NamedTuple):
    """A key in the registry."""

    key_id: str
    tier: TierName
    label: str
    is_public: bool
    issued_at: datetime
    ends_at: datetime | None
    replaced_by: str | None
    pepper_id: str | None  # None for a key that was recovered from the key store after a restore
    issued_by: str | None  # likewise
    changed_by: str | None  # who made the newest decision about it


class Decided(NamedTuple):
    """One decision about a key, and who made it."""

    event: int
    recorded_at: datetime
    kind: str
    key_id: str
    tier: TierName
    ends_at: datetime | None
    replaced_by: str | None
    operator: str | None  # None for a decision that was recovered from the key store after a restore


class Registry:
    """The operations on keys, each recorded with the operator who acts."""

    def __init__(
        self,
        connection: Connection,
        store: JobStore,
        hashing: KeyHash,
        journal_objects: Objects,
        *,
        operator: str,
    ) -> None:
        self._connection = connection
        self._operator = operator
        self._following = Following(connection, store)
        self._hash = hashing
        self._journal = key_journal(journal_objects, connection)
        self.is_journal_behind = False  # because S3 did not answer

    def issue(self, tier: TierName, label: str, *, public: bool = False) -> Issued:
        """Issue a key. It is valid once recorded, even if the key store is updated later."""
        with self._deciding():
            key, key_id = self._record_new(tier, label, is_public=public)
            return Issued(key, key_id, self._try_to_follow())

    def rotate(self, key_id: str, grace: timedelta = ROTATION_GRACE) -> Issued:
        """Issue a key in place of another, which ends after the grace period (at once, if that is zero)."""
        with self._deciding():
            tier, label, is_public, ends_at = self._standing(key_id)
            if ends_at is not None:
                raise Refused(f"{key_id} was rotated before and ends at {ends_at:%Y-%m-%d %H:%M} UTC")
            with self._connection.transaction():
                key, successor = self._record_new(tier, label, is_public=is_public)
                self._decide(key_id, "rotated", ends_in=grace, replaced_by=successor)
            return Issued(key, successor, self._try_to_follow())

    def change_tier(self, key_id: str, tier: TierName) -> None:
        """Change the tier of a key; the key itself stays."""
        with self._deciding():
            self._standing(key_id)
            self._decide(key_id, "tier_changed", tier=tier)
            self._follow(f"{key_id} is {tier}")

    def revoke(self, key_id: str) -> None:
        """Revoke a key. Every process rejects it within five seconds of the record."""
        with self._deciding():
            self._standing(key_id)
            self._decide(key_id, "revoked", ends_in=timedelta())
            self._follow(f"{key_id} is revoked")

    def registered(self) -> Iterator[Registered]:
        """Yield every key ever issued, oldest first."""
        for row in self._connection.execute(_SQL["registered"]):
            yield Registered(*row)  # type: ignore[arg-type]  # the statement's own columns

    def peppers(self) -> dict[str | None, int]:
        """Return the number of valid keys by the name of their pepper."""
        rows = self._connection.execute(_SQL["peppers"]).fetchall()
        return dict(cast("list[tuple[str | None, int]]", rows))

    def is_behind(self) -> bool:
        """Return whether the key store lacks an event, without changing it."""
        return self._following.is_behind()

    def sync(self) -> int:
        """Refill the key store and return the newest event it holds."""
        self._require_caught_up()
        return self._following.sync()

    @contextmanager
    def _deciding(self) -> Iterator[None]:
        """Hold the registry's lock for a decision, and add the decision to the journal."""
        with self._following.alone():
            before = newest_event(self._connection)
            self._require_caught_up()
            try:
                yield
            finally:
                self._keep_after(before)

    def _require_caught_up(self) -> None:
        """Raise if the journal shows that the registry was restored from an older copy.

        Skipped if S3 is silent.
        """
        try:
            self._journal.require_not_ahead()
            self.is_journal_behind = False
        except StoreUnavailable:
            self.is_journal_behind = True

    def _keep_after(self, event: int) -> None:
        """Add the events after `event` to the journal.

        S3 is tried only once, because a revocation must not wait.
        """
        if not self.is_journal_behind:
            try:
                self._journal.keep_after(event)
            except StoreUnavailable:
                self.is_journal_behind = True

    def _try_to_follow(self) -> bool:
        try:
            self._following.follow()
        except StoreUnavailable:
            return False
        return True

    def _follow(self, decided: str) -> None:
        """Bring the key store up to date after a decision. If the store is silent, raise."""
        try:
            self._following.follow()
        except StoreUnavailable as error:
            raise StoreUnavailable(
                "keys",
                f"{decided}, and recorded. The key gets 503 until the key store has the decision, which "
                "`sankofa follow` brings once the store answers",
            ) from error

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
                "pepper_id": self._hash.pepper_ids[0],
                "operator": self._operator,
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
            "operator": self._operator,
        }
        self._connection.execute(_SQL["decide"], change)


def history(connection: Connection, key_id: str | None) -> Iterator[Decided]:
    """Yield every decision, or those about one key, oldest first."""
    for row in connection.execute(_SQL["history"], {"key_id": key_id}):
        yield Decided(*row)  # type: ignore[arg-type]  # the statement's own columns
