"""The bytes of invented documents, in formats that the parsers read. The same input gives the same bytes."""

from __future__ import annotations

import io
import json
import zipfile

_WORKS = ("Road works", "School desks", "Water pumps", "Clinic roof", "Street lamps", "Bus repairs")
_MEMBER_DATE = (2020, 1, 1, 0, 0, 0)  # a zip archive names a time for each member
_PUBLISHER = {"name": "Invented Tenders Office"}


def release(rng, source, number, day, *, updates=None):
    """Return an OCDS release of a day; `updates` is the number of an earlier process that it changes.

    `source` is a number: an id with words in it could be a person's name, and the parser would replace it.
    """
    process = number if updates is None else updates
    title = f"{rng.choice(_WORKS)}, lot {process}"
    buyer = {"id": f"B{rng.randrange(9)}", "name": f"District {rng.randrange(9)} Works Office"}
    return {
        "ocid": f"ocds-mk{source}-{process:05}",
        "id": f"{number:05}-{day}",
        "date": f"{day}T10:00:00Z",
        "tag": ["tender" if updates is None else "tenderUpdate"],
        "initiationType": "tender",
        "buyer": buyer,
        "tender": {
            "id": str(process),
            "title": title,
            "status": "active",
            "value": {"amount": rng.randrange(1_000, 900_000), "currency": "KES"},
        },
    }


def package(releases, day, following=None):
    """Return an OCDS release package; `following` is the cursor of the next page."""
    written = {
        "uri": "https://publisher.invalid/package",
        "version": "1.1",
        "publishedDate": f"{day}T12:00:00Z",
        "publisher": _PUBLISHER,
        "releases": releases,
    }
    if following:
        written["links"] = {"next": f"https://publisher.invalid/changes?after={following}"}
    return json.dumps(written).encode()


def archive(member, content):
    """Return a zip archive with one member."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr(zipfile.ZipInfo(member, _MEMBER_DATE), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def tickers(rows):
    """Return a list of filers with exchanges, [(number, name, ticker, exchange), …]."""
    return json.dumps({"fields": ["cik", "name", "ticker", "exchange"], "data": rows}).encode()


def renamed(content, old, new):
    """Return a document in which a column or field has another name; a zip archive is packed anew."""
    if not content.startswith(b"PK"):
        return content.replace(old, new)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        (member,) = file.namelist()
        return archive(member, file.read(member).replace(old, new))
