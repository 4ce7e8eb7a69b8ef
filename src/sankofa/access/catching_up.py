"""Recover the decisions that a registry restored from an older copy has lost.

The journal has every decision. If one never reached it, the key store may still show its effect: a store that
has seen more events than the registry is newer than the registry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from sankofa.access import keys, records
from sankofa.access.following import Following
from sankofa.access.key_journal import KeyRecord, enter, newest_event
from sankofa.access.records import Record
from sankofa.storage.journal import Journal
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named
from sankofa.storage.redis import JobStore

_SQL = named(__package__, "key_journal.sql")


class KeysCaughtUp(NamedTuple):
    """The number of recovered decisions by where they were found, and the newest event afterwards."""

    from_journal: int
    from_store: int
    newest: int
    is_certain: bool  # false if a number is missing among the events, and no key store has seen it


def catch_up(connection: Connection, store: JobStore, journal: Journal[KeyRecord]) -> KeysCaughtUp:
    """Insert the decisions that the registry lacks, then refill the key store.

    No API process may run meanwhile.
    """
    following = Following(connection, store)
    with following.alone():
        from_journal = sum(enter(connection, record) for record in journal.lacking())
        newest, seen = newest_event(connection), following.seen()
        is_complete = seen <= newest and _is_complete(connection)
        is_witness = seen >= newest and not is_complete
        from_witness = _newer_in_store(connection, following, store, after=seen) if is_witness else ()
        from_store = sum(enter(connection, record) for record in from_witness)
        following.forget()
    return KeysCaughtUp(from_journal, from_store, following.sync(), is_complete or is_witness)


def _is_complete(connection: Connection) -> bool:
    row = connection.execute(_SQL["is_complete"]).fetchone()
    return bool(row and row[0])


def _newer_in_store(
    connection: Connection, following: Following, store: JobStore, after: int
) -> Iterator[KeyRecord]:
    """Yield the decisions that only the key store shows: keys ended, changed in tier, or issued."""
    record = partial(KeyRecord, event=after + 1, recorded_at=datetime.now(UTC))
    for batch in following.batches():
        valid = [key for key in batch if key.is_valid]
        for key, (held, ends_at) in zip(valid, _held(store, [key.key_hash for key in valid]), strict=True):
            described = partial(record, key_hash=key.key_hash, is_public=key.is_public)
            if held is None:
                yield described(kind="revoked", tier=key.tier, ends_at=datetime.now(UTC))
            elif ends_at is not None and key.ends_at_ms is None:
                yield described(kind="revoked", tier=key.tier, ends_at=ends_at)
            elif held.tier != key.tier:
                yield described(kind="tier_changed", tier=held.tier)
    for names in store.names(f"{records.RECORDS}*"):
        unknown = _unknown(connection, [name.removeprefix(records.RECORDS) for name in names])
        for key_hash, (held, ends_at) in zip(unknown, _held(store, unknown), strict=True):
            if held is not None:
                described = partial(record, key_hash=key_hash, tier=held.tier, is_public=held.is_public)
                yield described(kind="issued")
                if ends_at:
                    yield described(kind="revoked", ends_at=ends_at)


def _held(store: JobStore, key_hashes: Sequence[str]) -> list[tuple[Record | None, datetime | None]]:
    """Return the store's record of each key, None if it has none, and when it ends."""
    names = [records.name(key_hash) for key_hash in key_hashes]
    replies = store.apply([words for name in names for words in (("GET", name), ("PEXPIRETIME", name))])
    return [
        (records.decode(text) if text else None, datetime.fromtimestamp(end / 1000, UTC) if end > 0 else None)
        for text, end in zip(replies[::2], replies[1::2], strict=True)
    ]


def _unknown(connection: Connection, key_hashes: Sequence[str]) -> list[str]:
    values = {"key_ids": [keys.key_id(key_hash) for key_hash in key_hashes]}
    known = {str(row[0]) for row in connection.execute(_SQL["known_among"], values)}
    return [key_hash for key_hash in key_hashes if key_hash not in known]
