"""The limits: one call to the usage store decides about a request and counts it, or a lease admits it.

Requests of any sliding minute and of the UTC calendar month are counted, and the rows of a minute. How many
rows an answer has is known afterwards: they are counted by the caller's next request, so that a request takes
one call at most. A public key is counted per client, with a limit a minute for the whole key. A busy key is
granted leases: requests that the store has counted already and that need no call (`leases.py`).
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from typing import cast

from sankofa.access.caller import Caller
from sankofa.access.decision import (
    BURST,
    CEILING,
    MINUTE_SECONDS,
    MONTH,
    ROWS,
    Decision,
    Receipt,
    Violation,
    Window,
)
from sankofa.access.leases import LEASE_SECONDS, Lease, Leases
from sankofa.access.share import Share
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store, Word

_LIBRARY = resources.files(__package__).joinpath("limiter.lua").read_text(encoding="utf-8")
_TAKE, _END_LEASE, _GIVE_BACK = "sankofa_take_v4", "sankofa_end_lease_v4", "sankofa_give_back_v4"
_POLICIES = ((BURST, MINUTE_SECONDS), (MONTH, None), (ROWS, MINUTE_SECONDS), (CEILING, MINUTE_SECONDS))
_MANY = 1_000_000_000
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LimiterOptions:
    """The settings of the limiter besides the tiers."""

    public_ceiling: int = 1_200  # requests a minute on one public key, over all its clients
    processes: int = 1  # API processes over all nodes; without the store, limits are divided by this number


class Limiter:
    """Applies the limits; uses this process's share while the usage store does not answer."""

    def __init__(
        self, store: Store, options: LimiterOptions, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._ceiling = options.public_ceiling
        self._share = Share(options.processes)
        self._clock = clock
        self.leases = Leases(options.processes, clock)
        self._ending: set[asyncio.Task[None]] = set()
        self._sent: dict[str, int] = {}  # rows by counter, not yet sent to the store
        # A call without a reply in time is repeated, although it may have run: its id makes it count once.
        self._calls = (f"{secrets.token_hex(6)}{number:x}" for number in itertools.count())

    async def open(self) -> None:
        """Load the function library into the store; a store that is down gets it with the first call."""
        with suppress(StoreUnavailable):
            await self._store.load(_LIBRARY)

    async def close(self) -> None:
        """End all leases and return their unused requests to the store."""
        for lease in self.leases.all():
            self._end_lease(lease)
        await asyncio.gather(*self._ending)

    async def take(self, caller: Caller) -> Decision:
        """Decide about one request, and count it if it is admitted."""
        names = _names(caller)
        tier = caller.tier
        limits = (tier.per_minute, tier.per_month, tier.rows_per_minute, self._ceiling)
        if caller.client_prefix is not None:
            return await self._take(names, limits, 0)
        rows_sent = self._sent.get(names[2], 0)
        self.leases.count(names[0])
        if lease := self.leases.find(names[0]):
            if self._store.is_answering and lease.admits(limits, rows_sent, self._clock()):
                return self._leased(lease, rows_sent)
            self._end_lease(lease)
        wanted = self.leases.wanted(names[0])
        try:
            return await self._take(names, limits, wanted)
        finally:
            if wanted:
                self.leases.request_ended(names[0])

    def _leased(self, lease: Lease, rows_sent: int) -> Decision:
        """Use one request of a lease and return the decision."""
        lease.left -= 1
        lease.used += 1
        windows = lease.standing(self._clock(), rows_sent)
        self._share.note(lease.names, lease.month, lease.limits[1] - windows[1].remaining)
        return Decision(windows=windows, receipt=Receipt(lease.names[1], lease.month))

    async def _take(self, names: tuple[str, ...], limits: tuple[int, ...], wanted: int) -> Decision:
        """Call the store to decide about one request, and begin the lease that it grants."""
        sent = self._sent.pop(names[2], 0)
        began = self._clock()
        words: tuple[Word, ...] = (*limits[:3], sent, limits[3], wanted, next(self._calls))
        try:
            reply = await self._store.call(_LIBRARY, _TAKE, names, *words)
        except StoreUnavailable:
            violation = self._share.take(names, limits)
            receipt = None if violation else Receipt(names[1], "")
            return Decision(violation=violation, receipt=receipt, degraded=True)
        *standings, leased, second = reply
        decision = self._decision(names, limits, standings)
        if leased and decision.receipt:
            lease = Lease(
                names=names,
                limits=limits,
                windows=decision.windows,
                month=decision.receipt.month,
                counted_in=second,
                began=began,
                left=leased,
            )
            self.leases.begin(lease)
            asyncio.get_running_loop().call_later(LEASE_SECONDS, self._end_lease, lease)
        return decision

    def _end_lease(self, lease: Lease) -> None:
        """End a lease and begin to give its unused requests back."""
        self.leases.end(lease)
        unused, lease.left = lease.left, 0
        if unused:
            task = asyncio.create_task(self._give_back(lease, unused))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _give_back(self, lease: Lease, unused: int) -> None:
        """Subtract the unused requests of a lease; if the store does not answer, they stay counted."""
        counters = (lease.names[0], f"{lease.names[1]}:{lease.month}")
        with suppress(StoreUnavailable):
            await self._store.call(
                _LIBRARY, _END_LEASE, counters, lease.counted_in, unused, next(self._calls)
            )

    def sent(self, caller: Caller, rows: int) -> None:
        """Record the rows sent to a caller; the next `take` counts them."""
        name = _names(caller)[2]
        self._sent[name] = self._sent.get(name, 0) + rows
        if len(self._sent) > _REMEMBERED:
            self._sent.pop(next(iter(self._sent)))
        self._share.sent(name, rows)

    async def refund(self, decision: Decision) -> None:
        """Subtract one request from the month's count; if the store does not answer, it stays counted."""
        receipt = decision.receipt
        if receipt is None:
            return
        if decision.degraded:
            self._share.give_back(receipt.counter)
            return
        with suppress(StoreUnavailable):
            name = f"{receipt.counter}:{receipt.month}"
            await self._store.call(_LIBRARY, _GIVE_BACK, (name,), next(self._calls))

    async def probe(self) -> float:
        """Run the limiter once for a reserved test key and return the elapsed seconds.

        Used by `/v1/status`.
        """
        start = time.monotonic()
        names = ("u:{probe}:burst", "u:{probe}:month", "u:{probe}:rows")
        await self._store.call(_LIBRARY, _TAKE, names, _MANY, _MANY, _MANY, 0, _MANY, 0, next(self._calls))
        return time.monotonic() - start

    def _decision(self, names: tuple[str, ...], limits: tuple[int, ...], reply: list[object]) -> Decision:
        refused, month, *standings = reply
        numbers = cast("list[int]", standings)
        windows = tuple(
            Window(policy, limit, seconds, remaining, reset)
            for (policy, seconds), limit, remaining, reset in zip(
                _POLICIES, limits, numbers[::2], numbers[1::2], strict=False
            )
        )
        if refused:
            broken = windows[cast("int", refused) - 1]
            return Decision(
                windows=windows, violation=Violation(broken.policy, broken.quota, max(1, broken.reset))
            )
        self._share.note(names, cast("str", month), limits[1] - windows[1].remaining)
        return Decision(windows=windows, receipt=Receipt(names[1], cast("str", month)))


def _names(caller: Caller) -> tuple[str, ...]:
    key = f"u:{{{caller.key_id}}}"
    if caller.client_prefix is None:
        return (f"{key}:burst", f"{key}:month", f"{key}:rows")
    client = caller.client_prefix
    return (f"{key}:burst:{client}", f"{key}:month:{client}", f"{key}:rows:{client}", f"{key}:ceiling")
