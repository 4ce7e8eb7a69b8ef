"""Fetch the documents of a portal one at a time: the caller ingests each before the next is requested.

A crash loses nothing that was ingested, and a repeated run recognises it. URLs come only from the definition;
from an answer, only ids of a declared shape, a number of pages or a cursor's value are used.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import cast
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import msgspec

from sankofa.core.errors import Refused, StoreUnavailable, UnreadableDocument
from sankofa.ingest.archive import Document
from sankofa.ingest.portals.client import Found, PortalClient
from sankofa.ingest.portals.deltas import Delta, smallest
from sankofa.ingest.portals.index import ids
from sankofa.ingest.portals.page import SHOWS_NEXT, Page, carried, counted, page
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.portals.post import Request, exchange, form, requests
from sankofa.ingest.portals.template import filled
from sankofa.ingest.portals.turns import OwnTurns, Turns
from sankofa.ingest.portals.windows import Window, windows
from sankofa.ingest.source import Source
from sankofa.ingest.validators import Validators

_MOST_PAGES = 100_000  # of one window
_WHOLE = Page(is_readable=False, is_empty=False)

Known = Callable[[str], Validators | None]
Unchanged = Callable[[str], None]


def documents(
    source: Source,
    first: date | None = None,
    last: date | None = None,
    *,
    user_agent: str,
    fetched: Known = lambda _url: None,
    unchanged: Unchanged = lambda _url: None,
    last_good: datetime | None = None,
    spool: Path | None = None,
    turns: Turns | None = None,
    keys: Mapping[str, str] | None = None,
    ids: Sequence[str] = (),
) -> Generator[Document, None, None]:
    """Yield the documents of a portal for the days from first to last, oldest window first.

    A document is a file that exists until the next is requested. A page without releases is not yielded. An
    unreadable page is yielded, so that it is rejected with its reason, and ends its window.

    `fetched` returns the validators of the last fetched version of a URL. If the publisher answers that the
    file is unchanged, `unchanged` is called with the URL. `last_good` is when the last complete run began:
    without a first day, only newer documents are requested. In the folder `spool`, downloads survive a killed
    process. `turns` can be shared by all processes that call the same hosts. `keys` are the operator's keys
    at publishers, by name. `ids` are sent to a portal that is asked by POST.
    """
    portal = source.portal
    if portal is None:
        raise Refused(f"{source.name} has no portal to fetch from; load its files with `sankofa ingest`")
    now = datetime.now(UTC)
    windows = _windows(source.name, portal, first, last, _begin(portal, last_good, now))
    client = PortalClient(
        source.name, portal, user_agent=user_agent, turns=turns or OwnTurns(), spool=spool, keys=keys or {}
    )
    crawl = _Crawl(source, portal, client, fetched, unchanged)
    if portal.post:
        for request in requests(portal.address, portal.post, ids):
            yield from crawl.answer(request)
        return
    delta = smallest(portal.deltas, last_good, now)
    if delta is not None and (yield from crawl.delta(delta)):
        return
    for window in windows:
        for item in crawl.items(window):
            yield from crawl.pages(window, item)


def _begin(portal: Portal, last_good: datetime | None, now: datetime) -> date | None:
    """Return the default first day to request."""
    if last_good is None:
        return portal.earliest
    day = min(last_good, now).astimezone(UTC).date() - timedelta(days=portal.again_days)
    return max(day, portal.earliest) if portal.earliest else day


def _windows(
    name: str, portal: Portal, first: date | None, last: date | None, begin: date | None
) -> Iterator[Window]:
    today = datetime.now(UTC).date()
    if not portal.is_dated:
        if first or last:
            raise Refused(f"{name} publishes one file: it cannot be asked for days")
        return iter([Window(today, today)])
    if last and portal.window is None and "last" not in portal.dated_places:
        raise Refused(f"{name} gives all since a day: it cannot be asked for a last one")
    start = first or begin
    end = last or today
    if start is None:
        raise Refused(f"{name} needs a first day: it is not known since when it publishes")
    if start > end:
        raise Refused(f"the first day, {start}, is after the last, {end}")
    return windows(start, end, portal.window)


class _Crawl:
    """One run through a portal: requests, and what follows from the answers."""

    def __init__(
        self, source: Source, portal: Portal, client: PortalClient, known: Known, unchanged: Unchanged
    ) -> None:
        self._source = source
        self._portal = portal
        self._client = client
        self._known = known
        self._unchanged = unchanged
        self._listed = set[str]()  # addresses of documents that an index named
        self._gap = 0  # consecutive days without an index

    def delta(self, delta: Delta) -> Generator[Document, None, bool]:
        """Yield the changes since the last run; return False if there is no such file."""
        with self._fetched(delta.address) as found:
            if found.file:
                yield self._document(found, delta.address)
            return found.outcome != "nothing"

    def answer(self, request: Request) -> Iterator[Document]:
        """Yield the request and its answer as one document."""
        address = self._portal.address
        with self._client.fetched(address, self._portal, body=request.body) as found:
            if found.file:
                with exchange(request.body.content, found.file) as both:
                    yield self._document(Found("arrived", both, Validators()), request.url)

    @contextmanager
    def _fetched(self, url: str, checksum: str = "") -> Iterator[Found]:
        """Yield the file at a URL, or the answer to the form; pages are always downloaded again."""
        known = None if self._portal.is_paged else self._known(url)
        body = form(self._portal.form)
        with self._client.fetched(url, self._portal, known=known, checksum=checksum, body=body) as found:
            if found.outcome == "unchanged":
                self._unchanged(url)
            yield found

    def items(self, window: Window) -> Sequence[str]:
        """Return the items to request in a window: the declared ones, or those in its index."""
        index = self._portal.index
        if index is None:
            return self._portal.items or ("",)
        url = filled(index.address, *window)
        portal = msgspec.structs.replace(self._portal, answers="text", checksum="", nothing=index.nothing)
        with self._client.fetched(url, portal) as found:
            if found.file is None:
                self._gap += (window.last - window.first).days + 1
                if index.longest_gap is not None and self._gap > index.longest_gap:
                    raise StoreUnavailable(
                        self._source.name, f"{url}: no index for {self._gap} days in a row"
                    )
                return ()
            try:
                listed = ids(index, found.file)
            except UnreadableDocument as unfit:
                raise StoreUnavailable(self._source.name, f"{url}: {unfit}") from unfit
        self._gap = 0
        at = {self._portal.at(*window, item=item): item for item in listed}
        new = [item for place, item in at.items() if place not in self._listed]
        self._listed.update(at)
        return new

    def pages(self, window: Window, item: str) -> Iterator[Document]:
        """Yield the pages of one item in one window."""
        portal = self._portal
        windows = set[str]()
        earlier: object = ()  # differs from every page
        url = portal.at(*window, item=item)
        checksum = filled(portal.checksum, *window, item=item)
        for number in range(1, _MOST_PAGES + 1):
            windows.add(url)
            with self._fetched(url, checksum) as answer:
                if answer.file is None:
                    return
                found = self._looked_at(answer.file)
                if found.is_empty:
                    return
                if portal.is_numbered and found.is_readable and found.first == earlier:
                    raise StoreUnavailable(self._source.name, f"{url} repeats the page before")
                earlier = found.first
                yield self._document(answer, url)
                following = self._next(window, item, number, answer.file, found)
            if following is None:
                return
            if following in windows:
                raise StoreUnavailable(self._source.name, f"{url} leads back to a page before")
            url = following
        raise StoreUnavailable(self._source.name, f"more than {_MOST_PAGES:,} pages from {window.first}")

    def _document(self, found: Found, url: str) -> Document:
        return Document(
            source=self._source,
            content=cast(Path, found.file),
            fetched_at=datetime.now(UTC),
            url=url,
            validators=None if self._portal.is_paged else found.validators,
        )

    def _looked_at(self, document: Path) -> Page:
        if self._portal.pages_at:
            return counted(document, self._portal.pages_at)
        return page(document) if self._source.parser == SHOWS_NEXT else _WHOLE

    def _next(self, window: Window, item: str, number: int, document: Path, found: Page) -> str | None:
        portal = self._portal
        if not found.is_readable or (found.pages is not None and number >= found.pages):
            return None
        if portal.is_numbered:
            return portal.at(*window, page=number + 1, item=item)
        if not portal.carried:
            return None
        try:
            values = carried(document, portal.carried)
        except UnreadableDocument as unfit:
            raise StoreUnavailable(self._source.name, f"no next page: {unfit}") from unfit
        return None if values is None else _with(portal.at(*window, item=item), values)


def _with(url: str, values: dict[str, str]) -> str:
    """Return an address with some of its parameters set."""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in values]
    return urlunsplit(parts._replace(query=urlencode([*kept, *values.items()])))
