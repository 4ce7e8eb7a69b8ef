"""The kinds of failure, without HTTP statuses.

A surface turns a kind into its own protocol (`web/problems.py` into problem documents).
"""

from __future__ import annotations


class ServiceError(Exception):
    """An error whose message is safe to show to the caller or the operator."""


class UnreadableDocument(ServiceError):
    """A document that cannot be parsed; `reason` is a stable code, stored with the batch."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class StoreUnavailable(ServiceError):
    """A store did not answer in time, or does not hold the requested data yet. A retry may help."""

    def __init__(self, component: str, detail: str = "", *, retry_after: int = 2) -> None:
        super().__init__(f"{component} unavailable" + (f": {detail}" if detail else ""))
        self.component = component
        self.retry_after = retry_after  # seconds


class StatementTooLong(StoreUnavailable):
    """A statement exceeded the time limit of its role. A smaller one may succeed."""


class NotFound(ServiceError):
    """No record has that identifier. The caller cannot distinguish withheld from absent."""


class BadParameter(ServiceError):
    """An invalid parameter. `detail` describes the accepted form and never echoes the value."""

    def __init__(self, parameter: str, detail: str, others: tuple[str, ...] = ()) -> None:
        super().__init__(f"{parameter}: {detail}")
        self.parameter = parameter
        self.detail = detail
        self.others = others  # further invalid parameters


class NotAcceptable(ServiceError):
    """The request excludes every format that the endpoint has."""


class Refused(ServiceError):
    """A command that is not possible in the present state. The message says what to do."""


class BelowFloor(Refused):
    """A build that must not become current, because a quality measure is below its floor."""


class HeldBack(Refused):
    """A build that would take down more organisations than a reviewer has released.

    If documents are the cause, they are held back, and the next build publishes everything else.
    """

    def __init__(self, message: str, *, is_by_documents: bool) -> None:
        super().__init__(message)
        self.is_by_documents = is_by_documents


class Unauthorised(ServiceError):
    """No valid key. The caller cannot distinguish missing, malformed, unknown and revoked keys."""

    def __init__(self) -> None:
        super().__init__("a valid key is needed")


class PaymentRequired(ServiceError):
    """The request exceeds the tier. `limit_max` is the largest allowed `limit`, if that was exceeded."""

    def __init__(self, parameter: str, limit_max: int | None = None) -> None:
        super().__init__(f"{parameter}: a paid tier is needed")
        self.parameter = parameter
        self.limit_max = limit_max
