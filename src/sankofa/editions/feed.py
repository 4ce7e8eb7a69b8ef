"""The newest editions as an Atom feed (RFC 4287). It counts rows by dataset and names no organisation."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from sankofa.editions.served import FeedParams
from sankofa.storage.edition import Edition
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

MEDIA_TYPE = "application/atom+xml"
MOST = 50
_SQL = named(__package__)
_HTML, _JSON = "text/html", "application/json"
# Ids are UUIDs of this namespace and an edition's mark: the same under every host name, and never reused.
_NAMESPACE = uuid.UUID("3ad54cdb-3814-4e45-8f40-226a8d8ee997")

Counts = Mapping[str, Mapping[str, Mapping[str, int]]]  # by dataset, `put` or `removed`, and reason


async def feed(reader: Reader, _params: FeedParams, edition: Edition, origin: str) -> bytes:
    """Return the feed of the newest editions up to one."""
    values = {"edition": edition.number, "rows": MOST}
    rows = await reader.fetch(_SQL["newest_editions"], values, edition=edition)
    (*_, newest_at, _changes, first_mark) = rows[0]
    root = Element("feed", {"xmlns": "http://www.w3.org/2005/Atom", "xml:lang": "en"})
    _text(root, "id", _id(f"feed of {first_mark}"))
    _text(root, "title", "Sankofa editions")
    _text(root, "subtitle", "Each entry is one publish of the data, with the rows that it changed.")
    _text(root, "updated", _moment(newest_at))
    _text(SubElement(root, "author"), "name", "Sankofa")
    _link(root, "self", f"{origin}/v1/editions.atom", MEDIA_TYPE)
    _link(root, "alternate", f"{origin}/#/editions", _HTML)
    for number, mark, published_at, changes, _first_mark in rows:
        entry = SubElement(root, "entry")
        _text(entry, "id", _id(mark))
        _text(entry, "title", f"Edition {number}")
        _text(entry, "updated", _moment(published_at))
        _text(entry, "published", _moment(published_at))
        _text(entry, "summary", summary(changes))
        _link(entry, "alternate", f"{origin}/#/editions?since={number - 1}", _HTML)
        _link(entry, "alternate", f"{origin}/v1/editions?edition={number}&limit=1", _JSON)
        _link(entry, "related", f"{origin}/v1/changes?since={number - 1}&edition={number}", _JSON)
    written: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return written


def summary(changes: Counts) -> str:
    """Return the rows that an edition changed, in words, by dataset."""
    parts = [
        f"{dataset}: {_counted('put', counts['put'])}, {_counted('removed', counts['removed'])}."
        for dataset, counts in sorted(changes.items())
        if counts["put"] or counts["removed"]
    ]
    return " ".join(parts) or "No rows changed."


def _counted(done: str, by_reason: Mapping[str, int]) -> str:
    total = sum(by_reason.values())
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(by_reason.items()))
    return f"{total} {'row' if total == 1 else 'rows'} {done}" + (f" ({reasons})" if reasons else "")


def _id(name: str) -> str:
    return f"urn:uuid:{uuid.uuid5(_NAMESPACE, name)}"


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _text(parent: Element, tag: str, text: str) -> None:
    SubElement(parent, tag).text = text


def _link(parent: Element, rel: str, href: str, media_type: str) -> None:
    SubElement(parent, "link", {"rel": rel, "href": href, "type": media_type})
