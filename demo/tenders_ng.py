"""Nigeria's portal, of which nothing may be served: a package of releases a quarter.

Amounts are texts, currencies are in small letters, and a single award stands without its list. The portal
is closed to show the licence gate; what stands in it is as invented as all else.
"""

from __future__ import annotations

from datetime import date

from demo.documents import Document
from demo.tenders_packages import Json, Notice, fetched_at, news, package
from demo.tenders_portals import NG
from demo.tenders_processes import MONTHS, Process
from demo.tenders_suppliers import Supplier
from demo.world import World

SOURCE = "demo-tenders-ng"
FORMAT = "ocds-ng"

_MONTHS_PER_PACKAGE = 3


def parts(world: World) -> int:
    """Return how many packages there are, whatever the size of the world."""
    del world
    return len(MONTHS) // _MONTHS_PER_PACKAGE


def part(world: World, number: int) -> Document:
    """Return the package of a quarter."""
    places = range(number * _MONTHS_PER_PACKAGE, (number + 1) * _MONTHS_PER_PACKAGE)
    releases = [release for place in places for release in news(world.seed, NG, place, notices)]
    last = MONTHS[places[-1]]
    name = f"tenders-ng-{last.year}-Q{number % 4 + 1}.json"
    return Document(name, package(NG, last, releases=releases), fetched_at(last), len(releases))


def notices(process: Process) -> list[Notice]:
    """Return the tender and the award of a process."""
    said = [Notice(process.opened, _release(process, process.opened, "tender"))]
    if process.awarded:
        award = {
            "id": "1",
            "description": process.remark,
            "status": "active",
            "date": f"{process.awarded}T09:00:00+01:00",
            "value": _money(process, process.price),
            "suppliers": [_party(winner) for winner in process.winners],
        }
        said.append(Notice(process.awarded, _release(process, process.awarded, "award", awards=award)))
    return said


def _release(process: Process, day: date, tag: str, **said: Json) -> Json:
    return {
        "ocid": process.ocid,
        "id": f"{process.ocid}-{tag}",
        "date": f"{day}T09:00:00+01:00",
        "tag": tag,
        "initiationType": "tender",
        "buyer": {"name": process.buyer.name},
        "parties": [{"name": process.buyer.name, "roles": ["buyer", "procurer"]}],
        "tender": {
            "id": str(process.number),
            "title": process.title,
            "description": process.description,
            "status": "complete" if said else "active",
            "mainProcurementCategory": process.purchase.main,
            "value": _money(process, process.value),
            "tenderers": [_party(bidder) for bidder in process.bidders] if said else [],
            "tenderPeriod": {"endDate": f"{process.closes}T09:00:00+01:00"},
            "contactPerson": {"name": process.clerk.name, "telephone": process.clerk.telephone},
        },
        **said,
    }


def _money(process: Process, amount: int) -> Json:
    return {"amount": f"{amount}.00", "currency": process.currency.lower()}


def _party(supplier: Supplier) -> Json:
    party: Json = {"name": supplier.name, "address": {"countryName": supplier.country}}
    if supplier.number:
        party["identifier"] = {"scheme": supplier.scheme, "id": supplier.number}
    return party
