"""The real source files as a world: each with its source and the moment it was fetched."""

from __future__ import annotations

import os
import random
import re
import zipfile
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from law.cutting import Document
from law.worlds import World, at_moments_of_their_own
from sankofa.ingest.sources import source
from support import macro_files

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", ROOT.parent / "shared" / "data"))
FETCHED = datetime(2026, 11, 1, 12, tzinfo=UTC)
FACTS = ("fundamentals/sec-companyfacts/*.json", "collection-2/sec-companyfacts/*.json")
SETS = {
    "fundamentals/sec-fsds/*.zip": "sec-fsds",
    "fundamentals/esef-xbrl-json/*.json": "esef",
    "collection-2/brazil-cvm/dfp_*.csv": "cvm-dfp",
}
BULK = "collection-2/sec-companyfacts-bulk/*.zip"
TENDERS = ("ocds/**/*.json", "collection-2/ocds/*.json")
PORTALS = {
    "ukraine-prozorro": "ua-prozorro",
    "moldova": "md-mtender",
    "paraguay": "py-dncp",
    "colombia": "co-secop",
    "secop": "co-secop",
    "mexico": "mx-compranet",
    "shcp": "mx-compranet",
    "nigeria": "ng-nocopo",
    "uganda": "ug-gpp",
    "portugal": "pt-base",
    "armenia": "am-armeps",
}
TABLES = {
    "gdp": "datahub-gdp",
    "population": "datahub-population",
    "inflation": "datahub-deflator",
    "cpi": "datahub-cpi",
}


def everything(seed, kinds, *, members=60, days=40):
    """Return all files of some kinds; of the bulk archive of filings, as many filers as `members`."""
    rng = random.Random(seed)
    found = [_document(file) for kind in kinds for file in KINDS[kind]()]
    if "filings" in kinds:
        found += _bulk(rng, members)
    return World(at_moments_of_their_own(found), [], _days(rng, days))


def some(seed, *, days=6):
    """Return small files of each kind."""
    rng = random.Random(seed)
    facts = sorted(_facts(), key=_size)[:8]
    tenders = rng.sample(sorted(_tenders()), 40)
    series = rng.sample([one for one in _series() if _size(one) < 200_000], 12)
    files = map(_document, [*facts, *tenders, *series])
    return World(at_moments_of_their_own(files), [], _days(rng, days))


def _size(file):
    return file[0].stat().st_size


def _document(file):
    path, named, fetched_at = file
    return Document(source(named), path.read_bytes(), fetched_at)


def _days(rng, count):
    first, last = date(2009, 8, 1), date(2026, 11, 10)
    return sorted({first + timedelta(days=day) for day in rng.sample(range((last - first).days), count)})


def _fetched(path):
    """Return when a file was fetched, as far as its name says."""
    month = re.match(r"([0-9]{4})-([0-9]{2})_", path.name)
    return datetime(int(month[1]), int(month[2]), 28, 12, tzinfo=UTC) if month else FETCHED


def _facts():
    for pattern in FACTS:
        for path in sorted(DATA.glob(pattern)):
            yield path, "sec-companyfacts", _fetched(path)


def _bulk(rng, members):
    for path in sorted(DATA.glob(BULK)):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in sorted(archive.namelist()) if name.endswith(".json")]
            for name in rng.sample(names, min(members, len(names))):
                yield Document(
                    source("sec-companyfacts"), archive.read(name), datetime(2021, 7, 28, tzinfo=UTC)
                )


def _sets():
    for pattern, named in SETS.items():
        for path in sorted(DATA.glob(pattern)):
            yield path, named, FETCHED


def _tenders():
    for pattern in TENDERS:
        for path in sorted(DATA.glob(pattern)):
            if "schema" not in path.parts:
                named = next((name for part, name in PORTALS.items() if part in str(path)), "za-etenders")
                yield path, named, FETCHED


def _series():
    for paths, named in (
        ((*macro_files.PAGES, *macro_files.WIDE), "world-bank"),
        (macro_files.ECB, "ecb"),
        (macro_files.CBK_RATES, "cbk-fx"),
        (macro_files.CBK_INFLATION, "cbk-inflation"),
        (macro_files.ALFRED, "alfred-gdp"),
    ):
        for path in paths:
            yield path, named, macro_files.committed(path)
    for path in macro_files.LONG:
        if path.parent.name != "cpi" or path.stem[-10:] < "2020":  # the file is another one since
            yield path, TABLES[path.parent.name], macro_files.committed(path)


KINDS = {"filings": lambda: [*_facts(), *_sets()], "tenders": _tenders, "series": _series}
