"""The bytes of a document, unpacked if it is gzip or zip.

Sizes stated by a document are not trusted: bytes are counted while they are unpacked. Nothing is written to
disk, so a path inside an archive is only a name.
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from typing import IO, TYPE_CHECKING, BinaryIO

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BOM = b"\xef\xbb\xbf"
PIECE_BYTES = 1 << 18
_CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_ENCRYPTED = 0x1
# The only two methods that zipfile inflates piece by piece; the others unpack a bomb at once.
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,  # zipfile reads the last letter of a member's name, which may be empty
    ValueError,
    NotImplementedError,
)


def is_zip(document: BinaryIO | bytes) -> bool:
    """Return whether a document is a zip archive, by its first bytes. A stream must be seekable."""
    stream = _opened(document)
    stream.seek(0)
    return stream.read(4) in _ZIP


def content(document: BinaryIO | bytes, limits: Limits = LIMITS) -> bytes:
    """Return the bytes of a document, unpacked if it is gzip."""
    stream = _opened(document)
    stream.seek(0)
    packed = _read_all(stream, limits)
    if not packed.startswith(_GZIP):
        return packed
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as unpacked:
        return _read_all(io.BufferedReader(_Counted(unpacked, len(packed), limits), _CHUNK), limits)


class Member:
    """One file of a zip archive: its name, and its bytes, which can be read repeatedly."""

    def __init__(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> None:
        self.name = entry.filename
        self.size = entry.file_size  # unpacked, as the archive claims
        self._archive = archive
        self._entry = entry
        self._limits = limits

    def read(self) -> bytes:
        """Return all bytes, unpacked."""
        with self.opened() as stream:
            return _read_all(stream, self._limits)

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes piece by piece, unpacked as they are read."""
        with self.opened() as stream:
            yield from _pieces(stream)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines, unpacked as they are read, without their ends (LF or CRLF)."""
        longest = self._limits.line_bytes
        with self.opened() as stream:
            while line := stream.readline(longest + 1):
                if len(line) > longest:
                    raise UnreadableDocument("line_too_long", self.name)
                yield line.rstrip(b"\r\n")

    def opened(self) -> io.BufferedReader:
        """Return a stream of the bytes, unpacked as they are read and within the bounds."""
        if self._entry.flag_bits & _ZIP_ENCRYPTED or self._entry.compress_type not in _ZIP_METHODS:
            raise UnreadableDocument("archive_method_unsupported", self.name)
        try:
            stream = self._archive.open(self._entry)
        except _DAMAGE as damage:
            raise UnreadableDocument("archive_damaged", f"{self.name}: {damage}") from damage
        return io.BufferedReader(_Counted(stream, self._entry.compress_size, self._limits), _CHUNK)


def members(document: BinaryIO | bytes, limits: Limits = LIMITS) -> list[Member]:
    """Return the files of a zip archive in its own order. A stream must be seekable, and stay open.

    A member yields at most the packed bytes of its entry. So while all entries together fit into the
    archive, overlapping members cannot unpack to more than `ratio` times the received bytes.
    """
    stream = _opened(document)
    try:
        archive = zipfile.ZipFile(_SmallReads(stream, limits.directory_bytes))
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
    except _DAMAGE as damage:
        raise UnreadableDocument("archive_damaged", str(damage)) from damage
    if not all(entry.filename for entry in files):
        raise UnreadableDocument("archive_damaged", "a file has no name")
    if sum(entry.compress_size for entry in files) > stream.seek(0, io.SEEK_END):
        raise UnreadableDocument("archive_damaged", "members overlap")
    return [Member(archive, entry, limits) for entry in files]


def pieces(document: BinaryIO | bytes, limits: Limits = LIMITS) -> Iterator[bytes]:
    """Yield the bytes of a plain, gzip or zip document piece by piece; an archive must hold one file.

    A stream must be seekable; it is read from its beginning and left open.
    """
    stream = _opened(document)
    if is_zip(stream):
        found = members(stream, limits)
        if len(found) != 1:
            raise UnreadableDocument("unexpected_members", f"{len(found)} files in the archive")
        yield from found[0].pieces()
        return
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    packed = stream.read(len(_GZIP)) == _GZIP
    stream.seek(0)
    if packed:
        with io.BufferedReader(_Counted(gzip.GzipFile(fileobj=stream), size, limits)) as unpacking:
            yield from _pieces(unpacking)
    elif size > limits.document_bytes:
        raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    else:
        yield from _pieces(stream)


def opening(document: BinaryIO | bytes, limits: Limits) -> bytes:
    """Return the first byte that is neither blank nor part of a byte order mark."""
    return next(pieces(document, limits), b"").lstrip(BOM + b" \t\r\n")[:1]


def files(
    document: BinaryIO | bytes,
    rejections: Rejections,
    limits: Limits,
    *,
    endings: tuple[str, ...],
    holds: str,
    ignored: str = "/",
) -> Iterator[bytes]:
    """Yield a document's bytes, or those of each file in an archive whose name has one of the suffixes.

    Other files are counted as rejected, except those with an ignored prefix.
    """
    if not is_zip(document):
        yield content(document, limits)
        return
    found = False
    for member in members(document, limits):
        if member.name.startswith(ignored):
            continue
        if not member.name.endswith(endings):
            rejections.add("unexpected_member", member.name)
        elif data := member.read():
            found = True
            yield data
        else:
            rejections.add("empty_member", member.name)
    if not found:
        raise UnreadableDocument("missing_table", f"no {holds} in the archive")


def _opened(document: BinaryIO | bytes) -> BinaryIO:
    return io.BytesIO(document) if isinstance(document, bytes) else document


def _read_all(stream: BinaryIO | io.BufferedReader, limits: Limits) -> bytes:
    """Return all bytes. They are read piece by piece: one read would reserve the memory of the largest."""
    left = limits.document_bytes
    found = []
    while piece := stream.read(_CHUNK):
        found.append(piece)
        left -= len(piece)
        if left < 0:
            raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    return b"".join(found)


def _pieces(stream: BinaryIO | io.BufferedReader) -> Iterator[bytes]:
    return iter(partial(stream.read, PIECE_BYTES), b"")


class _Counted(io.RawIOBase):
    """An unpacking stream that raises if it becomes too large or its packing ratio is too high."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, packed: int, limits: Limits) -> None:
        self._stream = stream
        self._left = min(limits.document_bytes, max(limits.ratio_free_bytes, packed * limits.ratio))
        self._reason = (
            "document_too_large" if self._left == limits.document_bytes else "archive_packed_too_densely"
        )

    def readable(self) -> bool:
        """Return True: it is a readable stream."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer with one unpacked piece. Raise if a limit is exceeded."""
        view = memoryview(buffer)
        try:
            data = self._stream.read(min(len(view), _CHUNK))
        except _DAMAGE as damage:
            raise UnreadableDocument("archive_damaged", str(damage)) from damage
        self._left -= len(data)
        if self._left < 0:
            raise UnreadableDocument(self._reason, "stopped while unpacking")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close this stream and the packed one."""
        self._stream.close()
        super().close()


class _SmallReads(io.BufferedIOBase):
    """A file for zipfile with bounded reads, because zipfile reads a directory of any stated size at once."""

    def __init__(self, stream: BinaryIO, largest: int) -> None:
        self._stream = stream
        self._largest = largest

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        if whence == io.SEEK_SET and offset < 0:
            raise zipfile.BadZipFile("an offset before the beginning")
        return self._stream.seek(offset, whence)

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = self._largest + 1 if size is None or size < 0 else min(size, self._largest + 1)
        data = self._stream.read(wanted)
        if len(data) > self._largest:
            raise zipfile.BadZipFile("a directory too large")
        return data
