"""GLEIF: golden copies and deltas of one register, in whichever of its three forms they come."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from msgspec.structs import replace

from sankofa.entities.model import OrganisationRecord
from sankofa.ingest import gleif_csv, gleif_json, gleif_xml
from sankofa.ingest.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.unpacked import pieces

# The whole register is about five gigabytes of text; it is read as a stream.
_LIMITS = replace(LIMITS, document_bytes=16 << 30)
_FORMS = {b"<": gleif_xml.parse, b"{": gleif_json.parse, b"[": gleif_json.parse}
_BLANKS_AND_BOM = b"\xef\xbb\xbf \t\r\n"


def parse(
    document: BinaryIO, rejections: Rejections, limits: Limits = _LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a document, read by what its first character tells it to be."""
    opening = next(pieces(document, limits), b"").lstrip(_BLANKS_AND_BOM)[:1]
    return _FORMS.get(opening, gleif_csv.parse)(document, rejections, limits, fetched_at=fetched_at)
