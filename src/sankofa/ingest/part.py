"""Read one part of an archive: its new files, their records, and the mark that it is done.

A part commits in one transaction with the rows that it adds. Its reader holds a lock with its number, which
ends with the connection, so the part of a killed reader is free again. A file that is unchanged since the
previous archive is not read, because its records are in the ledger already.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from sankofa.core.errors import UnreadableDocument
from sankofa.drift.screen import Survey, survey
from sankofa.ingest.archive import Document
from sankofa.ingest.batches import side_by_side
from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.bytes.directory import Entry, PackedFile, entries, packed
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.parsing import KILLED, Parsing
from sankofa.storage.postgres import Connection, LockNotAvailable, within
from sankofa.storage.queries import named

SQL = named(__package__, "parts.sql")
_PART_SECONDS = 1_800
_MEMBER = Limits(document_bytes=64 << 20)  # packed bytes of one file, which this process holds
_LOCK = 0x5A50 << 48  # first sixteen bits of the advisory lock; the document and the part follow
# Rejection reasons that depend on the time of the fetch: the same bytes may be accepted later.
_MOMENTARY = {"filed_after_fetch", "repaired_former_name", "repaired_filing_day"}


class Undone(NamedTuple):
    """A part that is not done."""

    part: int
    place: int
    members: int
    is_screened: bool


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a part. Unchanged files count with their earlier results."""

    unchanged: int
    facts_read: int
    facts_appended: int
    facts_mapped: int | None
    keys: int
    newest: date | None
    rejected: dict[str, tuple[int, str]]
    survey: Survey


class _Known(NamedTuple):
    """The earlier result of a file."""

    packed_sha256: bytes
    facts_read: int
    newest: date | None
    rejected: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An archive that is being read."""

    document: Document
    document_id: int
    parsing: Parsing

    @property
    def values(self) -> dict[str, object]:
        """The values of the statements."""
        return {
            "document_id": self.document_id,
            "source": self.document.source.name,
            "fetched_at": self.document.fetched_at,
            "sha256": self.document.sha256,
        }


def work_off(connection: Connection, reading: Reading, is_wanted: Callable[[], bool] = lambda: True) -> None:
    """Read parts until all remaining ones are held by other processes."""
    connection.execute(SQL["outside_runs"])
    while is_wanted():
        try:
            with within(connection, _PART_SECONDS), side_by_side(connection, reading.document.source.name):
                part = _claimed(connection, reading)
                if part is None:
                    return
                try:
                    _read(connection, reading, part)
                finally:
                    _release(connection, reading, part)
        except LockNotAvailable:
            continue  # a long document of the source holds its exclusive lock


def wait_for_others(connection: Connection, reading: Reading) -> bool:
    """Wait until another process has finished or dropped its part; False if all are done."""
    first = connection.execute(SQL["undone"], reading.values).fetchone()
    if first is None:
        return False
    part = Undone(*cast("tuple[int, int, int, bool]", first))
    try:
        connection.execute(SQL["await"], {"lock": _lock(reading, part)})
    except LockNotAvailable:
        return True
    _release(connection, reading, part)
    return True


def _claimed(connection: Connection, reading: Reading) -> Undone | None:
    rows = connection.execute(SQL["undone"], reading.values).fetchall()
    for row in rows:
        part = Undone(*cast("tuple[int, int, int, bool]", row))
        if connection.execute(SQL["claim"], {"lock": _lock(reading, part)}).fetchone() == (True,):
            if connection.execute(SQL["is_undone"], reading.values | {"part": part.part}).fetchone():
                return part
            _release(connection, reading, part)
    return None


def _release(connection: Connection, reading: Reading, part: Undone) -> None:
    if not connection.broken:
        connection.execute(SQL["give_up"], {"lock": _lock(reading, part)})


def _lock(reading: Reading, part: Undone) -> int:
    return _LOCK | reading.document_id << 20 | part.part


def _read(connection: Connection, reading: Reading, part: Undone) -> None:
    document = reading.document
    recorder = PARSERS[document.source.parser].recorder
    files = _Files(connection, reading, part)
    rejections = Rejections()
    staged = 0
    if files.changed:
        with connection.transaction():
            staged = recorder.stage(connection, files.parse, document, rejections)
        recorder.register(connection)
    for name, known in files.unchanged.items():
        for reason, rows in known.rejected.items():
            rejections.add(reason, name, rows)
    with connection.transaction():
        appended, keys, newest, found, mapped, subjects = 0, 0, None, Survey(), None, set[int]()
        if files.changed:
            appended = recorder.append(connection, document, reading.document_id)
            row = connection.execute(recorder.extent).fetchone()
            keys, newest = cast("tuple[int, date | None]", row)
            subjects = recorder.touched(connection) if recorder.touched else subjects
            mapped = recorder.mapped(connection) if recorder.mapped else None
            if part.is_screened:
                found = survey(
                    connection,
                    recorder.dataset,
                    lambda scale: recorder.compare(connection, document, reading.document_id, scale),
                )
            _note(connection, reading, files.read)
        same = files.unchanged.values()
        done = Done(
            unchanged=len(same),
            facts_read=staged + sum(one.facts_read for one in same),
            facts_appended=appended,
            facts_mapped=mapped,
            keys=keys + sum(one.facts_read > 0 for one in same),
            newest=max(filter(None, (newest, *(one.newest for one in same))), default=None),
            rejected={
                reason: (rows, rejections.samples[reason]) for reason, rows in rejections.counts.items()
            },
            survey=found,
        )
        values = {"part": part.part, "done": msgspec.json.encode(done).decode(), "subjects": sorted(subjects)}
        connection.execute(SQL["done"], reading.values | values)


def _note(connection: Connection, reading: Reading, read: Mapping[str, _Known]) -> None:
    """Record the results of the files that do not depend on the time of the fetch."""
    with connection.cursor() as cursor:
        cursor.executemany(
            SQL["note_member"],
            [
                reading.values
                | {
                    "name": name,
                    "packed_sha256": one.packed_sha256,
                    "facts_read": one.facts_read,
                    "newest": one.newest,
                    "rejected": msgspec.json.encode(one.rejected).decode(),
                }
                for name, one in read.items()
                if _MOMENTARY.isdisjoint(one.rejected) and (one.facts_read or not one.rejected)
            ],
        )


class _Files:
    """The files of a part: the unchanged ones, and the records of the others."""

    def __init__(self, connection: Connection, reading: Reading, part: Undone) -> None:
        self._parser = PARSERS[reading.document.source.parser]
        self._parsing = reading.parsing
        with reading.document.opened() as archive:
            found = [entry for entry in entries(archive, part.place, part.members) if entry.is_file]
            self._hashes = {entry.name: _sha256(archive, entry) for entry in found}
        values = reading.values | {"names": list(self._hashes)}
        rows = cast("list[tuple[str, Any, Any, Any, Any]]", connection.execute(SQL["known_members"], values))
        known = {name: _Known(*fields) for name, *fields in rows}
        self.unchanged = {name: one for name, one in known.items() if one.packed_sha256 == self._hashes[name]}
        self.changed = [entry for entry in found if entry.name not in self.unchanged]
        self.read: dict[str, _Known] = {}

    def parse(self, archive: BinaryIO, rejections: Rejections, **given: object) -> Iterator[Any]:
        """Yield the records of the changed files, and count the accepted rows of each."""
        if self._parser.member is None:
            raise AssertionError("an archive in parts has a parser of its files")
        parse = self._parsing.isolated(self._parser.member, self._parser.recorder.record)
        for entry in self.changed:
            before, facts, newest = Counter(rejections.counts), 0, None
            try:
                member = PackedFile(entry, packed(archive, entry, _MEMBER))
                for item in parse(member, rejections, **given):
                    rows, last = self._parser.recorder.size(item)
                    facts, newest = facts + rows, max(filter(None, (newest, last)), default=None)
                    yield item
            except UnreadableDocument as refusal:
                if facts or refusal.reason == KILLED:
                    raise  # this part is read again
                rejections.add(refusal.reason, f"{entry.name}: {refusal.detail}")
            rejected = dict(rejections.counts - before)
            self.read[entry.name] = _Known(self._hashes[entry.name], facts, newest, rejected)


def _sha256(archive: BinaryIO, entry: Entry) -> bytes:
    """Return the hash of a file's packed bytes; the hash of no bytes if it cannot be read."""
    try:
        return hashlib.sha256(packed(archive, entry, _MEMBER)).digest()
    except UnreadableDocument:
        return hashlib.sha256().digest()
