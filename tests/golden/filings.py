"""The financial statement data sets of the SEC: filings, their statements and the lines of these."""

from __future__ import annotations

import csv
import io
import zipfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal

from golden.words import plain

PARENT = (
    "ParentCompany",
    "LegalEntity=ParentCompany;",
)  # the group, in filings that name a company in every row
SHARE_OF_LINES = 0.3  # a column of a statement has at least this share of its lines


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a statement: what the filer printed, and the values of the concept behind it."""

    label: str
    concept: str
    values: dict  # by last day and quarters


@dataclass(slots=True)
class Filing:
    """One filing, with its statements in the order in which the filer shows them."""

    number: str
    cik: str
    name: str
    filed: str
    statements: dict = field(default_factory=dict)


def read(path):
    """Yield each filing of an archive that shows statements."""
    with zipfile.ZipFile(path) as archive:
        sub, pre, num = (_rows(archive, name) for name in ("sub.txt", "pre.txt", "num.txt"))
    stated = _stated(num)
    shown = defaultdict(lambda: defaultdict(list))
    for row in pre:
        if row["inpth"] != "1" and row["stmt"] in ("IS", "BS", "CF"):
            shown[row["adsh"]][row["stmt"], int(row["report"])].append(row)
    for row in sub:
        number = row["adsh"]
        filing = Filing(number, f"{int(row['cik']):010d}", row["name"], _day(row["filed"]))
        values = _of_group(stated[number])
        for (statement, _), rows in sorted(shown[number].items()):
            lines = [_line(number, one, values) for one in sorted(rows, key=lambda one: int(one["line"]))]
            held = [line for line in lines if line.values]
            if len(held) > len(filing.statements.get(statement, ())) and statement not in filing.statements:
                filing.statements[statement] = held
        yield filing


def columns(lines):
    """Return the columns of a statement: last day and quarters of the periods that enough lines have."""
    counted = Counter(column for line in lines for column in line.values)
    most = max(counted.values(), default=0)
    return sorted(column for column, count in counted.items() if count >= SHARE_OF_LINES * most)


def _rows(archive, name):
    return list(
        csv.DictReader(io.StringIO(archive.read(name).decode()), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def _stated(num):
    """Return the values by filing, company, concept and column; one amount a column, the currency's."""
    stated = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    for row in num:
        if row["value"]:
            company, concept = (row["coreg"], row["segments"]), (row["tag"], row["version"])
            column = (_day(row["ddate"]), int(row["qtrs"]), row["uom"])
            stated[row["adsh"]][company][concept][column] = Decimal(row["value"])
    return stated


def _of_group(by_company):
    return by_company.get(("", ""), by_company.get(PARENT, {}))


def _line(number, row, values):
    taxonomy = "ext" if row["version"] == number else row["version"].partition("/")[0]
    return Line(
        plain(row["plabel"]), f"{taxonomy}:{row['tag']}", values.get((row["tag"], row["version"]), {})
    )


def _day(text):
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}"
