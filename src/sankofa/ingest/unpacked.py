"""The bytes of a document piece by piece, unpacked where it is packed: a large one is never held whole."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from typing import BinaryIO

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bounds import LIMITS, Counted, Limits, is_zip, members

PIECE_BYTES = 1 << 18
_GZIP = b"\x1f\x8b"


def pieces(document: BinaryIO | bytes, limits: Limits = LIMITS) -> Iterator[bytes]:
    """Yield the bytes of a plain, gzip or zip document; an archive must hold one file.

    A stream must be seekable; it is read from its beginning and left open.
    """
    stream = io.BytesIO(document) if isinstance(document, bytes) else document
    if is_zip(stream):
        found = members(stream, limits)
        if len(found) != 1:
            raise UnreadableDocument("unexpected_members", f"{len(found)} files in the archive")
        with found[0].opened() as unpacking:
            yield from _pieces(unpacking)
        return
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    packed = stream.read(2) == _GZIP
    stream.seek(0)
    if packed:
        with io.BufferedReader(Counted(gzip.GzipFile(fileobj=stream), size, limits)) as unpacking:
            yield from _pieces(unpacking)
    elif size > limits.document_bytes:
        raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    else:
        yield from _pieces(stream)


def _pieces(stream: BinaryIO | io.BufferedReader) -> Iterator[bytes]:
    while piece := stream.read(PIECE_BYTES):
        yield piece
