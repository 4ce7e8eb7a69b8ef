"""Pagination data of a page: whether it has releases, the number of pages, a cursor's value."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import LIMITS, Rejections
from sankofa.ingest.bytes.json_stream import Scanner
from sankofa.ingest.bytes.packed import pieces
from sankofa.ingest.bytes.strict_json import strict_json
from sankofa.ingest.ocds.package import releases

SHOWS_NEXT = "ocds"  # the only parser whose pages show whether another follows
_LINKS_BYTES = 1 << 16
_NUMBER_BYTES = 32
_VALUE = re.compile(r"[A-Za-z0-9._~:+/=-]{1,512}")


class Page(NamedTuple):
    """The beginning of a page."""

    is_readable: bool
    is_empty: bool
    first: object = None  # identifies the page: the first release's ocid and id, or a hash
    pages: int | None = None  # the number of pages, if stated


def page(document: Path) -> Page:
    """Parse a page up to its first release."""
    rejections = Rejections()
    try:
        with document.open("rb") as stream:
            release = next(releases(stream, rejections), None)
    except UnreadableDocument:
        return Page(is_readable=False, is_empty=False)
    if release is None:
        return Page(is_readable=True, is_empty=not rejections.counts)
    return Page(is_readable=True, is_empty=False, first=(release.get("ocid"), release.get("id")))


def counted(document: Path, pointer: str) -> Page:
    """Return the number of pages at a JSON pointer. Raise if the page has none."""
    try:
        with document.open("rb") as stream:
            written = _written_at(Scanner(pieces(stream), LIMITS), pointer)
        number = strict_json(written, int, LIMITS) if written else -1
    except UnreadableDocument:
        number = -1
    if number < 0:
        return Page(is_readable=False, is_empty=False)
    with document.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").digest()
    return Page(is_readable=True, is_empty=not number, first=digest, pages=number)


def carried(document: Path, names: tuple[str, ...]) -> dict[str, str] | None:
    """Return the values of parameters in a package's `links.next`, or None if there is no next page.

    The link itself is never used: neither its server, nor its path, nor any other parameter.
    """
    with document.open("rb") as stream:
        following = _links(Scanner(pieces(stream), LIMITS)).get("next")
    if not isinstance(following, str):
        return None
    try:
        parameters = parse_qs(urlsplit(following).query, max_num_fields=100)
    except ValueError as unreadable:
        raise UnreadableDocument("cursor_unfit", "no parameters can be read") from unreadable
    values = {name: parameters[name][0] for name in names if name in parameters}
    if names[0] not in values:
        return None
    if not all(map(_VALUE.fullmatch, values.values())):
        raise UnreadableDocument("cursor_unfit", "a value with unexpected characters")
    return values


def _links(scanner: Scanner) -> dict[str, Any]:
    for key in scanner.each_key():
        if key == "links" and scanner.peek() == b"{":
            written = scanner.take(_LINKS_BYTES)
            return {} if written is None else strict_json(written, dict[str, Any], LIMITS)
        scanner.skip()
    return {}


def _written_at(scanner: Scanner, pointer: str) -> bytes | None:
    """Return the bytes of a short value at a JSON pointer (RFC 6901), or None if there is none."""
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        opening = scanner.peek()
        if opening not in (b"{", b"["):
            return None
        keys = scanner.each_key() if opening == b"{" else _places(scanner)
        for key in keys:
            if key == name:
                break
            scanner.skip()
        else:
            return None
    return scanner.take(_NUMBER_BYTES)


def _places(scanner: Scanner) -> Iterator[str]:
    for place, _ in enumerate(scanner.each_item()):
        yield str(place)
