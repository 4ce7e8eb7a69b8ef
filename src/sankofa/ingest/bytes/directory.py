"""Read the directory of a zip archive entry by entry, without holding a million entries in memory.

Several processes read different members of one archive at the same time, so an entry stores its own offset:
reading can start at any entry. Sizes in an entry are not trusted: bytes are counted while they are unpacked,
within the limits of `bounds.py`, and the checksum is compared.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, NamedTuple

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Limits

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_LONGEST_COMMENT = 0xFFFF
_IN_EXTRA = 0xFFFFFFFF  # the number is in the extra field
_EXTRA_64 = 1
_ENCRYPTED = 0x1
_UTF_8 = 0x800
_WINDOW_BITS = -15  # deflate without a header


class Entry(NamedTuple):
    """The directory entry of one member."""

    place: int  # where the entry begins
    name: str
    flags: int
    method: int
    checksum: int
    packed: int  # bytes
    unpacked: int
    header: int  # where the member begins

    @property
    def is_file(self) -> bool:
        """Whether it is a file, and not a folder."""
        return not self.name.endswith("/")


class PackedFile(NamedTuple):
    """One file of an archive, as it is packed; the parser unpacks it."""

    entry: Entry
    data: bytes

    @property
    def name(self) -> str:
        """The name in the archive."""
        return self.entry.name

    def read(self) -> bytes:
        """Return its bytes, unpacked."""
        return unpacked(self.data, self.entry)


def entries(archive: BinaryIO, place: int | None = None, count: int | None = None) -> Iterator[Entry]:
    """Yield the entries: all of them, or a number of them from the offset of an entry."""
    size = archive.seek(0, 2)
    if place is None:
        place, count = _directory(archive, size)
    return islice(_entries(archive, place, size), count)


def packed(archive: BinaryIO, entry: Entry, limits: Limits = LIMITS) -> bytes:
    """Return the bytes of a member as they are in the archive."""
    if entry.packed > limits.document_bytes:
        raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    archive.seek(entry.header)
    head = _fields(_LOCAL, archive.read(_LOCAL.size), b"PK\x03\x04", entry.name)
    archive.seek(head[-2] + head[-1], 1)
    data = archive.read(entry.packed)
    if len(data) < entry.packed:
        raise UnreadableDocument("archive_damaged", f"{entry.name}: cut off")
    return data


def unpacked(data: bytes, entry: Entry, limits: Limits = LIMITS) -> bytes:
    """Return a member's unpacked bytes. Raise UnreadableDocument if they are corrupt or too large."""
    if entry.flags & _ENCRYPTED or entry.method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableDocument("archive_method_unsupported", entry.name)
    if entry.method == zipfile.ZIP_DEFLATED:
        data = _inflated(data, entry, limits)
    if len(data) != entry.unpacked or zlib.crc32(data) != entry.checksum:
        raise UnreadableDocument("archive_damaged", f"{entry.name}: another checksum")
    return data


def _inflated(data: bytes, entry: Entry, limits: Limits) -> bytes:
    most = min(limits.document_bytes, max(limits.ratio_free_bytes, len(data) * limits.ratio))
    unpacking = zlib.decompressobj(_WINDOW_BITS)
    try:
        found = unpacking.decompress(data, most + 1)
    except zlib.error as damage:
        raise UnreadableDocument("archive_damaged", f"{entry.name}: {damage}") from damage
    if len(found) > most:
        is_large = most == limits.document_bytes
        raise UnreadableDocument(
            "document_too_large" if is_large else "archive_packed_too_densely", "stopped while unpacking"
        )
    if not unpacking.eof:
        raise UnreadableDocument("archive_damaged", f"{entry.name}: cut off")
    return found


def _directory(archive: BinaryIO, size: int) -> tuple[int, int]:
    """Return the offset of the directory and the number of its entries."""
    start = max(0, size - _END.size - _LONGEST_COMMENT)
    archive.seek(start)
    tail = archive.read()
    at = tail.rfind(b"PK\x05\x06")
    end = _fields(_END, tail[at : at + _END.size] if at >= 0 else b"", b"PK\x05\x06", "its end")
    count, place = end[4], end[6]
    archive.seek(max(0, start + at - _LOCATOR_64.size))
    locator = archive.read(_LOCATOR_64.size)
    if locator.startswith(b"PK\x06\x07"):
        archive.seek(min(size, _LOCATOR_64.unpack(locator)[2]))
        end_64 = _fields(_END_64, archive.read(_END_64.size), b"PK\x06\x06", "its end")
        count, place = end_64[7], end_64[9]
    if place > size:
        raise UnreadableDocument("archive_damaged", "its directory is not there")
    return place, count


def _entries(archive: BinaryIO, place: int, size: int) -> Iterator[Entry]:
    """Yield entries. Raise if the members together claim more bytes than the archive has."""
    left = size
    while True:
        archive.seek(place)
        fields = _fields(_ENTRY, archive.read(_ENTRY.size), b"PK\x01\x02", "its directory")
        _, _, _, flags, method, _, _, checksum, small, large, name_size, extra_size, comment_size, *_, at = (
            fields
        )
        name = archive.read(name_size).decode("utf-8" if flags & _UTF_8 else "cp437", "replace")
        large, small, at = _numbers_64(archive.read(extra_size), large, small, at)
        left -= small
        if left < 0 or at > size:
            raise UnreadableDocument("archive_damaged", "members overlap")
        yield Entry(place, name, flags, method, checksum, small, large, at)
        place += _ENTRY.size + name_size + extra_size + comment_size


def _numbers_64(extra: bytes, *numbers: int) -> list[int]:
    """Return the sizes and the offset; those too large for their fields come from the extra field."""
    place = 0
    longs = b""
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        if kind == _EXTRA_64:
            longs = extra[place + 4 : place + 4 + length]
        place += 4 + length
    found = iter(struct.unpack(f"<{len(longs) // 8}Q", longs[: len(longs) // 8 * 8]))
    try:
        return [next(found) if number == _IN_EXTRA else number for number in numbers]
    except StopIteration as missing:
        raise UnreadableDocument("archive_damaged", "a size is missing") from missing


def _fields(form: struct.Struct, data: bytes, mark: bytes, where: str) -> tuple[int, ...]:
    if len(data) < form.size or not data.startswith(mark):
        raise UnreadableDocument("archive_damaged", f"{where} cannot be read")
    return form.unpack(data)
