"""Kenya's portal: a package of records a month, each with all releases of one process so far.

A record grows from the tender, perhaps amended, to the award and the contract, or to the award's
cancellation. One month comes as JSON lines in gzip, one as a zip of two packages.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from demo.documents import Document, zipped
from demo.tenders_packages import (
    Json,
    Notice,
    as_lines,
    fetched_at,
    grown,
    package,
    package_of_day,
    published,
)
from demo.tenders_portals import KE
from demo.tenders_processes import MONTHS, Process
from demo.tenders_suppliers import LEI, Supplier
from demo.world import World

SOURCE = "demo-tenders-ke"
FORMAT = "ocds-ke"

AS_LINES = date(2022, 12, 1)
AS_ZIP = date(2023, 12, 1)
_AMENDED_AFTER = timedelta(days=7)


def parts(world: World) -> int:
    """Return how many documents there are, whatever the size of the world."""
    del world
    return len(MONTHS)


def part(world: World, number: int) -> Document:
    """Return the records that grew in a month."""
    month = MONTHS[number]
    told = list(published(world.seed, KE, number, notices))
    name, content = _written(month, _records(told))
    return Document(f"tenders-ke-{name}", content, fetched_at(month), sum(map(len, told)))


def later_package(world: World, first: date, last: date) -> Document | None:
    """Return the records that grew from a day to another after the world's last month; None if none did."""
    told = list(grown(world.seed, KE, first, last + timedelta(days=1), notices))
    if not told:
        return None
    content = package_of_day(KE, last, records=_records(told))
    fetched = datetime.combine(last, time(18), UTC)
    return Document(f"tenders-ke-{last}.json", content, fetched, sum(map(len, told)))


def _records(told: list[list[Notice]]) -> list[Json]:
    return [
        {"ocid": so_far[0].release["ocid"], "releases": [each.release for each in so_far]} for so_far in told
    ]


def _written(month: date, records: list[Json]) -> tuple[str, bytes]:
    if month == AS_LINES:
        return f"{month:%Y-%m}.jsonl.gz", as_lines(records)
    if month == AS_ZIP:
        halves = (records[: len(records) // 2], records[len(records) // 2 :])
        files = (
            (f"part-{place}.json", package(KE, month, records=half)) for place, half in enumerate(halves, 1)
        )
        return f"{month:%Y-%m}.zip", zipped(files, fetched_at(month))
    return f"{month:%Y-%m}.json", package(KE, month, records=records)


def notices(process: Process) -> list[Notice]:
    """Return the releases of a process, oldest first."""
    said = [_notice(process, process.opened, 1, "tender", tender=_tender(process, process.value))]
    value = process.value
    for turn, value in enumerate(process.restated, 1):
        day = process.opened + turn * _AMENDED_AFTER
        said.append(_notice(process, day, len(said) + 1, "tenderAmendment", tender=_tender(process, value)))
    if process.awarded:
        decided: Json = {"tender": _decided(process), "awards": [_award(process, "active")]}
        said.append(_notice(process, process.awarded, len(said) + 1, "award", **decided))
    if process.signed:
        said.append(
            _notice(process, process.signed, len(said) + 1, "contract", contracts=[_contract(process)])
        )
    if process.cancelled:
        ended = [_award(process, "cancelled")]
        said.append(_notice(process, process.cancelled, len(said) + 1, "awardCancellation", awards=ended))
    return said


def _notice(process: Process, day: date, number: int, tag: str, **said: Json | list[Json]) -> Notice:
    release: Json = {
        "ocid": process.ocid,
        "id": f"{process.ocid}-{number:02}-{tag}",
        "date": f"{day}T10:00:00+03:00",
        "tag": [tag],
        "initiationType": "tender",
        "language": "en",
        "parties": _parties(process, said),
        "buyer": {"id": "B", "name": process.buyer.name},
        **said,
    }
    return Notice(day, release)


def _parties(process: Process, said: dict[str, Json | list[Json]]) -> list[Json]:
    """Return the buyer with its contact, and whoever acts in the release."""
    clerk = process.clerk
    buyer: Json = {
        "id": "B",
        "name": process.buyer.name,
        "roles": ["buyer", "procuringEntity"],
        "contactPoint": {"name": clerk.name, "email": clerk.email, "telephone": clerk.telephone},
        "address": {"countryName": KE.country_name},
    }
    if process.buyer.lei:
        buyer["identifier"] = {"scheme": LEI, "id": process.buyer.lei}
    acting = process.bidders if "awards" in said else ()
    return [buyer, *(_party(process, bidder) for bidder in acting)]


def _party(process: Process, bidder: Supplier) -> Json:
    roles = ["tenderer", "supplier"] if bidder in process.winners else ["tenderer"]
    party: Json = {"id": _place(process, bidder), "name": bidder.name, "roles": roles}
    if bidder.number:
        party["identifier"] = {"scheme": bidder.scheme, "id": bidder.number}
    if bidder.country != KE.country:
        party["address"] = {"countryName": bidder.country}
    return party


def _reference(process: Process, bidder: Supplier) -> Json:
    return {"id": _place(process, bidder), "name": bidder.name}


def _place(process: Process, bidder: Supplier) -> str:
    return f"T{process.bidders.index(bidder) + 1}"


def _tender(process: Process, value: int) -> Json:
    purchase = process.purchase
    return {
        "id": f"T-{process.number}",
        "title": process.title,
        "description": process.description,
        "status": "active",
        "procurementMethod": "open",
        "mainProcurementCategory": purchase.main,
        "value": {"amount": value, "currency": process.currency},
        "tenderPeriod": {
            "startDate": f"{process.opened}T10:00:00+03:00",
            "endDate": f"{process.closes}T10:00:00+03:00",
        },
        "procuringEntity": {"id": "B", "name": process.buyer.name},
        "items": [
            {
                "id": "1",
                "classification": {"scheme": "x_demo", "id": purchase.main, "description": process.title},
            }
        ],
    }


def _decided(process: Process) -> Json:
    return {
        "id": f"T-{process.number}",
        "status": "complete",
        "numberOfTenderers": len(process.bidders),
        "tenderers": [_reference(process, bidder) for bidder in process.bidders],
    }


def _award(process: Process, status: str) -> Json:
    return {
        "id": f"A-{process.number}",
        "description": process.remark,
        "status": status,
        "date": f"{process.awarded}T10:00:00+03:00",
        "value": {"amount": process.price, "currency": process.currency},
        "suppliers": [_reference(process, winner) for winner in process.winners],
    }


def _contract(process: Process) -> Json:
    return {
        "id": f"C-{process.number}",
        "awardID": f"A-{process.number}",
        "status": "active",
        "dateSigned": f"{process.signed}T10:00:00+03:00",
        "value": {"amount": process.price, "currency": process.currency},
        "period": {"startDate": f"{process.signed}T10:00:00+03:00"},
    }
