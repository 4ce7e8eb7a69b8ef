"""The documents of the World Bank under one source: pages of the API, and tables plain or zipped.

They are one source, because pages and tables state the same values: as two sources, their vintages would look
like two opinions.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from sankofa.ingest.bytes.bounds import Limits, Rejections
from sankofa.ingest.series import world_bank_csv, world_bank_json
from sankofa.ingest.series.builder import LIMITS
from sankofa.macro.model import Snapshot

_OPENING = 64  # bytes: a page begins with a bracket, after a mark of its encoding and spaces


def parse(
    document: BinaryIO, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[Snapshot]:
    """Yield the series of a document in either format."""
    opening = document.read(_OPENING)
    document.seek(0)
    is_page = opening.removeprefix(b"\xef\xbb\xbf").lstrip().startswith((b"[", b"{"))
    reader = world_bank_json if is_page else world_bank_csv
    yield from reader.parse(document, rejections, limits, fetched_at=fetched_at)
