"""Write exports: each file is written locally, verified, uploaded, read back, and only then recorded.

Iceberg tables over the files are committed after them, and recorded in the same way.

A file that is not recorded is not listed. A killed run leaves at most unlisted objects; the next run removes
them and continues.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from sankofa.core.errors import Refused, StatementTooLong, StoreUnavailable
from sankofa.core.licences import OPEN_LICENCE, most_restrictive
from sankofa.editions.locks import exporting
from sankofa.export import panels
from sankofa.export.keeping import Aside, ExportedEdition, Keeper
from sankofa.export.lake import CLOSINGS, EXPORTED, SELECT_CLOSINGS, LakeTable
from sankofa.export.meanings import CLOSED, of_bulk, of_panel
from sankofa.export.plan import Piece, chunks, pieces
from sankofa.export.ranges import newest
from sankofa.export.recorded import files
from sankofa.export.sweep import prefix, sweep
from sankofa.export.tables import due_tables
from sankofa.signals.panel import Panel
from sankofa.signals.panels import PANELS
from sankofa.storage.iceberg import Tables
from sankofa.storage.objects import Objects
from sankofa.storage.parquet import Columns, Gathering, Written
from sankofa.storage.postgres import Connection, bound, connect
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql")
_PANELS = named(__package__, "panels.sql")
_PANEL_ROWS = 16_384  # of a row group: about one country
_BULK_ROWS = 131_072
_OWN_LICENCE = "operator"  # of closings, which are our own data
_ROUNDS = 3  # a takedown during a run makes another one necessary

Progress = Callable[[str], None]  # reports the file being written


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporter:
    """Everything an export needs; the same object serves the command line and the tests."""

    dsn: str
    open: Objects
    licensed: Objects
    tables: Tables  # of the licensed bucket
    open_url: str  # where anybody reads the open bucket


class Exported(NamedTuple):
    """The result of a run."""

    edition: int
    files: int
    rows: int
    swept: int


def export(exporter: Exporter, progress: Progress = lambda _what: None) -> Exported:
    """Write the rows of the current edition that are in no file; return the result."""
    with (
        connect(exporter.dsn) as connection,
        exporting(connection),
        _workplace(connection) as folder,
        Gathering(exporter.dsn, folder) as gathering,
    ):
        buckets = (exporter.open, exporter.licensed)
        swept, sizes = sweep(connection, *buckets), list[int]()
        for _ in range(_ROUNDS):
            run = _Run(exporter, connection, gathering, folder, _newest(connection))
            found = list(run.files(progress))
            sizes += [size for size in found if size is not None]
            if None not in found and run.write_tables(progress):
                break
        return Exported(
            _newest(connection).number, len(sizes), sum(sizes), swept + sweep(connection, *buckets)
        )


def current_edition(exporter: Exporter) -> int:
    """Return the number of the current edition; 0 before the first."""
    with connect(exporter.dsn) as connection:
        row = connection.execute(_SQL["newest"]).fetchone()
    return cast("tuple[int]", row)[0] if row else 0


@contextmanager
def _workplace(connection: Connection) -> Iterator[Path]:
    """Make a working folder, and remove those of killed runs; there is only one exporter."""
    mark = f"sankofa-export-{prefix(connection).rstrip('/')}-"
    for left in Path(tempfile.gettempdir()).glob(f"{mark}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=mark) as folder:
        yield Path(folder)


@dataclass(frozen=True, slots=True)
class _Run:
    """One walk over the due files of one edition."""

    exporter: Exporter
    connection: Connection
    gathering: Gathering
    folder: Path
    edition: ExportedEdition

    @property
    def keeper(self) -> Keeper:
        """Where files are kept and recorded."""
        return Keeper(
            connection=self.connection,
            edition=self.edition,
            open=self.exporter.open,
            licensed=self.exporter.licensed,
            open_url=self.exporter.open_url,
        )

    def files(self, progress: Progress) -> Iterator[int | None]:
        """Write each due file; yield its number of rows, or None if a takedown happened meanwhile."""
        for panel in PANELS.values():
            progress(panel.key)
            aside = self._panel(panel)
            known = newest(files(self.connection, panel.key, "panel"))
            if aside and (known is None or _sha256(self.connection, known.name) != aside.sha256):
                name = f"{panel.key}-e{self.edition.number:06}-{aside.sha256.hex()[:8]}.parquet"
                yield self.keeper.keep(aside, {**_place_of_panel(panel, self.edition.number), "name": name})
        for lake in EXPORTED.values():
            for piece in pieces(self.connection, lake, self.edition.number):
                progress(
                    f"{lake.name} {piece.kind} {piece.first}-{piece.last} {piece.part + 1}/{piece.parts}"
                )
                aside = self._bulk(piece)
                if aside and (aside.written.rows or piece.parts > 1):
                    name = _name(piece, self.edition.takedown, aside.sha256)
                    yield self.keeper.keep(aside, {**_place(piece), "name": name})

    def _panel(self, panel: Panel) -> Aside | None:
        self.gathering.begin()
        for row in self.connection.execute(_PANELS["panel_countries"], {"panel": panel.key}).fetchall():
            values = panels.bind_values(panel, str(row[0]), self.edition.number)
            self.gathering.gather(bound(self.connection, _PANELS["panel"], values))
        if not self.gathering.rows:
            return None
        about = {
            "title": panel.title,
            "license": OPEN_LICENCE,
            "method": panel.methodology_ref,
            "columns": json.dumps(of_panel(panel)),
        }
        return self._aside(
            panels.select(panel),
            panels.columns(panel),
            row_group=_PANEL_ROWS,
            license_class=OPEN_LICENCE,
            about=about,
        )

    def _bulk(self, piece: Piece) -> Aside | None:
        lake, is_rows = piece.lake, piece.kind == "rows"
        joined = lake.joined if piece.part == 0 and piece.first > 1 else ()
        self.gathering.begin()
        for source in (lake.facts, *joined) if is_rows else lake.closed:
            for values in chunks(self.connection, piece, source, _SQL["closings_until"]):
                self._gather(source.statement, values)
        if not self.gathering.is_begun:
            return None
        licences = self._licences(lake) if is_rows and self.gathering.rows else []
        return self._aside(
            lake.select if is_rows else SELECT_CLOSINGS,
            lake.columns if is_rows else CLOSINGS,
            row_group=_BULK_ROWS,
            license_class=most_restrictive(licences) if licences else _OWN_LICENCE,
            about={
                "title": f"{lake.name} {piece.kind}",
                "columns": json.dumps(of_bulk(lake.name) if is_rows else CLOSED),
            },
        )

    def _licences(self, lake: LakeTable) -> list[str]:
        """Return the licences of the gathered rows, or of the files of the table that they rest on."""
        if lake.rests_on:
            return [file.license_class for file in files(self.connection, lake.rests_on, "rows")]
        return self.gathering.distinct("license_class")

    def _gather(self, statement: str, values: Mapping[str, Any]) -> None:
        """Gather the rows of a statement; if it times out, in two halves."""
        try:
            self.gathering.gather(bound(self.connection, statement, values))
        except StatementTooLong:
            middle = (values["after"] + values["until"]) // 2
            if middle == values["after"]:
                raise
            self._gather(statement, {**values, "until": middle})
            self._gather(statement, {**values, "after": middle})

    def _aside(
        self, select: str, columns: Columns, *, row_group: int, license_class: str, about: dict[str, str]
    ) -> Aside:
        """Write a file, and check that it has all gathered rows and the declared columns."""
        file = self.folder / "aside.parquet"
        written = self.gathering.write(file, select, row_group=row_group, about=about)
        if written != Written(self.gathering.rows, columns):
            raise StoreUnavailable("exports", "a file does not hold what was gathered for it")
        with file.open("rb") as content:
            sha256 = hashlib.file_digest(content, "sha256").digest()
        return Aside(file=file, written=written, sha256=sha256, license_class=license_class)

    def write_tables(self, progress: Progress) -> bool:
        """Commit each table that lacks files; return False if a takedown happened meanwhile."""
        for due in due_tables(self.connection):
            progress(f"{due.lake.name} {due.kind} table")
            committed = self.exporter.tables.commit(
                prefix(self.connection), due.columns, due.meanings, due.batches, onto=due.onto
            )
            if not self.keeper.keep_table(due, committed):
                return False
        return True


def _newest(connection: Connection) -> ExportedEdition:
    row = connection.execute(_SQL["newest"]).fetchone()
    if row is None:
        raise Refused("nothing is published yet: publish first")
    return ExportedEdition(*cast("tuple[int, int]", row))


def _sha256(connection: Connection, name: str) -> bytes | None:
    row = connection.execute(_SQL["sha256_of"], {"name": name}).fetchone()
    return cast(bytes, row[0]) if row else None


def _place_of_panel(panel: Panel, edition: int) -> dict[str, object]:
    place = {"first": 1, "last": edition, "part": 0, "parts": 1, "after": 0, "until": 0}
    return {"subject": panel.key, "kind": "panel", **place}


def _place(piece: Piece) -> dict[str, object]:
    return {
        "subject": piece.lake.name,
        "kind": piece.kind,
        "first": piece.first,
        "last": piece.last,
        "part": piece.part,
        "parts": piece.parts,
        "after": piece.after,
        "until": piece.until,
    }


def _name(piece: Piece, takedown: int, sha256: bytes) -> str:
    editions = f"e{piece.first:06}-{piece.last:06}"
    part = f"p{piece.part:04}-t{takedown}-{sha256.hex()[:8]}"
    return f"{piece.lake.name}-{piece.kind}-{editions}-{part}.parquet"
