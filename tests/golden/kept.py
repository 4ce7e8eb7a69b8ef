"""The golden statements as they are kept: the issuers, what was read, and the explained differences."""

from __future__ import annotations

import csv
from pathlib import Path

HERE = Path(__file__).parent
STATEMENTS, EXPLAINED = HERE / "statements.csv", HERE / "explained.csv"
COLUMNS = [
    "cik", "name", "kind", "item", "start", "end", "value", "unit", "concept", "accession", "filed"
]  # fmt: skip
HEADLINES = (
    "revenue",
    "gross_profit",
    "operating_income",
    "net_income",
    "net_income_attributable_to_parent",
    "eps_basic",
    "eps_diluted",
    "total_assets",
    "current_assets",
    "total_liabilities",
    "current_liabilities",
    "cash_and_equivalents",
    "equity",
    "equity_attributable_to_parent",
    "borrowings",
    "long_term_borrowings",
    "operating_cash_flow",
    "investing_cash_flow",
    "financing_cash_flow",
)


def issuers():
    """Return name and kind of each chosen issuer, by its number."""
    return {row["cik"]: (row["name"], row["kind"]) for row in _rows(HERE / "issuers.csv")}


def statements():
    """Return the golden statements."""
    return _rows(STATEMENTS)


def explained():
    """Return by issuer, item and filing how many differences there are, and why."""
    return {
        (row["cik"], row["item"], row["accession"]): (int(row["differences"]), row["reason"])
        for row in _rows(EXPLAINED)
    }


def _rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
