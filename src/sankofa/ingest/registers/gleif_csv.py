"""GLEIF golden copy as a table: all LEI records of the world, or those of a delta, one in each row.

Columns are located by their names in LEI-CDF 3.1 (or 2.1, which has one successor). A full table has more
than three million rows, so only the needed columns are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bytes.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.bytes.table import read_dump
from sankofa.ingest.registers.gleif_record import PATHS, LeiRecord, Reading

_ALL = [path.replace("/", ".") for path in PATHS]
_OPTIONAL = [name for name in _ALL if ".ValidationAuthority." in name]
_COLUMNS = [name for name in _ALL if name not in _OPTIONAL]
_DELETED = re.compile(r"(?:.*\.)?DeletedAt")
_SUCCESSOR = re.compile(r"Entity\.SuccessorEntity\.(?:[0-9]+\.)?SuccessorLEI")
_TEXTS = len(LeiRecord._fields) - 1  # all but the successors


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a golden copy table: plain, gzip, or the one file of a zip archive."""
    table = read_dump(document, limits)
    reading = Reading(rejections, fetched_at)
    deleted = next(filter(_DELETED.fullmatch, table.header), "DeletedAt")
    successors = [name for name in table.header if _SUCCESSOR.fullmatch(name)]
    for row in table.picked(rejections, _COLUMNS, (*_OPTIONAL, deleted, *successors)):
        if organisation := reading.organisation(LeiRecord._make((*row[:_TEXTS], row[_TEXTS:]))):
            yield organisation
