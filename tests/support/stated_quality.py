"""A small world in all three datasets, its quality counted by hand from what its documents say."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from support.filings import FY2022, FY2023, Filer
from support.lines import reports
from support.stated_macro import GDP, INFLATION, indicator, rates
from support.stated_organisations import SOURCE, document, record
from support.stated_tenders import CITY, PERSON, WORKS, award, fetched, package, release, tender

ADDRESS = "/v1/quality-metrics/"


def kenyan():
    """Return a filer of Kenya with two years; the second of them is restated."""
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=10, net_income=1)
    reports(filer, FY2023, "2024-03-01", revenue=12, net_income=2, total_assets=5)
    return filer.says(11, filed="2024-06-01", period=FY2023)


def furnish(service):
    """Load three issuers, two of them of Kenya, three processes and four series, and publish them once."""
    first, second = kenyan(), reports(Filer(2), FY2023, "2024-04-01", revenue=7)
    nowhere = reports(Filer(3), FY2022, "2023-05-01", revenue=7)
    service.ingest(*(filer.document() for filer in (first, second, nowhere)))
    homes = [
        record(filer.identifier, f"Number {filer.number} PLC", country="KE", day=date(2025, 1, 1))
        for filer in (first, second)
    ]
    service.ingest(document(*homes), source_name=SOURCE)
    bought = [
        release(
            "ocds-1", date="2024-01-10T08:00:00Z", buyer={"name": CITY}, tender=tender(10, category="Roads")
        ),
        release("ocds-2", date="2024-01-20T08:00:00Z", tender=tender(20), awards=[award("1", 19, WORKS)]),
        release(
            "ocds-3",
            date="2024-02-02T08:00:00Z",
            tender=tender(),
            awards=[award("6-sipho-qhobela", 5, PERSON)],
        ),
    ]
    service.ingest(fetched(package(*bought), "2024-03-01"), source_name="demo-tenders")
    service.ingest(
        rates({"2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "20.7"}}), source_name="demo-fx"
    )
    years = {(country, year): year for country in ("KEN", "NGA") for year in (2021, 2022)}
    service.ingest(indicator(years, GDP), source_name="demo-world-bank")
    service.ingest(indicator({("KEN", 2022): 7}, INFLATION), source_name="demo-world-bank")
    service.publish()
    return service


def metrics(service, sku, **asked):
    """Return what was measured of a dataset, by measure."""
    response = service.get(f"{ADDRESS}{sku}", **asked)
    assert response.status_code == 200, response.text
    return {row["measure"]: row for row in response.exact["data"]}


def values(service, sku, **asked):
    """Return the numbers alone."""
    rows = metrics(service, sku, **asked)
    return {
        name: row["value"] if row["value"] == "UNMEASURED" else Decimal(row["value"])
        for name, row in rows.items()
    }


def share(good, of):
    """Return a share as it is served: ten places, half to even."""
    return round(Decimal(good) / of, 10).normalize()
