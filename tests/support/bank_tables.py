"""Documents in the World Bank's two forms, written from plain values: whole tables, and pages of the API."""

from __future__ import annotations

import json

GDP = "NY.GDP.MKTP.CD"
NAME = "GDP (current US$)"


def wide(values, updated, indicator=GDP, years=None, name=NAME):
    """Return a whole table: {area: {year: value as text}}, as updated on a day."""
    years = years or sorted({year for row in values.values() for year in row})
    lines = [
        '\ufeff"Data Source","World Development Indicators",',
        "",
        f'"Last Updated Date","{updated}",',
        "",
        '"Country Name","Country Code","Indicator Name","Indicator Code",' + ",".join(map(str, years)) + ",",
    ]
    for area, row in values.items():
        cells = ",".join(row.get(year, "") for year in years)
        lines.append(f'"{area}","{area}","{name}","{indicator}",{cells},')
    return "\n".join(lines).encode()


def page(values, updated, indicator=GDP, name=NAME):
    """Return a page of the API: {area: {year: value as text, or None}}; it says nothing of the rest."""
    rows = ",".join(
        json.dumps(
            {
                "indicator": {"id": indicator, "value": name},
                "country": {"id": area[:2], "value": area},
                "countryiso3code": area,
                "date": str(year),
            }
        )[:-1]
        + f', "value": {"null" if value is None else value}}}'
        for area, row in values.items()
        for year, value in row.items()
    )
    head = {"page": 1, "pages": 1, "per_page": 1000, "total": 1, "lastupdated": str(updated)}
    return f"[{json.dumps(head)}, [{rows}]]".encode()
