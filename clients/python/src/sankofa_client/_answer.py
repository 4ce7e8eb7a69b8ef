"""From bytes to rows: the envelope, and rows whose numbers never pass through a binary float."""

from __future__ import annotations

import datetime as dt
import functools
from decimal import Decimal
from typing import Any, Generic, TypeVar
from urllib.parse import urljoin

import msgspec

from sankofa_client._errors import SankofaError, UnexpectedAnswer, failure
from sankofa_client._question import Endpoint
from sankofa_client._retry import Reply

T = TypeVar("T")


class FormerHolder(msgspec.Struct, frozen=True, kw_only=True):
    """An organisation that had an identifier before, and from which day it no longer did."""

    service_id: str
    id_type: str
    id_value: str
    issuer: str | None
    valid_from: dt.date | None
    valid_to: dt.date


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer says about its rows. What an endpoint does not tell is None."""

    count: int
    truncated: bool
    next_cursor: str | None
    edition: int
    as_of: dt.date | None
    license: str = msgspec.field(name="_license")
    resolved_from: str | None = None
    ambiguous: bool | None = None
    former: list[FormerHolder] | None = None
    withheld_id_types: list[str] | None = None
    crosswalk_loaded: bool | None = None
    absent: dict[str, int | str] | None = None
    unknown: dict[str, list[str]] | None = None


class Page(Envelope, Generic[T], frozen=True, kw_only=True):
    """The rows of one answer, with what its envelope says."""

    rows: list[T]
    permanent_address: str | None = None  # gives this very answer for ever
    request_id: str | None = None


class _Wire(Envelope, frozen=True, kw_only=True):
    """An answer whose rows are not read yet."""

    data: msgspec.Raw = msgspec.Raw()
    observations: msgspec.Raw = msgspec.Raw()


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """Whether one part answers, and how fast."""

    ok: bool
    latency_ms: Decimal


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the service and its parts work."""

    status: str
    build: str
    version: str
    edition: int | None
    checks: dict[str, Check]
    degraded: list[str]


class SourceFreshness(msgspec.Struct, frozen=True, kw_only=True):
    """How fresh one source is."""

    source: str
    state: str
    last_good_at: dt.datetime | None
    next_due_at: dt.datetime | None
    stale_at: dt.datetime | None


class Freshness(msgspec.Struct, frozen=True, kw_only=True):
    """How fresh all sources are now."""

    checked_at: dt.datetime
    stale: list[str]
    sources: list[SourceFreshness]


# Where a type says nothing of a number, it is a decimal, digit for digit.
_WIRE = msgspec.json.Decoder(_Wire)
_ANY = msgspec.json.Decoder(list[dict[str, Any]], float_hook=Decimal)


def page(endpoint: Endpoint[T], reply: Reply, url: str) -> Page[T]:
    """Return the rows of a successful answer."""
    try:
        wire = _WIRE.decode(reply.content)
        raw = wire.observations if endpoint.rows_key == "observations" else wire.data
        kind: Any = _kind(endpoint, raw)
        rows: list[T] = _decoder(kind).decode(raw)
    except msgspec.MsgspecError as error:
        raise unreadable(reply, str(error)) from None
    told = {name: getattr(wire, name) for name in Envelope.__struct_fields__}
    location = reply.headers.get("content-location")
    return Page(
        **told,
        rows=rows,
        permanent_address=urljoin(url, location) if location else None,
        request_id=reply.headers.get("x-request-id"),
    )


def status(reply: Reply) -> Status:
    """Return what the service says about itself."""
    try:
        return msgspec.json.decode(reply.content, type=Status)
    except msgspec.MsgspecError as error:
        raise unreadable(reply, str(error)) from None


def freshness(reply: Reply) -> Freshness:
    """Return what the service says about its sources."""
    try:
        return msgspec.json.decode(reply.content, type=Freshness)
    except msgspec.MsgspecError as error:
        raise unreadable(reply, str(error)) from None


def unreadable(reply: Reply, why: str) -> SankofaError:
    """Return the error of an answer in a shape that this client does not know."""
    return failure(
        UnexpectedAnswer,
        "An answer that this client cannot read",
        f"{why}. Is the client older than the service?",
        status=reply.status,
        request_id=reply.headers.get("x-request-id"),
    )


@functools.cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(list[kind], float_hook=Decimal)


def _kind(endpoint: Endpoint[T], raw: msgspec.Raw) -> type[T]:
    """Return the type of an answer's rows: of several, the one whose fields the first row has."""
    if len(endpoint.rows) == 1:
        return endpoint.rows[0]
    first = set(next(iter(_ANY.decode(raw)), {}))

    def closeness(kind: Any) -> tuple[bool, int]:
        return _needs(kind) <= first, len(_needs(kind) & first)

    return max(endpoint.rows, key=closeness)


@functools.cache
def _needs(kind: Any) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind) if field.required)
