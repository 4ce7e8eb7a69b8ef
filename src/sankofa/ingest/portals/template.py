"""URL templates: their placeholders, and how these are filled.

`{first}` and `{last}` are the days of a window and `{quarter}` the calendar quarter of its first day.
`{page}` counts pages from 1 and `{offset}` the rows of earlier pages. `{item}` is one id. Format
specifications work as in Python: `{first:%Y%m%d}`, `{first.year}`, `{item:0>10}`. The server is never a
placeholder, so data cannot choose the server.
"""

from __future__ import annotations

import re
from datetime import date
from string import Formatter

_PLACES = {"first", "last", "quarter", "page", "offset", "item"}
_AUTHORITY = re.compile(r"https?://[^/?#{}]+[/?]")
_MONTHS_OF_A_QUARTER = 3

DAYS = frozenset({"first", "last", "quarter"})


def places(template: str) -> set[str]:
    """Return the placeholders of a template; `{first.year}` counts as `first`."""
    return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(template) if name}


def require_template(template: str, *, without: frozenset[str] = frozenset()) -> None:
    """Raise ValueError unless the template has a fixed server and only known placeholders."""
    if not _AUTHORITY.match(template) or not places(template) <= _PLACES - without:
        raise ValueError(f"not the address of a portal: {template}")


def filled(
    template: str,
    first: date = date.min,
    last: date = date.min,
    *,
    page: int = 1,
    offset: int = 0,
    item: str = "",
) -> str:
    """Return the URL of a template with its placeholders filled."""
    quarter = (first.month - 1) // _MONTHS_OF_A_QUARTER + 1
    return template.format(first=first, last=last, quarter=quarter, page=page, offset=offset, item=item)
