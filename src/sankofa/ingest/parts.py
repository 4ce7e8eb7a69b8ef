"""Read an archive of many files in parts, with several processes, each in little memory.

The parts are listed in the database. Each is read once, in any order and by any process, even after kills.
The batch of the archive is written after the last part, and until then no edition and no other document uses
its rows. So the result equals that of reading the archive at once.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import cast

import msgspec

from sankofa.core.errors import Refused
from sankofa.drift.judge import Reason
from sankofa.drift.screen import Survey, is_screened, settle
from sankofa.ingest.archive import Document
from sankofa.ingest.batches import (
    Batch,
    enter_run,
    note_version,
    offer,
    put_batch,
    put_extent,
    register,
    reject,
    seen,
    wait,
)
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.bytes.dividing import Part, divide
from sankofa.ingest.bytes.packed import is_zip
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.parsing import Bounds, Parsing
from sankofa.ingest.part import SQL, Done, Reading, wait_for_others, work_off
from sankofa.ingest.source import Source
from sankofa.storage.postgres import Connection, own_dsn

PART_MEMBERS = 100
PART_BYTES = 64 << 20  # unpacked, as the archive claims


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The job of a child process that reads parts of an archive."""

    dsn: str
    source: Source
    file: str
    sha256: bytes
    fetched_at: datetime
    document_id: int
    bounds: Bounds

    def reading(self) -> Reading:
        """Return the archive."""
        document = Document(
            source=self.source, content=Path(self.file), fetched_at=self.fetched_at, digest=self.sha256
        )
        return Reading(document=document, document_id=self.document_id, parsing=Parsing(self.bounds))


def begin(connection: Connection, document: Document, parsing: Parsing) -> Reading | None:
    """Divide an archive into parts, or return those of an earlier attempt; None if there is at most one.

    The fetch time of the archive is that of its first fetch.
    """
    if PARSERS[document.source.parser].member is None:
        return None
    with document.opened() as stream:
        if not is_zip(stream):
            return None
        divided = list(parsing.isolated(divide, Part)(stream, PART_MEMBERS, PART_BYTES))
    if len(divided) <= 1:
        return None
    with connection.transaction():
        document_id = register(connection, document)
        about: dict[str, object] = {"document_id": document_id}
        known = connection.execute(SQL["planned"], about).fetchone()
        planned, fetched_at = cast("tuple[int, datetime]", known)
        if not planned:
            about["is_screened"] = is_screened(connection, document.source.name)
            with connection.cursor() as cursor:
                rows = ({"part": number} | part._asdict() | about for number, part in enumerate(divided, 1))
                cursor.executemany(SQL["plan"], rows)
    first = replace(document, fetched_at=fetched_at, digest=document.sha256)
    return Reading(document=first, document_id=document_id, parsing=parsing)


def read_all(connection: Connection, reading: Reading, workers: int) -> None:
    """Read the remaining parts of an archive with several processes, including this one."""
    with _helpers(connection, reading, workers - 1):
        work_off(connection, reading)
        while wait_for_others(connection, reading):
            work_off(connection, reading)


def finish(connection: Connection, reading: Reading) -> Batch:
    """Write the batch of an archive whose parts are all done; its rows count from then on."""
    document, document_id = reading.document, reading.document_id
    recorder = PARSERS[document.source.parser].recorder
    run = enter_run(connection, document)
    with connection.transaction():
        if batch_id := seen(connection, document, "accepted"):  # by another process
            offer(connection, run, batch_id)
            return Batch(outcome="seen")
        results = cast(
            "list[tuple[str | None]]", connection.execute(SQL["results"], reading.values).fetchall()
        )
        if not results or any(one is None for (one,) in results):
            raise Refused(f"{document.source.name}: parts of the archive are not read; repeat this command")
        parts = [msgspec.json.decode(cast(str, one), type=Done) for (one,) in results]
        rejections = Rejections()
        for part in parts:
            for reason, (rows, sample) in part.rejected.items():
                rejections.add(reason, sample, rows)
        facts_read, appended = sum(p.facts_read for p in parts), sum(p.facts_appended for p in parts)
        unchanged = sum(p.unchanged for p in parts)
        batch_id = put_batch(connection, document_id, "accepted", facts_read, appended)
        newest = max(filter(None, (p.newest for p in parts)), default=None)
        put_extent(connection, batch_id, sum(p.keys for p in parts), newest)
        wait(connection, run, batch_id, document_id)
        offer(connection, run, batch_id)
        note_version(connection, document, batch_id)
        connection.execute(SQL["touch"], reading.values | {"batch_id": batch_id})
        reject(connection, batch_id, rejections)
        held: tuple[Reason, ...] = ()
        if connection.execute(SQL["is_screened"], reading.values).fetchone():
            held = settle(
                connection,
                source=document.source.name,
                dataset=recorder.dataset,
                batch_id=batch_id,
                new_rows=appended,
                found=sum((part.survey for part in parts), Survey()),
            )
        connection.execute(SQL["forget"], reading.values)
    is_mapped = recorder.mapped is not None and not unchanged
    return Batch(
        outcome="accepted",
        facts_read=facts_read,
        facts_appended=appended,
        facts_mapped=sum(p.facts_mapped or 0 for p in parts) if is_mapped else None,
        rejected=dict(rejections.counts),
        held=held,
        unchanged=unchanged,
    )


@contextmanager
def _helpers(connection: Connection, reading: Reading, count: int) -> Iterator[None]:
    """Start child processes that read parts. They end with the block, or when this process is gone."""
    document = reading.document
    started: list[subprocess.Popen[bytes]] = []
    if count > 0 and isinstance(document.content, Path):
        job = msgspec.json.encode(
            Job(
                dsn=own_dsn(connection),
                source=document.source,
                file=str(document.content.absolute()),
                sha256=document.sha256,
                fetched_at=document.fetched_at,
                document_id=reading.document_id,
                bounds=reading.parsing.bounds,
            )
        )
        command = [sys.executable, "-m", "sankofa.ingest.part_worker"]
        started.extend(subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(count))
        for helper in started:
            _send(helper, job)
    try:
        yield
    finally:
        for helper in started:
            helper.terminate()
            if helper.stdin:
                helper.stdin.close()
            helper.wait()


def _send(helper: subprocess.Popen[bytes], job: bytes) -> None:
    with suppress(BrokenPipeError):  # it was killed: the others continue without it
        if helper.stdin:
            helper.stdin.write(job + b"\n")
            helper.stdin.flush()
