"""Whole tables with every edition: as views of DuckDB, and as Iceberg tables of PyIceberg.

Files are read in parts from where they are kept. Links to them expire and are renewed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Self

import duckdb
import fsspec  # type: ignore[import-untyped]
import httpx
from fsspec.spec import AbstractBufferedFile  # type: ignore[import-untyped]
from pyiceberg.catalog.noop import NoopCatalog
from pyiceberg.io.fsspec import FsspecFileIO
from pyiceberg.serializers import FromInputFile
from pyiceberg.table import StaticTable

from sankofa_client.rows import Artifact

Link = Callable[[str], str]  # returns an address of a file, by its name
_PROTOCOL = "sankofa"
_EXPIRED = 403
_TIMEOUT = 60.0
_VIEWS = """
CREATE OR REPLACE VIEW "{name}" AS FROM read_parquet({rows});
CREATE OR REPLACE VIEW "{name}_closings" AS {closings};
CREATE OR REPLACE MACRO "{name}_in"(edition) AS TABLE
    SELECT held.* FROM "{name}" AS held
    ANTI JOIN (FROM "{name}_closings" AS closing WHERE closing.closed_in <= edition) AS gone
        USING (row_id, published_in)
    WHERE held.published_in <= edition;
"""
_NO_CLOSINGS = (
    "SELECT NULL::BIGINT AS row_id, NULL::INTEGER AS published_in, NULL::INTEGER AS closed_in, "
    "NULL::VARCHAR AS reason WHERE FALSE"
)


class Lake:
    """The tables that an edition lists, with the rows of that edition and of all before it."""

    def __init__(self, listed: Sequence[Artifact], link: Link) -> None:
        self._listed = [artifact for artifact in listed if artifact.table]
        self._files = Files(link=link, sizes={one.name: one.bytes for one in self._listed})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections; views of DuckDB cannot be read any more."""
        self._files.close()

    @property
    def tables(self) -> list[str]:
        """The names of the tables."""
        return sorted({artifact.table or "" for artifact in self._listed})

    def duckdb(self, connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyConnection:
        """Make views of all tables in a connection of DuckDB, and return it.

        Each table has three: its rows, `…_closings`, and `…_in(edition)` with the rows of an edition.
        """
        attached = connection or duckdb.connect()
        attached.register_filesystem(self._files)
        for name in self.tables:
            rows, closings = self._paths(name, "rows"), self._paths(name, "closings")
            read = f"FROM read_parquet({closings})" if closings else _NO_CLOSINGS
            if rows:
                attached.execute(_VIEWS.format(name=name.replace("-", "_"), rows=rows, closings=read))
        return attached

    def table(self, name: str, kind: str = "rows") -> StaticTable:
        """Return the Iceberg table of the rows or the closings; its tags name editions."""
        found = [one for one in self._listed if (one.table, one.kind) == (name, f"{kind}_table")]
        if not found:
            raise KeyError(f"{name} {kind}")
        place = f"{_PROTOCOL}://{found[0].name}"
        io = _LakeIO(self._files)
        metadata = FromInputFile.table_metadata(io.new_input(place))
        return StaticTable(
            identifier=(name, kind),
            metadata=metadata,
            metadata_location=place,
            io=io,
            catalog=NoopCatalog(_PROTOCOL),
        )

    def _paths(self, name: str, kind: str) -> list[str]:
        return [f"{_PROTOCOL}://{one.name}" for one in self._listed if (one.table, one.kind) == (name, kind)]


class Files(fsspec.AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types
    """The files of the service by name; whatever folder or bucket a path begins with is left out."""

    protocol = _PROTOCOL
    cachable = False

    def __init__(self, *, link: Link, sizes: dict[str, int]) -> None:
        super().__init__()
        self._link = link
        self._links: dict[str, str] = {}
        self._sizes = sizes
        self._http = httpx.Client(timeout=_TIMEOUT)

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.rpartition("/")[2]

    def info(self, path: str, **_options: Any) -> dict[str, Any]:
        """Return the size of a file; it never changes."""
        name = self._strip_protocol(path)
        if name not in self._sizes:
            whole = self.part(name, 0, 1).headers["content-range"]
            self._sizes[name] = int(whole.rpartition("/")[2])
        return {"name": name, "size": self._sizes[name], "type": "file"}

    def modified(self, path: str) -> datetime:  # noqa: ARG002  # as its base
        """Return one time for all: a name has one content for ever."""
        return datetime(1970, 1, 1, tzinfo=UTC)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def part(self, name: str, start: int, end: int) -> httpx.Response:
        """Return the bytes from `start` up to `end` of a file, by a link that is renewed if it expired."""
        asked = {"Range": f"bytes={start}-{end - 1}"}
        known = self._links.get(name)
        answer = self._http.get(known, headers=asked) if known else None
        if answer is None or answer.status_code == _EXPIRED:
            self._links[name] = self._link(name)
            answer = self._http.get(self._links[name], headers=asked)
        return answer.raise_for_status()

    def _open(self, path: str, mode: str = "rb", **options: Any) -> _Part:
        return _Part(self, self._strip_protocol(path), mode, **options)


class _Part(AbstractBufferedFile):  # type: ignore[misc]  # fsspec has no types
    """A file that is read in parts."""

    def _fetch_range(self, start: int, end: int) -> bytes:
        return bytes(self.fs.part(self.path, start, end).content)


class _LakeIO(FsspecFileIO):
    """Reads every location of a table from the service."""

    def __init__(self, files: Files) -> None:
        super().__init__({})
        self._files = files

    def get_fs(self, scheme: str, hostname: str | None = None) -> Any:  # noqa: ARG002  # as its base
        return self._files
