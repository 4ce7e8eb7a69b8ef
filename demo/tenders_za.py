"""South Africa's portal: a package of compiled releases a month, with the quirks of the real one.

A value of zero says that none is known, a date of the year one that somebody left it out; parties stand
where they act, or in a list whose roles are spelled anyhow; `classifications` is a plural; a release can say
something else under its old id when the next month is fetched.
"""

from __future__ import annotations

from datetime import date

from demo.documents import Document
from demo.tenders_packages import Json, Notice, fetched_at, news, package, restated_on
from demo.tenders_portals import ZA
from demo.tenders_processes import MONTHS, Process
from demo.tenders_suppliers import Supplier
from demo.world import World

SOURCE = "demo-tenders"
FORMAT = "ocds-za"

_ROLES = (("Buyer", "procuringentity", "SUPPLIER"), ("BUYER", "Procuring Entity", "Supplier"))


def parts(world: World) -> int:
    """Return how many packages there are, whatever the size of the world."""
    del world
    return len(MONTHS)


def part(world: World, number: int) -> Document:
    """Return the package of a month."""
    month = MONTHS[number]
    releases = news(world.seed, ZA, number, notices)
    content = package(ZA, month, releases=releases)
    return Document(f"tenders-za-{month:%Y-%m}.json", content, fetched_at(month), len(releases))


def notices(process: Process) -> list[Notice]:
    """Return what the portal says of a process: the tender, its value stated anew, and what was decided."""
    shown = process.value if process.restated or process.number % 5 < 2 else 0  # noqa: PLR2004 - two in five
    said = [Notice(process.opened, _release(process, process.opened, shown))]
    for turn, value in enumerate(process.restated, 1):
        shown = value
        said.append(Notice(restated_on(process.opened, turn), _release(process, process.opened, value)))
    if process.awarded:
        said.append(Notice(process.awarded, _release(process, process.awarded, shown, "active")))
    if process.cancelled:
        said.append(Notice(process.cancelled, _release(process, process.cancelled, shown, "cancelled")))
    return said


def _release(process: Process, day: date, value: int, award: str = "") -> Json:
    is_listed = process.number % 3 == 0
    winners = process.winners if award else ()
    return {
        "ocid": process.ocid,
        "id": f"{process.ocid}-{day}",
        "date": _date(process, day),
        "tag": ["compiled"],
        "initiationType": "tender",
        "tender": _tender(process, value, is_decided=bool(award)),
        "planning": {"rationale": "", "budget": {"description": " - "}, "documents": []},
        "parties": _listed(process, winners) if is_listed else [],
        "buyer": _buyer(process),
        "language": "en-za",
        "awards": [_award(process, award, is_listed=is_listed)] if award else [],
        "contracts": [],
    }


def _date(process: Process, day: date) -> str:
    if process.number % 50 == 7:  # noqa: PLR2004 - a fiftieth has none
        return "0001-01-01T00:00:00Z"
    return f"{day}T00:00:00" if process.number % 10 == 4 else f"{day}T00:00:00Z"  # noqa: PLR2004 - a tenth


def _tender(process: Process, value: int, *, is_decided: bool) -> Json:
    clerk = process.clerk
    tender: Json = {
        "id": str(process.number),
        "title": process.title,
        "status": "complete" if is_decided else ("active", "Active")[process.number % 7 == 0],
        "category": process.purchase.category,
        "province": "Lundareva",
        "mainProcurementCategory": process.purchase.main,
        "additionalProcurementCategories": [process.purchase.main],
        "description": process.description,
        "value": {"amount": value, "currency": process.currency},
        "items": [{"id": "1", "classifications": {"scheme": "x_demo", "id": _code(process)}}],
        "documents": [],
        "tenderPeriod": {
            "startDate": f"{process.opened}T00:00:00Z",
            "endDate": f"{process.closes}T11:00:00Z",
        },
        "contractPeriod": {},
        "numberOfTenderers": len(process.bidders) if is_decided else 0,
        "tenderers": [],
        "procuringEntity": _buyer(process),
        "procurementMethod": "open",
        "procurementMethodDetails": "Request for Bid(Open-Tender)",
        "contactPerson": {
            "name": f"Ms {clerk.name}",
            "email": clerk.email,
            "telephoneNumber": clerk.telephone,
        },
    }
    if is_decided:
        tender["tenderers"] = [_acting(bidder) for bidder in process.bidders]
    return tender


def _award(process: Process, status: str, *, is_listed: bool) -> Json:
    return {
        "id": f"{process.number}-A",
        "title": process.title,
        "description": process.remark,
        "status": status,
        "date": f"{process.awarded}T00:00:00Z",
        "value": {"amount": process.price, "currency": process.currency},
        "suppliers": [_acting(winner, with_number=not is_listed) for winner in process.winners],
        "contractPeriod": {},
    }


def _code(process: Process) -> str:
    return process.purchase.category.split()[0].lower()


def _buyer(process: Process) -> Json:
    return {"id": str(300 + ZA.bodies.index(process.buyer)), "name": process.buyer.name}


def _listed(process: Process, winners: tuple[Supplier, ...]) -> list[Json]:
    """Return the parties in a list, their roles in one spelling or another."""
    buyer, procuring, supplier = _ROLES[process.number % 2]
    return [
        _buyer(process) | {"roles": [buyer, procuring]},
        *(_acting(winner, with_number=True) | {"roles": [supplier]} | _scale(winner) for winner in winners),
    ]


def _scale(supplier: Supplier) -> Json:
    return {"details": {"scale": "selfEmployed"}} if supplier.is_person else {}


def _acting(supplier: Supplier, *, with_number: bool = False) -> Json:
    party: Json = {"name": supplier.name}
    if supplier.country != ZA.country:
        party["address"] = {"countryName": supplier.country}
    if with_number and supplier.number:
        party["identifier"] = {"scheme": supplier.scheme, "id": supplier.number, "legalName": supplier.name}
    return party
