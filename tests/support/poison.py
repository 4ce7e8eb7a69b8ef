"""Poisoned documents: ordinary ones of the demo world in which somebody changed what he should not have."""

from __future__ import annotations

import csv
import io
import json
from copy import deepcopy
from datetime import timedelta

from demo import companyfacts, documents, macro_tables, tenders_za
from demo.world import FETCHED_AT, World
from support.stated_tenders import package, release, tender

WORLD = World(facts=2_000)
TENDER_MONTHS = range(6, 12)  # some months of the portal
FIRST_LOAD = (companyfacts, macro_tables, tenders_za)
THOUSAND = 1_000
_TENDERS = {number: tenders_za.part(WORLD, number) for number in TENDER_MONTHS}
_NUMBERS_BEGIN = 4  # columns of a table of the World Bank before its years


def load(service):
    """Ingest the first load: issuers, tables and tenders."""
    for number in range(companyfacts.parts(WORLD)):
        _ingest(service, companyfacts, companyfacts.part(WORLD, number))
    for number in range(macro_tables.parts(WORLD)):
        _ingest(service, macro_tables, macro_tables.part(WORLD, number))
    for document in _TENDERS.values():
        _ingest(service, tenders_za, document)


def _ingest(service, written, document):
    service.ingest((document.content, document.fetched_at), source_name=written.SOURCE)


def moved(kind, rng, value):
    """Return what a value becomes: a number, or None where it is gone."""
    if kind == "zeroed":
        return 0
    if kind == "leapt":
        return value * THOUSAND
    if kind == "restated":
        return round(value * rng.choice((rng.uniform(0.2, 0.8), rng.uniform(1.25, 5))))
    return None


def share(kind, rng):
    """Return how much of a document is poisoned: a few values suffice to zero or scale, more to restate."""
    return {"zeroed": rng.uniform(0, 1), "leapt": rng.uniform(0, 1)}.get(kind, rng.uniform(0.6, 1))


def chosen(rng, places, part):
    """Return some of all places, at least one."""
    return rng.sample(places, max(1, round(part * len(places))))


def filings(kind, rng):
    """Return an issuer's company facts, of which some were refilled or restated by an invented filing."""
    issuer = rng.randrange(WORLD.issuers)
    told = json.loads(companyfacts.companyfacts(WORLD, issuer))
    listed = [
        unit
        for concepts in told["facts"].values()
        for concept in concepts.values()
        for unit in concept["units"].values()
    ]
    rows = [(unit, row) for unit in listed for row in unit if row["val"]]
    is_new_filing = rng.random() < 0.5
    for unit, row in chosen(rng, rows, share(kind, rng)):
        if is_new_filing:
            invented = {"accn": f"{row['accn'][:-6]}999999", "filed": "2026-01-04", "form": "20-F/A"}
            row = deepcopy(row) | invented  # noqa: PLW2901 - the copy is poisoned in its place
            unit.append(row)
        row["val"] = moved(kind, rng, row["val"])
    return companyfacts.SOURCE, json.dumps(told).encode()


def tables(kind, rng):
    """Return the newest table of the World Bank, poisoned."""
    newest = macro_tables.part(WORLD, macro_tables.parts(WORLD) - 1).content.decode("utf-8-sig")
    lines = list(csv.reader(io.StringIO(newest)))
    head = next(place for place, line in enumerate(lines) if line[:1] == ["Country Name"])
    cells = [
        (line, column)
        for line in lines[head + 1 :]
        for column in range(_NUMBERS_BEGIN, len(line))
        if line[column] and float(line[column])
    ]
    for line, column in chosen(rng, cells, max(0.02, share(kind, rng))):
        value = moved(kind, rng, float(line[column]))
        line[column] = "" if value is None else f"{value:.2f}" if abs(value) >= 1 else f"{value:.6f}"
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(lines)
    return macro_tables.SOURCE, ("\ufeff" + out.getvalue()).encode()


def packages(kind, rng):
    """Return a month of the portal of tenders, poisoned."""
    told = json.loads(rng.choice(list(_TENDERS.values())).content)
    held = [one for each in told["releases"] for one in (each.get("tender"), *each.get("awards", ())) if one]
    valued = [one for one in held if one.get("value", {}).get("amount", 0) > 0]
    for one in chosen(rng, valued, share(kind, rng)):
        amount = moved(kind, rng, one["value"]["amount"])
        if amount is None:
            del one["value"]
        else:
            one["value"]["amount"] = amount
    return tenders_za.SOURCE, json.dumps(told).encode()


def giants(rng):
    """Return a document with far more rows than any before."""
    if rng.random() < 0.8:
        number = rng.randrange(1_200, 3_500)
        first = rng.randrange(10**6)
        flood = (release(f"flood-{first}-{one}", tender=tender(1_000 + one)) for one in range(number))
        return tenders_za.SOURCE, package(*flood)
    first = rng.randrange(1_000, 100_000)
    world = World(facts=10**8)
    files = (
        (companyfacts.file_name(issuer), companyfacts.companyfacts(world, issuer))
        for issuer in range(first, first + 45)
    )
    return companyfacts.SOURCE, documents.zipped(files, FETCHED_AT)


KINDS = ("zeroed", "leapt", "restated", "gone", "giant")
DATASETS = (filings, tables, packages)


def poisoned(kind, rng):
    """Return a source and a document of it that is poisoned in one of the ways."""
    return giants(rng) if kind == "giant" else rng.choice(DATASETS)(kind, rng)


def fetched(body, number):
    """Return a document as fetched later than all of the world."""
    return body, FETCHED_AT + timedelta(days=1, minutes=number)
