"""The explorer as tests speak of it: where its views are, and what REST says about the same."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

import pytest

# Widths and colours; two of them show both.
LOOKS = [
    (1440, "light"),
    (390, "dark"),
    pytest.param(1440, "dark", marks=pytest.mark.heavy),
    pytest.param(390, "light", marks=pytest.mark.heavy),
]
NYALUMERA = "DCHFPV9ZRN9Z1AW"
FY2022 = "2022-01-01..2022-12-31~KES"

# Each view in a state that shows what it is for.
VIEWS = {
    "company": f"#/company/{NYALUMERA}?item=revenue&period={FY2022}&as_of=2024-03-14",
    "ratios": f"#/company/{NYALUMERA}?tab=ratios&as_of=2024-03-14",
    "filings": f"#/company/{NYALUMERA}?tab=filings&as_of=2024-03-15",
    "company-tenders": f"#/company/{NYALUMERA}?tab=tenders",
    "identifiers": f"#/company/{NYALUMERA}?tab=about",
    "screen": "#/screen?metric=net_margin,return_on_equity&as_of=2024-03-14",
    "tenders": "#/tenders?country=ZA&category=Solar and electrical equipment&as_of=2024-04-30",
    "tender": "#/tender/ocds-demoke-004502?as_of=2024-12-10",
    "signals": "#/signals?country=ZA&category=Solar and electrical equipment",
    "macro": "#/macro?series=CPI.KEN&as_of=2024-09-01&vintages=all&date=2024-06-30",
    "country": "#/country/KE?as_of=2025-06-30",
    "sources": "#/sources",
    "coverage": "#/coverage?kind=metrics",
    "editions": "#/editions",
}


@dataclass(frozen=True)
class Site:
    """A running explorer and its two keys."""

    address: str
    sandbox_key: str
    own_key: str


def figure(page):
    """Return the digits of the big figure; None if nothing is known."""
    page.wait_for_selector(".figure .value")
    return page.get_attribute(".figure .value", "data-value") or None


def as_of(page):
    """Return the day that the slider is on."""
    return page.input_value(".as-of input[type=date]")


def in_rest(demo, service_id, line_item, period, day):
    """Return what REST says about a figure as of a day, as a decimal; None if it says nothing."""
    start, rest = period.split("..")
    end, unit = rest.split("~")
    values = [
        row["value_reported"]
        for row in demo.facts(service_id, as_of=day)
        if (row["line_item"], row["period_start"] or "", row["period_end"], row["unit"])
        == (line_item, start, end, unit)
    ]
    assert len(values) <= 1
    return Decimal(values[0]) if values else None
