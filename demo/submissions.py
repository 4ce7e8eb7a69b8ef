"""The names that one issuer has had, as the SEC lists them: it opens every world.

Nyalumera Foods Holdings PLC filed as Nyalumera Millers PLC until 2020, and under its present name since 2021.
"""

from __future__ import annotations

import json

from demo.companyfacts import cik, file_name
from demo.documents import Document
from demo.world import FETCHED_AT, World

SOURCE = "demo-submissions"
FORMAT = "sec-submissions"

FORMER_NAME = "Nyalumera Millers PLC"
FILINGS_UNDER_IT = 3


def parts(_world: World) -> int:
    """Return how many documents the world is written as."""
    return 1


def part(world: World, _number: int) -> Document:
    """Return the submissions of the first issuer, its filings the newest first."""
    issuer = world.issuer(0)
    filed = [filing.filed.isoformat() for filing in issuer.filings]
    under_it = filed[:FILINGS_UNDER_IT]
    midnight = "T00:00:00.000Z"
    stated = {
        "cik": f"{cik(0):010}",
        "entityType": "operating",
        "name": issuer.profile.name,
        "formerNames": [{"name": FORMER_NAME, "from": under_it[0] + midnight, "to": under_it[-1] + midnight}],
        "filings": {
            "recent": {
                "filingDate": filed[::-1],
                "form": [filing.form for filing in reversed(issuer.filings)],
            },
            "files": [],
        },
    }
    return Document(f"submissions-{file_name(0)}", json.dumps(stated).encode(), FETCHED_AT)
