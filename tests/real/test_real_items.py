"""Every value of the real filings is served, counted from the files by code of its own."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import defaultdict
from decimal import Decimal
from itertools import product

import pytest

from support.filings import month_end
from support.real_sec import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")
SEMPRA, CITIGROUP, APPLE = "0001032208", "0000831001", "0000320193"


def of_company_facts():
    """Yield filer, concept, last day, unit and value of each number in the company facts."""
    for path in sorted(DATA.glob("sec-companyfacts/*.json")):
        document = json.loads(path.read_text(), parse_float=Decimal, parse_int=Decimal)
        for taxonomy, tags in document["facts"].items():
            for tag, described in tags.items():
                for unit, rows in described["units"].items():
                    for row in rows:
                        if row["val"] is not None:
                            concept = f"{taxonomy}:{tag}"
                            yield f"{int(document['cik']):010d}", concept, row["end"], unit, row["val"]


def of_data_sets():
    """Yield the same of each row of the data sets that is the group's."""
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        with zipfile.ZipFile(path) as archive:
            sub, num = (
                list(csv.DictReader(io.StringIO(archive.read(name).decode()), delimiter="\t", quoting=3))
                for name in ("sub.txt", "num.txt")
            )
        filer = {row["adsh"]: f"{int(row['cik']):010d}" for row in sub}
        by_filing = defaultdict(lambda: defaultdict(list))
        for row in num:
            by_filing[row["adsh"]][row["coreg"], row["segments"]].append(row)
        for number, told in by_filing.items():
            group = told.get(("", ""), told.get(("ParentCompany", "LegalEntity=ParentCompany;"), ()))
            for row in group:
                if row["value"]:
                    taxonomy = "ext" if row["version"] == number else row["version"].partition("/")[0]
                    end = f"{row['ddate'][:4]}-{row['ddate'][4:6]}-{row['ddate'][6:]}"
                    yield filer[number], f"{taxonomy}:{row['tag']}", end, row["uom"], Decimal(row["value"])


def test_every_number_of_the_filings_is_served(filers):
    """A filing that repeats a value of a line item under another concept confirms it, and has no row."""
    stated = set(of_company_facts()) | set(of_data_sets())
    served, named = set(), set()
    for identifier, concept, end, unit, value in filers.rows(
        "SELECT DISTINCT subject.identifier, fact.concept, fact.period_end::text, fact.unit, fact.value"
        " FROM serving.fundamentals_fact AS fact"
        " JOIN serving.issued_id AS answering ON answering.resolves_to = fact.service_id"
        " JOIN ops.issued_id AS issued ON issued.service_id = answering.service_id"
        " JOIN ledger.subject AS subject ON subject.subject_id = issued.subject_id"
    ):
        cik = identifier.removeprefix("cik:")
        # The data sets round days to the ends of months, and state values per share in the bare currency.
        for day, stated_in in product({end, month_end(end)}, {unit, re.sub("/shares$", "", unit)}):
            served.add((cik, day, stated_in, value))
            named.add((cik, concept, day, stated_in, value))
    missing = {one for one in stated if (one[0], *one[2:]) not in served}
    confirming = sum(one not in named for one in stated)
    print(f"{len(stated):,} distinct values stated: {len(missing)} not served, {confirming:,} only confirm")
    assert len(stated) > 100_000
    assert not missing, sorted(missing)[:5]
    assert confirming < len(stated) / 100


@pytest.mark.parametrize("cik", [SEMPRA, CITIGROUP])
def test_a_group_that_is_stated_as_a_parent_has_its_facts(filers, cik):
    rows = filers.facts(filers.id_of(f"cik:{cik}"))
    assert {"net_income", "revenue"} <= {row["line_item"] for row in rows}


def test_a_concept_without_a_line_item_is_asked_for_by_name(filers):
    concept = "us-gaap:AvailableForSaleSecuritiesCurrent"
    rows = filers.facts(filers.id_of(f"cik:{APPLE}"), items=concept)
    assert rows
    assert {row["concept"] for row in rows} == {concept}


def test_values_per_share_have_one_unit(filers):
    units = filers.rows(
        "SELECT DISTINCT unit FROM serving.fundamentals_fact WHERE line_item IN ('eps_basic', 'eps_diluted')"
    )
    assert units
    assert all(re.fullmatch("[A-Z]{3}/shares", unit) for (unit,) in units)
