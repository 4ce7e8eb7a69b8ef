"""Documents that the archive has and the database lacks: after a restore, those since the backup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from sankofa.core.errors import Refused
from sankofa.ingest import archive
from sankofa.ingest.archive import Document
from sankofa.ingest.sources import source
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)
_NOTE = re.compile(r"documents/../([0-9a-f]{64})\.(.+)\.json")


class Note(msgspec.Struct, frozen=True):
    """What the archive notes beside a document: where and when it came from."""

    source: str
    url: str | None
    fetched_at: datetime


def lacking(connection: Connection, objects: Objects) -> Iterator[Document]:
    """Yield the documents that the database has not read, each as a file that lasts until the next."""
    read = {(source_name, sha256) for source_name, sha256 in connection.execute(_SQL["read_before"])}
    for key in objects.keys("documents/"):
        if (found := _NOTE.fullmatch(key)) and (found[2], bytes.fromhex(found[1])) not in read:
            with TemporaryDirectory() as folder:
                yield _document(objects, key, bytes.fromhex(found[1]), Path(folder) / "document")


def _document(objects: Objects, key: str, sha256: bytes, file: Path) -> Document:
    note = msgspec.json.decode(objects.fetch(key) or b"", type=Note)
    with file.open("wb") as content:
        if objects.sha256(archive.key(sha256), content) != sha256:
            raise Refused(
                f"{archive.key(sha256)} is missing or altered: put back the bytes with that SHA-256"
            )
    return Document(source=source(note.source), content=file, fetched_at=note.fetched_at, url=note.url)
