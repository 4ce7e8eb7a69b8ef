"""The real SEC files, where there are any, and how they are loaded."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "fundamentals"
SECOND = DATA.parent / "collection-2"
BULK = SECOND / "sec-companyfacts-bulk" / "companyfacts-2021-07-sample.zip"
IS_FULL = os.environ.get("AUDIT_SIZE") == "full"  # adds the 396 issuers of the bulk archive
FETCHED = datetime(2026, 11, 1, tzinfo=UTC)
SOURCES = {
    "sec-companyfacts/*": "sec-companyfacts",
    "sec-fsds/*": "sec-fsds",
    "sec-submissions/*": "sec-companyfacts",
}


def load(service):
    batches = {}
    for pattern, source in SOURCES.items():
        for path in sorted(DATA.glob(pattern)):
            (batches[path.name],) = service.ingest((path.read_bytes(), FETCHED), source_name=source)
    return batches


def company_files():
    """Yield the company facts of each issuer in both collections, one snapshot each."""
    yield from sorted(DATA.glob("sec-companyfacts/*.json"))
    # Two snapshots of one issuer declare the same of each filing.
    yield from (path for path in sorted(SECOND.glob("sec-companyfacts/*.json")) if "2026-07" not in path.name)


def load_companies(service):
    for path in company_files():
        service.ingest((path.read_bytes(), FETCHED), source_name="sec-companyfacts")
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        service.ingest((path.read_bytes(), FETCHED), source_name="sec-fsds")
    if IS_FULL and BULK.is_file():
        service.ingest((BULK.read_bytes(), FETCHED), source_name="sec-companyfacts")
