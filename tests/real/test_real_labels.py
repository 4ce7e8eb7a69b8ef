"""Labels of all real SEC filings against what each filing declares itself, read from the files by other code.

With AUDIT_SIZE=full, also of the 396 issuers of the bulk archive.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections import Counter, defaultdict
from datetime import date, timedelta
from itertools import chain

import pytest

from support.real_sec import BULK, DATA, IS_FULL, company_files

MONTHS = {"FY": 12, "Q4": 12, "H2": 12, "Q3": 9, "9M": 9, "Q2": 6, "H1": 6, "Q1": 3}
pytestmark = [
    pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA"),
    pytest.mark.timeout(7200),
]


def company_facts():
    """Yield (accession, form, fy, fp, filed, rows) of each filing of each companyfacts file."""
    documents = (json.loads(path.read_bytes()) for path in company_files())
    if IS_FULL and BULK.is_file():
        archive = zipfile.ZipFile(BULK)
        members = (name for name in archive.namelist() if name.endswith(".json"))
        documents = chain(documents, (json.loads(archive.read(name)) for name in members))
    for document in documents:
        filings = defaultdict(list)
        for taxonomy, tags in document["facts"].items():
            for concept in tags.values():
                for rows in concept["units"].values():
                    for row in rows if taxonomy != "dei" else ():
                        filings[row["accn"]].append(row)
        for number, rows in filings.items():
            one = rows[0]
            spans = [(row.get("start"), row["end"]) for row in rows]
            yield number, one.get("form"), one.get("fy"), one.get("fp"), one["filed"], spans, None


def data_sets():
    """Yield the same of each filing of the Financial Statement Data Sets, with its stated period."""
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        with zipfile.ZipFile(path) as archive:
            for row in table(archive, "sub.txt"):
                if row["fp"] and row["period"]:
                    year = int(row["fy"]) if row["fy"] else None
                    filed = day8(row["filed"])
                    yield row["adsh"], row["form"], year, row["fp"], filed, [], day8(row["period"])


def table(archive, name):
    with archive.open(name) as file:
        text = io.TextIOWrapper(file, encoding="cp1252", newline="")
        yield from csv.DictReader(text, delimiter="\t", quoting=csv.QUOTE_NONE)


def day8(text):
    return f"{text[:4]}-{text[4:6]}-{text[6:]}"


def own_end(spans, filed, period):
    """Return where the own period of a filing ends, as FUN-1 says, up to the day of filing."""
    ends = Counter(end for _, end in spans if end <= filed)
    shortest, longest = {3: (77, 123), 6: (161, 203), 9: (245, 288)}.get(MONTHS.get(period), (1, 0))
    declared = {end for start, end in spans if start and shortest <= length(start, end) <= longest}
    declared &= {*ends}
    days = [end for end, n in ends.items() if 5 * n >= max(ends.values()) and is_years_after(end, declared)]
    return max([*days, *declared], default=None)


def is_years_after(end, declared):
    """Return whether a day is whole years after one on which a period of the declared length ends."""
    apart = [length(day, end) - 1 for day in declared]
    return not apart or any(days >= -10 and abs(days - 365 * round(days / 365)) <= 10 for days in apart)


def year_of_end(end, months):
    """Return the calendar year in which the fiscal year ends."""
    first = date.fromisoformat(end).replace(day=1)
    return (first + timedelta(days=round(30.44 * (12 - months)) + 14)).year


def declared():
    """Return what each filing says of its own period: its end, position and fiscal year."""
    found = {}
    for number, form, year, period, filed, spans, stated_end in chain(company_facts(), data_sets()):
        end = stated_end or own_end(spans, filed, period)
        months = MONTHS.get(period)
        is_annual = (form or "").startswith(("10-K", "20-F", "40-F"))
        if not end or not months or (form or "").startswith("10-Q") == (months == 12) != is_annual:
            continue
        if is_annual and months != 12:
            continue
        own = [start for start, last in spans if start and last == end and length(start, end) <= 380]
        longest = min(own, default=None)
        is_short = months == 12 and longest and length(longest, end) < 350
        is_credible = year is not None and abs(year - year_of_end(end, months)) <= 1
        found[number, bool(stated_end)] = (
            end,
            months,
            year if is_credible else None,
            longest if is_short else None,
        )
    return found


def length(start, end):
    return (date.fromisoformat(end) - date.fromisoformat(start)).days + 1


def expected_types(start, end, months):
    if start is None:
        return {3: {"Q1"}, 6: {"Q2", "H1"}, 9: {"Q3"}, 12: {"FY"}}[months]
    days = length(start, end)
    if 350 <= days <= 380:
        return {"FY"} if months == 12 else {"TTM"}
    if 245 <= days <= 288:
        return {"9M"} if months == 9 else set()
    if 161 <= days <= 203:
        return {6: {"H1"}, 12: {"H2"}}.get(months, set())
    return {f"Q{months // 3}"} if 77 <= days <= 123 else set()


def test_labels_are_those_that_the_filings_declare(companies):
    says = declared()
    counts, wrong = Counter(), []
    served = companies.rows(
        """
        SELECT
            provenance.filing_id, starts_with(provenance.document_ref, 'sec-fsds:'),
            nullif(fact.period_start, '-infinity')::text, fact.period_end::text,
            nullif(fact.period_type, ''), fact.fiscal_year, fact.labelled_from, fact.concept
        FROM serving.fundamentals_fact AS fact
        INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
        """
    )
    for number, is_data_set, start, end, period_type, year, since, concept in served:
        if since is not None or concept.startswith("dei:"):  # labels that came later than the filing
            continue
        counts["rows"] += 1
        if (number, is_data_set) not in says:
            counts["without a declaration"] += 1
            continue
        own, months, declared_year, short = says[number, is_data_set]
        types = expected_types(start, end, months)
        if end != own or not types or (short and start == short):
            counts["not of the own period" if end != own else "no type for the length"] += 1
            continue
        counts["comparable"] += 1
        if period_type is None:
            counts["unlabelled"] += 1
        elif period_type not in types or (declared_year is not None and year != declared_year):
            wrong.append((number, start, end, period_type, year, months, declared_year))
    print(dict(counts), "contradicting:", len(wrong), wrong[:10])
    assert counts["comparable"] > 40_000
    assert counts["unlabelled"] <= 0.005 * counts["comparable"]
    assert wrong == []
