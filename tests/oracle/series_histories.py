"""Generated documents of series: the service reads them, the oracle is told what they state."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from oracle.series import Statement
from support.bank_tables import page, wide

FIRST = datetime(2024, 1, 1, 12, tzinfo=UTC)
AREAS = ("KEN", "GHA", "UGA", "TZA")
YEARS = (2020, 2021, 2022)
MONTHS = tuple(date(2023, month, 1) for month in (1, 2, 3))
WRITTEN = ("1", "2", "3.0", None)


def bank_history(rng, indicator):
    """Return tables and pages of one indicator, updated on so few days that some tie."""
    documents = {}
    for number in range(rng.randrange(3, 9)):
        updated = (FIRST + timedelta(days=rng.randrange(6))).date()
        is_whole = rng.random() < 0.6
        values = {
            area: {year: rng.choice(WRITTEN) for year in YEARS}
            for area in rng.sample(AREAS, rng.randrange(2, len(AREAS) + 1))
        }
        if is_whole:
            values = {
                area: {year: text for year, text in row.items() if text} for area, row in values.items()
            }
            content = wide(values, updated, indicator, YEARS)
        else:
            values = {area: dict(rng.sample(sorted(row.items()), 2)) for area, row in values.items()}
            content = page(values, updated, indicator)
        stated = {
            f"WB.{indicator}.{area}": {date(year, 1, 1): text and Decimal(text) for year, text in row.items()}
            for area, row in values.items()
        }
        fetched = FIRST + timedelta(days=6 + number)
        covers = f"WB.{indicator}." if is_whole else None
        sha256 = hashlib.sha256(content).digest()
        said = Statement(updated, fetched, sha256, stated, is_whole, covers)
        documents.setdefault(sha256, ((content, fetched), [said]))
    return list(documents.values())


def vintage_history(rng, key):
    """Return answers of ALFRED about one series: each has several vintages, and they interleave."""
    documents = {}
    for number in range(rng.randrange(2, 5)):
        fetched = FIRST + timedelta(days=20 + number)
        vintages = {}
        for offset in sorted(rng.sample(range(12), rng.randrange(2, 7))):
            months = rng.sample(MONTHS, rng.randrange(1, len(MONTHS) + 1))
            vintages[(FIRST + timedelta(days=offset)).date()] = {
                month: rng.choice(WRITTEN) for month in sorted(months)
            }
        content = alfred_answer(vintages)
        sha256 = hashlib.sha256(content).digest()
        said = [
            Statement(
                day,
                fetched,
                sha256,
                {key: {month: text and Decimal(text) for month, text in row.items()}},
                is_whole=False,
            )
            for day, row in vintages.items()
        ]
        documents.setdefault(sha256, ((content, fetched), said))
    return list(documents.values())


def alfred_answer(vintages):
    """Return what ALFRED sends: {day of a vintage: {first day of a period: value as text, or None}}."""
    rows = [
        {"realtime_start": str(day), "realtime_end": "9999-12-31", "date": str(month), "value": text or "."}
        for day, row in vintages.items()
        for month, text in row.items()
    ]
    window = {"realtime_start": "1776-07-04", "realtime_end": "9999-12-31"}
    asked = {"observation_start": "1600-01-01", "observation_end": "9999-12-31", "units": "lin"}
    page_of = {"output_type": 1, "count": len(rows), "offset": 0, "limit": 100_000}
    return json.dumps({**window, **asked, **page_of, "observations": rows}).encode()
