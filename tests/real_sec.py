"""The real SEC files, where there are any, and how they are loaded."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "fundamentals"
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
