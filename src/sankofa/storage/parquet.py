"""Parquet files: rows read from PostgreSQL in chunks and written sorted, by DuckDB.

Its extension is loaded from the package that is installed beside it, by path; nothing is ever downloaded.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import duckdb

from sankofa.core.errors import StatementTooLong, StoreUnavailable
from sankofa.storage.postgres import with_options

Columns = tuple[tuple[str, str], ...]  # names and types, in order
_OFFLINE = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
MEMORY_GIGABYTES = 2  # beyond it DuckDB sorts on disk; a container of 3 GB also holds Python and Arrow
# A statement reads a range of rows and joins others by index. Statistics do not show that neighbours share
# the joined rows, so the planner would read the whole other table for each range.
_SESSION = "-c enable_hashjoin=off -c enable_mergejoin=off -c max_parallel_workers_per_gather=0"
_EXTENSION = f"extensions/v{duckdb.__version__}/postgres_scanner.duckdb_extension"


class Written(NamedTuple):
    """A summary of a written file, read from the file itself."""

    rows: int
    columns: Columns


class Gathering:
    """Rows to be written into a file: gathered statement by statement, then written at once.

    Each statement is its own transaction, so no snapshot is held for longer than one statement. Rows that
    do not fit into memory are spilled into the folder.
    """

    def __init__(self, dsn: str, folder: Path) -> None:
        self._dsn = with_options(dsn, _SESSION)
        self._folder = folder
        self._rows: int | None = None

    def __enter__(self) -> Self:
        self._duckdb = duckdb.connect(config=dict(_OFFLINE))
        self._duckdb.execute("SET TimeZone = 'UTC'")
        self._duckdb.execute(f"SET memory_limit = '{MEMORY_GIGABYTES}GB'")
        self._duckdb.execute(f"SET temp_directory = {_quoted(self._folder / 'spilled')}")
        extension = resources.files("duckdb_extension_postgres_scanner").joinpath(_EXTENSION)
        self._duckdb.execute(f"LOAD {_quoted(extension)}")
        try:
            self._duckdb.execute(f"ATTACH {_quoted(self._dsn)} AS postgres (TYPE postgres, READ_ONLY)")
        except duckdb.Error as error:
            self._duckdb.close()
            raise StoreUnavailable("datastore") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._duckdb.close()

    @property
    def rows(self) -> int:
        """How many rows were gathered."""
        return self._rows or 0

    @property
    def is_begun(self) -> bool:
        """Whether any statement was run, even if it returned no rows."""
        return self._rows is not None

    def begin(self) -> None:
        """Drop the rows of the previous file."""
        self._duckdb.execute("DROP TABLE IF EXISTS gathered")
        self._rows = None

    def gather(self, statement: str) -> None:
        """Add the rows of a statement of PostgreSQL; values are written in by the caller's driver."""
        found = f"FROM postgres_query('postgres', {_quoted(statement)})"
        taken = f"INSERT INTO gathered {found}" if self.is_begun else f"CREATE TABLE gathered AS {found}"
        try:
            row = self._duckdb.execute(taken).fetchone()
        except duckdb.Error as error:
            kind = StatementTooLong if "statement timeout" in str(error) else StoreUnavailable
            raise kind("datastore", "a statement of the export was ended") from error
        self._rows = self.rows + (row[0] if row else 0)

    def distinct(self, column: str) -> list[str]:
        """Return the distinct values of a text column."""
        query = f'SELECT DISTINCT "{column}" FROM gathered ORDER BY 1'  # noqa: S608  # our own name
        found = self._duckdb.execute(query).fetchall()
        return [str(value) for (value,) in found]

    def write(self, file: Path, select: str, *, row_group: int, about: dict[str, str]) -> Written:
        """Write the gathered rows, shaped and ordered by `select`; return a summary of the file."""
        noted = ", ".join(f"{name}: {_quoted(text)}" for name, text in about.items())
        self._duckdb.execute(
            f"COPY ({select}) TO {_quoted(file)} (FORMAT parquet, COMPRESSION zstd, "
            f"ROW_GROUP_SIZE {row_group}, KV_METADATA {{{noted}}})"
        )
        return self._read(file)

    def _read(self, file: Path) -> Written:
        row = self._duckdb.execute("SELECT num_rows FROM parquet_file_metadata(?)", [str(file)]).fetchone()
        described = self._duckdb.execute("DESCRIBE FROM read_parquet(?)", [str(file)]).fetchall()
        return Written(row[0] if row else 0, tuple((str(name), str(kind)) for name, kind, *_ in described))


def _quoted(text: object) -> str:
    escaped = str(text).replace("'", "''")
    return f"'{escaped}'"
