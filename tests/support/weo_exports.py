"""Exports of the World Economic Outlook as its website makes them: tabs, UTF-16 without a mark, a footer."""

from __future__ import annotations

GDP = ("Gross domestic product, current prices", "U.S. dollars", "Billions")
PRICES = ("Inflation, average consumer prices", "Percent change", "")
_HEAD = ("Country", "Subject Descriptor", "Units", "Scale", "Country/Series-specific Notes")


def line(country, subject, values, estimates, notes="Source: a test"):
    """Return the fields of a line: where, what, the values by year, and the last year that is no estimate."""
    return (country, *subject, notes, *values, str(estimates))


def export(
    years, *lines, edition="October 2016", encoding="utf-16-le", tab="\t", last="Estimates Start After"
):
    """Return an export; an edition of None leaves the footer out."""
    rows = [tab.join((*_HEAD, *map(str, years), last)), *(tab.join(one) for one in lines)]
    footer = f"International Monetary Fund, World Economic Outlook Database, {edition}"
    rows += ["", footer] if edition else []
    return "".join(f"{row}{tab}\r\n" if row and row != footer else f"{row}\r\n" for row in rows).encode(
        encoding
    )
