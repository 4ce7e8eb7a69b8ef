"""A service with something to page through and a key of every tier; shared by the modules on the edge."""

from __future__ import annotations

import itertools

from filings import Filer
from sankofa.surfaces.rest import ENDPOINTS
from stated_macro import GDP, indicator, rates, vintages

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
    """Give a service two issuers and a few series in edition 1, and keys of each tier."""
    large, small = large_filer(1, 60), Filer(2).says(100, filed="2024-02-01")
    service.ingest(large.document(), small.document())
    service.ingest(
        rates({"2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "20.7"}}), source_name="demo-fx"
    )
    service.ingest(vintages({"2024-01-01": [("2024-02-15", "110.1")]}), source_name="demo-alfred")
    years = {(country, year): year for country in ("KEN", "NGA", "ZAF") for year in (2021, 2022)}
    service.ingest(indicator(years, GDP), source_name="demo-world-bank")
    service.publish()
    service.large, service.small = service.id_of(large.identifier), service.id_of(small.identifier)
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


# What must be asked where a path alone is no question: the first filer's number in its register.
ASKED = {
    "crosswalk_lookup": "?id_type=registry&id_value=0000000001",
    "shared_facts": "?entity_id={service_id}",
    "screen": "?metric=gross_margin",
}


def address(service, endpoint):
    """Return an address of an endpoint that answers with rows."""
    return (endpoint.path + ASKED.get(endpoint.name, "")).format(service_id=service.large, kind="metrics")


def addresses(service):
    """Return such an address of each endpoint, and of the other modes of some, by name."""
    return {
        **{endpoint.name: address(service, endpoint) for endpoint in ENDPOINTS},
        "macro as series": "/v1/macro?series=FX.EUR.ZAR",
        "shared_facts of a country": "/v1/shared/facts?entity_id=KEN",
    }


def key(service, tier):
    return {"X-API-Key": service.tiers[tier].key}
