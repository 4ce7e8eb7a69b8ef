"""The limits: one call to the usage store decides about a request and counts it.

Two windows: any sliding minute, and the UTC calendar month. A public key is counted per client in both,
under a ceiling a minute for the whole key. All counters of a key share its hash tag, so they stand on one
node of a cluster.
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
    Decision,
    Receipt,
    Violation,
    Window,
)
from sankofa.access.share import Share
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.redis import Store

_LIBRARY = resources.files(__package__).joinpath("limiter.lua").read_text(encoding="utf-8")
_TAKE, _GIVE_BACK = "sankofa_take_v2", "sankofa_give_back_v2"
_POLICIES = ((BURST, MINUTE_SECONDS), (MONTH, None), (CEILING, MINUTE_SECONDS))
_MANY = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LimiterOptions:
    """What the limiter must know beside the tiers."""

    public_ceiling: int = 1_200  # requests a minute on one public key, over all its clients
    processes: int = 1  # API processes over all nodes: what limits are divided by without the store


class Limiter:
    """Decides about requests; goes on with this process's share while the usage store is silent."""

    def __init__(self, store: Store, options: LimiterOptions) -> None:
        self._store = store
        self._ceiling = options.public_ceiling
        self._share = Share(options.processes)
        # A call that got no answer in time is repeated, and may have been heard: its name counts it once.
        self._calls = (f"{secrets.token_hex(6)}{number:x}" for number in itertools.count())

    async def open(self) -> None:
        """Give the store the function library of this build; a store that is down gets it when asked."""
        with suppress(StoreUnavailable):
            await self._store.load(_LIBRARY)

    async def take(self, caller: Caller) -> Decision:
        """Decide about one request, and count it if it is admitted."""
        names = _names(caller)
        limits = (caller.tier.per_minute, caller.tier.per_month, self._ceiling)[: len(names)]
        try:
            reply = await self._store.call(_LIBRARY, _TAKE, names, *limits, next(self._calls))
        except StoreUnavailable:
            violation, second = self._share.take(names, limits)
            receipt = None if violation else Receipt(names, "", 0, second)
            return Decision(violation=violation, receipt=receipt, degraded=True)
        return self._decision(names, limits, reply)

    async def refund(self, decision: Decision) -> None:
        """Give one admitted request back; a store that does not answer keeps it counted."""
        receipt = decision.receipt
        if receipt is None:
            return
        self._share.give_back(receipt.names, receipt.own_second, degraded=decision.degraded)
        if not decision.degraded:
            names = [receipt.names[0], f"{receipt.names[1]}:{receipt.month}", *receipt.names[2:]]
            with suppress(StoreUnavailable):
                await self._store.call(_LIBRARY, _GIVE_BACK, names, receipt.second, next(self._calls))

    async def probe(self) -> float:
        """Take a request for nobody, as a caller's would be taken; return the seconds it took."""
        start = time.monotonic()
        names = ("u:{probe}:burst", "u:{probe}:month")
        await self._store.call(_LIBRARY, _TAKE, names, _MANY, _MANY, next(self._calls))
        return time.monotonic() - start

    def _decision(self, names: tuple[str, ...], limits: tuple[int, ...], reply: list[object]) -> Decision:
        refused, month, second, *standings = reply
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
        month_name, counted_in = cast("str", month), cast("int", second)
        own_second = self._share.note(names, month_name, limits[1] - windows[1].remaining)
        return Decision(windows=windows, receipt=Receipt(names, month_name, counted_in, own_second))


def _names(caller: Caller) -> tuple[str, ...]:
    key = f"u:{{{caller.key_id}}}"
    if caller.client_prefix is None:
        return (f"{key}:burst", f"{key}:month")
    client = caller.client_prefix
    return (f"{key}:burst:{client}", f"{key}:month:{client}", f"{key}:ceiling")
