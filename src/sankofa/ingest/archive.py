"""Where documents are kept: their bytes in S3 under their sha256, before anything is read from them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

import msgspec

from sankofa.ingest.sources import Source
from sankofa.storage.objects import Objects


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Bytes fetched from a source."""

    source: Source
    content: bytes
    fetched_at: datetime
    url: str | None = None

    @property
    def sha256(self) -> bytes:
        """The document's identity: publishers refill files without changing name or date."""
        return hashlib.sha256(self.content).digest()


def key(sha256: bytes) -> str:
    """Return the object a document's bytes are kept under."""
    name = sha256.hex()
    return f"documents/{name[:2]}/{name}"


def keep(objects: Objects, document: Document) -> None:
    """Keep the bytes, and beside them a note of where and when they came from."""
    name = key(document.sha256)
    objects.keep(name, document.content)
    note = {
        "source": document.source.name,
        "url": document.url,
        "license_class": document.source.license_class,
        "fetched_at": document.fetched_at,
        "bytes": len(document.content),
    }
    objects.keep(f"{name}.{document.source.name}.json", msgspec.json.encode(note))
