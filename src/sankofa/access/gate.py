"""The gate: from a key as sent to a caller within limits, or to the reason why not.

The order is part of the contract: a key that cannot be one is refused without a store; then the key store
must answer and hold its contents; then the key must be valid; then the limits decide. A key that is not in
a store that lost its contents is not refused: nobody knows.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Self

import msgspec

from sankofa.access import keys, records
from sankofa.access.caller import Caller, client_prefix
from sankofa.access.decision import Decision, LimitReached
from sankofa.access.keys import KeyHash
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.access.records import Record
from sankofa.access.tiers import Tiers
from sankofa.core.errors import StoreUnavailable, Unauthorised
from sankofa.storage.redis import RedisOptions, Store

_REMEMBERED_KEYS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions:
    """What the gate needs from an installation."""

    keys_url: str
    usage_url: str
    pepper: bytes = field(repr=False)
    tiers: Tiers = field(default_factory=Tiers)
    limiter: LimiterOptions = field(default_factory=LimiterOptions)
    # A silent key store must be noticed within two seconds: this long, and then one look-up that fails.
    remember: timedelta = timedelta(milliseconds=1_500)


class Health(msgspec.Struct, frozen=True):
    """Whether one store did its work just now, and how long that took."""

    ok: bool
    latency_ms: float


class Gate:
    """Admits requests. One per process; its stores connect when first asked."""

    def __init__(self, options: GateOptions) -> None:
        self._options = options
        self._hash = KeyHash(options.pepper)
        self._keys = Store(RedisOptions(url=options.keys_url, component="keys"))
        self._usage = Store(RedisOptions(url=options.usage_url, component="usage"))
        self._limiter = Limiter(self._usage, options.limiter)
        self._generation = 0
        self._remembered: dict[str, tuple[Record, float]] = {}

    async def __aenter__(self) -> Self:
        await self._limiter.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._keys.close()
        await self._usage.close()

    async def admit(self, raw_key: str | None, client_address: str) -> tuple[Caller, Decision]:
        """Return who asks and what the limits say, with the request counted, or raise why not."""
        caller = await self.recognise(raw_key, client_address)
        return caller, await self.count(caller)

    async def recognise(self, raw_key: str | None, client_address: str) -> Caller:
        """Return who asks, without counting anything, or raise that nobody may know."""
        if raw_key is None or not keys.is_well_formed(raw_key):
            raise Unauthorised
        key_hash = self._hash.of(raw_key)
        record = await self._record(key_hash)
        if record is None:
            raise Unauthorised
        return Caller(
            key_id=keys.key_id(key_hash),
            tier=self._options.tiers.named(record.tier),
            is_public=record.is_public,
            client_prefix=client_prefix(client_address) if record.is_public else None,
        )

    async def count(self, caller: Caller) -> Decision:
        """Count one request of a caller and return what the limits say, or raise that one is reached."""
        decision = await self._limiter.take(caller)
        if decision.violation:
            raise LimitReached(decision, decision.violation)
        return decision

    async def refund(self, decision: Decision) -> None:
        """Give a request back that the service could not answer."""
        await self._limiter.refund(decision)

    async def probe(self) -> dict[str, Health]:
        """Make each store do what requests ask of it."""
        of_keys, of_usage = await asyncio.gather(_health(self._look_up("")), _health(self._limiter.probe()))
        return {"keys": of_keys, "usage": of_usage}

    async def _record(self, key_hash: str) -> Record | None:
        """Return a valid key's record; what is remembered counts only while the store answers."""
        remembered = self._remembered.get(key_hash)
        if remembered and time.monotonic() < remembered[1] and self._keys.is_answering:
            return remembered[0]
        asked_at = time.monotonic()
        self._remembered.pop(key_hash, None)
        record = await self._look_up(key_hash)
        if record:
            self._remembered[key_hash] = (record, asked_at + self._options.remember.total_seconds())
            if len(self._remembered) > _REMEMBERED_KEYS:
                self._remembered.pop(next(iter(self._remembered)))
        return record

    async def _look_up(self, key_hash: str) -> Record | None:
        """Read a record together with the sentinel, without which its absence means nothing."""
        known = self._generation
        sentinel, text = await self._keys.ask("MGET", records.SENTINEL, records.name(key_hash))
        try:
            generation = int(sentinel or "")
            record = records.decode(text) if text else None
        except (ValueError, msgspec.DecodeError) as error:
            raise StoreUnavailable("keys", "it has lost its contents") from error
        # Compared with what was known before asking: answers may overtake each other.
        if generation < known:
            raise StoreUnavailable("keys", "it has gone back to an earlier state")
        self._generation = max(self._generation, generation)
        return record


async def _health(work: Awaitable[object]) -> Health:
    start = time.monotonic()
    try:
        await work
        ok = True
    except StoreUnavailable:
        ok = False
    return Health(ok, round((time.monotonic() - start) * 1_000, 3))
