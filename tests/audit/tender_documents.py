"""Releases in numbers: few buyers, many suppliers, some persons, some texts."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

FIRST = datetime(2005, 1, 3, 6, tzinfo=UTC)
_CATEGORIES = ("Roads", "Health", "Schools", "Water", "Computers", "Cleaning", "Security", "Consulting")
_BUYERS = 400
_SUPPLIERS = 40_000
_PERSON = 20  # every so manyeth supplier


def instant(number, count):
    """Return the date of a release: all of them spread over twenty years, some at the same moment."""
    return FIRST + timedelta(minutes=(number // 3) * 3 * (20 * 525_600) // count)


def release(number, count, *, revised=0):
    """Return one of so many releases; two of three begin a process, the third one awards it."""
    process, step = divmod(number, 3)
    buyer = {"id": "b", "name": f"Municipality of District {process % _BUYERS}"}
    stated = {
        "ocid": f"ocds-scale1-{process * 2 + (step == 1)}",
        "id": str(number),
        "date": instant(number, count).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "tag": ["tender" if step < 2 else "award"],
        "initiationType": "tender",
        "parties": [{**buyer, "roles": ["buyer"]}],
        "buyer": buyer,
        "tender": {
            "id": f"t{process}",
            "title": f"Lot {number} of {_CATEGORIES[number % len(_CATEGORIES)].lower()}",
            "category": _CATEGORIES[number % len(_CATEGORIES)],
            "value": {"amount": 1000 + number % 977 + revised, "currency": "ZAR"},
        },
    }
    if step == 2:
        winner = number % _SUPPLIERS
        name = f"Thabo Nkosi{winner}" if winner % _PERSON == 0 else f"Builders {winner} (Pty) Ltd"
        supplier = {"id": "s", "name": name}
        stated["parties"].append({**supplier, "roles": ["supplier"]})
        stated["awards"] = [
            {
                "id": "1",
                "status": "active",
                "date": stated["date"],
                "value": {"amount": 900 + number % 977, "currency": "ZAR"},
                "suppliers": [supplier],
            }
        ]
    return stated


def write(file, numbers, count, *, revised=0):
    """Write releases to a file, as a package with one of them on each line."""
    with file.open("w", encoding="utf-8") as lines:
        lines.write('{"releases":[\n')
        for place, number in enumerate(numbers):
            lines.write((",\n" if place else "") + json.dumps(release(number, count, revised=revised)))
        lines.write("\n]}")
