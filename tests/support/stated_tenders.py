"""Hand-made releases of tenders, in the format of the demo source: OCDS packages."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from sankofa.ingest.source import Source
from support.lei_documents import an_lei

SOURCE = "demo-tenders"  # a portal of South Africa
CITY = "City of Cape Town"  # a body that the rules know
WORKS = "Umoya Works (Pty) Ltd"  # an organisation by its legal form
ROADS = "Khanya Roads (Pty) Ltd"
PERSON = "Sipho Qhobela"  # nothing establishes it
NOON = "2024-03-01T12:00:00Z"


def portal(name, country="ZA", *, is_open=True):
    """Return a portal of tenders that is no source of the project's own."""
    return Source(
        name=name,
        publisher="a test",
        license_class="synthetic",
        parser="ocds",
        redistributable=is_open,
        country=country,
    )


def package(*releases):
    """Return a document with these releases."""
    head = {"uri": "https://portal.example/1", "version": "1.1", "publishedDate": "2024-01-01T00:00:00Z"}
    return json.dumps({**head, "publisher": {"name": "A portal"}, "releases": releases}).encode()


def release(ocid, number="1", date=NOON, **sections):
    """Return a release; a date of None is left out."""
    told = {"ocid": ocid, "id": number, "date": date, "tag": ["tender"], "initiationType": "tender"}
    return {key: value for key, value in (told | sections).items() if value is not None}


def tender(amount=None, currency="ZAR", **stated):
    """Return a tender, with a value where an amount is given."""
    value = {} if amount is None else {"value": {"amount": amount, "currency": currency}}
    return {"id": "T", "status": "active"} | value | stated


def award(number, amount, *suppliers, status="active", currency="ZAR", **stated):
    """Return an award to suppliers, named where they act."""
    value = {} if amount is None else {"value": {"amount": amount, "currency": currency}}
    named = [supplier if isinstance(supplier, dict) else {"name": supplier} for supplier in suppliers]
    return {"id": number, "status": status, "suppliers": named} | value | stated


def holder(name, number):
    """Return a party that is known by an LEI."""
    return {"name": name, "identifier": {"scheme": "XI-LEI", "id": an_lei(number)}}


def fetched(body, day):
    """Return a document with the day at whose noon it was fetched."""
    return body, datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)


def id_of_party(service, name, country="ZA"):
    """Return the service id of a party that has no number."""
    return service.id_of(f"party:{country}:{name.casefold()}")


def tenders(service, **asked):
    """Return the rows of releases."""
    response = service.get("/v1/tenders", **asked)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def strings(value):
    """Yield every string that stands anywhere in a row."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)
