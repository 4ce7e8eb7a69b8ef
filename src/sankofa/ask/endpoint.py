"""An endpoint, declared once as data; routes, the OpenAPI page and tools are made from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec

from sankofa.ask.cursor import Scalar
from sankofa.ask.reads import Reads
from sankofa.storage.edition import Edition
from sankofa.storage.reading import Reader

LICENSE = (
    "Licence-clean research and informational data that holds no natural-person data; each row names its"
    " source and licence."
)
DISCLAIMER = (
    "Research and informational data, not a regulated benchmark. Metrics and ranks are not ratings. The check"
    " that a party is an organisation is conservative, so some real firms are withheld."
)
# What a page without a `limit` may hold; it ends earlier at the byte limit of a page.
WHOLE = 8_000
# No page costs more than this many plain rows, whatever the tier.
HEAVIEST = 10_000
# A page that may cost more than this many plain rows waits in the queue for large pages.
LARGE = 1_000
REPRESENTATION = 9  # raised whenever the shape or spelling of answers changes; see the CHANGELOG


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The requested part of an answer: at most `rows` rows, after a position, of one edition."""

    edition: Edition
    rows: int
    after: tuple[Scalar, ...] | None = None
    is_paid: bool = True  # whether the caller's tier is entitled to what only paying callers get

    def knowable(self, as_of: date | None) -> date:
        """Return the day of knowledge: `as_of` or the edition's day, whichever is earlier."""
        return min(as_of or self.edition.day, self.edition.day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The result of a read: the rows of the page, plus one more row if there is a next page."""

    rows: Sequence[msgspec.Struct]
    as_of: date | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Rows for one question, with the other fields of the envelope."""

    rows: Sequence[Any]  # structs, unless a surface requested another shape
    encoded: bytes  # the rows as a JSON array; decimals are numbers, digit for digit
    edition: Edition
    as_of: date | None
    truncated: bool = False  # more rows matched than these
    next_cursor: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One endpoint, served by every surface."""

    path: str
    name: str
    summary: str
    description: str
    params: type[msgspec.Struct]
    row: type[msgspec.Struct]
    order: str
    read: Callable[[Reader, Any, Page], Awaitable[Found]]
    reads: tuple[Reads, ...]  # the tables that `read` queries
    position: Callable[[Any], tuple[Scalar, ...]]  # a row's place in the order
    statuses: tuple[int, ...]
    rows_key: str = "data"
    is_open: bool = False  # also answered without a key, limited by client address
    weight: int = 1  # cost of one row, in plain rows; see `HEAVIEST`
    most: int | None = None  # rows of an answer, the same for every tier; None: the tier decides
    paid_values: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # by parameter: the values that a sample key may not request
    envelope: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # schemas of the fields that `extra` may hold
    always: tuple[str, ...] = ()  # the fields of `extra` that every answer has
    examples: dict[str, str] = field(default_factory=dict)
    # Variants under the same path, name and parameters, each with its own rows and order.
    modes: tuple[Mode, ...] = ()

    def meant_by(self, params: msgspec.Struct) -> Endpoint:
        """Return the endpoint or the mode of it that the parameters select."""
        return next((mode.endpoint for mode in self.modes if mode.is_meant_by(params)), self)

    def touchable_by(self, params: msgspec.Struct) -> list[tuple[str, str | None]]:
        """Return the tables that a request reads, each with its key, or None for the whole table."""
        return [table for reads in self.reads for table in reads.touchable_by(params)]

    @property
    def largest_page(self) -> int:
        """How many rows a page may hold, so that it costs no more than any other."""
        return HEAVIEST // self.weight

    @property
    def takes_limit(self) -> bool:
        """Whether the caller chooses the size of a page."""
        return "limit" in self.params.__struct_fields__

    @property
    def takes_cursor(self) -> bool:
        """Whether the caller can continue where a page ended."""
        return "cursor" in self.params.__struct_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirection:
    """A path that redirects paying callers to a file; `find` returns the file's object key.

    An open redirection needs no key, and its `find` returns the URL of the file.
    """

    path: str
    name: str
    summary: str
    description: str
    params: type[msgspec.Struct]
    find: Callable[[Reader, Any, Edition], Awaitable[str]]
    statuses: tuple[int, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A path that answers without a key, with one whole document instead of rows.

    `write` gets the parameters, the edition, and the origin under which the service was reached.
    """

    path: str
    name: str
    summary: str
    description: str
    params: type[msgspec.Struct]
    media_type: str
    write: Callable[[Reader, Any, Edition, str], Awaitable[bytes]]
    reads: tuple[Reads, ...]  # the document changes only with an edition that touched one of these tables
    statuses: tuple[int, ...]
    is_open: bool = True
    examples: dict[str, str] = field(default_factory=dict)

    def touchable_by(self, params: msgspec.Struct) -> list[tuple[str, str | None]]:
        """Return the tables that a request reads, each with its key, or None for the whole table."""
        return [table for reads in self.reads for table in reads.touchable_by(params)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A variant of an endpoint, selected by its parameters."""

    endpoint: Endpoint
    is_meant_by: Callable[[Any], bool]
