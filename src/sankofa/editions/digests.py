"""Seal an edition: hash what it took in and what it put, table by table, and chain that to the one before.

A row's hash is that of `rows.py`. A thousand of them make a block, whose digest is the SHA-256 over them;
the SHA-256 over a table's block digests stands in the edition's manifest. All reading is by index and in
proportion to the edition, and no more than a block is in memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import cast

from sankofa.editions.manifest import Manifest, Sealed, previous
from sankofa.editions.outside import Outside
from sankofa.editions.rows import Form
from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

_SQL = named(__package__, "digests.sql")
BLOCK = 1_000
MARK = 4  # bytes of a row's hash that are kept to name the row
_FETCHED = 10_000  # rows that come over the wire at a time
_LAST = 9223372036854775807  # of the numbers that rows of a serving table can have

Row = tuple[str, bytes]  # key and hash

_BATCHES = "stood.batch_id = ANY(%(batches)s)"
_ACCEPTED = "stood.document_id = ANY(%(accepted)s)"
_BROUGHT = "stood.brought_by = ANY(%(accepted)s)"
_THIS_EDITION = "stood.edition = %(edition)s"
_FILINGS = """stood.filing_id IN (
    SELECT fact.filing_id FROM ledger.fact AS fact WHERE fact.document_id = ANY(%(accepted)s)
)"""
_TAKEN = "SELECT one.{} FROM ledger.snapshot AS one WHERE one.brought_by = ANY(%(accepted)s)"
_HELD = "SELECT held.number FROM ops.edition_holds AS held WHERE held.edition = %(edition)s AND held.kind = "
_VERSIONS = "SELECT told.version FROM ops.edition_version AS told WHERE told.edition = %(edition)s"
_SIGHTED = """(stood.process_key, stood.release_key, stood.content) IN (
    SELECT seen.process_key, seen.release_key, seen.content
    FROM ledger.release_sighting AS seen WHERE seen.document_id = ANY(%(accepted)s)
)"""
_SUBJECTS = """stood.subject_id IN (
    SELECT told.subject_id FROM ops.batch_subject AS told WHERE told.batch_id = ANY(%(batches)s)
    UNION
    SELECT party.subject_id FROM ledger.release_sighting AS seen
    INNER JOIN ledger.release_party AS party USING (process_key, release_key, content)
    WHERE seen.document_id = ANY(%(accepted)s)
)"""
_CONCEPTS = """stood.concept_id IN (
    SELECT fact.concept_id FROM ledger.fact AS fact WHERE fact.document_id = ANY(%(accepted)s)
    UNION
    SELECT map.concept_id FROM ops.edition_version AS told
    INNER JOIN ops.line_item_map AS map ON told.version = map.map_version WHERE told.edition = %(edition)s
)"""

# What belongs to an edition, as SQL over `stood`: rows of the batches, decisions and takedowns it holds, and
# what these rest on. A row that several editions rest on is sealed by each of them.
HELD: Mapping[str, str] = {
    "ops.document": "stood.document_id = ANY(%(documents)s)",
    "ops.batch": _BATCHES,
    "ops.rejection": _BATCHES,
    "ops.batch_subject": _BATCHES,
    "ops.batch_series": _BATCHES,
    "ops.batch_process": _BATCHES,
    "ops.edition_holds": _THIS_EDITION,
    "ops.quality_override": _THIS_EDITION,
    "ledger.subject": _SUBJECTS,
    "ledger.organisation_record": _ACCEPTED,
    "ledger.filing": _FILINGS,
    "ledger.fact": _ACCEPTED,
    "ledger.filing_declaration": _ACCEPTED,
    "ledger.series": f"stood.series_id IN ({_TAKEN.format('series_id')})",
    "ledger.series_head": f"stood.head_id IN ({_TAKEN.format('head_id')})",
    "ledger.coverage": _ACCEPTED,
    "ledger.snapshot": _BROUGHT,
    "ledger.observation": _BROUGHT,
    "ledger.release_sighting": _ACCEPTED,
    "ledger.release": _SIGHTED,
    "ledger.release_party": _SIGHTED,
    "ledger.identity_decision": f"stood.decision IN ({_HELD} 'decision')",
    "ledger.takedown": f"stood.takedown IN ({_HELD} 'takedown')",
    "serving.takedown": f"stood.takedown IN ({_HELD} 'takedown')",
    "ops.artifact": f"stood.artifact_id IN ({_HELD} 'artifact')",
    "ops.tombstone": f"stood.takedown IN ({_HELD} 'takedown')",
}
# What an edition says of itself, what its versions stand for, and what it closed, takedowns included: written
# last, and sealed together with it.
TOLD: Mapping[str, str] = {
    "serving.edition": _THIS_EDITION,
    "ops.edition_version": _THIS_EDITION,
    "ops.line_item_map": f"stood.map_version IN ({_VERSIONS})",
    "ledger.concept": _CONCEPTS,
    "serving.closing": "stood.dataset = ANY(%(datasets)s) AND stood.closed_in = %(edition)s",
}
# Served rows that belong to no edition alone; sealed, like the others, by the first edition after they came.
BESIDE = ("serving.provenance", "serving.metric_span")


@dataclass(frozen=True, slots=True)
class Block:
    """Some rows of a table, in the order of their keys."""

    rows: int
    last_key: str
    digest: bytes
    marks: bytes


class Reader:
    """Reads the rows of editions as keys and hashes, the same way when they are sealed and when checked."""

    def __init__(self, connection: Connection, tables: Mapping[str, Form], datasets: Sequence[str]) -> None:
        self.connection = connection
        self.tables = tables
        self.datasets = list(datasets)
        self.numbered = (*(f"serving.{name}" for name in datasets), *BESIDE)
        self._taken_in: tuple[int, dict[str, object]] = (0, {})

    @property
    def parts(self) -> tuple[str, ...]:
        """The tables that editions seal, in order."""
        return (*TOLD, *HELD, *self.numbered)

    def last_sealed(self, part: str, edition: int) -> int:
        """Return the number of the last row that editions before one have sealed."""
        row = self.connection.execute(_SQL["last_sealed"], {"part": part, "edition": edition}).fetchone()
        return row_number(str(row[0])) if row else 0

    @contextmanager
    def steadily(self) -> Iterator[None]:
        """Read within one transaction, by index and whole answers."""
        with self.connection.transaction():
            self.connection.execute(_SQL["steady"])
            yield

    def taken_in(self, edition: int) -> list[str]:
        """Return the tables of which an edition took in any row, in one question."""
        exists = (
            sql.SQL("SELECT {part} WHERE EXISTS (SELECT FROM {table} AS stood WHERE {rows})").format(
                part=sql.Literal(part), table=self.tables[part].identifier, rows=sql.SQL(rows)
            )
            for part, rows in HELD.items()
        )
        found = self.connection.execute(sql.SQL(" UNION ALL ").join(exists), self._values(edition))
        return [str(row[0]) for row in found]

    def unsealed(self, edition: int) -> dict[str, int]:
        """Return the serving tables that have rows no edition before one has sealed, and the last sealed."""
        asked = {"parts": list(self.numbered), "edition": edition}
        last = {str(part): row_number(str(key)) for part, key in self.connection.execute(_SQL["last"], asked)}
        exists = (
            sql.SQL(_UNSEALED).format(
                part=sql.Literal(part),
                table=self.tables[part].identifier,
                dataset=sql.Literal(part.removeprefix("serving.")),
                last=sql.Literal(last.get(part, 0)),
            )
            for part in self.numbered
        )
        found = self.connection.execute(sql.SQL(" UNION ALL ").join(exists))
        return {str(row[0]): last.get(str(row[0]), 0) for row in found}

    def held(self, part: str, edition: int) -> Iterator[Row]:
        """Read the rows of a table that an edition took in, or that it says of itself."""
        form = self.tables[part]
        statement = sql.SQL(_READ_HELD).format(
            key=form.key_text("stood"),
            hash=form.row_hash("stood"),
            table=form.identifier,
            rows=sql.SQL({**HELD, **TOLD}[part]),
            order=form.order("stood"),
        )
        return self._read(statement, self._values(edition))

    def numbered_rows(self, part: str, after: int, until: int = _LAST) -> Iterator[Row]:
        """Read the rows of a serving table after one and up to another; a tombstone stands for its row."""
        form = self.tables[part]
        statement = sql.SQL(_READ_NUMBERED).format(hash=form.row_hash("stood"), table=form.identifier)
        dataset = part.removeprefix("serving.")
        return self._read(statement, {"dataset": dataset, "after": after, "until": until})

    def _values(self, edition: int) -> dict[str, object]:
        if self._taken_in[0] != edition:
            row = self.connection.execute(_SQL["held"], {"edition": edition}).fetchone()
            batches, documents, accepted = cast("tuple[list[int], list[int], list[int]]", row)
            taken_in = {"batches": batches, "documents": documents, "accepted": accepted}
            self._taken_in = (edition, {"edition": edition, "datasets": self.datasets, **taken_in})
        return self._taken_in[1]

    def _read(self, statement: sql.Composed, values: Mapping[str, object]) -> Iterator[Row]:
        with self.connection.cursor(name="rows", binary=True) as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(statement, values)
            yield from cast("Iterable[Row]", cursor)


# A row may be taken down before it is sealed, so that nothing is left but its tombstone.
_UNSEALED = """
SELECT {part} WHERE EXISTS (SELECT FROM {table} WHERE row_id > {last})
OR EXISTS (SELECT FROM ops.tombstone WHERE dataset = {dataset} AND row_id > {last})
"""
_READ_HELD = "SELECT {key} AS key, {hash} AS hash FROM {table} AS stood WHERE {rows} ORDER BY {order}"
# A row that was taken down twice is told by its first tombstone: what it was when it was sealed.
_READ_NUMBERED = """
SELECT row_id::text AS key, coalesce(buried.digest, {hash}) AS hash
FROM (SELECT * FROM {table} WHERE row_id > %(after)s AND row_id <= %(until)s) AS stood
FULL JOIN (
    SELECT DISTINCT ON (row_id) row_id, digest FROM ops.tombstone
    WHERE dataset = %(dataset)s AND row_id > %(after)s AND row_id <= %(until)s
    ORDER BY row_id, takedown
) AS buried USING (row_id)
ORDER BY row_id
"""


def row_number(key: str) -> int:
    """Return the number that a key of a serving table says; 0 for a key that was made unreadable."""
    return int(key) if key.isdecimal() else 0


def blocks(rows: Iterable[Row]) -> Iterator[Block]:
    """Cut rows into blocks."""
    remaining = iter(rows)
    while block := list(islice(remaining, BLOCK)):
        hashes = [row_hash for _, row_hash in block]
        yield Block(
            rows=len(block),
            last_key=block[-1][0],
            digest=hashlib.sha256(b"".join(hashes)).digest(),
            marks=b"".join(row_hash[:MARK] for row_hash in hashes),
        )


def seal(reader: Reader, edition: int) -> list[Sealed]:
    """Seal what an edition took in and what it put, before it becomes current."""
    with reader.steadily():
        taken_in = [
            _keep(reader, part, edition, reader.held(part, edition)) for part in reader.taken_in(edition)
        ]
        put = [
            _keep(reader, part, edition, reader.numbered_rows(part, after))
            for part, after in reader.unsealed(edition).items()
        ]
    return taken_in + put


def conclude(reader: Reader, outside: Outside, edition: int, sealed: Sequence[Sealed]) -> None:
    """Seal what an edition says of itself and chain it to the one before; part of the last transaction."""
    with reader.steadily():
        told = [_keep(reader, part, edition, reader.held(part, edition)) for part in TOLD]
    before = cast("tuple[int, bytes] | None", reader.connection.execute(_SQL["newest_digest"]).fetchone())
    parts = tuple(part for part in (*told, *sealed) if part.count)
    manifest = Manifest(edition, parts, previous(*before)) if before else Manifest(edition, parts)
    reader.connection.execute(
        _SQL["keep_digest"],
        {"edition": edition, "digest": manifest.digest, "manifest": manifest.text},
    )
    outside.keep(edition, manifest.text)


def _keep(reader: Reader, part: str, edition: int, rows: Iterable[Row]) -> Sealed:
    count = 0
    digests = hashlib.sha256()
    for number, block in enumerate(blocks(rows)):
        count += block.rows
        digests.update(block.digest)
        told = {"part": part, "edition": edition, "block": number, "rows": block.rows}
        reader.connection.execute(
            _SQL["keep_block"],
            told | {"last_key": block.last_key, "digest": block.digest, "marks": block.marks},
        )
    return Sealed(part, count, digests.digest())
