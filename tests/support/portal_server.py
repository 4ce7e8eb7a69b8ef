"""A portal for tests: sources that point to a server whose answers a test writes, and small documents."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import msgspec

from sankofa.ingest.sources import source
from support.answering import Answer, Asked, Portal

__all__ = ["Answer", "Asked", "Portal", "at", "package", "release"]


def at(portal, name, **changes):
    """Return a source of the package as it is, but at the test's server and without long waits."""
    known = source(name)
    moved = {"address": here(portal, known.portal.address)}
    if index := known.portal.index:
        moved["index"] = msgspec.structs.replace(index, address=here(portal, index.address))
    moved["deltas"] = tuple(
        msgspec.structs.replace(delta, address=here(portal, delta.address)) for delta in known.portal.deltas
    )
    gentle = {"pause_seconds": 0, "retry_seconds": 0.01} | moved | changes
    return replace(known, portal=msgspec.structs.replace(known.portal, **gentle))


def here(portal, address):
    """Return an address at the test's server."""
    parts = urlsplit(address)
    return address.replace(f"{parts.scheme}://{parts.netloc}", portal.url)


def release(number, day="2024-03-01"):
    return {
        "ocid": f"ocds-test-{number:05}",
        "id": f"{number:05}-{day}",
        "date": f"{day}T10:00:00Z",
        "tag": ["tender"],
        "initiationType": "tender",
        "tender": {"id": str(number), "title": f"Road works, lot {number}", "status": "active"},
    }


def package(releases, **more):
    return {
        "uri": "https://portal.test/package",
        "version": "1.1",
        "publishedDate": "2024-04-01T00:00:00Z",
        "publisher": {"name": "A portal"},
        "releases": releases,
        **more,
    }
