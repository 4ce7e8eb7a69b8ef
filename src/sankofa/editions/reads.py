"""The question one can ask about editions."""

from __future__ import annotations

import msgspec

from sankofa.ask.endpoint import Answer
from sankofa.editions.model import EditionsParams, PublishedEdition, Takedown
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SQL = named(__package__)


async def editions(reader: Reader, asked: EditionsParams) -> Answer:
    """Return the editions up to one, newest first."""
    edition = await reader.edition(asked.edition)
    rows = await reader.fetch(_SQL["editions_up_to"], {"edition": edition.number}, edition=edition)
    listed = [
        PublishedEdition(number, mark, published_at, changes, msgspec.convert(takedowns, list[Takedown]))
        for number, mark, published_at, changes, takedowns in rows
    ]
    return Answer(rows=listed, edition=edition, as_of=None)
