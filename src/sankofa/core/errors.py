"""The kinds of failure, without statuses: what went wrong, in the service's own words.

A surface turns a kind into its own protocol (`web/problems.py` into problem documents).
"""

from __future__ import annotations


class ServiceError(Exception):
    """Something the caller or the operator can be told about in plain words."""


class UnreadableDocument(ServiceError):
    """A document that cannot be parsed as a whole; `reason` is a stable word for the batch row."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class StoreUnavailable(ServiceError):
    """A store did not answer in time, or lacks what was asked of it for now; asking again may help."""

    def __init__(self, component: str, detail: str = "") -> None:
        super().__init__(f"{component} unavailable" + (f": {detail}" if detail else ""))
        self.component = component


class StatementTooLong(StoreUnavailable):
    """A statement was ended by the time limit of its role; a smaller one may do."""


class NotFound(ServiceError):
    """No record with that identifier; withheld and absent are the same to the caller."""


class BadParameter(ServiceError):
    """A parameter that cannot be taken as sent; `detail` says what would be, without echoing the value."""

    def __init__(self, parameter: str, detail: str, others: tuple[str, ...] = ()) -> None:
        super().__init__(f"{parameter}: {detail}")
        self.parameter = parameter
        self.detail = detail
        self.others = others  # parameters that are wrong as well


class Refused(ServiceError):
    """An operator's command that makes no sense in the present state; the message says what to do."""


class BelowFloor(Refused):
    """A build that must not become current: something measured of it is below what is required."""


class HeldBack(Refused):
    """A build that would take down more organisations than anybody released.

    If documents are the cause, they wait from now on, and another build publishes everything else.
    """

    def __init__(self, message: str, *, is_by_documents: bool) -> None:
        super().__init__(message)
        self.is_by_documents = is_by_documents


class Unauthorised(ServiceError):
    """No valid key: missing, malformed, unknown and revoked are the same to the caller."""

    def __init__(self) -> None:
        super().__init__("a valid key is needed")


class PaymentRequired(ServiceError):
    """More than the sample tier gives; `limit_max` is the largest `limit` it does give, if that is it."""

    def __init__(self, parameter: str, limit_max: int | None = None) -> None:
        super().__init__(f"{parameter}: a paid tier is needed")
        self.parameter = parameter
        self.limit_max = limit_max
