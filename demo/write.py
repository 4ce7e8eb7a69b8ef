"""A world on disk: its documents in every format, and the manifest that lists them."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from demo import (
    cik_lei,
    companyfacts,
    gleif,
    listings,
    macro_rates,
    macro_tables,
    macro_vintages,
    submissions,
    tenders_ke,
    tenders_ng,
    tenders_za,
)
from demo.documents import Document, Format
from demo.world import LICENSE_CLASS, World

FORMATS: dict[str, Format] = {
    companyfacts.FORMAT: companyfacts,
    gleif.FORMAT: gleif,
    listings.FORMAT: listings,
    cik_lei.FORMAT: cik_lei,
    macro_tables.FORMAT: macro_tables,
    macro_rates.FORMAT: macro_rates,
    macro_vintages.FORMAT: macro_vintages,
    tenders_za.FORMAT: tenders_za,
    tenders_ke.FORMAT: tenders_ke,
    tenders_ng.FORMAT: tenders_ng,
    submissions.FORMAT: submissions,
}

Entry = dict[str, str | int]


def count(world: World) -> int:
    """Return how many documents a world has in all formats."""
    return sum(written.parts(world) for written in FORMATS.values())


def made(world: World) -> Iterator[tuple[str, Document]]:
    """Make every document of a world in memory, one at a time, each with the name of its source."""
    for written in FORMATS.values():
        for number in range(written.parts(world)):
            yield written.SOURCE, written.part(world, number)


def documents(world: World, out: Path, jobs: int = 1) -> Iterator[Entry]:
    """Write every document, here or in `jobs` processes, and give its line of the manifest, in order."""
    parts = [(name, number) for name, written in FORMATS.items() for number in range(written.parts(world))]
    one = partial(_document, world, out)
    if jobs == 1:
        yield from map(one, parts)
        return
    # Processes write their documents themselves: only manifest lines wait in memory.
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as processes:
        yield from processes.map(one, parts)


def manifest(world: World, out: Path, entries: list[Entry]) -> None:
    """Write what the world is and which documents it has."""
    listed = {
        "seed": world.seed,
        "facts": world.facts,
        "issuers": world.issuers,
        "license_class": LICENSE_CLASS,
        "documents": entries,
    }
    (out / "manifest.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _document(world: World, out: Path, part: tuple[str, int]) -> Entry:
    name, number = part
    written = FORMATS[name]
    document = written.part(world, number)
    (out / document.name).write_bytes(document.content)
    return {
        "name": document.name,
        "source": written.SOURCE,
        "format": written.FORMAT,
        "fetched_at": f"{document.fetched_at:%Y-%m-%dT%H:%M:%SZ}",
        "sha256": hashlib.sha256(document.content).hexdigest(),
        "facts": document.facts,
    }
