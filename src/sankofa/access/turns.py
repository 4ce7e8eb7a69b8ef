"""Fair scheduling of the answers that one process makes concurrently.

Making an answer takes a place. A caller may hold half of the places, the callers of one paid tier all but
one, and all callers of the free tier together a third, or one place while an answer for a paying caller is
made. Further requests wait and are served round-robin by caller. Large answers have their own places, so that
small ones do not wait behind them. A caller with too many waiting requests is rejected. So is a request that
would wait longer than its deadline: it does not wait in vain, and gets the expected wait.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from sankofa.access.caller import Caller
from sankofa.access.decision import AT_ONCE, Decision, LimitReached, Violation
from sankofa.access.tiers import Tier
from sankofa.core.errors import StoreUnavailable

_WAITING_EACH = 4  # waiting requests allowed for each concurrent request of a caller
_PATIENCE_SECONDS = 4.0
_DEADLINE_SECONDS = 2.0  # a longer expected wait is refused at once
_FREE_SHARE = 3  # the free tier has one place of this many
_RETRY_SECONDS = 1
_REFUSED_AFTER_SECONDS = 0.5
_FIRST_GUESS_SECONDS = 0.05  # of making an answer
_NEWEST_WEIGHT = 0.1  # of the newest answer in the average time
# Whether a caller's answer is at hand: it takes no turn.
IsAtHand = Callable[[Caller], bool]


def at_hand(_caller: Caller) -> bool:
    """Return that an answer is at hand: one that is not made of rows."""
    return True


class Turns:
    """Places for answers of one size."""

    def __init__(self, places: int, processes: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        """Make `places` places; a tier's concurrent requests are divided by the number of processes."""
        self._free = places
        self._places = places
        self._most_of_a_caller = max(1, places // 2)
        self._processes = processes
        self._clock = clock
        self._held: Counter[Caller | str] = Counter()  # by caller, and by the name of its tier
        self._waiting: OrderedDict[Caller, deque[asyncio.Future[None]]] = OrderedDict()
        # How many requests wait, and of how many callers, by the name of their tier.
        self._requests: Counter[str] = Counter()
        self._lines: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}  # the average time of an answer, by the name of a tier

    @asynccontextmanager
    async def turn(self, caller: Caller) -> AsyncIterator[None]:
        """Hold a place while an answer is made. Raise LimitReached if too many requests wait."""
        if len(self._waiting.get(caller, ())) >= _WAITING_EACH * self._own(caller):
            await asyncio.sleep(_REFUSED_AFTER_SECONDS)  # delay callers that retry immediately
            raise _too_many(caller)
        if self.is_late(caller):
            raise await self.refusal(caller)
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._join(caller, place)
        self._go_on()
        try:
            await asyncio.wait([place], timeout=_PATIENCE_SECONDS)
            if not place.done():
                wait = self._expected_wait(caller)
                raise _too_many(caller) if caller in self._held else _busy(wait)
            start = self._clock()
            try:
                yield
            finally:  # an answer that failed held its place as well
                self._note(caller.tier, self._clock() - start)
        finally:
            if place.done():
                self._free += 1
                self._held -= Counter((caller, caller.tier.name))  # removes cancelled requests
            else:
                self._leave(caller, place)
            self._go_on()

    def is_late(self, caller: Caller) -> bool:
        """Whether the caller's next request would wait longer than its deadline."""
        return self._expected_wait(caller) > _DEADLINE_SECONDS

    async def refusal(self, caller: Caller) -> StoreUnavailable:
        """Return the error of a request that would wait too long, with the time after which to try again."""
        wait = self._expected_wait(caller)
        if not caller.tier.is_paid:
            await asyncio.sleep(_REFUSED_AFTER_SECONDS)  # a flood of refusals would delay paying callers
        return _busy(wait)

    def _join(self, caller: Caller, place: asyncio.Future[None]) -> None:
        tier = caller.tier.name
        if caller not in self._waiting:
            self._waiting[caller] = deque()
            self._lines[tier] += 1
        self._waiting[caller].append(place)
        self._requests[tier] += 1

    def _leave(self, caller: Caller, place: asyncio.Future[None]) -> None:
        tier, line = caller.tier.name, self._waiting[caller]
        line.remove(place)
        self._requests[tier] -= 1
        if not line:
            del self._waiting[caller]
            self._lines -= Counter((tier,))  # removes tiers of which nobody waits

    def _expected_wait(self, caller: Caller) -> float:
        """Return the seconds that a caller's next request would wait for others of its tier.

        The lines are served in turn, so a longer line of another caller delays this one no further.
        """
        tier, own = caller.tier.name, len(self._waiting.get(caller, ()))
        # One round for each request in its line, at most: other lines may be shorter.
        rounds = (own + 1) * (self._lines[tier] - bool(own))
        ahead = min(rounds, self._requests[tier] - own)
        average = self._seconds.get(tier, _FIRST_GUESS_SECONDS)
        return ahead * average / self._most_of_a_tier(caller.tier)

    def _note(self, tier: Tier, seconds: float) -> None:
        average = self._seconds.get(tier.name, _FIRST_GUESS_SECONDS)
        self._seconds[tier.name] = average + _NEWEST_WEIGHT * (seconds - average)

    def _go_on(self) -> None:
        """Assign free places to the next waiting callers within their limits, in round-robin order."""
        full: set[str] = set()  # tiers: most of those who wait under overload are of one
        for caller in list(self._waiting):
            tier = caller.tier.name
            if not self._free or full.issuperset(self._lines):
                break
            if tier in full:
                continue
            if self._held[tier] >= self._now_for_a_tier(caller.tier):
                full.add(tier)
            elif self._held[caller] < self._own(caller):
                self._free -= 1
                self._held.update((caller, tier))
                place = self._waiting[caller][0]
                self._waiting.move_to_end(caller)
                self._leave(caller, place)
                place.set_result(None)

    def _now_for_a_tier(self, tier: Tier) -> int:
        """Return how many places a tier may hold now: the free tier one while a paid answer is being made."""
        is_paid_at_work = self._places - self._free > self._held[tier.name]
        return 1 if is_paid_at_work and not tier.is_paid else self._most_of_a_tier(tier)

    def _most_of_a_tier(self, tier: Tier) -> int:
        return max(1, self._places - 1 if tier.is_paid else self._places // _FREE_SHARE)

    def _own(self, caller: Caller) -> int:
        return max(1, min(caller.tier.at_once // self._processes, self._most_of_a_caller))


def _too_many(caller: Caller) -> LimitReached:
    violation = Violation(AT_ONCE, caller.tier.at_once, _RETRY_SECONDS)
    return LimitReached(Decision(violation=violation), violation)


def _busy(wait: float) -> StoreUnavailable:
    seconds = max(_RETRY_SECONDS, math.ceil(wait))
    return StoreUnavailable("datastore", "it is busy with others", retry_after=seconds)
