"""Hand-made filings for tests, written as companyfacts documents or data sets of the SEC."""

from __future__ import annotations

import calendar
import io
import json
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta

FY2022 = ("2022-01-01", "2022-12-31")
FY2023 = ("2023-01-01", "2023-12-31")
REVENUE = "ifrs-full:Revenue"


@dataclass
class Filer:
    """A filer whose filings go into one document, in the order they are written down."""

    number: int
    name: str = "Example Holdings PLC"
    said: list[tuple] = field(default_factory=list)

    @property
    def identifier(self):
        return f"cik:{self.number:010d}"

    def says(
        self,
        value,
        *,
        filed,
        concept=REVENUE,
        period=FY2023,
        unit="KES",
        filing=None,
        form="20-F",
        fiscal=(None, None),
    ):
        """Report a value (text or number, None for nil); one filing a day unless named.

        `fiscal` is the fiscal year and period that the filing declares; by default none.
        """
        filing = filing or f"{self.number:010d}-{filed[2:4]}-{int(filed[5:7] + filed[8:]):06d}"
        self.said.append((concept, unit, period, value, filing, filed, form, fiscal))
        return self

    def document(self):
        """Return the document with everything said so far; numbers are written digit for digit."""
        facts = defaultdict(lambda: defaultdict(lambda: {"label": "", "units": defaultdict(list)}))
        raw = {}
        for concept, unit, (start, end), value, filing, filed, form, (year, fiscal_period) in self.said:
            taxonomy, tag = concept.split(":")
            token = f"@{len(raw)}@"
            raw[f'"{token}"'] = "null" if value is None else str(value)
            row = {"end": end, "val": token, "accn": filing, "fy": year, "fp": fiscal_period, "form": form}
            row |= {"filed": filed} | ({"start": start} if start else {})
            facts[taxonomy][tag]["units"][unit].append(row)
        text = json.dumps({"cik": self.number, "entityName": self.name, "facts": facts})
        for token, digits in raw.items():
            text = text.replace(token, digits)
        return text.encode()


def data_set(**tables):
    """Return a Financial Statement Data Set with these tables, each a header and rows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, rows in tables.items():
            archive.writestr(f"{name}.txt", "".join("\t".join(row) + "\n" for row in rows))
    return file.getvalue()


def month_end(text):
    """Return the end of a month that is nearest to a day, counted day by day."""
    day = date.fromisoformat(text)
    for days in range(17):
        for near in (day + timedelta(days), day - timedelta(days)):
            if near.day == calendar.monthrange(near.year, near.month)[1]:
                return near.isoformat()
    raise AssertionError(text)
