"""The limits: one call to the usage store decides about a request and counts it.

Requests of any sliding minute and of the UTC calendar month are counted, and the rows of a minute. How many
rows an answer has is known afterwards: they are counted by the caller's next request, so that each request
takes one call. A public key is counted per client, with a limit a minute for the whole key. All counters
of a key share its hash tag, so they are on one node of a cluster.
"""

from __future__ import annotations

import itertools
import secrets
import time
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
from sankofa.access.share import Share
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store

_LIBRARY = resources.files(__package__).joinpath("limiter.lua").read_text(encoding="utf-8")
_TAKE, _GIVE_BACK = "sankofa_take_v3", "sankofa_give_back_v3"
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

    def __init__(self, store: Store, options: LimiterOptions) -> None:
        self._store = store
        self._ceiling = options.public_ceiling
        self._share = Share(options.processes)
        self._sent: dict[str, int] = {}  # rows by counter, not yet sent to the store
        # A call without a reply in time is repeated, although it may have run: its id makes it count once.
        self._calls = (f"{secrets.token_hex(6)}{number:x}" for number in itertools.count())

    async def open(self) -> None:
        """Load the function library into the store; a store that is down gets it with the first call."""
        with suppress(StoreUnavailable):
            await self._store.load(_LIBRARY)

    async def take(self, caller: Caller) -> Decision:
        """Decide about one request, and count it if it is admitted."""
        names = _names(caller)
        tier = caller.tier
        limits = (tier.per_minute, tier.per_month, tier.rows_per_minute, self._ceiling)
        sent = self._sent.pop(names[2], 0)
        call = next(self._calls)
        try:
            reply = await self._store.call(_LIBRARY, _TAKE, names, *limits[:3], sent, limits[3], call)
        except StoreUnavailable:
            violation = self._share.take(names, limits)
            receipt = None if violation else Receipt(names[1], "")
            return Decision(violation=violation, receipt=receipt, degraded=True)
        return self._decision(names, limits, reply)

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
        await self._store.call(_LIBRARY, _TAKE, names, _MANY, _MANY, _MANY, 0, _MANY, next(self._calls))
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
