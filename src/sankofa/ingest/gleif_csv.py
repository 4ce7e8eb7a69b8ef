"""GLEIF golden copy as a table: all LEI records of the world, or those of a delta, one in each row.

Columns are found by their names in LEI-CDF 3.1 (or 2.1, which has one successor). A full table has more
than three million rows, so only the columns that are wanted are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from sankofa.entities.model import OrganisationRecord
from sankofa.ingest.bounds import LIMITS, Limits, Rejections
from sankofa.ingest.csv_table import Table
from sankofa.ingest.gleif_record import LeiRecord, Reading

_COLUMNS = (
    "LEI",
    "Entity.LegalName",
    "Entity.LegalJurisdiction",
    "Entity.LegalAddress.Country",
    "Entity.EntityCategory",
    "Entity.LegalForm.EntityLegalFormCode",
    "Entity.EntityStatus",
    "Registration.RegistrationStatus",
    "Registration.LastUpdateDate",
    "Entity.RegistrationAuthority.RegistrationAuthorityID",
    "Entity.RegistrationAuthority.RegistrationAuthorityEntityID",
)
_OPTIONAL = (
    "Registration.ValidationAuthority.ValidationAuthorityID",
    "Registration.ValidationAuthority.ValidationAuthorityEntityID",
)
_DELETED = re.compile(r"(?:.*\.)?DeletedAt")
_SUCCESSOR = re.compile(r"Entity\.SuccessorEntity\.(?:[0-9]+\.)?SuccessorLEI")
_TEXTS = len(LeiRecord._fields) - 1  # all but the successors


def parse(
    document: BinaryIO | bytes, rejections: Rejections, limits: Limits = LIMITS, *, fetched_at: datetime
) -> Iterator[OrganisationRecord]:
    """Yield the organisations of a golden copy table: plain, gzip, or the one file of a zip archive."""
    table = Table(document, limits)
    reading = Reading(rejections, fetched_at)
    deleted = next(filter(_DELETED.fullmatch, table.header), "DeletedAt")
    successors = [name for name in table.header if _SUCCESSOR.fullmatch(name)]
    for row in table.rows(_COLUMNS, (*_OPTIONAL, deleted, *successors)):
        if not row:
            rejections.add("bad_row", "a row with other columns than the header")
        elif organisation := reading.organisation(LeiRecord._make((*row[:_TEXTS], row[_TEXTS:]))):
            yield organisation
