"""A service with something to page through and a key of every tier; shared by the modules on the edge."""

from __future__ import annotations

import itertools
from urllib.parse import quote_plus

from sankofa.surfaces.rest import ENDPOINTS
from support.filings import Filer
from support.stated_macro import GDP, indicator, rates, vintages
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    id_of_party,
    package,
    release,
    tender,
)

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
    """Give a service issuers, a few series and tenders in edition 1, and keys of each tier."""
    large, small = large_filer(1, 60), Filer(2).says(100, filed="2024-02-01")
    service.ingest(large.document(), small.document())
    service.ingest(
        rates({"2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "20.7"}}), source_name="demo-fx"
    )
    service.ingest(vintages({"2024-01-01": [("2024-02-15", "110.1")]}), source_name="demo-alfred")
    years = {(country, year): year for country in ("KEN", "NGA", "ZAF") for year in (2021, 2022)}
    service.ingest(indicator(years, GDP), source_name="demo-world-bank")
    service.ingest(package(*invited()), source_name=SOURCE)
    service.publish()
    service.large, service.small = service.id_of(large.identifier), service.id_of(small.identifier)
    [[service.fact_id]] = service.rows("SELECT min(fact_id::text) FROM serving.fundamentals_fact")
    [[service.ocid]] = service.rows("SELECT max(ocid) FROM serving.tender_release")
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


def invited():
    """Return releases with and without each part: what is asked for, by whom, and who won it."""
    yield release("ocds-1", date="2010-03-01", tag=["planning"])
    for number in range(2, 5):
        yield release(
            f"ocds-{number}",
            date=f"201{number}-03-01T10:00:00+02:00",
            language="en",
            buyer={"name": CITY},
            planning={"budget": {"amount": {"amount": 5 * number, "currency": "ZAR"}}},
            tender=tender(
                5 * number,
                title="Fence",
                mainProcurementCategory="works",
                tenderPeriod={"startDate": "2010-01-01T00:00:00Z"},
                items=[{"id": "1", "classification": {"scheme": "CPV", "id": "45"}}],
                tenderers=[{"name": WORKS}, {"name": ROADS}, {"name": PERSON}],
            ),
            awards=[award("A", 4 * number, WORKS, date="2014-04-01T00:00:00Z")],
            contracts=[{"id": "C", "awardID": "A", "dateSigned": "2014-05-01T00:00:00Z"}],
        )


# What must be asked where a path alone is no question: the first filer's number in its register.
ASKED = {
    "crosswalk_lookup": "?id_type=registry&id_value=0000000001",
    "shared_facts": "?entity_id={service_id}",
    "panel": "?line_item=revenue&fiscal_year=2004%2C2005",
    "search": "?q={name}",
    "screen": "?metric=gross_margin",
    "diff": "?from_as_of=2004-06-30&to_as_of=2015-06-30",
}


def path_of(service, endpoint):
    """Return the path of an endpoint, for something that there is."""
    return endpoint.path.format(
        service_id=service.large,
        signal_key="tender-value",
        kind="metrics",
        sku="AF-FUND",
        fact_id=service.fact_id,
        ocid=service.ocid,
    )


def address(service, endpoint):
    """Return an address of an endpoint that answers with rows."""
    return path_of(service, endpoint) + ASKED.get(endpoint.name, "").format(
        service_id=service.large, name=quote_plus(WORKS)
    )


def addresses(service):
    """Return such an address of each endpoint, and of the other modes of some, by name."""
    return {
        **{endpoint.name: address(service, endpoint) for endpoint in ENDPOINTS},
        "macro as series": "/v1/macro?series=FX.EUR.ZAR",
        "shared_facts of a country": "/v1/shared/facts?entity_id=KEN",
        "tender values of a country": "/v1/shared/facts?country=ZAF&dataset=AF-TENDER",
        "awards of an issuer": f"/v1/shared/facts?entity_id={id_of_party(service, WORKS)}&dataset=AF-TENDER",
    }


def key(service, tier):
    return {"X-API-Key": service.tiers[tier].key}
