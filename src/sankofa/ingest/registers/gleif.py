"""GLEIF: golden copies and deltas of the LEI register, in any of three formats."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from msgspec.structs import replace

from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.packed import opening
from sankofa.ingest.registers import gleif_csv, gleif_json, gleif_xml

# The whole register is about five gigabytes of text; it is read as a stream.
_LIMITS = replace(LIMITS, document_bytes=16 << 30)
_FORMS = {b"<": gleif_xml.parse, b"{": gleif_json.parse, b"[": gleif_json.parse}


def parse(
    document: BinaryIO, rejections: Rejections, limits: Limits = _LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a document; its first character selects the format."""
    parse_form = _FORMS.get(opening(document, limits), gleif_csv.parse)
    return parse_form(document, rejections, limits, fetched_at=fetched_at)
