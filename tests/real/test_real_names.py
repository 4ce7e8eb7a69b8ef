"""Real SEC submissions: the days of former names, against a plain reading of the JSON."""

from __future__ import annotations

import json
import os
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers.sec_submissions import parse

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data"))
FOLDERS = [DATA / "collection-2/sec-submissions", DATA / "fundamentals/sec-submissions"]
FILES = sorted(
    path for folder in FOLDERS for path in folder.glob("*.json") if "-submissions-0" not in path.name
)
FETCHED = datetime(2026, 9, 1, tzinfo=UTC)

pytestmark = pytest.mark.skipif(not FILES, reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


def stated(path):
    """Return what the SEC sent; a cache of 2025 wrapped it."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content.get("data", content)


@cache
def versions(path):
    rejections = Rejections()
    found = list(parse(json.dumps(stated(path)).encode(), rejections, fetched_at=FETCHED))
    assert dict(rejections.counts) == {}
    *named, state = found
    assert (state.legal_name, state.available_at, state.available_at_basis) == (
        stated(path)["name"],
        FETCHED.date(),
        "first_seen",
    )
    return [(record.available_at, record.legal_name, record.available_at_basis) for record in named]


def name_on(path, day):
    return next((name for known, name, _ in reversed(versions(path)) if known <= day), None)


def found(cik, month):
    (path,) = [path for path in FILES if cik in path.name and path.name.startswith(month)]
    return path


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_on_its_first_day_every_name_is_shown_and_the_current_name_is_the_last(path):
    document = stated(path)
    shown = versions(path)
    assert [day for day, *_ in shown] == sorted({day for day, *_ in shown})
    assert shown[-1][1] == document["name"]
    assert {basis for *_, basis in shown} == {"filing"}
    for former in document["formerNames"]:
        assert name_on(path, date.fromisoformat(former["from"][:10])) == former["name"]
    # What a filing of the newest list is filed under: the current name, from the day it is known.
    filed = {date.fromisoformat(day) for day in document["filings"]["recent"]["filingDate"]}
    ended = [former["to"][:10] for former in document["formerNames"] if former["name"] != document["name"]]
    after = [day for day in filed if day.isoformat() > max(ended, default="")]
    assert all(name_on(path, day) == document["name"] for day in after)


@pytest.mark.parametrize(
    ("cik", "month", "day", "name"),
    [
        ("0000320193", "2026-08", "2007-01-09", "APPLE COMPUTER INC"),
        ("0000320193", "2026-08", "2007-01-10", "APPLE INC"),
        ("0000320193", "2026-08", "1997-07-28", "APPLE COMPUTER INC/ FA"),
        ("0000320193", "2026-08", "1998-01-02", "APPLE COMPUTER INC"),
        ("0000320193", "2026-08", "2019-08-14", "Apple Inc."),
        ("0000034088", "2025-11", "1999-11-30", "EXXON CORP"),
        ("0000034088", "2025-11", "2025-11-18", "EXXON MOBIL CORP"),
        ("0000104169", "2026-07", "2018-01-30", "WAL MART STORES INC"),
        ("0000104169", "2026-07", "2018-01-31", "Walmart Inc."),
        ("0001744489", "2026-07", "2018-06-26", "TWDC Holdco 613 Corp"),
        ("0001744489", "2026-07", "2019-03-20", "Walt Disney Co"),
        ("0000945436", "2026-07", "2013-05-31", "MEMC ELECTRONIC MATERIALS INC"),
        ("0000945436", "2026-07", "2013-06-03", "SUNEDISON, INC."),
    ],
)
def test_well_known_renames_have_their_days(cik, month, day, name):
    assert name_on(found(cik, month), date.fromisoformat(day)) == name


def test_a_file_of_either_clock_gives_the_same_days():
    """The file of 2025 writes midnight in New York as T00:00, the one of 2026 as T04:00 or T05:00."""
    older, newer = found("0000320193", "2025-11"), found("0000320193", "2026-08")
    assert {former["from"][11:13] for former in stated(older)["formerNames"]} == {"00"}
    assert {former["from"][11:13] for former in stated(newer)["formerNames"]} == {"04", "05"}
    assert versions(older) == versions(newer)
