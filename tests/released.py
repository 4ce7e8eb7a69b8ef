"""Releases of contracting processes for tests, written as OCDS packages."""

from __future__ import annotations

import json


def release(ocid, number, day, **said):
    """Return a release; whoever is named in it stands in its list of parties."""
    names = [(said["buyer"], "buyer")] if said.get("buyer") else []
    names += [(name, "supplier") for award in said.get("awards", ()) for name in award["suppliers"]]
    parties = [{"id": name, "name": name, "roles": [role]} for name, role in names]
    pointed = {"buyer": {"id": said["buyer"], "name": said["buyer"]}} if said.get("buyer") else {}
    awards = [
        award | {"suppliers": [{"id": name, "name": name} for name in award["suppliers"]]}
        for award in said.get("awards", ())
    ]
    return {
        "ocid": ocid,
        "id": f"{ocid}-{number}",
        "date": f"{day}T10:00:00Z",
        "tag": ["award" if awards else "tender"],
        "initiationType": "tender",
        "parties": parties,
        **pointed,
        **({"tender": said["tender"]} if "tender" in said else {}),
        **({"awards": awards} if awards else {}),
    }


def document(*releases):
    """Return the bytes of a package."""
    return json.dumps({"releases": releases}).encode()
