"""Find the releases of an OCDS document in any wrapping, one at a time.

Packages of releases and of records, bare releases and records, arrays of these, JSON lines, gzip and zip.
A scanner follows brackets and strings over the stream and decodes one release at a time, so that memory does
not depend on the size of a package. No URL is followed: a linked release is counted and skipped.

An unreadable release is counted and the others are read. A truncated document is rejected as a whole, by an
exception that may follow after releases were yielded: one document is one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, BinaryIO

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.json_stream import Scanner
from sankofa.ingest.bytes.packed import Member, is_zip, members, pieces
from sankofa.ingest.bytes.strict_json import strict_json

# Of one release or line: ten times the largest that we have seen. Decoding can take fifty times the bytes,
# so this limits memory.
RELEASE_BYTES = 4 << 20
_WRAPPINGS = 8  # arrays, packages and records around one release
_CONTAINER_KEYS = 10_000  # of one package, whose keys are stored to detect repeated ones
_GZIP, _ZIP = b"\x1f\x8b", b"PK"

Json = dict[str, Any]


def releases(document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS) -> Iterator[Json]:
    """Yield every release of a document, decoded but not validated. A stream must be seekable.

    An unreadable member of an archive is counted under its reason, and the others are read; its releases
    before the damage are kept.
    """
    if not is_zip(document):
        yield from _in_pieces(pieces(document, limits), rejections, limits)
        return
    for member in members(document, limits):
        try:
            yield from _in_member(member, rejections, limits)
        except UnreadableDocument as unreadable:
            rejections.add(unreadable.reason, f"{member.name}: {unreadable.detail}")


def _in_member(member: Member, rejections: Rejections, limits: Limits) -> Iterator[Json]:
    data = member.pieces()
    first = next(data, b"")
    if first.startswith((_GZIP, _ZIP)):
        raise UnreadableDocument("archive_nested")
    yield from _in_pieces(chain([first], data), rejections, limits)


def _in_pieces(data: Iterator[bytes], rejections: Rejections, limits: Limits) -> Iterator[Json]:
    """Yield the releases of one value, or of each line if the document has several."""
    scanner = Scanner(data, limits)
    yield from _in_value(scanner, rejections, limits)
    if scanner.at_end():
        return
    if not scanner.on_new_line:
        raise UnreadableDocument("malformed_json", "something follows the document")
    for line in scanner.lines(RELEASE_BYTES):
        if line is None:
            rejections.add("line_too_long", f"more than {RELEASE_BYTES} bytes")
            continue
        try:
            inner = Scanner(iter([line]), limits)
            yield from _in_value(inner, rejections, limits)
            if not inner.at_end():
                rejections.add("malformed_json", "something follows the value of a line")
        except UnreadableDocument as unreadable:
            rejections.add(unreadable.reason, unreadable.detail)


def _in_value(scanner: Scanner, rejections: Rejections, limits: Limits) -> Iterator[Json]:
    if scanner.peek() not in (b"{", b"["):
        raise UnreadableDocument("malformed_json", "neither an object nor an array")
    yield from _Finder(scanner, rejections, limits).anything()


class _Record:
    """The parts of an object read so far; its kind is known at its end."""

    __slots__ = ("compiled", "embedded", "is_container", "versioned")

    def __init__(self) -> None:
        self.is_container = False
        self.embedded = 0
        self.versioned = False
        self.compiled: bytes | None = None


class _Finder:
    """Yields the releases behind a scanner."""

    def __init__(self, scanner: Scanner, rejections: Rejections, limits: Limits) -> None:
        self._scanner = scanner
        self._rejections = rejections
        self._limits = limits

    def anything(self, wrappings: int = 0) -> Iterator[Json]:
        """Yield the releases of the next value: an array, a package, a record or a release."""
        if wrappings > _WRAPPINGS:
            raise UnreadableDocument("nested_too_deep", f"more than {_WRAPPINGS} wrappings")
        match self._scanner.peek():
            case b"{":
                yield from self._object(wrappings)
            case b"[":
                for _ in self._scanner.each_item():
                    yield from self.anything(wrappings + 1)
            case _:
                self._scanner.skip()
                self._rejections.add("not_an_object", "a value in the place of a release")

    def _object(self, wrappings: int) -> Iterator[Json]:
        """Read the keys once, keeping the bytes while this may still be a bare release."""
        scanner, found, keys = self._scanner, _Record(), set[str]()
        scanner.hold(RELEASE_BYTES)
        for key in scanner.each_key():
            if key in keys or len(keys) == _CONTAINER_KEYS:
                reason = "duplicate_key" if key in keys else "too_many_keys"
                raise UnreadableDocument(reason, key[:80])
            keys.add(key)
            value = scanner.peek()
            if value == b"[" and key in ("releases", "compiledReleases", "records"):
                scanner.release()
                found.is_container = True
                for _ in scanner.each_item():
                    if key == "records":
                        yield from self.anything(wrappings + 1)
                    else:
                        yield from self._listed(found)
            elif value == b"{" and key == "compiledRelease":
                scanner.release()
                found.compiled = scanner.take(RELEASE_BYTES) or b""
            else:
                if key == "versionedRelease":
                    found.versioned = True
                    scanner.release()
                scanner.skip()
        yield from self._at_end(found, scanner.held())

    def _listed(self, found: _Record) -> Iterator[Json]:
        release = self._decoded(self._scanner.take(RELEASE_BYTES))
        if release is None:
            found.embedded += 1
        elif "url" in release and not release.keys() & {"ocid", "id"}:
            self._rejections.add("linked_release", "an address in the place of a release")
        else:
            found.embedded += 1
            yield release

    def _at_end(self, found: _Record, held: bytes | None) -> Iterator[Json]:
        """Yield the releases of a finished object: those of a record, or else its compiled release."""
        if found.compiled is not None:
            if not found.embedded:
                compiled = self._decoded(found.compiled)
                if compiled is not None:
                    yield compiled
        elif found.versioned and not found.embedded:
            self._rejections.add("versioned_release", "a record with no other")
        elif not found.is_container and not found.versioned:
            release = self._decoded(held)
            if release is not None and "ocid" not in release:
                self._rejections.add("not_a_release", ", ".join(list(release)[:8]))
            elif release is not None:
                yield release

    def _decoded(self, data: bytes | None) -> Json | None:
        if not data:
            self._rejections.add("release_too_large", f"more than {RELEASE_BYTES} bytes")
            return None
        try:
            return strict_json(data, Json, self._limits)
        except UnreadableDocument as unreadable:
            self._rejections.add(unreadable.reason, unreadable.detail)
            return None
