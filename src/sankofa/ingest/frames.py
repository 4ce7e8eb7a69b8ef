"""The messages between a process that ingests and the child process that parses for it.

A request is pickled, because the parent is trusted. Answers are MessagePack of a declared type: a child that
parsed a hostile document can send wrong records, but nothing that runs in the parent.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from sankofa.ingest.bytes.bounds import Rejections

RECORD_BYTES = 32 << 20  # of one record; the largest real one has less than a tenth of that
BUFFER_BYTES = 256 << 10  # of a side of the link
_BATCH_BYTES = 64 << 10  # of small records that are sent as one message
_ARRAY = struct.Struct(">BI")  # the head of a MessagePack array: its type and its length
_ARRAY_TYPE = 0xDD
LARGEST_BATCH = _ARRAY.size + RECORD_BYTES
_HEAD = struct.Struct(">?Q")
_LARGEST = 1 << 32
_REJECTIONS = "rejections"


class Call(NamedTuple):
    """A function, which a child imports by its name, and its arguments."""

    function: Callable[..., Iterable[Any] | None]
    given: tuple[Any, ...]
    named: Mapping[str, Any]


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """The last message of an answer."""

    rejected: dict[str, tuple[int, str]] = {}  # rows and a sample, by reason
    refusal: tuple[str, str] | None = None  # reason and detail
    is_last: bool = False  # the child has grown, and parses no other document


def send(write: Callable[[bytes], object], message: bytes, *, are_records: bool = False) -> None:
    """Write one message."""
    write(_HEAD.pack(are_records, len(message)))
    write(message)


def send_records(write: Callable[[bytes], object], records: Iterable[bytes]) -> None:
    """Write encoded records, small ones together: a message costs as much as several of them."""
    batch, count = bytearray(), 0
    for record in records:
        if count and len(batch) + len(record) > _BATCH_BYTES:
            send(write, _ARRAY.pack(_ARRAY_TYPE, count) + batch, are_records=True)
            batch, count = bytearray(), 0
        batch += record
        count += 1
    if count:
        send(write, _ARRAY.pack(_ARRAY_TYPE, count) + batch, are_records=True)


def receive(stream: BinaryIO, largest: int = _LARGEST) -> tuple[bool, bytes] | None:
    """Return whether the next message has records, and the message; None if the other side has ended."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    are_records, size = _HEAD.unpack(head)
    if size > largest:
        raise ConnectionError(f"a message of {size} bytes")
    message = stream.read(size)
    return (are_records, message) if len(message) == size else None


class Packer(pickle.Pickler):
    """Pickles a call: a file by its path, and the rejections as a place, whose counts the ending brings."""

    def __init__(self) -> None:
        self._data = io.BytesIO()
        self.rejections = Rejections()
        super().__init__(self._data, pickle.HIGHEST_PROTOCOL)

    def packed(self, call: Call) -> bytes:
        """Return the bytes of a call."""
        self.dump(tuple(call))
        return self._data.getvalue()

    def persistent_id(self, one: Any) -> str | None:  # noqa: ANN401 - as pickle calls it
        """Return what stands for a file or for the rejections."""
        if isinstance(one, Rejections):
            self.rejections = one
            return _REJECTIONS
        return str(Path(one.name).absolute()) if isinstance(one, io.BufferedReader) else None


class Unpacker(pickle.Unpickler):
    """Restores a call in the child, and opens its files."""

    def __init__(self, data: bytes, rejections: Rejections, files: ExitStack) -> None:
        super().__init__(io.BytesIO(data))
        self._rejections = rejections
        self._files = files

    def persistent_load(self, name: str) -> object:
        """Return the rejections of the child, or the opened file."""
        return self._rejections if name == _REJECTIONS else self._files.enter_context(Path(name).open("rb"))
