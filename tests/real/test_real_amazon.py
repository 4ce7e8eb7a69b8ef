"""Amazon's labels: its 10-Qs state twelve-month columns that end in March, June and September."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter
from datetime import date

import pytest

from support.real_sec import DATA, SECOND

CIK = "1018724"
FACTS = SECOND / "sec-companyfacts" / f"2021-07_CIK000{CIK}.json"
pytestmark = pytest.mark.skipif(not FACTS.is_file(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


@pytest.fixture(scope="module")
def rows(companies):
    """Every vintage of every value of Amazon, as served."""
    ((service_id,),) = companies.rows(
        "SELECT DISTINCT fact.service_id FROM serving.fundamentals_fact AS fact"
        " JOIN serving.provenance AS provenance USING (provenance_id) WHERE provenance.filing_id = %s",
        next(iter(data_sets()))[0],
    )
    found, asked = [], {"vintages": "all"}
    while asked:
        answer = companies.get(f"/v1/fundamentals/{service_id}", **asked).exact
        found += answer["data"]
        asked = answer["next_cursor"] and {"cursor": answer["next_cursor"]}
    return found


def data_sets():
    """Yield (filing, tag, end, quarters) of each value in Amazon's filings in the data sets."""
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        with zipfile.ZipFile(path) as archive:
            filings = {row["adsh"] for row in table(archive, "sub.txt") if row["cik"].lstrip("0") == CIK}
            for row in table(archive, "num.txt"):
                if row["adsh"] in filings:
                    yield row["adsh"], row["tag"], row["ddate"], int(row["qtrs"])


def table(archive, name):
    text = io.TextIOWrapper(archive.open(name), encoding="cp1252", newline="")
    return csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)


def expected(end, quarters):
    """Return the label of a period of whole quarters in a fiscal year that ends in December."""
    place = int(end[4:6]) // 3
    if quarters == 4:
        return "FY" if place == 4 else "TTM"
    if quarters == 0:
        return "FY" if place == 4 else f"Q{place}"
    return {1: f"Q{place}", 2: "H1" if place == 2 else "H2", 3: "9M"}[quarters]


def quarters_of(row):
    if row["period_start"] is None:
        return 0
    days = date.fromisoformat(row["period_end"]) - date.fromisoformat(row["period_start"])
    return round(days.days / 91.3)


def test_every_value_in_the_data_sets_has_the_label_of_its_quarters(rows):
    """The rows may cite company facts, which state the same filings."""
    stated, counted = set(data_sets()), Counter()
    for row in rows:
        end, quarters = row["period_end"].replace("-", ""), quarters_of(row)
        if (row["filing_id"], row["source_ref"].rpartition(":")[2], end, quarters) not in stated:
            continue
        assert (row["period_type"], row["fiscal_year"]) == (expected(end, quarters), int(end[:4])), row
        counted[row["period_type"]] += 1
    print(dict(counted))
    assert counted["TTM"] > 10
    assert counted.keys() == {"TTM", "Q1", "Q2", "H1", "FY"}


def test_no_twelve_month_column_of_a_10_q_is_a_fiscal_year(rows):
    years = {
        (row["period_start"], row["period_end"])
        for row in rows
        if row["period_type"] == "FY" and row["period_start"]
    }
    assert {end[5:] for _, end in years} == {"12-31"}
    assert {row["period_end"][5:] for row in rows if row["period_type"] == "TTM"} == {
        "03-31",
        "06-30",
        "09-30",
    }


def test_the_net_income_of_2009_is_one_number(rows):
    stated = json.loads(FACTS.read_bytes())["facts"]["us-gaap"]["NetIncomeLoss"]["units"]["USD"]
    (net_income,) = {
        row["val"] for row in stated if (row.get("start"), row["end"]) == ("2009-01-01", "2009-12-31")
    }
    served = {
        row["value_reported"]
        for row in rows
        if row["line_item"].startswith("net_income")
        and (row["period_type"], row["fiscal_year"]) == ("FY", 2009)
    }
    assert served == {net_income}
