"""How documents of series enter the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.drift.bounds import MACRO
from sankofa.drift.screen import Scale
from sankofa.ingest.archive import Document
from sankofa.ingest.bounds import Rejections
from sankofa.ingest.sources import Parser
from sankofa.ingest.stated_series import LIMITS
from sankofa.ingest.world_bank import Indicator
from sankofa.macro import record
from sankofa.macro.model import SeriesHead, Snapshot
from sankofa.storage.postgres import Connection

DATASET = MACRO
# What the ledger holds exactly. The longest value of a real file has 27 decimals.
_LEDGER_LIMITS = msgspec.structs.replace(LIMITS, digits=56, fraction_digits=30)


class _Told(msgspec.Struct, forbid_unknown_fields=True):
    """What a source says of its documents because they do not say it themselves."""

    indicator: Indicator | None = None
    series: SeriesHead | None = None


def stage(connection: Connection, parse: Parser, document: Document, rejections: Rejections) -> int:
    """Read a document into this session's staging tables and return the number of values."""
    told = msgspec.convert(document.source.states, _Told)
    known = {name: value for name, value in msgspec.structs.asdict(told).items() if value is not None}
    with document.opened() as stream:
        snapshots = parse(stream, rejections, _LEDGER_LIMITS, fetched_at=document.fetched_at, **known)
        return record.stage(connection, document.source.name, _each_once(snapshots, rejections))


def know(connection: Connection) -> None:
    """Give handles to descriptions of series not met before."""
    record.know(connection)


def append(connection: Connection, document: Document, document_id: int) -> int:
    """Append what is staged and new, and return how many values that was."""
    del document  # its source was staged with each snapshot
    return record.append(connection, document_id)


def touch(connection: Connection, batch_id: int) -> None:
    """Record the series of which the batch said something new."""
    record.touch(connection, batch_id)


def compare(connection: Connection, document: Document, document_id: int, scale: Scale) -> int:
    """Note how known values of series changed, and return how many the document speaks of."""
    del document, document_id  # what is compared was staged
    return record.compare(connection, scale)


def _each_once(snapshots: Iterable[Snapshot], rejections: Rejections) -> Iterator[Snapshot]:
    """Refuse a document that states one vintage twice: two tables of an archive that overlap."""
    said: set[tuple[str, str, date, str]] = set()
    for snapshot in snapshots:
        day, basis = snapshot.available_at, snapshot.available_at_basis
        if day is None or basis is None:
            rejections.add("undated_snapshot", snapshot.head.key)
            continue
        vintage = (snapshot.head.key, snapshot.head.frequency, day, basis)
        if vintage in said:
            raise UnreadableDocument("repeated_series", snapshot.head.key)
        said.add(vintage)
        yield snapshot
