"""Records of organisations as test documents: one JSON document per call, through the ordinary ingest."""

from __future__ import annotations

from datetime import UTC, date, datetime

import msgspec

from sankofa.entities.model import OrganisationRecord
from sankofa.ingest import sources
from sankofa.ingest.parsers import PARSERS, Parser
from sankofa.ingest.recording import REGISTER

SOURCE = sources.Source(
    name="stated", publisher="a test", license_class="synthetic", parser="stated_organisations"
)
_RECORDS = msgspec.json.Decoder(list[OrganisationRecord])


def _parse(stream, _rejections, *, fetched_at):  # noqa: ARG001 - as every parser of organisations is called
    yield from _RECORDS.decode(stream.read())


PARSERS.setdefault(SOURCE.parser, Parser(_parse, REGISTER))


def record(subject, name="", *identifiers, day=date(2024, 1, 1), country=None, marks=(), duplicate_of=None):
    """Return what a source states of a subject on a day; identifiers are tuples of `Identifier`."""
    return OrganisationRecord(
        subject=subject,
        legal_name=name,
        jurisdiction=country,
        status="active",
        identifiers=tuple(identifiers),
        marks=tuple(marks),
        duplicate_of=duplicate_of,
        stated_at=datetime(day.year, day.month, day.day, tzinfo=UTC),
        available_at=day,
        available_at_basis="publisher",
    )


def document(*records):
    """Return the bytes of a document that states these records."""
    return msgspec.json.encode(records)
