"""The questions one can ask about exports: which files there are, and where one is kept."""

from __future__ import annotations

import msgspec

from sankofa.ask.endpoint import Found, Page
from sankofa.core.errors import NotFound
from sankofa.export.served import Artifact, Column, ExportParams, FileParams
from sankofa.signals.panels import PANELS
from sankofa.storage.edition import Edition
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)


async def artifacts(reader: Reader, _asked: ExportParams, page: Page) -> Found:
    """Return the files that an edition lists, by name."""
    asked = {
        "edition": page.edition.number,
        "after": page.after[0] if page.after else "",
        "rows": page.rows + 1,
    }
    rows = await reader.fetch(_SQL["artifacts"], asked, edition=page.edition)
    return Found(rows=[_artifact(row) for row in rows])


def _artifact(row: Row) -> Artifact:
    name, subject, kind, edition, first, last, license_class, rows, size, sha256, columns, url = row
    panel = PANELS.get(subject) if kind == "panel" else None
    return Artifact(
        name=name,
        sku=None if kind == "panel" else subject,
        panel=panel.title if panel else None,
        signal_key=subject if kind == "panel" else None,
        kind=kind,
        edition=edition,
        first_edition=first,
        last_edition=last,
        license_class=license_class,
        rows=rows,
        bytes=size,
        sha256=sha256,
        schema=msgspec.convert(columns, list[Column]),
        access="open" if kind == "panel" else "licensed",
        url=url,
    )


async def key_of_file(reader: Reader, asked: FileParams, edition: Edition) -> str:
    """Return the key under which a licensed file is kept, or say that the edition lists none of that name."""
    sought = {"name": asked.name, "edition": edition.number}
    rows = await reader.fetch(_SQL["key_of_file"], sought, edition=edition)
    if not rows:
        raise NotFound
    return str(rows[0][0])
