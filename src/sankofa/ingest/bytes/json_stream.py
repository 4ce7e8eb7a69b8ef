"""Find the bounds of JSON values in a stream without decoding them, in bounded memory.

Only brackets, strings and separators are parsed; the decoder of a value decides whether it is valid JSON.
Encoding, NUL, depth and the length of strings are checked here for the whole stream.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits
from sankofa.ingest.bytes.packed import BOM
from sankofa.ingest.bytes.strict_json import strict_json

_SPACE = re.compile(rb"[ \t\r\n]*+")
_STRING = rb'"[^"\\]*+(?:\\(?s:.)[^"\\]*+)*+"'
_FLAT = rb'[^"\[\]{}]*+(?:' + _STRING + rb'[^"\[\]{}]*+)*+'
_NESTED = _FLAT
for _ in range(4):  # values that the regular expression matches are not walked in Python
    _NESTED = _FLAT + rb"(?:[\[{]" + _NESTED + rb"[\]}]" + _FLAT + rb")*+"
_WITHIN = re.compile(_NESTED)
_KEY = re.compile(_STRING)
_SCALAR = re.compile(rb"[^,\]} \t\r\n]++")
_OPENING, _CLOSING = b"[{", b"]}"


class Scanner:
    """A position in a stream, with a buffer of the bytes that are still needed."""

    def __init__(self, pieces: Iterator[bytes], limits: Limits) -> None:
        self._pieces = pieces
        self._limits = limits
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._buffer = b""
        self._at = 0
        self._read = 0
        self._ended = False
        self._held: int | None = None  # where held bytes begin; never after _at
        self._hold_bytes = 0
        self._refuses_long = False
        self.on_new_line = False  # whether a line ended between the last value and this place
        self._more()
        self._at = len(BOM) if self._buffer.startswith(BOM) else 0

    def peek(self) -> bytes:
        """Skip spaces and return the next byte, or nothing at the end."""
        self.on_new_line = False
        while True:
            space = _SPACE.match(self._buffer, self._at)
            if space:
                self.on_new_line |= b"\n" in space[0]
                self._at = space.end()
            if self._at < len(self._buffer) or not self._more():
                return self._buffer[self._at : self._at + 1]

    def at_end(self) -> bool:
        """Return whether only space is left."""
        return not self.peek()

    def each_item(self) -> Iterator[None]:
        """Yield once for each item of the array that begins here; the caller must consume each item."""
        self._pass(b"[")
        if self.peek() != b"]":
            yield None
            while self.peek() == b",":
                self._at += 1
                yield None
        self._pass(b"]")

    def each_key(self) -> Iterator[str]:
        """Yield each key of the object that begins here; the caller must consume its value."""
        self._pass(b"{")
        if self.peek() != b"}":
            yield self._key()
            while self.peek() == b",":
                self._at += 1
                yield self._key()
        self._pass(b"}")

    def take(self, longest: int) -> bytes | None:
        """Consume the next value and return its bytes, or None if it is longer than the limit."""
        self.peek()
        self.hold(longest)
        self.skip()
        return self.held()

    def take_record(self, longest: int) -> bytes:
        """Consume the next value and return its bytes. Raise as soon as it is longer than the limit."""
        self._refuses_long = True
        record = self.take(longest)
        self._refuses_long = False
        if record is None:
            raise UnreadableDocument("record_too_long", f"more than {longest} bytes")
        return record

    def hold(self, longest: int) -> None:
        """Keep all bytes from here on, up to a limit."""
        self._held, self._hold_bytes = self._at, longest

    def release(self) -> None:
        """Stop keeping bytes."""
        self._held = None

    def held(self) -> bytes | None:
        """Return the kept bytes, or None if they exceeded the limit."""
        start, self._held = self._held, None
        if start is None or self._at - start > self._hold_bytes:
            return None
        return self._buffer[start : self._at]

    def skip(self) -> None:
        """Consume the next value."""
        first = self.peek()
        if not first or first in b",:]}":
            raise UnreadableDocument("malformed_json", "a value is missing")
        if first == b'"':
            self._string()
        elif first in _OPENING:
            self._brackets()
        else:
            self._scalar()

    def lines(self, longest: int) -> Iterator[bytes | None]:
        """Yield the remaining lines that are not blank; None for a line that is too long."""
        while not self.at_end():
            self.hold(longest)
            while (end := self._buffer.find(b"\n", self._at)) < 0:
                self._at = len(self._buffer)
                if not self._more():
                    end = len(self._buffer)
                    break
            self._at = end
            yield self.held()

    def _pass(self, byte: bytes) -> None:
        if self.peek() != byte:
            raise UnreadableDocument("malformed_json", f"expected {byte.decode()}")
        self._at += 1

    def _key(self) -> str:
        if self.peek() != b'"':
            raise UnreadableDocument("malformed_json", "expected a key")
        key = strict_json(self._string(), str, self._limits)
        self._pass(b":")
        return key

    def _string(self) -> bytes:
        longest = self._limits.string_bytes + 2
        while (string := _KEY.match(self._buffer, self._at)) is None:
            if len(self._buffer) - self._at > longest:
                break
            if not self._more():
                raise UnreadableDocument("malformed_json", "the document ends in a string")
        if string is None or len(string[0]) > longest:
            raise UnreadableDocument("string_too_long", f"more than {self._limits.string_bytes} bytes")
        self._at = string.end()
        return string[0]

    def _scalar(self) -> None:
        written = 0
        while scalar := _SCALAR.match(self._buffer, self._at):
            written += len(scalar[0])
            self._at = scalar.end()
            if written > self._limits.number_characters:
                raise UnreadableDocument("number_too_long", f"more than {written} characters")
            if self._at < len(self._buffer) or not self._more():
                return

    def _brackets(self) -> None:
        depth = 0
        while True:
            byte = self._buffer[self._at : self._at + 1]
            if byte == b'"':
                self._string()
            elif byte and byte in _OPENING:
                depth += 1
                self._at += 1
                if depth > self._limits.depth:
                    raise UnreadableDocument("nested_too_deep", f"more than {self._limits.depth} levels")
            elif byte:
                depth -= 1
                self._at += 1
                if not depth:
                    return
            elif not self._more():
                raise UnreadableDocument("malformed_json", "the document ends inside a value")
            within = _WITHIN.match(self._buffer, self._at)
            if within:
                self._at = within.end()

    def _more(self) -> bool:
        """Read more, dropping consumed bytes that are not kept."""
        if self._ended:
            return False
        if (
            self._held is not None
            and self._refuses_long
            and len(self._buffer) - self._held > self._hold_bytes
        ):
            raise UnreadableDocument("record_too_long", f"more than {self._hold_bytes} bytes")
        if self._held is not None and self._at - self._held > self._hold_bytes:
            self._held = None  # it exceeded the limit
        piece = next(self._pieces, b"")
        self._ended = not piece
        self._read += len(piece)
        try:
            self._decoder.decode(piece, final=self._ended)
        except UnicodeDecodeError as wrong:
            raise UnreadableDocument("not_utf8", f"near byte {self._read}") from wrong
        if b"\0" in piece:
            raise UnreadableDocument("nul_character")
        keep = self._at if self._held is None else self._held
        self._buffer = self._buffer[keep:] + piece
        self._at -= keep
        self._held = None if self._held is None else 0
        return not self._ended
