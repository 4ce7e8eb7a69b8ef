"""Real SEC documents, counted twice: by the parsers, and by a plain reading with json and csv."""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings import sec_companyfacts, sec_fsds

REPOSITORY = Path(__file__).parents[2]
DATA = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "fundamentals"
COMPANY_FACTS = sorted(DATA.glob("sec-companyfacts/*"))
DATA_SETS = sorted(DATA.glob("sec-fsds/*.zip"))
# A table taken out of a data set without its numbers, and an index of filings: neither holds facts.
NOT_FACTS = sorted([*DATA.glob("sec-fsds/*.parquet"), *DATA.glob("sec-submissions/*")])

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


def name(path):
    return path.stem


def parsed(parser, path):
    rejections = Rejections()
    with path.open("rb") as document:
        return list(parser.parse(document, rejections)), rejections.counts


def facts(filings):
    return Counter(
        (filing.subject, filing.number, filing.filed, fact.concept, fact.period_end, fact.unit, fact.value)
        for filing in filings
        for fact in filing.facts
    )


def test_every_real_file_is_read_below_or_holds_no_facts():
    assert sorted(DATA.glob("sec-*/*")) == sorted([*COMPANY_FACTS, *DATA_SETS, *NOT_FACTS])


@pytest.mark.parametrize("path", COMPANY_FACTS, ids=name)
def test_every_row_of_a_company_facts_document_becomes_a_fact(path):
    document = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    filer = f"cik:{int(document['cik']):010d}"
    rows = [
        (f"{taxonomy}:{tag}", unit, row)
        for taxonomy, tags in document["facts"].items()
        for tag, concept in tags.items()
        for unit, stated in concept["units"].items()
        for row in stated
    ]
    filings, rejected = parsed(sec_companyfacts, path)
    assert sum(len(filing.facts) for filing in filings) + rejected.total() == len(rows)
    assert rejected == {}
    assert facts(filings) == Counter(
        (
            filer,
            row["accn"],
            date.fromisoformat(row["filed"]),
            concept,
            date.fromisoformat(row["end"]),
            unit,
            row["val"],
        )
        for concept, unit, row in rows
    )
    starts = Counter(str(fact.period_start) for filing in filings for fact in filing.facts)
    assert starts == Counter(row.get("start", "None") for _, _, row in rows)
    assert {filing.subject_name for filing in filings} == {document["entityName"]}


def tables(path):
    """Return the rows of sub.txt by filing, and the rows of num.txt."""
    with zipfile.ZipFile(path) as archive:
        sub, num = (
            list(
                csv.DictReader(
                    io.StringIO(archive.read(member).decode(), newline=""),
                    delimiter="\t",
                    quoting=csv.QUOTE_NONE,
                )
            )
            for member in ("sub.txt", "num.txt")
        )
    return {row["adsh"]: row for row in sub}, num


def of_groups(numbers):
    """Return rows without a company and a segment, and those of parents whose filings have no such rows."""
    plain = [row for row in numbers if not row["segments"] and not row["coreg"]]
    having = {row["adsh"] for row in plain}
    return plain + [
        row
        for row in numbers
        if row["coreg"] == "ParentCompany"
        and row["segments"] == "LegalEntity=ParentCompany;"
        and row["adsh"] not in having
    ]


@pytest.mark.parametrize("path", DATA_SETS, ids=name)
def test_every_row_of_a_data_set_is_a_fact_or_counted(path):
    submissions, numbers = tables(path)
    plain = of_groups(numbers)
    filings, rejected = parsed(sec_fsds, path)
    assert sum(len(filing.facts) for filing in filings) + rejected.total() == len(numbers)
    assert rejected == +Counter(
        coregistrant=sum(bool(row["coreg"]) for row in numbers) - sum(bool(row["coreg"]) for row in plain),
        dimensional=sum(bool(row["segments"]) and not row["coreg"] for row in numbers),
    )
    assert facts(filings) == Counter(
        (
            f"cik:{int(submissions[row['adsh']]['cik']):010d}",
            row["adsh"],
            date.fromisoformat(submissions[row["adsh"]]["filed"]),
            f"{'ext' if row['version'] == row['adsh'] else row['version'].split('/')[0]}:{row['tag']}",
            date.fromisoformat(row["ddate"]),
            row["uom"],
            Decimal(row["value"]) if row["value"] else None,
        )
        for row in plain
    )
    instants = sum(fact.period_start is None for filing in filings for fact in filing.facts)
    assert instants == sum(row["qtrs"] == "0" for row in plain)
    days = [
        (fact.period_end - fact.period_start).days + 1
        for filing in filings
        for fact in filing.facts
        if fact.period_start
    ]
    quarters = [int(row["qtrs"]) for row in plain if row["qtrs"] != "0"]
    assert Counter(round(length / 91.3125) for length in days) == Counter(quarters)


def restated(reports):
    """Count facts reported on more than one day, or by more than one filing, and those with two values."""
    values = defaultdict(lambda: defaultdict(set))
    for fact, occasion, value in reports:
        values[fact][occasion].add(value)
    repeated = [stated for stated in values.values() if len(stated) > 1]
    return len(repeated), sum(len(set().union(*stated.values())) > 1 for stated in repeated)


@pytest.mark.heavy
def test_278_facts_of_the_data_sets_changed_value():
    """Filer, tag, date, quarters and unit make a fact; dimensional and coregistrant rows are none.

    By day of filing, with nil as a value, 3,739 facts come more than once. By filing, without nil,
    there are 4,044, of which as many changed. The parser tells a filer's own tag from a standard one of
    the same name, so what moved from one to the other is not repeated to it.
    """
    plain, read = [], []
    for path in DATA_SETS:
        submissions, numbers = tables(path)
        having = {row["adsh"] for row in numbers if not row["segments"] and not row["coreg"]}
        for row in numbers:
            if not row["segments"] and not row["coreg"]:
                filing = submissions[row["adsh"]]
                fact = (filing["cik"], row["tag"], row["ddate"], row["qtrs"], row["uom"])
                value = Decimal(row["value"]) if row["value"] else None
                plain.append((fact, filing["filed"], row["adsh"], value))
        read += [
            ((filing.subject, *fact[:4]), filing.filed, filing.number, fact.value)
            for filing in parsed(sec_fsds, path)[0]
            if filing.number in having
            for fact in filing.facts
        ]
    by_name = [((fact[0], fact[1].partition(":")[2], *fact[2:]), *rest) for fact, *rest in read]
    for reports in (plain, by_name):
        assert restated((fact, day, value) for fact, day, _, value in reports) == (3_739, 278)
        by_filing = [(fact, number, value) for fact, _, number, value in reports]
        assert restated(report for report in by_filing if report[2] is not None) == (4_044, 278)
        assert restated(by_filing) == (4_052, 282)
    assert restated((fact, number, value) for fact, _, number, value in read) == (4_025, 280)
