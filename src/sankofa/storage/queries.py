"""SQL lives in `.sql` files beside its domain; this loads the named statements of one."""

from __future__ import annotations

import re
from importlib import resources

_NAMED = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def named(package: str, file: str = "queries.sql") -> dict[str, str]:
    """Return the statements of a file by the name in their first comment line.

    The text is shipped with the package; values are always bound, never written into it.
    """
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    parts = _NAMED.split(text)
    return {name: body.strip().rstrip(";") for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def whole(package: str, file: str) -> str:
    """Return a file that is one statement (a domain's `publish.sql`)."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return text.strip().rstrip(";")
