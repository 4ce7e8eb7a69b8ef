"""Iceberg tables over Parquet files that are in a bucket already; PyIceberg writes metadata alone.

Manifests hold numbers of rows and editions and no text of a row, so a name is in Parquet files only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pyiceberg.catalog.memory import InMemoryCatalog
from pyiceberg.schema import Schema
from pyiceberg.table import Table, Transaction
from pyiceberg.table.update.snapshot import ManageSnapshots
from pyiceberg.types import (
    BooleanType,
    DateType,
    DecimalType,
    IcebergType,
    IntegerType,
    ListType,
    LongType,
    NestedField,
    StringType,
    TimestamptzType,
)

from sankofa.core.errors import StoreUnavailable
from sankofa.storage.objects import ObjectOptions
from sankofa.storage.parquet import Columns

_NAMED = ("export", "table")  # the catalogue lives as long as one commit
_TYPES: dict[str, IcebergType] = {
    "BIGINT": LongType(),
    "INTEGER": IntegerType(),
    "BOOLEAN": BooleanType(),
    "VARCHAR": StringType(),
    "DATE": DateType(),
    "TIMESTAMP WITH TIME ZONE": TimestamptzType(),
}
_DECIMAL = re.compile(r"DECIMAL\((\d+),(\d+)\)")
_BOUNDED = ("row_id", "published_in", "closed_in")  # columns whose bounds readers may skip files by
_SETTINGS = {
    "commit.manifest-merge.enabled": "true",
    "commit.manifest.min-count-to-merge": "32",
    "write.metadata.previous-versions-max": "1",
    "write.metadata.metrics.default": "none",
    **{f"write.metadata.metrics.column.{name}": "full" for name in _BOUNDED},
}


class Batch(NamedTuple):
    """The files that hold what was new up to an edition, as keys of the bucket."""

    edition: int
    files: Sequence[str]


class Committed(NamedTuple):
    """The keys of what a commit wrote: the metadata of the table, then its lists and manifests."""

    metadata: str
    manifests: Sequence[str]


class Tables:
    """The tables of one bucket. Every call ends within the time limit of the store."""

    def __init__(self, options: ObjectOptions) -> None:
        self._root = f"s3://{options.bucket}/"
        seconds = str(options.timeout.total_seconds())
        self._properties = {
            "s3.endpoint": options.endpoint,
            "s3.access-key-id": options.access_key,
            "s3.secret-access-key": options.secret_key,
            "s3.region": "us-east-1",
            "s3.connect-timeout": seconds,
            "s3.request-timeout": seconds,
        }

    def commit(
        self,
        folder: str,
        columns: Columns,
        meanings: Mapping[str, str],
        batches: Sequence[Batch],
        *,
        onto: str | None,
    ) -> Committed:
        """Add a snapshot and a tag for each batch, to the table of a metadata file or to a new one."""
        try:
            table = self._open(folder, schema(columns, meanings), onto)
            known = {snapshot.snapshot_id for snapshot in table.snapshots()}
            with table.transaction() as transaction:
                for batch in batches:
                    self._append(transaction, batch)
            written = dict.fromkeys(self._manifests(table, known))
            return Committed(self._key(table.metadata_location), list(written))
        except (OSError, ValueError) as error:
            raise StoreUnavailable("objects", "a table could not be written") from error

    def _open(self, folder: str, wanted: Schema, onto: str | None) -> Table:
        catalog = InMemoryCatalog("export", **self._properties)
        catalog.create_namespace(_NAMED[0])
        if onto:
            return catalog.register_table(_NAMED, f"{self._root}{onto}")
        place = f"{self._root}{folder.rstrip('/')}"
        settings = {**_SETTINGS, "write.metadata.path": place, "write.data.path": place}
        return catalog.create_table(_NAMED, wanted, location=place, properties=settings)

    def _append(self, transaction: Transaction, batch: Batch) -> None:
        places = [f"{self._root}{key}" for key in batch.files]
        noted = {"sankofa.edition": str(batch.edition)}
        transaction.add_files(places, snapshot_properties=noted, check_duplicate_files=False)
        newest = transaction.table_metadata.current_snapshot_id
        if newest is None:
            raise ValueError("a batch without a snapshot")
        with ManageSnapshots(transaction) as refs:
            refs.create_tag(newest, f"edition-{batch.edition}")

    def _manifests(self, table: Table, known: set[int]) -> Iterator[str]:
        for snapshot in table.snapshots():
            if snapshot.snapshot_id not in known:
                yield self._key(snapshot.manifest_list)
                for manifest in snapshot.manifests(table.io):
                    if manifest.added_snapshot_id not in known:
                        yield self._key(manifest.manifest_path)

    def _key(self, location: str) -> str:
        return location.removeprefix(self._root)


def schema(columns: Columns, meanings: Mapping[str, str]) -> Schema:
    """Return the Iceberg schema of the columns of a file, with their meanings."""
    lists = (len(columns) + place for place in range(1, len(columns) + 1))  # ids of elements
    return Schema(
        *(
            NestedField(number, name, _type(kind, element), required=False, doc=meanings.get(name))
            for number, ((name, kind), element) in enumerate(zip(columns, lists, strict=True), start=1)
        )
    )


def _type(kind: str, element: int) -> IcebergType:
    if kind.endswith("[]"):
        return ListType(element, _type(kind[:-2], element), element_required=False)
    exact = _DECIMAL.fullmatch(kind)
    return DecimalType(int(exact[1]), int(exact[2])) if exact else _TYPES[kind]
