"""What can go wrong, one class for each kind of problem that the service names.

SankofaError
├── Problem…            the service said no: InvalidParameter, UpgradeRequired, NotFound, LimitReached, …
├── ConnectionFailed    nobody answered
├── DeadlineExceeded    not in the time that was given
├── UnexpectedAnswer    somebody else answered, or in a way that nobody promised
└── UnsafeRedirect      an answer led to another host; the key was not sent there
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import msgspec


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A problem document (RFC 9457) as the service sent it."""

    status: int
    title: str
    detail: str | None = None
    code: str | None = None
    request_id: str | None = None
    parameter: str | None = None
    parameters: list[str] = []
    upgrade_url: str | None = None
    limit: int | None = None
    policy: str | None = None
    retry_after: float | None = None
    component: str | None = None


class SankofaError(Exception):
    """Anything that kept a question from being answered; `request_id` is what support will ask for."""

    def __init__(self, told: Told) -> None:
        super().__init__(told)
        self.told = told

    @property
    def status(self) -> int:
        """The HTTP status; 0 if there was no answer."""
        return self.told.status

    @property
    def code(self) -> str | None:
        """The service's stable word for the problem."""
        return self.told.code

    @property
    def title(self) -> str:
        """The problem in a few words."""
        return self.told.title

    @property
    def detail(self) -> str | None:
        """What to do next."""
        return self.told.detail

    @property
    def request_id(self) -> str | None:
        """The name of the request in the service's log."""
        return self.told.request_id

    @property
    def parameter(self) -> str | None:
        """The parameter that is to blame; `parameters` has all, if several are."""
        return self.told.parameter

    @property
    def parameters(self) -> list[str]:
        """All parameters that are to blame."""
        return self.told.parameters or ([self.told.parameter] if self.told.parameter else [])

    @property
    def upgrade_url(self) -> str | None:
        """Where more is to be had."""
        return self.told.upgrade_url

    @property
    def limit(self) -> int | None:
        """The most that is given: rows of a page, or requests."""
        return self.told.limit

    @property
    def retry_after(self) -> float | None:
        """Seconds after which it is worth asking again."""
        return self.told.retry_after

    def __str__(self) -> str:
        told = self.told
        named = f"{', '.join(self.parameters)}: " if self.parameters else ""
        more = [f"{told.title}. {named}{told.detail or ''}".strip()]
        more += [f"Upgrade: {told.upgrade_url}"] if told.upgrade_url else []
        more += [f"Retry after {told.retry_after:g} s."] if told.retry_after is not None else []
        more += [f"(status {told.status}, request {told.request_id})"] if told.status else []
        return " ".join(more)


class InvalidParameter(SankofaError):
    """A parameter cannot be taken as sent; `parameter` names it and `detail` says what would be."""


class InvalidKey(SankofaError):
    """The key is missing, mistyped, unknown or revoked."""


class UpgradeRequired(SankofaError):
    """More than this tier gives; `upgrade_url` leads to more, `limit` is the most that this tier gives."""


class OriginNotAllowed(SankofaError):
    """A page of another origin may not ask."""


class NotSigned(SankofaError):
    """A report of leaked keys that no listed reporter has signed."""


class NotFound(SankofaError):
    """No record with that identifier; what is withheld and what is absent are the same."""


class UnknownPath(SankofaError):
    """The service has no such path: the address is wrong, or the client newer than the service."""


class MethodNotAllowed(SankofaError):
    """The path does not take this method."""


class NotAcceptable(SankofaError):
    """The service has no form that was asked for."""


class BodyTooLarge(SankofaError):
    """The request's body is too large."""


class BodyTooSlow(SankofaError):
    """The request's body did not arrive within the time that the service allows."""


class AddressTooLong(SankofaError):
    """The address is too long."""


class UnlistedHost(SankofaError):
    """The service does not answer under this host name."""


class LimitReached(SankofaError):
    """The requests of this minute or month are used up; `retry_after` says when there are more."""

    @property
    def policy(self) -> str | None:
        """Which limit it is: `burst`, `month`, `ceiling` or `refused-keys`."""
        return self.told.policy


class HeadersTooLarge(SankofaError):
    """The request's headers are too large."""


class Fault(SankofaError):
    """The service failed; the operator finds it under the request id."""


class Unavailable(SankofaError):
    """A part of the service does not answer for now; it was asked again, in vain."""


class UnreadableMessage(SankofaError):
    """A message of a protocol that could not be read."""


class UnreadableReport(SankofaError):
    """A report of leaked keys that could not be read."""


class ConnectionFailed(SankofaError):
    """The service could not be reached."""


class DeadlineExceeded(SankofaError):
    """The answer did not come in the time that was given."""


class UnexpectedAnswer(SankofaError):
    """An answer that nobody promised: of something in between, or of a newer service."""


class UnsafeRedirect(SankofaError):
    """An answer led elsewhere. The key was not sent there."""


BY_CODE: dict[str, type[SankofaError]] = {
    "invalid-parameter": InvalidParameter,
    "invalid-key": InvalidKey,
    "tier-limit": UpgradeRequired,
    "origin-not-allowed": OriginNotAllowed,
    "not-signed": NotSigned,
    "not-found": NotFound,
    "unknown-path": UnknownPath,
    "unreadable-message": UnreadableMessage,
    "unreadable-report": UnreadableReport,
    "method-not-allowed": MethodNotAllowed,
    "not-acceptable": NotAcceptable,
    "body-too-large": BodyTooLarge,
    "body-too-slow": BodyTooSlow,
    "url-too-long": AddressTooLong,
    "unlisted-host": UnlistedHost,
    "limit-reached": LimitReached,
    "headers-too-large": HeadersTooLarge,
    "fault": Fault,
    "unavailable": Unavailable,
}


def failure(kind: type[SankofaError], title: str, detail: str, **more: Any) -> SankofaError:
    """Return an error that the client itself found."""
    return kind(Told(status=more.pop("status", 0), title=title, detail=detail, **more))


def problem(
    status: int, content: bytes, url: str, request_id: str | None = None, retry_after: float | None = None
) -> SankofaError:
    """Return what a refusal means: the class of its code, links whole, what the header adds."""
    try:
        told = msgspec.json.decode(content, type=Told)
    except msgspec.MsgspecError:
        return failure(
            UnexpectedAnswer,
            "Not an answer of the service",
            "Something between here and the service may have answered.",
            status=status,
            request_id=request_id,
            retry_after=retry_after,
        )
    if told.upgrade_url:
        told = msgspec.structs.replace(told, upgrade_url=urljoin(url, told.upgrade_url))
    if told.retry_after is None:
        told = msgspec.structs.replace(told, retry_after=retry_after)
    return BY_CODE.get(told.code or "", UnexpectedAnswer)(told)
