"""The editions that a page of the World Bank's archive is of, read without the parser."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

_VERSION = re.compile(rb'"concept": ?"Version", ?"id": ?"([0-9]{4})([0-9]{2})"')


def month_ends(content: bytes) -> list[date]:
    """Return the last day of each month that a page names as an edition; none for an error."""
    found = {(int(year), int(month)) for year, month in _VERSION.findall(content)}
    return [date(year, month, monthrange(year, month)[1]) for year, month in sorted(found)]
