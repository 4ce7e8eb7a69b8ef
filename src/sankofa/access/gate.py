"""The gate: authenticate the key of a request and apply its limits.

The order is part of the contract: a malformed key is rejected without a store; then the key store must answer
and be complete; then the key must be valid; then the limits apply. If the store has lost its contents, a
missing key is not rejected, because it may be valid.

A key store is complete if its sentinel is the newest key event that this process has read from PostgreSQL or
a key store. An older one may lack a revocation or a new key, so it is not trusted with the keys that the
missing events concern. If nobody knows which these are, it is trusted with none.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple, Self

import msgspec

from sankofa.access import keys, records
from sankofa.access.answer_rows import AnswerRows
from sankofa.access.caller import Caller, client_prefix
from sankofa.access.decision import Decision, LimitReached
from sankofa.access.keys import KeyHash
from sankofa.access.limiter import Limiter, LimiterOptions
from sankofa.access.networks import Networks
from sankofa.access.records import Record
from sankofa.access.refusals import Refusals
from sankofa.access.tiers import Tiers
from sankofa.access.turns import IsAtHand, Turns, at_hand
from sankofa.core.errors import ServiceError, StoreUnavailable, Unauthorised
from sankofa.storage.key_events import KeyEvents
from sankofa.storage.redis import RedisOptions, Store

_REMEMBERED_KEYS = 10_000
# An event is in PostgreSQL some milliseconds before it is in the key store. Requests of that moment wait.
_FOLLOWING_SECONDS = 0.5
_FOLLOWING_PAUSE = 0.02
# Look-ups of keys not in use here: too many of them would make the store miss its deadlines for every key.
_STRANGERS_AT_ONCE = 8
# The key id under which requests without a key are counted; no key has this id.
_ANYBODY = "anybody"
# Requests above a limit are answered with a delay, because a flood of rejections costs other callers time.
_REFUSED_SECONDS = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOptions:
    """The settings of the gate."""

    keys_url: str
    usage_url: str
    hashing: KeyHash = field(repr=False)
    tiers: Tiers = field(default_factory=Tiers)
    limiter: LimiterOptions = field(default_factory=LimiterOptions)
    refused_keys: int = 100  # a minute, from one client prefix in one process
    many_networks: int = 100  # that use one key on a day: then it counts as passed on
    small_answers: int = 6  # concurrent answers in this process, each with its own connection
    large_answers: int = 1
    # A silent key store must be noticed within two seconds: this time plus one failed look-up.
    remember: timedelta = timedelta(milliseconds=1_500)


class Recognised(NamedTuple):
    """A valid key."""

    key_id: str
    record: Record


class Health(NamedTuple):
    """The result of probing one store."""

    ok: bool
    latency_ms: float
    stops: bool  # whether no request can be answered


class Gate:
    """Admits requests. One per process; its stores connect on first use."""

    def __init__(self, options: GateOptions, key_events: Callable[[], KeyEvents | None]) -> None:
        """Make a gate; `key_events` returns the registry's newest events, or None if they are uncertain."""
        self._options = options
        self._key_events = key_events
        self._keys = Store(RedisOptions(url=options.keys_url, component="keys"))
        self._usage = Store(RedisOptions(url=options.usage_url, component="usage"))
        self._limiter = Limiter(self._usage, options.limiter)
        self.answer_rows = AnswerRows(self._usage)
        self.networks = Networks(self._usage, options.many_networks)
        self._refusals = Refusals(options.refused_keys)
        self._small = Turns(options.small_answers, options.limiter.processes)
        self._large = Turns(options.large_answers, options.limiter.processes)
        self._strangers = asyncio.Semaphore(_STRANGERS_AT_ONCE)
        self._generation = 0
        self._behind_since: float | None = None
        # By the hash under the current pepper: the key, the event it was read at, and when it expires.
        self._remembered: dict[str, tuple[Recognised, int, float]] = {}
        self._renewals: dict[str, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        await self._limiter.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for renewal in self._renewals.values():
            renewal.cancel()
        await self._limiter.close()
        await self._keys.close()
        await self._usage.close()

    async def admit(
        self,
        raw_key: str | None,
        client_address: str,
        *,
        is_open: bool = False,
        is_at_hand: IsAtHand = at_hand,
    ) -> tuple[Caller, Decision]:
        """Authenticate the caller, count the request and return both. Raise if the key or a limit fails.

        Open endpoints need no key, but a key that is sent is checked. An answer that is not at hand needs a
        turn. If that would come too late, the request is refused before two calls to a store count it.
        """
        is_anybody = is_open and raw_key is None
        caller = (
            self._anybody(client_address) if is_anybody else await self.recognise(raw_key, client_address)
        )
        if self._small.is_late(caller) and not is_at_hand(caller):
            raise await self._small.refusal(caller)
        return caller, await self.count(caller)

    def _anybody(self, client_address: str) -> Caller:
        """Return the caller of a request without a key: limited like a client of a public sample key."""
        return Caller(
            key_id=_ANYBODY,
            tier=self._options.tiers.sample,
            is_public=True,
            client_prefix=client_prefix(client_address),
        )

    async def recognise(self, raw_key: str | None, client_address: str) -> Caller:
        """Return the caller of a valid key without counting a request. Raise if the key is not valid."""
        if raw_key is None:
            raise Unauthorised
        recognised = await self.find(raw_key)
        if recognised is None:
            raise await self._refusal(client_address)
        key_id, record = recognised
        if not record.is_public:
            self.networks.note(key_id, client_address)
        return Caller(
            key_id=key_id,
            tier=self._options.tiers.named(record.tier),
            is_public=record.is_public,
            client_prefix=client_prefix(client_address) if record.is_public else None,
        )

    async def find(self, raw_key: str) -> Recognised | None:
        """Return the key that a text is, if it is a valid one."""
        hashes = self._options.hashing.each(raw_key) if keys.is_well_formed(raw_key) else ()
        return await self._admitted(hashes) if hashes else None

    async def _refusal(self, client_address: str) -> Unauthorised | LimitReached:
        """Count a rejected key and return the error.

        Above the limit, wait first. Valid keys are not delayed.
        """
        violation = self._refusals.count(client_prefix(client_address))
        if violation is None:
            return Unauthorised()
        await asyncio.sleep(self._refusals.delay())
        return LimitReached(Decision(violation=violation), violation)

    async def count(self, caller: Caller) -> Decision:
        """Count one request of a caller and return the decision. Raise LimitReached if a limit is reached."""
        decision = await self._limiter.take(caller)
        if decision.violation:
            await asyncio.sleep(_REFUSED_SECONDS)
            raise LimitReached(decision, decision.violation)
        return decision

    async def refund(self, decision: Decision) -> None:
        """Subtract a request that the service could not answer from the month's count."""
        await self._limiter.refund(decision)

    @asynccontextmanager
    async def turn(self, caller: Caller, *, is_large: bool) -> AsyncIterator[None]:
        """Wait for the caller's turn, and hold it while an answer is made."""
        async with (self._large if is_large else self._small).turn(caller):
            yield

    def sent(self, caller: Caller, rows: int) -> None:
        """Record how many rows a caller was sent."""
        self._limiter.sent(caller, rows)

    def open_breakers(self) -> dict[str, bool]:
        """Return for each store whether this process has stopped calling it."""
        return {"keys": not self._keys.is_answering, "usage": not self._usage.is_answering}

    async def probe(self) -> dict[str, Health]:
        """Run the calls of a request against each store and return the results."""
        answers, of_usage = await asyncio.gather(
            health(self._look_up(("",))), health(self._limiter.probe(), stops=False)
        )
        # A store that is behind stops only those whose keys the missing events concern.
        is_late = time.monotonic() - (self._behind_since or math.inf) > _FOLLOWING_SECONDS
        return {"keys": answers._replace(ok=answers.ok and not is_late), "usage": of_usage}

    async def _admitted(self, hashes: tuple[str, ...]) -> Recognised | None:
        """Return a valid key.

        Look-ups of unused keys are serialised, so that used keys do not wait for them.
        """
        if hashes[0] in self._remembered:
            return await self._recognised(hashes)
        async with self._strangers:
            return await self._recognised(hashes)

    async def _recognised(self, hashes: tuple[str, ...]) -> Recognised | None:
        """Return a valid key, from memory only if no newer event is known that concerns it."""
        if remembered := self._remembered.get(hashes[0]):
            recognised, generation, until = remembered
            is_current = not self._known().concern([recognised.key_id], after=generation)
            left = until - time.monotonic()
            if is_current and left > 0:
                if left < self._options.remember.total_seconds() / 2 and hashes[0] not in self._renewals:
                    self._renewals[hashes[0]] = asyncio.create_task(self._renewed(hashes))
                return recognised
        return await self._learnt(hashes)

    async def _renewed(self, hashes: tuple[str, ...]) -> None:
        """Read a key in use again before what is remembered ends, so that no request waits for it."""
        try:
            with contextlib.suppress(StoreUnavailable):  # the memory ends, and then requests say so
                await self._learnt(hashes)
        finally:
            del self._renewals[hashes[0]]

    async def _learnt(self, hashes: tuple[str, ...]) -> Recognised | None:
        """Return a valid key as the store has it, and remember it."""
        sent_at = time.monotonic()
        found, generation = await self._look_up(hashes)
        self._remembered.pop(hashes[0], None)
        if found:
            until = sent_at + self._options.remember.total_seconds()
            self._remembered[hashes[0]] = (found, generation, until)
            if len(self._remembered) > _REMEMBERED_KEYS:
                self._remembered.pop(next(iter(self._remembered)))
        return found

    def _known(self) -> KeyEvents:
        """Return the newest key events that this process has read from PostgreSQL or the key store."""
        recorded = self._key_events()
        if recorded is None:
            raise StoreUnavailable("keys", "its newest event could not be confirmed")
        return recorded if recorded.newest >= self._generation else KeyEvents(self._generation)

    async def _look_up(self, hashes: tuple[str, ...]) -> tuple[Recognised | None, int]:
        """Read a key and the store's newest event.

        Raise StoreUnavailable if the store lacks an event that may concern the key.
        """
        key_ids = [keys.key_id(key_hash) for key_hash in hashes]
        while True:
            # Compared with the events known before the call, because replies may overtake each other.
            known = self._known()
            found, generation = await self._read(hashes)
            self._generation = max(self._generation, generation)
            behind = self._behind(known, generation)
            if not known.concern(key_ids, after=generation):
                return found, generation
            if behind > _FOLLOWING_SECONDS:
                raise StoreUnavailable("keys", "it lacks the newest events")
            await asyncio.sleep(_FOLLOWING_PAUSE)

    def _behind(self, known: KeyEvents, generation: int) -> float:
        """Note whether the store lacks events; return for how many seconds it has."""
        now = time.monotonic()
        is_behind = generation < known.newest
        self._behind_since = (self._behind_since or now) if is_behind else None
        return now - self._behind_since if self._behind_since else 0.0

    async def _read(self, hashes: tuple[str, ...]) -> tuple[Recognised | None, int]:
        """Read a key under each of its hashes, and the sentinel, without which a missing key proves nothing.

        One round trip, however many peppers there are: a rejected key costs the same as a valid one.
        """
        sentinel, *texts = await self._keys.ask("MGET", records.SENTINEL, *map(records.name, hashes))
        try:
            found = (
                Recognised(keys.key_id(key_hash), records.decode(text))
                for key_hash, text in zip(hashes, texts, strict=True)
                if text
            )
            return next(found, None), int(sentinel or "")
        except (ValueError, msgspec.DecodeError) as error:
            raise StoreUnavailable("keys", "it has lost its contents") from error


async def health(work: Awaitable[object], *, stops: bool = True) -> Health:
    """Do some work and return whether it could be done, and how long it took."""
    start = time.monotonic()
    try:
        await work
        ok = True
    except ServiceError:
        ok = False
    return Health(ok, round((time.monotonic() - start) * 1_000, 3), stops and not ok)
