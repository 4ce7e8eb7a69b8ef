"""The real macroeconomic documents, by form, and how the tests read them a second time."""

from __future__ import annotations

import csv
import io
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sankofa.ingest.bytes.bounds import Rejections

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", ROOT.parent / "shared" / "data"))
FOLDERS = ("worldbank", "fx", "cpi", "vintages")
PAGES = sorted([*DATA.glob("worldbank/api-v2/[A-Z]*"), *DATA.glob("worldbank/api-v2-cassettes/gdp*")])
WIDE = sorted(DATA.glob("worldbank/bulk-csv-vintages/*"))
LONG = sorted(DATA.glob("worldbank/git-vintages/*/*"))
ECB = sorted(DATA.glob("fx/ecb/*"))
CBK_RATES = sorted([*DATA.glob("fx/cbk/*CR_line*"), *DATA.glob("fx/cbk/trade*")])
CBK_INFLATION = sorted(DATA.glob("cpi/cbk-kenya/*"))
ALFRED = sorted(DATA.glob("vintages/alfred/alfred_*"))

TODAY = datetime(2026, 11, 1, 12, tzinfo=UTC)

needs_real_files = pytest.mark.skipif(
    not all((DATA / folder).is_dir() for folder in FOLDERS),
    reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA",
)


def name(path):
    return path.stem


def committed(path):
    """Return when a snapshot was taken, which its name says, or a moment after all of them."""
    day = re.search(r"_(\d{4}-\d{2}-\d{2})$", path.stem)
    return datetime.fromisoformat(f"{day[1]}T12:00:00+00:00") if day else TODAY


def parsed(parser, path, **known):
    """Return the snapshots of a document, and what was counted as left out."""
    rejections = Rejections()
    known.setdefault("fetched_at", committed(path))
    with path.open("rb") as document:
        return list(parser.parse(document, rejections, **known)), dict(rejections.counts)


def stated(snapshots):
    """Return the values by series and period, of which there is one each."""
    found = {(s.head.key, o.period_start, o.period_end): o.value for s in snapshots for o in s.observations}
    assert len(found) == sum(len(s.observations) for s in snapshots)
    return found


def table(path):
    """Return the fields of every line, by the csv module alone."""
    text = path.read_text(encoding="utf-8-sig")  # all line ends become one
    return list(csv.reader(io.StringIO(text)))
