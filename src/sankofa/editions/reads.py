"""The read of editions."""

from __future__ import annotations

import msgspec

from sankofa.ask.endpoint import Found, Page
from sankofa.editions.served import EditionsParams, PublishedEdition, Takedown
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader

_SQL = named(__package__)


async def editions(reader: Reader, _params: EditionsParams, page: Page) -> Found:
    """Return the editions up to one, newest first."""
    rows = await reader.fetch(
        _SQL["editions_up_to"],
        {
            "edition": page.edition.number,
            "after": page.after[0] if page.after else None,
            "rows": page.rows + 1,
        },
        edition=page.edition,
    )
    # The last column lists the takedowns.
    return Found(
        rows=[PublishedEdition(*row[:-1], msgspec.convert(row[-1], list[Takedown])) for row in rows]  # type: ignore[call-arg]
    )
