"""The limiter's decision about one request, as a value."""

from __future__ import annotations

import msgspec

from sankofa.core.errors import ServiceError

BURST, MONTH, ROWS, CEILING, AT_ONCE = "burst", "month", "rows", "ceiling", "at-once"
MINUTE_SECONDS = 60


class Window(msgspec.Struct, frozen=True):
    """The state of one rate-limit window after this request."""

    policy: str
    quota: int
    seconds: int | None  # the window's length; None for the calendar month
    remaining: int
    reset: int  # seconds until quota comes back


class Violation(msgspec.Struct, frozen=True):
    """The limit that a request exceeded."""

    policy: str
    quota: int
    retry_after: int


class Receipt(msgspec.Struct, frozen=True):
    """The month in which a request was counted, so that it can be refunded there."""

    counter: str
    month: str


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A request is admitted unless there is a violation.

    A degraded decision has no numbers, as none are known.
    """

    windows: tuple[Window, ...] = ()
    violation: Violation | None = None
    receipt: Receipt | None = None
    degraded: bool = False


class LimitReached(ServiceError):
    """A caller has reached a limit. Defined here because surfaces publish the decision with it."""

    def __init__(self, decision: Decision, violation: Violation) -> None:
        super().__init__(f"{violation.policy} limit reached; again in {violation.retry_after} s")
        self.decision = decision
        self.policy = violation.policy
        self.limit = violation.quota
        self.retry_after = violation.retry_after
