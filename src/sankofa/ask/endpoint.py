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
# No page costs more than this many plain rows, whoever asks.
HEAVIEST = 10_000
# A page that may cost more than this many waits for its turn among the large ones.
LARGE = 1_000
REPRESENTATION = 6  # raised whenever the shape or spelling of answers changes; see the CHANGELOG


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The part of an answer that is asked for: at most so many rows, after a place, of one edition."""

    edition: Edition
    rows: int
    after: tuple[Scalar, ...] | None = None
    is_paid: bool = True  # whether the caller's tier is entitled to what only paying callers get

    def knowable(self, as_of: date | None) -> date:
        """Return the day by which something had to be known: `as_of` or the edition's, the earlier one."""
        return min(as_of or self.edition.day, self.edition.day)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a read found: the page's rows and, where there are more, one beyond it."""

    rows: Sequence[msgspec.Struct]
    as_of: date | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Rows for one question, with what the envelope says about them."""

    rows: Sequence[Any]  # structs, unless a surface asked for another shape
    edition: Edition
    as_of: date | None
    truncated: bool = False  # more rows matched than these
    next_cursor: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One question that can be asked over every surface."""

    path: str
    name: str
    summary: str
    description: str
    params: type[msgspec.Struct]
    row: type[msgspec.Struct]
    order: str
    read: Callable[[Reader, Any, Page], Awaitable[Found]]
    reads: tuple[Reads, ...]  # the tables that `read` makes an answer from
    position: Callable[[Any], tuple[Scalar, ...]]  # a row's place in the order
    statuses: tuple[int, ...]
    rows_key: str = "data"
    is_open: bool = False  # answered without a key too, under the limits of a client address
    weight: int = 1  # how many plain rows it takes as long to make one row; see `HEAVIEST`
    most: int | None = None  # rows of an answer, the same for every tier; None: as the tier gives
    paid_values: Mapping[str, frozenset[str]] = field(
        default_factory=dict
    )  # by parameter: the values that a sample key may not ask for
    envelope: Mapping[str, Mapping[str, Any]] = field(
        default_factory=dict
    )  # schemas of what `extra` may hold
    always: tuple[str, ...] = ()  # what of it every answer has
    examples: dict[str, str] = field(default_factory=dict)
    # Other questions under the same path, name and parameters, each with rows and an order of its own.
    modes: tuple[Mode, ...] = ()

    def meant_by(self, params: msgspec.Struct) -> Endpoint:
        """Return what the parameters ask: the endpoint as declared, or one of its modes."""
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
        """Whether the caller can go on where a page ended."""
        return "cursor" in self.params.__struct_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirection:
    """A path that leads paying callers to a file; `find` returns the key under which it is kept.

    An open one leads anybody, and `find` returns the address of the file.
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
class Mode:
    """Another question that an endpoint answers when its parameters mean it."""

    endpoint: Endpoint
    is_meant_by: Callable[[Any], bool]
