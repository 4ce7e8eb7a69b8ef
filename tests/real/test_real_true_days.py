"""The SEC's data sets round days; beside the company facts of the same filings, the true ones are served."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import defaultdict
from datetime import date
from decimal import Decimal

import pytest

from support.filings import month_end
from support.real_sec import BULK, DATA, FETCHED, SECOND

pytestmark = [
    pytest.mark.skipif(not BULK.is_file(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA"),
    pytest.mark.heavy,
]
QUARTER = 365.25 / 4


def submissions():
    """Return the rows of `sub.txt` by filing."""
    found = {}
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        with zipfile.ZipFile(path) as archive:
            table = io.StringIO(archive.read("sub.txt").decode("latin-1"))
        found |= {row["adsh"]: row for row in csv.DictReader(table, delimiter="\t", quoting=3)}
    return found


def company_facts(ciks):
    """Yield the company facts of these filers, from both places that have some."""
    for path in sorted(SECOND.glob("sec-companyfacts/*.json")):
        yield json.loads(path.read_text(), parse_float=Decimal)
    with zipfile.ZipFile(BULK) as archive:
        for name in archive.namelist():
            number = re.search(r"CIK0*([0-9]+)", name)
            if number and int(number[1]) in ciks:
                yield json.loads(archive.read(name), parse_float=Decimal)


def cut(document, numbers):
    """Return the document with nothing but what these filings state, and what that is, by filing."""
    stated = defaultdict(set)
    for taxonomy, tags in document["facts"].items():
        for tag, described in tags.items():
            for unit, rows in described["units"].items():
                rows[:] = [row for row in rows if row["accn"] in numbers and row["val"] is not None]
                for row in rows:
                    stated[row["accn"]].add(
                        (f"{taxonomy}:{tag}", unit, row.get("start"), row["end"], Decimal(row["val"]))
                    )
    return json.dumps(document, default=float).encode(), stated


def rounded(start, end):
    return month_end(end), round(
        (date.fromisoformat(end) - date.fromisoformat(start)).days / QUARTER
    ) if start else 0


@pytest.fixture(scope="module")
def loaded(module_service):
    """The data sets, and of the company facts what states the same filings: by filer, what they state."""
    listed, stated = submissions(), defaultdict(set)
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        module_service.ingest((path.read_bytes(), FETCHED), source_name="sec-fsds")
    for document in company_facts({int(row["cik"]) for row in listed.values()}):
        content, by_filing = cut(document, listed.keys())
        if by_filing:
            module_service.ingest((content, FETCHED), source_name="sec-companyfacts")
        for number, facts in by_filing.items():
            stated[f"cik:{int(document['cik']):010d}"] |= {(number, *fact) for fact in facts}
    module_service.publish()
    return module_service, listed, stated


def test_one_filing_from_two_sources_has_each_value_once(loaded):
    service, _, stated = loaded
    filings = {fact[0] for facts in stated.values() for fact in facts}
    missing, doubled, values = [], [], 0
    for identifier, facts in stated.items():
        rows = service.facts(service.id_of(identifier), items="all", vintages="all")
        served = {
            (row["period_start"], row["period_end"], Decimal(str(row["value_reported"]))) for row in rows
        }
        missing += [fact for fact in facts if fact[3:] not in served]
        places = defaultdict(set)
        for row in rows:
            if row["filing_id"] in filings:
                span = row["period_start"], row["period_end"]
                places[row["line_item"], row["unit"], row["value_reported"], *rounded(*span)].add(span)
        doubled += [
            (identifier, place, spans)
            for place, spans in places.items()
            if len(spans) > 1 and not spans <= {fact[3:5] for fact in facts}
        ]
        values += len(facts)
    print(
        f"{len(filings)} filings from two sources: {values:,} values, {len(missing)} not on their days, "
        f"{len(doubled)} twice"
    )
    assert len(filings) > 50
    assert not missing, missing[:5]
    assert not doubled, doubled[:5]


def test_the_own_period_ends_on_the_day_that_the_document_is_named_after(loaded):
    service, listed, stated = loaded
    beside = {fact[0] for facts in stated.values() for fact in facts}
    moved = {}
    for number, row in listed.items():
        named = re.search(r"-([0-9]{4})([0-9]{2})([0-9]{2})(_[a-z]+)?\.xml", row.get("instance") or "")
        end = "-".join(named.groups()[:3]) if named else None
        period = f"{row['period'][:4]}-{row['period'][4:6]}-{row['period'][6:]}"
        if end and number not in beside and end != period and month_end(end) == period:
            moved[number] = end, period
    ends = defaultdict(set)
    for number, end in service.rows(
        "SELECT DISTINCT provenance.filing_id, fact.period_end::text FROM serving.fundamentals_fact AS fact"
        " JOIN serving.provenance AS provenance USING (provenance_id)"
    ):
        ends[number].add(end)
    wrong = {number: ends[number] for number, (end, period) in moved.items() if period in ends[number]}
    right = sum(end in ends[number] for number, (end, _) in moved.items())
    print(f"{len(moved)} filings end on a day that their table rounds: {right} served so, {len(wrong)} not")
    assert len(moved) > 100
    assert right == len([number for number in moved if number in ends])
    assert not wrong, list(wrong.items())[:5]
