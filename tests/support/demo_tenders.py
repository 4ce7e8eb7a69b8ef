"""The tenders of the demo world as tests look at them: as they are written, and as the parser reads them."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from functools import cache

from demo import tenders_ke, tenders_ng, tenders_za
from demo.tenders_processes import MONTHS, opened_in
from demo.tenders_showcase import TOLD
from demo.world import World
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.ocds import release as ocds

WORLD = World()
WRITTEN = (tenders_za, tenders_ke, tenders_ng)
PORTALS = {tenders_za: tenders_za.ZA, tenders_ke: tenders_ke.KE, tenders_ng: tenders_ng.NG}


@cache
def documents(written, world=WORLD):
    """The documents of a portal, made once for all tests."""
    return [written.part(world, number) for number in range(written.parts(world))]


def unpacked(content):
    """The JSON values of a document, by the standard library alone."""
    if content[:2] == b"\x1f\x8b":
        return [json.loads(line) for line in gzip.decompress(content).splitlines()]
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return [json.loads(archive.read(name)) for name in archive.namelist()]
    return [json.loads(content)]


def stated(content):
    """Every release of a document as it is written."""
    for value in unpacked(content):
        for record in value.get("records", [value]):
            yield from record["releases"]


def every(written):
    return [release for document in documents(written) for release in stated(document.content)]


def read(document):
    """What the parser makes of a document, and what it had to repair."""
    rejections = Rejections()
    found = list(ocds.parse(io.BytesIO(document.content), rejections, fetched_at=document.fetched_at))
    return found, rejections.counts


def processes(portal):
    drawn = [process for place in range(len(MONTHS)) for process in opened_in(WORLD.seed, portal, place)]
    return [process for process in TOLD if process.portal is portal] + drawn
