"""Fair scheduling of the answers that one process makes concurrently.

Making an answer takes a place. A caller may hold half of the places, and the callers of one tier all but
one. Further requests wait and are served round-robin by caller. Large answers have their own places, so that
small ones do not wait behind them. A caller with too many waiting requests is rejected.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sankofa.access.caller import Caller
from sankofa.access.decision import AT_ONCE, Decision, LimitReached, Violation
from sankofa.core.errors import StoreUnavailable

_WAITING_EACH = 4  # waiting requests allowed for each concurrent request of a caller
_PATIENCE_SECONDS = 4.0
_RETRY_SECONDS = 1
_REFUSED_AFTER_SECONDS = 0.5


class Turns:
    """Places for answers of one size."""

    def __init__(self, places: int, processes: int = 1) -> None:
        """Make `places` places; a tier's concurrent requests are divided by the number of processes."""
        self._free = places
        self._most_of_a_caller = max(1, places // 2)
        self._most_of_a_tier = max(1, places - 1)
        self._processes = processes
        self._held: Counter[Caller | str] = Counter()  # by caller, and by the name of its tier
        self._waiting: OrderedDict[Caller, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, caller: Caller) -> AsyncIterator[None]:
        """Hold a place while an answer is made. Raise LimitReached if too many requests wait."""
        if len(self._waiting.get(caller, ())) >= _WAITING_EACH * self._own(caller):
            await asyncio.sleep(_REFUSED_AFTER_SECONDS)  # delay callers that retry immediately
            raise _too_many(caller)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line = self._waiting.setdefault(caller, deque())
        line.append(place)
        self._go_on()
        try:
            await asyncio.wait([place], timeout=_PATIENCE_SECONDS)
            if not place.done():
                raise _too_many(caller) if caller in self._held else _busy()
            yield
        finally:
            if place.done():
                self._free += 1
                self._held -= Counter((caller, caller.tier.name))  # removes cancelled requests
            else:
                line.remove(place)
            self._go_on()

    def _go_on(self) -> None:
        """Assign a free place to the next waiting caller within its limits, in round-robin order."""
        for caller, line in list(self._waiting.items()):
            if line and self._may_begin(caller):
                self._free -= 1
                self._held.update((caller, caller.tier.name))
                line.popleft().set_result(None)
                self._waiting.move_to_end(caller)
            if not line:
                del self._waiting[caller]

    def _may_begin(self, caller: Caller) -> bool:
        return (
            self._free > 0
            and self._held[caller] < self._own(caller)
            and self._held[caller.tier.name] < self._most_of_a_tier
        )

    def _own(self, caller: Caller) -> int:
        return max(1, min(caller.tier.at_once // self._processes, self._most_of_a_caller))


def _too_many(caller: Caller) -> LimitReached:
    violation = Violation(AT_ONCE, caller.tier.at_once, _RETRY_SECONDS)
    return LimitReached(Decision(violation=violation), violation)


def _busy() -> StoreUnavailable:
    return StoreUnavailable("datastore", "it is busy with others")
