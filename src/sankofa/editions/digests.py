"""Seal an edition: hash what it took in and what it put, table by table, and chain that to the one before.

The rows of a table are the leaves of a Merkle tree, in blocks and groups of blocks. The root is a line of the
edition's manifest, and the manifest's lines are the leaves of the edition's tree. All reading is by index and
in proportion to the edition. PostgreSQL hashes the rows; only the hashes of whole blocks leave it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import NamedTuple, cast

from sankofa.core.dataset import Dataset
from sankofa.editions import merkle
from sankofa.editions.manifest import Manifest, Sealed, previous
from sankofa.editions.outside import Outside
from sankofa.editions.reconcile import Changes
from sankofa.editions.rows import Forms
from sankofa.editions.signing import SigningKey
from sankofa.editions.walk import Chunk, Walk
from sankofa.storage.postgres import Connection, sql
from sankofa.storage.queries import named

_SQL = named(__package__, "digests.sql")
BLOCK = 256  # rows: a proof reads and hashes those of one block
GROUP = 256  # blocks
_HASH = 32  # bytes of a hash
MARK = 3  # bytes of a row's hash that are kept to name the row
_FEW = 1_000  # row numbers; if no table has more, one chunk seals all of them
_NUMBERS = GROUP * BLOCK  # row numbers that one chunk of a serving table covers
_FETCHED = 10_000  # rows that come over the wire at a time
_LAST = 9223372036854775807  # of the numbers that rows of a serving table can have

Row = tuple[str, bytes]  # key and hash

_BATCHES = "stood.batch_id = ANY(%(batches)s)"
_THIS_EDITION = "stood.edition = %(edition)s"
_HELD = "SELECT held.number FROM ops.edition_holds AS held WHERE held.edition = %(edition)s AND held.kind = "
_VERSIONS = "SELECT rule.version FROM ops.edition_version AS rule WHERE rule.edition = %(edition)s"
_CONCEPTS = """stood.concept_id IN (
    SELECT fact.concept_id FROM ledger.fact AS fact WHERE fact.document_id = ANY(%(accepted)s)
    UNION
    SELECT map.concept_id FROM ops.edition_version AS rule
    INNER JOIN ops.line_item_map AS map ON rule.version = map.map_version WHERE rule.edition = %(edition)s
)"""

# The rows about an edition itself: its record, its rules and the rows that it closed, takedowns included.
# Written last, and sealed together with it.
OWN_TABLES: Mapping[str, str] = {
    "serving.edition": _THIS_EDITION,
    "ops.edition_version": _THIS_EDITION,
    "ops.line_item_map": f"stood.map_version IN ({_VERSIONS})",
    "ledger.concept": _CONCEPTS,
    "serving.closing": "stood.dataset = ANY(%(datasets)s) AND stood.closed_in = %(edition)s",
}
# Served rows that belong to no edition alone; sealed, like the others, by the first edition after they came.
_BESIDE = "serving.provenance"


def held_tables(datasets: Iterable[Dataset]) -> dict[str, str]:
    """Return what belongs to an edition, as SQL over `stood`, by table.

    These are the rows of the batches, decisions and takedowns that it holds, and what they rest on. A row
    that several editions rest on is sealed by each of them. Manifests list the tables in this order.
    """
    declared = tuple(datasets)
    return {
        "ops.document": "stood.document_id = ANY(%(documents)s)",
        "ops.batch": _BATCHES,
        "ops.rejection": _BATCHES,
        **{f"ops.{dataset.batches}": _BATCHES for dataset in declared if dataset.batches},
        "ops.edition_holds": _THIS_EDITION,
        "ops.quality_override": _THIS_EDITION,
        **{f"ledger.{held.table}": held.rows for dataset in declared for held in dataset.held},
        "ledger.identity_decision": f"stood.decision IN ({_HELD} 'decision')",
        "ledger.takedown": f"stood.takedown IN ({_HELD} 'takedown')",
        "serving.takedown": f"stood.takedown IN ({_HELD} 'takedown')",
        "ops.artifact": f"stood.artifact_id IN ({_HELD} 'artifact')",
        "ops.tombstone": f"stood.takedown IN ({_HELD} 'takedown')",
        "ops.day_correction": f"stood.correction IN ({_HELD} 'correction')",
        "ops.set_aside": f"stood.correction IN ({_HELD} 'correction')",
    }


class Listing(NamedTuple):
    """The statement that returns some rows as keys and hashes, in the order of their keys."""

    statement: sql.Composed
    values: Mapping[str, object]


class Reader:
    """Lists the rows of editions as keys and hashes, the same way when they are sealed and when checked."""

    def __init__(self, connection: Connection, forms: Forms, datasets: Sequence[Dataset]) -> None:
        self.connection = connection
        self.forms = forms
        self.datasets = [table.name for dataset in datasets for table in dataset.tables]
        self.held_tables = held_tables(datasets)
        self.beside = (_BESIDE, *(f"serving.{name}" for dataset in datasets for name in dataset.beside))
        self.numbered = (*(f"serving.{name}" for name in self.datasets), *self.beside)
        # By table, the column with the document of a row.
        self.documents = {
            f"ledger.{held.table}": held.document
            for dataset in datasets
            for held in dataset.held
            if held.document
        }
        self._taken_in: tuple[int, dict[str, object]] = (0, {})

    @property
    def parts(self) -> tuple[str, ...]:
        """The tables that editions seal, in order."""
        return (*OWN_TABLES, *self.held_tables, *self.numbered)

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
        """Return the tables of which an edition took in any row, by one query."""
        exists = (
            sql.SQL("SELECT {part} WHERE EXISTS (SELECT FROM {table} AS stood WHERE {rows})").format(
                part=sql.Literal(part), table=self.forms.newest(part).identifier, rows=sql.SQL(rows)
            )
            for part, rows in self.held_tables.items()
        )
        found = self.connection.execute(sql.SQL(" UNION ALL ").join(exists), self._values(edition))
        return [str(row[0]) for row in found]

    def unsealed(self, edition: int) -> dict[str, tuple[int, int]]:
        """Return the serving tables with unsealed rows: the last row sealed before, and the last row."""
        values = {"parts": list(self.numbered), "edition": edition}
        sealed = {
            str(part): row_number(str(key)) for part, key in self.connection.execute(_SQL["last"], values)
        }
        newest = (
            sql.SQL(_NEWEST).format(
                part=sql.Literal(part),
                table=self.forms.newest(part).identifier,
                dataset=sql.Literal(part.removeprefix("serving.")),
            )
            for part in self.numbered
        )
        found = cast("list[tuple[str, int]]", self.connection.execute(sql.SQL(" UNION ALL ").join(newest)))
        return {part: (sealed.get(part, 0), last) for part, last in found if last > sealed.get(part, 0)}

    def held(self, part: str, edition: int) -> Listing:
        """List the rows of a table that an edition took in, or of a table about the edition itself."""
        form = self.forms.of(part, edition)
        statement = sql.SQL(_READ_HELD).format(
            key=form.key_text("stood"),
            hash=form.row_hash("stood"),
            table=form.identifier,
            rows=sql.SQL({**self.held_tables, **OWN_TABLES}[part]),
            order=form.order("stood"),
        )
        return Listing(statement, self._values(edition))

    def numbered_rows(self, part: str, edition: int, after: int, until: int = _LAST) -> Listing:
        """List rows of a serving table that an edition sealed: after one, up to another.

        A row that was taken down is read from its tombstone.
        """
        form = self.forms.of(part, edition)
        statement = sql.SQL(_READ_NUMBERED).format(hash=form.row_hash("stood"), table=form.identifier)
        dataset = part.removeprefix("serving.")
        return Listing(statement, {"dataset": dataset, "after": after, "until": until})

    def read(self, rows: Listing) -> Iterator[Row]:
        """Read the listed rows, some at a time."""
        with self.connection.cursor(name="rows", binary=True) as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(*rows)
            yield from cast("Iterable[Row]", cursor)

    def _values(self, edition: int) -> dict[str, object]:
        if self._taken_in[0] != edition:
            row = self.connection.execute(_SQL["held"], {"edition": edition}).fetchone()
            batches, documents, accepted = cast("tuple[list[int], list[int], list[int]]", row)
            taken_in = {"batches": batches, "documents": documents, "accepted": accepted}
            self._taken_in = (edition, {"edition": edition, "datasets": self.datasets, **taken_in})
        return self._taken_in[1]


# A row may be taken down before it is sealed, so that nothing is left but its tombstone.
_NEWEST = """
SELECT {part}, greatest(
    (SELECT max(row_id) FROM {table}),
    (SELECT max(row_id) FROM ops.tombstone WHERE dataset = {dataset}),
    0
)
"""
_READ_HELD = "SELECT {key} AS key, {hash} AS hash FROM {table} AS stood WHERE {rows} ORDER BY {order}"
# If a row was taken down twice, its first tombstone has the hash with which it was sealed.
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
_BLOCKS = """
SELECT
    %(first_block)s + placed.block, count(*)::integer, (array_agg(placed.key ORDER BY placed.place DESC))[1],
    string_agg(placed.hash, '' ORDER BY placed.place)
FROM (
    SELECT
        listed.key, listed.hash, row_number() OVER () AS place, (row_number() OVER () - 1) / {block} AS block
    FROM ({rows}) AS listed
) AS placed
GROUP BY placed.block
"""


def row_number(key: str) -> int:
    """Return the row number in a key of a serving table; 0 if the key is not a number."""
    return int(key) if key.isdecimal() else 0


class Sealing(Walk):
    """The last stage of a build: hash what the edition took in and what it put, table by table.

    A chunk is a table of the ledger that the edition took rows of in, or some row numbers of a serving table.
    If all tables have few rows, they share one. Blocks are numbered by their chunk, so they stay in the order
    of their keys.
    """

    name = "sealing"

    def __init__(self, datasets: Sequence[Dataset]) -> None:
        self._datasets = datasets
        self._forms: Forms | None = None

    def reader(self, connection: Connection) -> Reader:
        """Return a reader of the rows that editions seal."""
        self._forms = self._forms or Forms(connection)
        return Reader(connection, self._forms, self._datasets)

    def touch(self, connection: Connection, edition: int, _before: dict[str, str]) -> list[Chunk]:
        """Return the tables with rows to seal, in chunks."""
        reader = self.reader(connection)
        connection.execute(_SQL["steady"])
        taken_in, put = reader.taken_in(edition), reader.unsealed(edition)
        if not any(last - first > _FEW for first, last in put.values()):
            return [Chunk("", "", " ".join((*taken_in, *put)))]
        ranges = [
            Chunk(str(after), str(after + _NUMBERS), part)
            for part, (first, last) in put.items()
            for after in range(first, last, _NUMBERS)
        ]
        return [*(Chunk("", "", part) for part in taken_in), *ranges]

    def run(self, connection: Connection, edition: int, chunk: Chunk) -> dict[str, Changes]:
        """Seal one chunk."""
        connection.execute(_SQL["steady"])
        reader = self.reader(connection)
        for part in chunk.part.split():
            if part not in reader.numbered:
                _keep(reader, part, edition, reader.held(part, edition))
                continue
            sealed = reader.last_sealed(part, edition)
            after, until = (int(chunk.after), int(chunk.until)) if chunk.until else (sealed, _LAST)
            _keep(
                reader,
                part,
                edition,
                reader.numbered_rows(part, edition, after, until),
                (after - sealed) // BLOCK,
            )
        return {}


def conclude(reader: Reader, outside: Outside, edition: int, key: SigningKey | None) -> None:
    """Seal the rows about the edition itself, chain it to the one before and sign it."""
    with reader.steadily():
        for part in OWN_TABLES:
            _keep(reader, part, edition, reader.held(part, edition))
    before = cast("tuple[int, bytes] | None", reader.connection.execute(_SQL["newest_digest"]).fetchone())
    parts = tuple(_sealed(reader, edition))
    manifest = Manifest(edition, parts, previous(*before)) if before else Manifest(edition, parts)
    reader.connection.execute(
        _SQL["keep_digest"],
        {
            "edition": edition,
            "digest": manifest.digest,
            "manifest": manifest.text,
            "signature": key.sign(edition, manifest.digest) if key else None,
            "public_key": key.public if key else None,
        },
    )
    outside.keep(edition, manifest.text)


def _sealed(reader: Reader, edition: int) -> Iterator[Sealed]:
    """Keep the groups of each table of which an edition sealed rows, and yield the table's line."""
    rows = reader.connection.execute(_SQL["all_blocks"], {"edition": edition}).fetchall()
    found = defaultdict[str, list[NumberedBlock]](list)
    for part, *block in cast("list[tuple[str, int, int, bytes]]", rows):
        found[part].append(cast("NumberedBlock", tuple(block)))
    kept = [(part, edition, *group) for part, blocks in found.items() for group in groups(blocks)]
    with reader.connection.cursor() as cursor:
        cursor.executemany(_SQL["keep_group"], kept)
    for part in reader.parts:
        if part in found:
            yield sealed_as(part, found[part])


NumberedBlock = tuple[int, int, bytes]  # its number, its rows and its digest


def groups(numbered: Iterable[NumberedBlock]) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the digest of each group of blocks."""
    for number, members in groupby(numbered, lambda block: block[0] // GROUP):
        yield number, merkle.root([digest for _, _, digest in members])


def sealed_as(part: str, numbered: Sequence[NumberedBlock]) -> Sealed:
    """Return the line of a manifest for a table, from its blocks; zeros without any."""
    digests = [digest for _, digest in groups(numbered)] or [bytes(32)]
    return Sealed(part, sum(rows for _, rows, _ in numbered), merkle.root(digests))


def _keep(reader: Reader, part: str, edition: int, rows: Listing, first_block: int = 0) -> None:
    """Store the blocks of the listed rows."""
    statement = sql.SQL(_BLOCKS).format(block=sql.Literal(BLOCK), rows=rows.statement)
    with reader.connection.cursor(binary=True) as cursor:
        cursor.execute(statement, {**rows.values, "first_block": first_block})
        found = cast("list[tuple[int, int, str, bytes]]", cursor.fetchall())
    kept = []
    for number, count, last_key, text in found:
        hashes = [text[start : start + _HASH] for start in range(0, len(text), _HASH)]
        marks = b"".join(row_hash[:MARK] for row_hash in hashes)
        kept.append((part, edition, number, count, last_key, merkle.root(hashes), marks))
    with reader.connection.cursor() as cursor:
        cursor.executemany(_SQL["keep_block"], kept)
