"""Sankofa's own fetching and parsing, pointed to the publisher of `tests/publisher`."""

from __future__ import annotations

from publisher.tenders import Months
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.sources import sources

AGENT = "sankofa/test (data@example.org)"


class Reader:
    """Fetches from a running publisher by the operator's folder; `portal` changes fields of every portal."""

    def __init__(self, publisher, folder, **portal):
        publisher.write_folder(folder, **portal)
        self.publisher, self.world = publisher, publisher.world
        self.known = sources(str(folder))
        self.begin()

    def begin(self):
        """Forget earlier fetches and faults."""
        self.publisher.forgive()
        self._logged = len(self.publisher.log())
        self.received = []  # sha256 of the documents of the last fetch, also of one that failed
        self.versions = {}  # by address, the validators of the last document
        self.parsed = []  # what the parser yields of each, and the reasons why it left something out

    def documents(self, source, first=0, last=None, fetched=lambda _url: None):
        """Return the documents of some days as they arrive; without a last day, of the first one only."""
        portal = self.known[source.name].portal
        days = [source.date(first), source.date(first if last is None else last)] if portal.is_dated else []
        if portal.carried:
            days.pop()  # a cursor leads to today
        return documents(self.known[source.name], *days, user_agent=AGENT, fetched=fetched)

    def fetch(self, source, first=0, last=None, fetched=lambda _url: None):
        """Return the sha256 of the documents of some days, each parsed as it arrives."""
        self.received, self.parsed = [], []
        for document in self.documents(source, first, last, fetched):
            self.received.append(document.sha256.hex())
            self.versions[document.url] = document.validators
            self.parsed.append(_parsed(document))
        return self.received

    def expected(self, source, day=0):
        """Return the sha256 of the documents of one day's fetch, as the world declares them."""
        if source.has_pages:
            return [one.sha256 for one in self.world.new_on(source.name, day)]
        current = self.world.current(source.name, day)
        if isinstance(source, Months):
            target = source.target(source.beginning(source.date(day)))
            current = [one for one in current if one.target == target]
        return [one.sha256 for one in current]

    def log(self, source):
        """Return the publisher's log of requests for a source since the beginning."""
        return [entry for entry in self.every_request() if entry["source"] == source.name]

    def every_request(self):
        """Return the publisher's log since the beginning."""
        return self.publisher.log(self._logged)


def _parsed(document):
    rejections = Rejections()
    parse = PARSERS[document.source.parser].parse
    try:
        with document.opened() as stream:
            found = list(parse(stream, rejections, fetched_at=document.fetched_at))
    except UnreadableDocument as unreadable:
        return [], {unreadable.reason}
    return found, set(rejections.counts)
