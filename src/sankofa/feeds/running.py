"""One run of a source: ingest what it offers, compare it with expectations, then release or hold it.

A killed run is resumed: its documents are in the ledger and wait, and documents fetched again are recognised.
No edition takes in a part of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal, cast

from sankofa.core.errors import Refused, ServiceError
from sankofa.drift.judge import Reason
from sankofa.drift.screen import hold_run
from sankofa.feeds.turns import SharedTurns
from sankofa.ingest.archive import Document
from sankofa.ingest.asking import ids_to_ask
from sankofa.ingest.expects import Brought
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.parsing import PARSING, Parsing
from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.run import Batch, ingest, lock_of, newest_version
from sankofa.ingest.source import Source
from sankofa.ingest.validators import Validators
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
_RUN_LOCK = 0x5A52  # first half of the advisory lock
_REASON = 500  # characters

Outcome = Literal["good", "held", "failed"]
Report = Callable[[Document, Batch], None]


class UnderWay(Refused):
    """Another process is running the source, or its session has not ended yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a run ended."""

    run: int
    outcome: Outcome
    brought: Brought
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The means of a process to fetch sources."""

    objects: Objects
    user_agent: str
    spool: Path | None = None  # folder where downloads survive a killed process
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # the operator's, at publishers
    parsing: Parsing = PARSING


def run(
    connection: Connection, means: Means, source: Source, report: Report = lambda _document, _batch: None
) -> Ended:
    """Fetch everything new from a source. After a failed attempt, which is recorded, the run stays open."""
    with _opened(connection, source) as under_way:
        try:
            for document, batch in under_way.gather(means):
                report(document, batch)
        except ServiceError as failed:
            under_way.note(str(failed))
            raise
        return under_way.judge()


def give_up(connection: Connection, source: Source, reason: str) -> Ended | None:
    """End the open run as failed; None if another process is running it."""
    try:
        with _opened(connection, source) as under_way:
            return under_way.end("failed", [reason[:_REASON]], under_way.brought())
    except UnderWay:
        return None


@dataclass(frozen=True, slots=True)
class _Run:
    """An open run, held by this process alone."""

    connection: Connection
    source: Source
    number: int

    def gather(self, means: Means) -> Iterator[tuple[Document, Batch]]:
        """Ingest the documents of the source, and yield each with its batch."""
        offered = documents(
            self.source,
            user_agent=means.user_agent,
            fetched=self.known,
            unchanged=self.unchanged,
            last_good=self.last_good(),
            spool=means.spool,
            turns=SharedTurns(self.connection),
            keys=means.keys,
            ids=ids_to_ask(self.connection, self.source),
        )
        with closing(offered) as arriving:
            for document in arriving:
                yield document, ingest(self.connection, means.objects, document, parsing=means.parsing)

    def unchanged(self, url: str) -> None:
        """Record that the source offered the last known version of a file again."""
        values = {"run": self.number, "source": self.source.name, "url": url}
        self.connection.execute(_SQL["unchanged"], values)

    def known(self, url: str) -> Validators | None:
        """Return the version of a file that need not be sent again. A waiting one may be incomplete."""
        about = {"source": self.source.name, "url": url}
        if self.connection.execute(_SQL["waits"], about).fetchone():
            return None
        return newest_version(self.connection, self.source, url)

    def note(self, reason: str) -> None:
        """Record why an attempt failed."""
        if not self.connection.broken:
            self.connection.execute(_SQL["fault"], {"run": self.number, "reason": reason[:_REASON]})

    def judge(self) -> Ended:
        """End the run as good, or as held with the unmet expectations."""
        brought = self.brought()
        reasons = self.source.expects.shortfalls(brought, self.good_before(), datetime.now(UTC).date())
        if reasons and brought.unreadable:
            why = self.connection.execute(_SQL["unreadable"], {"run": self.number}).fetchall()
            reasons += [f"unreadable: {reason}" for (reason,) in why]
        return self.end("held" if reasons else "good", reasons, brought)

    def end(self, outcome: Outcome, reasons: list[str], brought: Brought) -> Ended:
        """Record the outcome and the counts; a good run is released."""
        values = {"run": self.number, "outcome": outcome, "reasons": reasons}
        with self.connection.transaction():
            self.connection.execute(_SQL["end"], asdict(brought) | values)
            if outcome == "held":
                dataset = PARSERS[self.source.parser][1].dataset
                why = tuple(Reason(message=reason, rows=brought.rows) for reason in reasons)
                hold_run(self.connection, self.number, dataset, why)
        return Ended(run=self.number, outcome=outcome, brought=brought, reasons=tuple(reasons))

    def brought(self) -> Brought:
        """Return the counts of what the source offered so far."""
        row = self.connection.execute(_SQL["brought"], {"run": self.number}).fetchone()
        counted, new, unreadable, rows, rejected, keys, newest = cast(
            "tuple[int, int, int, int, int, int, date | None]", row
        )
        return Brought(
            documents=counted,
            new_documents=new,
            unreadable=unreadable,
            rows=rows,
            rejected=rejected,
            keys=keys,
            newest=newest,
        )

    def last_good(self) -> datetime | None:
        """Return when the last good run of the source began."""
        row = self.connection.execute(_SQL["last_good"], {"source": self.source.name}).fetchone()
        return cast("tuple[datetime | None]", row)[0]

    def good_before(self) -> Brought | None:
        """Return the counts of the last good run of the source."""
        row = self.connection.execute(_SQL["good_before"], {"source": self.source.name}).fetchone()
        if row is None:
            return None
        counted, new, rows, keys, newest = cast("tuple[int, int, int, int, date | None]", row)
        return Brought(documents=counted, new_documents=new, rows=rows, keys=keys, newest=newest)


@contextmanager
def _opened(connection: Connection, source: Source) -> Iterator[_Run]:
    """Lock the source and resume its run or begin one. A source has one run at a time, over all machines."""
    lock = lock_of(source.name, _RUN_LOCK)
    row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", lock).fetchone()
    if not cast("tuple[bool]", row)[0]:
        raise UnderWay(f"a run of {source.name} is under way")
    try:
        found = connection.execute(_SQL["open"], {"source": source.name}).fetchone()
        yield _Run(connection, source, cast("tuple[int]", found)[0])
    finally:
        if not connection.broken:
            connection.execute("SELECT pg_advisory_unlock(%s, %s)", lock)
