"""Hand-made SEC submissions: a filer's current name, the names it had, and the days of its filings."""

from __future__ import annotations

import json

SOURCE = "sec-submissions"


def submissions(number, name, *former, filed, form="20-F"):
    """Return the document of a filer; former names are tuples of name, first and last day."""
    stated = [
        {"name": one, "from": f"{first}T00:00:00.000Z", "to": f"{last}T00:00:00.000Z"}
        for one, first, last in former
    ]
    recent = {"filingDate": list(filed), "form": [form] * len(filed)}
    return json.dumps(
        {
            "cik": f"{number:010}",
            "name": name,
            "formerNames": stated,
            "filings": {"recent": recent, "files": []},
        }
    ).encode()
