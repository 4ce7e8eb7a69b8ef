"""What the limiter decided about one request, as a value."""

from __future__ import annotations

import msgspec

from sankofa.core.errors import ServiceError

BURST, MONTH, ROWS, CEILING, AT_ONCE = "burst", "month", "rows", "ceiling", "at-once"
MINUTE_SECONDS = 60


class Window(msgspec.Struct, frozen=True):
    """Where a caller stands in one window after this request."""

    policy: str
    quota: int
    seconds: int | None  # the window's length; None for the calendar month
    remaining: int
    reset: int  # seconds until quota comes back


class Violation(msgspec.Struct, frozen=True):
    """The limit that refused a request."""

    policy: str
    quota: int
    retry_after: int


class Receipt(msgspec.Struct, frozen=True):
    """In which month a request was counted, so that it can be given back there."""

    counter: str
    month: str


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Admitted, unless there is a violation. A degraded decision publishes no numbers: none are known."""

    windows: tuple[Window, ...] = ()
    violation: Violation | None = None
    receipt: Receipt | None = None
    degraded: bool = False


class LimitReached(ServiceError):
    """A caller has used up a limit. It lives here because surfaces publish the decision behind it."""

    def __init__(self, decision: Decision, violation: Violation) -> None:
        super().__init__(f"{violation.policy} limit reached; again in {violation.retry_after} s")
        self.decision = decision
        self.policy = violation.policy
        self.limit = violation.quota
        self.retry_after = violation.retry_after
