"""Keep files and record them: an object is uploaded, read back, and only then recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sankofa.core.errors import StoreUnavailable
from sankofa.editions.locks import share_with_takedowns
from sankofa.export.sweep import prefix
from sankofa.export.tables import WHOLE, DueTable
from sankofa.storage.iceberg import Committed
from sankofa.storage.objects import Objects
from sankofa.storage.parquet import Columns, Written
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "record.sql")


class ExportedEdition(NamedTuple):
    """The edition that files are made from, and the newest takedown before they are read."""

    number: int
    takedown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """A complete local file, and its summary."""

    file: Path
    written: Written
    sha256: bytes
    license_class: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeper:
    """The buckets and the records of one run."""

    connection: Connection
    edition: ExportedEdition
    open: Objects
    licensed: Objects
    open_url: str  # where anybody reads the open bucket

    def keep(self, aside: Aside, about: Mapping[str, object]) -> int | None:
        """Keep a Parquet file and return its rows; None if a takedown happened since the run began."""
        is_open = about["kind"] == "panel"
        bucket = self.open if is_open else self.licensed
        key = f"{prefix(self.connection)}{about['name']}"
        bucket.keep(key, aside.file)
        if bucket.sha256(key) != aside.sha256:
            bucket.remove([key])
            raise StoreUnavailable("objects", "a file was not kept as it was written")
        record = {
            **about,
            "rows": aside.written.rows,
            "bytes": aside.file.stat().st_size,
            "sha256": aside.sha256,
            "license_class": aside.license_class,
            "url": f"{self.open_url.rstrip('/')}/{key}" if is_open else _address(about["name"]),
            "object_key": key,
            "columns": _schema(aside.written.columns),
        }
        return aside.written.rows if self._record([record]) else None

    def keep_table(self, due: DueTable, committed: Committed) -> bool:
        """Record what a commit wrote, at once; return False if a takedown happened since the run began."""
        whole = {"rows": due.rows, "kind": f"{due.kind}_table", "columns": _schema(due.columns)}
        part = {"rows": 0, "kind": f"{due.kind}_manifest", "columns": _schema(())}
        named = self._rename(due, committed.metadata)
        written = [(named, whole), *((key, part) for key in committed.manifests)]
        return self._record([self._about_table(due, key, about) for key, about in written])

    def _rename(self, due: DueTable, key: str) -> str:
        """Copy the metadata of a table to a name that tells table and edition; return its key."""
        content = self._fetch(key)
        mark = f"e{due.batches[-1].edition:06}-{hashlib.sha256(content).hexdigest()[:8]}"
        named = f"{prefix(self.connection)}{due.lake.name}-{due.kind}-{mark}.metadata.json"
        self.licensed.keep(named, content)
        return named

    def _fetch(self, key: str) -> bytes:
        content = self.licensed.fetch(key)
        if content is None:
            raise StoreUnavailable("objects", "a table was not kept as it was written")
        return content

    def _about_table(self, due: DueTable, key: str, about: Mapping[str, object]) -> Mapping[str, object]:
        content, name = self._fetch(key), key.rpartition("/")[2]
        return {
            **WHOLE,
            **about,
            "last": due.batches[-1].edition,
            "bytes": len(content),
            "sha256": hashlib.sha256(content).digest(),
            "subject": due.lake.name,
            "name": name,
            "license_class": due.license_class,
            "url": _address(name),
            "object_key": key,
        }

    def _record(self, files: Iterable[Mapping[str, object]]) -> bool:
        made_from = {"edition": self.edition.number, "takedown": self.edition.takedown}
        with self.connection.transaction():
            self.connection.execute("SET TRANSACTION READ WRITE")
            share_with_takedowns(self.connection)
            return all(
                self.connection.execute(_SQL["record"], {**made_from, **file}).fetchone() for file in files
            )


def _schema(columns: Columns) -> str:
    return json.dumps([{"name": name, "type": kind} for name, kind in columns])


def _address(name: object) -> str:
    return f"/v1/export/files/{name}"
