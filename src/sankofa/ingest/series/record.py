"""Append documents of series to the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.drift.bounds import MACRO
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.recording import Parse, Recorder
from sankofa.ingest.series.builder import LIMITS
from sankofa.ingest.series.world_bank import Indicator
from sankofa.macro import record
from sankofa.macro.model import SeriesHead, Snapshot
from sankofa.storage.postgres import Connection

# The precision of the ledger. The longest value of a real file has 27 decimals.
_LEDGER_LIMITS = msgspec.structs.replace(LIMITS, digits=56, fraction_digits=30)


class _Given(msgspec.Struct, forbid_unknown_fields=True):
    """Values that a source declares because its documents do not contain them."""

    indicator: Indicator | None = None
    series: SeriesHead | None = None


def _stage(connection: Connection, parse: Parse, document: Document, rejections: Rejections) -> int:
    given = msgspec.convert(document.source.states, _Given)
    known = {name: value for name, value in msgspec.structs.asdict(given).items() if value is not None}
    with document.opened() as stream:
        snapshots = parse(stream, rejections, _LEDGER_LIMITS, fetched_at=document.fetched_at, **known)
        return record.stage(connection, document.source.name, _each_once(snapshots, rejections))


SERIES = Recorder(
    dataset=MACRO,
    record=Snapshot,
    stage=_stage,
    register=record.register,
    append=lambda connection, _, document_id: record.append(connection, document_id),
    touch=record.touch,
    compare=lambda connection, _document, _document_id, scale: record.compare(connection, scale),
    extent=record.EXTENT,
)


def _each_once(snapshots: Iterable[Snapshot], rejections: Rejections) -> Iterator[Snapshot]:
    """Raise if a document has one vintage twice, as in overlapping tables of an archive."""
    yielded: set[tuple[str, str, date, str]] = set()
    for snapshot in snapshots:
        day, basis = snapshot.available_at, snapshot.available_at_basis
        if day is None or basis is None:
            rejections.add("undated_snapshot", snapshot.head.key)
            continue
        vintage = (snapshot.head.key, snapshot.head.frequency, day, basis)
        if vintage in yielded:
            raise UnreadableDocument("repeated_series", snapshot.head.key)
        yielded.add(vintage)
        yield snapshot
