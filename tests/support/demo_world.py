"""The demo world in a service: every document of every format, as its source sends it."""

from __future__ import annotations

from demo.write import FORMATS


def load(service, world):
    """Ingest the whole world; publishing is left to the caller."""
    for written in FORMATS.values():
        documents = (written.part(world, number) for number in range(written.parts(world)))
        service.ingest(
            *((document.content, document.fetched_at) for document in documents), source_name=written.SOURCE
        )
