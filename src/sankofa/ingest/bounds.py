"""What a document may ask of us: how large and how dense it may be before it is refused.

Nothing a document says about its own size is believed: bytes are counted while they are unpacked.
Nothing is written anywhere, so a path inside an archive is only ever a name.
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, TYPE_CHECKING, BinaryIO

import msgspec

from sankofa.core.errors import UnreadableDocument

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_CHUNK = 1 << 20
_SAMPLE_CHARACTERS = 120
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_ZIP_ENCRYPTED = 0x1
# The only two methods that zipfile inflates piece by piece; the others hand over a whole bomb at once.
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    struct.error,
    EOFError,
    IndexError,  # zipfile asks for the last letter of a member's name, and it may have none
    ValueError,
    NotImplementedError,
)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The bounds of one document."""

    document_bytes: int = 2 << 30  # of a document, or of one member of an archive, unpacked
    ratio: int = 100  # unpacked bytes per packed byte
    ratio_free_bytes: int = 1 << 20  # unpacked bytes that may have any ratio: small files pack well
    directory_bytes: int = 16 << 20  # of an archive's list of members, which is read in one piece
    line_bytes: int = 1 << 20  # of one line of a table
    depth: int = 64  # of nested JSON objects and arrays
    string_bytes: int = 1 << 20  # of one JSON string, as written
    number_characters: int = 1_000  # of one JSON number, as written
    digits: int = 38  # of a value, of which `fraction_digits` are reserved for after the point
    fraction_digits: int = 12


LIMITS = Limits()


class Rejections:
    """What was left out of a document, counted by reason, with the first sample of each."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.samples: dict[str, str] = {}

    def add(self, reason: str, sample: object, rows: int = 1) -> None:
        """Count rows under a reason, a stable snake_case word; the sample is cut and made printable."""
        self.counts[reason] += rows
        if reason not in self.samples:
            short = str(sample)[:_SAMPLE_CHARACTERS]
            self.samples[reason] = "".join(letter if letter.isprintable() else "?" for letter in short)


def exact(number: int | Decimal, limits: Limits = LIMITS) -> Decimal | None:
    """Return the number without padding zeros or exponent, or None where it is out of bounds.

    So 1E+5, 100000 and 100000.0000 are one value with one text, whichever source wrote it.
    """
    whole_digits = limits.digits - limits.fraction_digits
    if isinstance(number, int):
        value = Decimal(number)
        return value if value.adjusted() < whole_digits else None
    if not number:
        return Decimal(0)
    if not number.is_finite() or not -limits.fraction_digits <= number.adjusted() < whole_digits:
        return None
    written = str(number)
    _, _, fraction = written.partition(".")
    if "E" not in written and not fraction.endswith("0"):  # nothing to take away: nearly every number
        return number if len(fraction) <= limits.fraction_digits else None
    whole = int(number)
    if whole == number:
        return Decimal(whole)
    text = f"{number:f}".rstrip("0")
    return Decimal(text) if len(text) - text.index(".") - 1 <= limits.fraction_digits else None


def is_zip(document: BinaryIO | bytes) -> bool:
    """Tell by its first bytes whether a document is a zip archive. A stream must be seekable."""
    stream = _opened(document)
    stream.seek(0)
    return stream.read(4) in _ZIP


def content(document: BinaryIO | bytes, limits: Limits = LIMITS) -> bytes:
    """Return the bytes of a document, unpacked where it is gzip."""
    stream = _opened(document)
    stream.seek(0)
    packed = _read_all(stream, limits)
    if not packed.startswith(_GZIP):
        return packed
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as unpacked:
        return _read_all(io.BufferedReader(Counted(unpacked, len(packed), limits), _CHUNK), limits)


class Member:
    """One file of a zip archive: its name, and its bytes as often as they are wanted."""

    def __init__(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, limits: Limits) -> None:
        self.name = entry.filename
        self._archive = archive
        self._entry = entry
        self._limits = limits

    def read(self) -> bytes:
        """Return all bytes, unpacked."""
        with self.opened() as stream:
            return _read_all(stream, self._limits)

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
        return io.BufferedReader(Counted(stream, self._entry.compress_size, self._limits), _CHUNK)


def members(document: BinaryIO | bytes, limits: Limits = LIMITS) -> list[Member]:
    """Return the files of a zip archive in its own order. A stream must be seekable, and stay open.

    A member gives out at most the packed bytes its entry claims, so while all claims together fit into
    the archive, no overlap of members can unpack to more than `ratio` times what was received.
    """
    stream = _opened(document)
    try:
        archive = zipfile.ZipFile(_SmallReads(stream, limits.directory_bytes))
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
    except _DAMAGE as damage:
        raise UnreadableDocument("archive_damaged", str(damage)) from damage
    if sum(entry.compress_size for entry in files) > stream.seek(0, io.SEEK_END):
        raise UnreadableDocument("archive_damaged", "members overlap")
    return [Member(archive, entry, limits) for entry in files]


def _opened(document: BinaryIO | bytes) -> BinaryIO:
    return io.BytesIO(document) if isinstance(document, bytes) else document


def _read_all(stream: BinaryIO | io.BufferedReader, limits: Limits) -> bytes:
    data = stream.read(limits.document_bytes + 1)
    if len(data) > limits.document_bytes:
        raise UnreadableDocument("document_too_large", f"more than {limits.document_bytes} bytes")
    return data


class Counted(io.RawIOBase):
    """A stream being unpacked that stops where it has become too large or was packed too densely."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, packed: int, limits: Limits) -> None:
        self._stream = stream
        self._left = min(limits.document_bytes, max(limits.ratio_free_bytes, packed * limits.ratio))
        self._reason = (
            "document_too_large" if self._left == limits.document_bytes else "archive_packed_too_densely"
        )

    def readable(self) -> bool:
        """Say that it is for reading."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the buffer as far as one unpacked piece goes, or refuse to go on."""
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
        """Close what is being unpacked, too."""
        self._stream.close()
        super().close()


class _SmallReads(io.BufferedIOBase):
    """A file for zipfile, which reads a directory of any claimed size in one piece unless it is stopped."""

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
        asked = self._largest + 1 if size is None or size < 0 else min(size, self._largest + 1)
        data = self._stream.read(asked)
        if len(data) > self._largest:
            raise zipfile.BadZipFile("a directory too large")
        return data
