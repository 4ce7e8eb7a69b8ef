"""A service with something to page through and a key of every tier; shared by the modules on the edge."""

from __future__ import annotations

import itertools

from filings import Filer

LINES = ("Revenue", "CostOfSales", "GrossProfit", "ProfitLoss", "Assets", "Equity")


def large_filer(number, rows):
    """Return a filer with at least so many facts: one line item after the other, year by year."""
    filer = Filer(number)
    for year, line in itertools.islice(itertools.product(range(2000, 2024), LINES), rows):
        period = (
            (f"{year}-01-01", f"{year}-12-31")
            if line not in ("Assets", "Equity")
            else (None, f"{year}-12-31")
        )
        filer.says(year * 10, filed=f"{year + 1}-03-01", concept=f"ifrs-full:{line}", period=period)
    return filer


def furnish(service):
    """Give a service two issuers in edition 1 and keys of each tier."""
    large, small = large_filer(1, 60), Filer(2).says(100, filed="2024-02-01")
    service.ingest(large.document(), small.document())
    service.publish()
    service.large, service.small = service.id_of(large.identifier), service.id_of(small.identifier)
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


# What must be asked where a path alone is no question: the first filer's number in its register.
ASKED = {"crosswalk_lookup": "?id_type=registry&id_value=0000000001"}


def address(service, endpoint):
    """Return an address of an endpoint that answers with rows."""
    return endpoint.path.format(service_id=service.large) + ASKED.get(endpoint.name, "")


def key(service, tier):
    return {"X-API-Key": service.tiers[tier].key}
