"""Hand-made macroeconomic documents, in the formats of the demo sources."""

from __future__ import annotations

import json
from datetime import date, timedelta

GDP = ("NY.GDP.MKTP.CD", "GDP (current US$)")
INFLATION = ("FP.CPI.TOTL.ZG", "Inflation, consumer prices (annual %)")
EURO_BEGAN = "1999-01-04"


def rates(days):
    """Return reference rates for 1 euro, {day: {currency: rate}}; whole if they begin with the euro."""
    currencies = sorted({"USD"}.union(*days.values()))
    lines = [",".join(["Date", *currencies, ""])]
    for day, stated in sorted(days.items(), reverse=True):
        lines.append(",".join([day, *(str(stated.get(currency, "N/A")) for currency in currencies), ""]))
    return "\n".join(lines).encode()


def indicator(values, code=GDP, updated="2024-03-28"):
    """Return a page of one indicator, {(alpha-3 code, year): value as text, None for missing}."""
    head = {"page": 1, "pages": 1, "per_page": 20_000, "total": len(values), "sourceid": "2"}
    head["lastupdated"] = updated
    rows = []
    for (area, year), value in values.items():
        row = {
            "indicator": {"id": code[0], "value": code[1]},
            "country": {"id": area[:2], "value": area},
            "countryiso3code": area,
            "date": str(year),
            "value": f"@{len(rows)}@",
            "unit": "",
            "obs_status": "",
            "decimal": 0,
        }
        text = json.dumps(row)
        rows.append(text.replace(f'"@{len(rows)}@"', "null" if value is None else str(value)))
    return f"[{json.dumps(head)},[{','.join(rows)}]]".encode()


def vintages(months):
    """Return every release of one series, {first day of a period: [(day of release, value or "."), …]}."""
    rows = []
    for first, releases in months.items():
        ends = [day_before(began) for began, _ in releases[1:]] + ["9999-12-31"]
        rows += [
            {"realtime_start": began, "realtime_end": ended, "date": first, "value": str(value)}
            for (began, value), ended in zip(releases, ends, strict=True)
        ]
    answer = {
        "realtime_start": "1776-07-04",
        "realtime_end": "9999-12-31",
        "observation_start": "1600-01-01",
        "observation_end": "9999-12-31",
        "units": "lin",
        "output_type": 1,
        "file_type": "json",
        "order_by": "observation_date",
        "sort_order": "asc",
        "count": len(rows),
        "offset": 0,
        "limit": 100_000,
        "observations": rows,
    }
    return json.dumps(answer).encode()


def day_before(day):
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
