"""The definition of a portal: its URL, its paging, and its request limits.

The address is a template (`template.py`). A portal whose address has neither `{page}` nor `{offset}` is one
file for each window, unless the values of some parameters are carried over from `links.next` of an answer.
`{item}` is each of a list, or each id of an index that is fetched first.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal

import msgspec

from sankofa.ingest.portals.deltas import Delta
from sankofa.ingest.portals.index import Index
from sankofa.ingest.portals.key import Key
from sankofa.ingest.portals.post import Post
from sankofa.ingest.portals.template import DAYS, filled, places, require_template
from sankofa.ingest.portals.windows import Calendar

Seconds = Annotated[float, msgspec.Meta(ge=0)]
Count = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]


class Portal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the documents of one source are requested."""

    address: str
    answers: Literal["json", "zip", "csv", "xml", "text"] = "json"
    window: Count | Calendar | None = None  # days; None: all days in one
    items: tuple[str, ...] = ()  # items requested one by one: indicators, codes
    index: Index | None = None  # where the items are listed, if they are not declared
    post: Post | None = None  # ids of the ledger that are sent by POST
    form: dict[str, str] = {}  # fields of a form that is sent by POST for each document
    deltas: tuple[Delta, ...] = ()  # smaller files with the changes of some days
    key: Key | None = None  # the operator's own, sent with each request to the server of `address`
    checksum: str = ""  # address of a line that begins with the document's SHA-256 or MD5 in hexadecimal
    earliest: date | None = None  # the first day to request
    again_days: Natural = 7  # days before the last complete fetch to request again: portals publish late
    page_size: Natural = 0  # rows of a page, if pages go by offset
    pages_at: str = ""  # JSON pointer to the number of pages in each answer
    carried: tuple[str, ...] = ()  # without the first of them in `links.next`, there is no next page
    nothing: tuple[int, ...] = ()  # statuses that mean no documents, or no more
    also_retried: tuple[int, ...] = ()  # besides 429 and 5xx
    pause_seconds: Seconds = 1.0  # between the end of one request and the next, one at a time
    attempts: Count = 5
    retry_seconds: Seconds = 5.0  # before the second attempt; doubled each time
    largest_bytes: Count = 256 << 20
    connect_seconds: Seconds = 10.0
    read_seconds: Seconds = 120.0  # some need more than a minute to start a page
    document_seconds: Seconds = 900.0

    def __post_init__(self) -> None:
        """Raise if the definition contradicts itself."""
        found = self.places
        require_template(self.address)
        if self.key:
            self.key.require_safe(self.address)
        if self.checksum:
            require_template(self.checksum, without=frozenset({"page", "offset"}))
        self._require_pages(found)
        if ("item" in found) != bool(self.items or self.index) or (self.items and self.index):
            raise ValueError("an address with items has either a list or an index of them, and no other has")
        if self.window is not None and not self.is_dated:
            raise ValueError("windows need an address with days")
        if (self.deltas or self.post) and (found or self.index):
            raise ValueError("deltas belong to a full copy, and POST too: an address without places")
        if self.post and (self.deltas or self.checksum or self.answers != "json"):
            raise ValueError("requests by POST are answered in JSON, without deltas or a checksum")
        if self.form and (self.post or self.deltas or self.checksum or self.is_paged):
            raise ValueError(
                "an answer to a form is whole: without pages, lists of ids, deltas or a checksum"
            )

    def _require_pages(self, found: set[str]) -> None:
        if ("offset" in found) != bool(self.page_size):
            raise ValueError("pages that go by offset have a size, and no others")
        if len(found & {"page", "offset"}) + bool(self.carried) > 1:
            raise ValueError("a portal is paged in one way")
        if self.pages_at and ("page" not in found or not self.pages_at.startswith("/")):
            raise ValueError("`pages_at` is a JSON pointer, such as /0/pages, of an address with {page}")
        if self.checksum and self.is_paged:
            raise ValueError("a checksum is of a file: pages have none")

    @property
    def places(self) -> set[str]:
        """The placeholders of the URL."""
        return places(self.address)

    @property
    def dated_places(self) -> set[str]:
        """The day placeholders of the URL or of the index's URL."""
        return (self.places | (places(self.index.address) if self.index else set())) & DAYS

    @property
    def is_dated(self) -> bool:
        """Whether single days can be requested."""
        return bool(self.dated_places & {"first", "quarter"})

    @property
    def is_numbered(self) -> bool:
        """Whether pages are numbered."""
        return bool(self.places & {"page", "offset"})

    @property
    def is_paged(self) -> bool:
        """Whether documents come in pages."""
        return self.is_numbered or bool(self.carried)

    def at(self, first: date, last: date, page: int = 1, item: str = "") -> str:
        """Return the URL of one page of a window."""
        offset = (page - 1) * self.page_size
        return filled(self.address, first, last, page=page, offset=offset, item=item)

    def declared(self) -> Iterator[str]:
        """Yield a URL for each server that may be called."""
        yield filled(self.address)
        if self.index:
            yield filled(self.index.address)
        if self.checksum:
            yield filled(self.checksum)
        yield from (delta.address for delta in self.deltas)
