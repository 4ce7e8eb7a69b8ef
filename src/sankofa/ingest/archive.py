"""The archive of documents: their bytes in S3 under their SHA-256, stored before they are parsed."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, cast

import msgspec

from sankofa.core.errors import Refused
from sankofa.editions.kept import Kept
from sankofa.ingest.source import Source
from sankofa.ingest.validators import Validators
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
_NOTE = re.compile(r"documents/../([0-9a-f]{64})\.(.+)\.json")
PART = "documents"  # their name in a verification


@dataclass(frozen=True, kw_only=True)
class Document:
    """Bytes fetched from a source, in memory or as a file that may be larger than memory."""

    source: Source
    content: bytes | Path
    fetched_at: datetime
    url: str | None = None
    validators: Validators | None = None  # of the file at the URL, for conditional requests
    digest: bytes | None = None  # SHA-256, if already computed

    def opened(self) -> BinaryIO:
        """Return the bytes as a stream, to be closed by the reader."""
        return self.content.open("rb") if isinstance(self.content, Path) else io.BytesIO(self.content)

    @cached_property
    def size(self) -> int:
        """The document's length in bytes."""
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    @cached_property
    def sha256(self) -> bytes:
        """The document's identity, because publishers change files without changing name or date."""
        if self.digest is not None:
            return self.digest
        with self.opened() as stream:
            return hashlib.file_digest(cast(io.BufferedIOBase, stream), "sha256").digest()


class _Note(msgspec.Struct, frozen=True):
    """The note stored beside a document: where and when it was fetched."""

    source: str
    url: str | None
    fetched_at: datetime


class _Day(msgspec.Struct, frozen=True):
    """The note of a corrected day beside a document."""

    fetched_at: datetime


def key(sha256: bytes) -> str:
    """Return the object key of a document's bytes."""
    name = sha256.hex()
    return f"documents/{name[:2]}/{name}"


def keep(objects: Objects, document: Document) -> None:
    """Store the bytes, and a note of where and when they were fetched."""
    name = key(document.sha256)
    objects.keep(name, document.content)
    note = {
        "source": document.source.name,
        "url": document.url,
        "license_class": document.source.license_class,
        "fetched_at": document.fetched_at,
        "bytes": document.size,
    }
    objects.keep(f"{name}.{document.source.name}.json", msgspec.json.encode(note))


def archived(connection: Connection, edition: int | None) -> Iterator[Kept]:
    """Return the archived documents: all, or those that one edition was the first to hold."""
    with connection.cursor() as cursor:
        for first, source_name, sha256 in cursor.stream(_SQL["archived"], {"edition": edition}):
            digest = cast(bytes, sha256)
            yield Kept(cast(int, first), PART, f"{source_name}@sha256:{digest.hex()}", key(digest), digest)


def unread(connection: Connection, objects: Objects, named: Callable[[str], Source]) -> Iterator[Document]:
    """Yield the documents that the database has not read, each as a file that lasts until the next.

    After a restore, these are the documents since the backup.
    """
    read = {(source_name, sha256) for source_name, sha256 in connection.execute(_SQL["read_before"])}
    for name in objects.keys("documents/"):
        if (found := _NOTE.fullmatch(name)) and (found[2], bytes.fromhex(found[1])) not in read:
            with TemporaryDirectory() as folder:
                yield _document(objects, named, name, bytes.fromhex(found[1]), Path(folder) / "document")


def _document(
    objects: Objects, named: Callable[[str], Source], note_key: str, sha256: bytes, file: Path
) -> Document:
    note = msgspec.json.decode(objects.fetch(note_key) or b"", type=_Note)
    days = sorted(objects.keys(_days(note.source, sha256)))
    fetched_at = msgspec.json.decode(objects.fetch(days[-1]) or b"", type=_Day).fetched_at if days else None
    fetch(objects, sha256, file)
    return Document(
        source=named(note.source), content=file, fetched_at=fetched_at or note.fetched_at, url=note.url
    )


def fetch(objects: Objects, sha256: bytes, file: Path) -> Path:
    """Copy the bytes of a document from the archive to a file. Raise if they are missing."""
    with file.open("wb") as content:
        if objects.sha256(key(sha256), content) != sha256:
            raise Refused(f"{key(sha256)} is missing or altered: put back the bytes with that SHA-256")
    return file


def keep_day(objects: Objects, source_name: str, sha256: bytes, fetched_at: datetime) -> None:
    """Store the corrected day beside a document, for a database that is restored from an older backup."""
    note = msgspec.json.encode({"fetched_at": fetched_at})
    objects.keep(f"{_days(source_name, sha256)}/{datetime.now(UTC):%Y%m%dT%H%M%S%f}", note)


def _days(source_name: str, sha256: bytes) -> str:
    return f"{key(sha256)}.{source_name}.days"
