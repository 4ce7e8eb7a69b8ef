"""Invented organisations for tests, stated by a register of LEIs and by exchanges, in their own formats."""

from __future__ import annotations

from support.lei_documents import an_lei, as_csv, stated

GLEIF, LISTINGS = "demo-gleif", "demo-listings"
_LISTING = "mic,ticker,name,country,isin,figi,listed_from,listed_to\n"


def register(service, *records):
    """Ingest a golden copy with these records, each made by `company` or `person`."""
    (batch,) = service.ingest(as_csv(*records), source_name=GLEIF)
    assert batch.outcome == "accepted", batch
    assert batch.rejected == {}, batch


def company(number, name, **changed):
    """Return the LEI record of a company, registered in South Africa under a number of its own."""
    registered = changed.pop("registered_as", f"1999/{number:06}/07")
    settled = {"country": "ZA", "jurisdiction": "ZA", "updated": "2024-05-04T00:30:00Z"} | changed
    return stated(lei=an_lei(number), name=name, registered_as=registered, validated_as=registered, **settled)


def person(number, name, **changed):
    """Return the LEI record of somebody who trades in their own name."""
    return company(number, name, category="SOLE_PROPRIETOR", **changed)


def list_shares(service, *rows):
    """Ingest a list of shares: rows of MIC, ticker, name, country, ISIN, FIGI, first and last day."""
    text = _LISTING + "".join(",".join((*row, *[""] * (8 - len(row)))) + "\n" for row in rows)
    (batch,) = service.ingest(text.encode(), source_name=LISTINGS)
    assert batch.outcome == "accepted", batch
    assert batch.rejected == {}, batch


def id_of_lei(service, number):
    """Return the service id of the subject of an LEI."""
    return service.id_of(f"lei:{an_lei(number)}")
