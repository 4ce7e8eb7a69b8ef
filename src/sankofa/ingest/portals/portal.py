"""What a definition says about a portal: where it answers, how it is paged, and how gently it is asked.

The address is a template. `{first}` and `{last}` are the days of a window, `{page}` counts pages from 1 and
`{offset}` what earlier pages held; a portal whose address has neither is one file for each window, unless the
values of some parameters are carried over from `links.next` of an answer. `{item}` is each of a list.
"""

from __future__ import annotations

import re
from datetime import date
from string import Formatter
from typing import Annotated, Literal

import msgspec

_PLACES = {"first", "last", "page", "offset", "item"}
_AUTHORITY = re.compile(r"https?://[^/?#{}]+[/?]")

Seconds = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]


class Portal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the documents of one source are asked for."""

    address: str
    answers: Literal["json", "zip", "csv", "xml"] = "json"
    window: Count | Literal["month", "fiscal_year"] | None = None  # days; None: all days in one
    items: tuple[str, ...] = ()  # what is asked for one by one: indicators, codes
    earliest: date | None = None  # the first day worth asking for
    page_size: Annotated[int, msgspec.Meta(ge=0)] = 0  # what a page holds at most, where pages go by offset
    carried: tuple[str, ...] = ()  # without the first of them in `links.next`, there is no next page
    nothing: tuple[int, ...] = ()  # statuses that mean: there is nothing, or no more
    also_retried: tuple[int, ...] = ()  # beside 429 and the faults of a server
    pause_seconds: Seconds = 1.0  # between the end of one request and the next, one at a time
    attempts: Count = 5
    retry_seconds: Seconds = 5.0  # before the second attempt; doubled each time
    largest_bytes: Count = 256 << 20
    connect_seconds: Seconds = 10.0
    read_seconds: Seconds = 120.0  # some take more than a minute to begin a page
    document_seconds: Seconds = 900.0

    def __post_init__(self) -> None:
        """Refuse a definition that contradicts itself, where it is read."""
        places = self.places
        if not _AUTHORITY.match(self.address) or not places <= _PLACES:
            raise ValueError(f"not the address of a portal: {self.address}")
        if ("offset" in places) != bool(self.page_size):
            raise ValueError("pages that go by offset have a size, and no others")
        if ("item" in places) != bool(self.items):
            raise ValueError("an address with items has a list of them, and no other")
        if len(places & {"page", "offset"}) + bool(self.carried) > 1:
            raise ValueError("a portal is paged in one way")
        if self.window is not None and not self.is_dated:
            raise ValueError("windows need an address with days")

    @property
    def places(self) -> set[str]:
        """What is put into the address; `{first.year}` counts as `first`."""
        return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(self.address) if name}

    @property
    def is_dated(self) -> bool:
        """Whether it can be asked for some days only."""
        return "first" in self.places

    @property
    def is_numbered(self) -> bool:
        """Whether there are pages that go on until one is empty."""
        return bool(self.places & {"page", "offset"})

    @property
    def is_paged(self) -> bool:
        """Whether what there is comes in pages."""
        return self.is_numbered or bool(self.carried)

    def at(self, first: date, last: date, page: int = 1, item: str = "") -> str:
        """Return the address of one page of a window."""
        offset = (page - 1) * self.page_size
        return self.address.format(first=first, last=last, page=page, offset=offset, item=item)
