"""The documents of a portal, one at a time: the caller ingests each before the next is asked for.

A crash loses nothing that was ingested, and a repeated run finds it seen. Addresses come from the definition
alone; of what a page says, at most a cursor's value is taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from sankofa.core.errors import Refused, StoreUnavailable, UnreadableDocument
from sankofa.ingest.archive import Document
from sankofa.ingest.portals.addresses import address, resolved
from sankofa.ingest.portals.download import Arriving, Server, TryAgain, download
from sankofa.ingest.portals.page import Page, carried, page
from sankofa.ingest.portals.portal import Portal
from sankofa.ingest.portals.windows import Window, windows
from sankofa.ingest.source import Source

_MOST_PAGES = 100_000  # of one window
_LOOKED_INTO = "ocds"  # the one format whose pages tell whether another follows
_WHOLE = Page(is_readable=False, is_empty=False)
_CLOCKS_DIFFER = timedelta(hours=1)
_LONGEST_WAIT = 900.0  # seconds that a portal may ask us to wait before we give up


def documents(
    source: Source,
    first: date | None = None,
    last: date | None = None,
    *,
    user_agent: str,
    fetched: Callable[[str], datetime | None] = lambda _url: None,
) -> Generator[Document, None, None]:
    """Yield what a portal publishes for the days from first to last, oldest window first.

    A document is a file that is gone when the next is asked for. A page without releases is not yielded; one
    that cannot be read is, so that it is refused with its reason, and ends its window. `fetched` tells when
    an address was fetched last: a file that has not changed since is not sent again.
    """
    portal = source.portal
    if portal is None:
        raise Refused(f"{source.name} has no portal to fetch from; load its files with `sankofa ingest`")
    asked = _windows(source.name, portal, first, last)
    asking = _Asking(source, portal, user_agent, fetched)
    for window in asked:
        for item in portal.items or ("",):
            yield from asking.pages(window, item)


def _windows(name: str, portal: Portal, first: date | None, last: date | None) -> Iterator[Window]:
    today = datetime.now(UTC).date()
    if not portal.is_dated:
        if first or last:
            raise Refused(f"{name} publishes one file: it cannot be asked for days")
        return iter([Window(today, today)])
    if last and portal.window is None and "last" not in portal.places:
        raise Refused(f"{name} gives all since a day: it cannot be asked for a last one")
    start = first or portal.earliest
    end = last or today
    if start is None:
        raise Refused(f"{name} needs a first day: it is not known since when it publishes")
    if start > end:
        raise Refused(f"the first day, {start}, is after the last, {end}")
    return windows(start, end, portal.window)


class _Asking:
    """One run against one portal: its server, and when it was asked last."""

    def __init__(
        self, source: Source, portal: Portal, user_agent: str, fetched: Callable[[str], datetime | None]
    ) -> None:
        self._source = source
        self._portal = portal
        self._user_agent = user_agent
        self._fetched = fetched
        origin = address(portal.at(date.min, date.min)).origin
        self._server = Server(origin, resolved(origin))
        self._ready = time.monotonic()

    def pages(self, window: Window, item: str) -> Iterator[Document]:
        """Yield the pages of one item in one window."""
        portal = self._portal
        asked = set[str]()
        earlier: object = ()  # what no page begins with
        url = portal.at(*window, item=item)
        for number in range(1, _MOST_PAGES + 1):
            asked.add(url)
            with self._downloaded(url) as document:
                if document is None:
                    return
                found = page(document) if self._source.parser == _LOOKED_INTO else _WHOLE
                if found.is_empty:
                    return
                if portal.is_numbered and found.is_readable and found.first == earlier:
                    raise StoreUnavailable(self._source.name, f"{url} repeats the page before")
                earlier = found.first
                yield Document(source=self._source, content=document, fetched_at=datetime.now(UTC), url=url)
                following = self._next(window, item, number, document) if found.is_readable else None
            if following is None:
                return
            if following in asked:
                raise StoreUnavailable(self._source.name, f"{url} leads back to a page before")
            url = following
        raise StoreUnavailable(self._source.name, f"more than {_MOST_PAGES:,} pages from {window.first}")

    def _next(self, window: Window, item: str, number: int, document: Path) -> str | None:
        portal = self._portal
        if portal.is_numbered:
            return portal.at(*window, page=number + 1, item=item)
        if not portal.carried:
            return None
        try:
            values = carried(document, portal.carried)
        except UnreadableDocument as unfit:
            raise StoreUnavailable(self._source.name, f"no next page: {unfit}") from unfit
        return None if values is None else _with(portal.at(*window, item=item), values)

    @contextmanager
    def _downloaded(self, url: str) -> Iterator[Path | None]:
        """Yield the file at an address, or None where there is nothing; the file is removed afterwards."""
        with NamedTemporaryFile(prefix="sankofa-") as file:
            wait = self._portal.retry_seconds
            arriving = Arriving(file, self._since(url))
            for left in reversed(range(self._portal.attempts)):
                self._pause()
                try:
                    found = download(self._server, address(url), self._portal, self._user_agent, arriving)
                except TryAgain as failed:
                    if not left or failed.after > _LONGEST_WAIT:
                        asks = f", asks to come back in {failed.after:,.0f} s" if failed.after > 0 else ""
                        raise StoreUnavailable(self._source.name, f"{url}: {failed}{asks}") from failed
                    self._ready = time.monotonic() + max(wait, failed.after)
                    wait *= 2
                else:
                    self._ready = time.monotonic() + self._portal.pause_seconds
                    break
            yield Path(file.name) if found else None

    def _since(self, url: str) -> datetime | None:
        """Return the moment since which a file must have changed; pages are always asked for."""
        at = None if self._portal.is_paged else self._fetched(url)
        return at - _CLOCKS_DIFFER if at else None

    def _pause(self) -> None:
        time.sleep(max(0.0, self._ready - time.monotonic()))


def _with(url: str, values: dict[str, str]) -> str:
    """Return an address with some of its parameters set."""
    parts = urlsplit(url)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in values]
    return urlunsplit(parts._replace(query=urlencode([*kept, *values.items()])))
