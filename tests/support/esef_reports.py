"""Invented ESEF reports, written as xBRL-JSON, and the pages of an index that lists them."""

from __future__ import annotations

import io
import json
import zipfile

from support.lei_documents import an_lei

TYPE = "https://xbrl.org/2021/xbrl-json"
NAMESPACES = {
    "ifrs-full": "https://xbrl.ifrs.org/taxonomy/2022-03-24/ifrs-full",
    "iso4217": "http://www.xbrl.org/2003/iso4217",
    "lei": "http://standards.iso.org/iso/17442",
    "own": "http://example.com/xbrl/2023",
    "xbrl": "https://xbrl.org/2021",
    "xbrli": "http://www.xbrl.org/2003/instance",
}
YEAR_2023 = "2023-01-01T00:00:00/2024-01-01T00:00:00"
YEAR_2022 = "2022-01-01T00:00:00/2023-01-01T00:00:00"
END_OF_2023 = "2024-01-01T00:00:00"


def fact(value="100", *, decimals=0, issuer=1, **dimensions):
    """Return one fact; a dimension or precision of ... is left out."""
    told = {
        "concept": "ifrs-full:Revenue",
        "entity": f"lei:{an_lei(issuer)}",
        "period": YEAR_2023,
        "unit": "iso4217:EUR",
    } | dimensions
    stated = {"value": value, "decimals": decimals, "dimensions": told}
    stated["dimensions"] = {key: text for key, text in told.items() if text is not ...}
    return {key: part for key, part in stated.items() if part is not ...}


def report(*facts, namespaces=NAMESPACES, document_type=TYPE):
    """Return a report with these facts."""
    info = {"documentType": document_type, "features": {"xbrl:canonicalValues": True}}
    info |= {"namespaces": namespaces, "taxonomy": ["http://example.com/own.xsd"]}
    numbered = {f"fact-{number}": one for number, one in enumerate(facts, 1)}
    return json.dumps({"documentInfo": info, "facts": numbered}, ensure_ascii=False).encode()


def path_of(issuer=1, period="2023-12-31", sequence=0):
    """Return where a repository keeps a report."""
    number = an_lei(issuer)
    return f"{number}/{period}/ESEF/FI/{sequence}/{number}-{period}-en.json"


def entry(added, issuer=1, period="2023-12-31", sequence=0, **changed):
    """Return what an index says of a report."""
    told = {
        "fxo_id": f"{an_lei(issuer)}-{period}-ESEF-FI-{sequence}",
        "date_added": added,
        "processed": "2024-12-31 23:00:00.000000",
        "period_end": period,
        "json_url": f"/{path_of(issuer, period, sequence)}",
    } | changed
    return {"type": "filing", "id": "1", "attributes": told, "links": {}, "relationships": {}}


def index(*entries):
    """Return a page of an index."""
    page = {"data": entries, "links": {}, "meta": {"count": len(entries)}, "jsonapi": {"version": "1.0"}}
    return json.dumps(page).encode()


def packed(files):
    """Return a zip archive of these files."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for name, data in files.items():
            written.writestr(name, data)
    return target.getvalue()
