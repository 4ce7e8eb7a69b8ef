"""Editions as served: which publishes there were and what each changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from sankofa.ask.params import CursorText, EditionNumber, Limit


class Takedown(msgspec.Struct, frozen=True):
    """That something was taken down while an edition was current; never what."""

    takedown: int
    taken_down_at: datetime
    rows_removed: int


class PublishedEdition(msgspec.Struct, frozen=True):
    """One publish of everything servable."""

    edition: int
    mark: str
    published_at: datetime
    digest: str | None
    signature: str | None
    public_key: str | None
    datasets: dict[str, Any]
    takedowns: list[Takedown]


class EditionsParams(msgspec.Struct, frozen=True, kw_only=True):
    """Editions up to one, the current one by default."""

    edition: EditionNumber = None
    limit: Limit = None
    cursor: CursorText = None


class FeedParams(msgspec.Struct, frozen=True, kw_only=True):
    """Parameter of the feed: editions up to one, the current one by default."""

    edition: EditionNumber = None
