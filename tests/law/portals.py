"""Invented portals of tenders whose releases are refilled: another content under the same ocid and id."""

from __future__ import annotations

import copy
import json
from datetime import UTC, date, datetime, time, timedelta

DAY = timedelta(days=1)
RENAMED = date(2024, 7, 1)
CATEGORIES = ("Roads", "Water", "Schools", "Health")
CURRENCIES = ("ZAR", "USD")
BUYERS = tuple(f"Municipality of District {number}" for number in range(6))
SUPPLIERS = tuple(f"Builders {number} (Pty) Ltd" for number in range(12))
PERSONS = ("Sipho Qhobela", "Nomsa Dube")
# Firms that are known by a number and change their names: (number, first name, later name).
NUMBERED = tuple(
    (f"2001/{place:06}/07", f"Roads {place} Limited", f"Highways {place} Limited") for place in range(4)
)


def packages(rng, processes, first, last, prefix, *, fetches):
    """Return documents with the moment of their fetch: (content, fetched_at), no two at the same second.

    The portal is fetched some times on the way, and on the last day.
    """
    stated = []
    for number in range(processes):
        stated += _process(
            rng,
            f"{prefix}-{number:05d}",
            first + rng.randrange((last - first).days - 200) * DAY,
            rng.random(),
        )
    offsets = sorted(rng.sample(range((last - first).days + 1), fetches))
    found, seen = [], []
    for place, offset in enumerate(offsets):
        day = first + offset * DAY
        known = [release for released, release in stated if released <= day]
        # A portal may put another content in the place of one that was fetched before.
        for release in seen:
            if rng.random() < 0.1:
                _refill(rng, release)
        page = [copy.deepcopy(release) for release in known if release in seen or rng.random() < 0.8]
        seen = known
        if page:
            moment = datetime.combine(day, time(3, 0, place, tzinfo=UTC))
            found.append((_package(page), moment))
    moment = datetime.combine(last, time(3, 1, tzinfo=UTC))
    found.append((_package([release for released, release in stated if released <= last]), moment))
    return found


def _package(releases):
    head = {"uri": "https://portal.example/1", "version": "1.1", "publishedDate": "2024-01-01T00:00:00Z"}
    return json.dumps({**head, "publisher": {"name": "A portal"}, "releases": releases}).encode()


def _process(rng, ocid, opened, chance):
    """Return the releases of one process, each with its day: a tender, its update, its award."""
    buyer = {"name": rng.choice(BUYERS)}
    tender = {
        "id": "T",
        "title": f"Lot {ocid[-3:]}",
        "status": "active",
        "category": rng.choice(CATEGORIES),
        "value": {"amount": rng.randrange(1_000, 900_000), "currency": rng.choice(CURRENCIES)},
        "tenderPeriod": {"endDate": f"{opened + 30 * DAY}T12:00:00Z"},
    }
    if rng.random() < 0.2:
        del tender["value"]
    yield opened, _release(rng, ocid, "1", opened, tag=["tender"], buyer=buyer, tender=tender)
    if chance < 0.4:
        update = copy.deepcopy(tender) | {"status": rng.choice(("active", "complete"))}
        update["value"] = {"amount": rng.randrange(1_000, 900_000), "currency": rng.choice(CURRENCIES)}
        day = opened + rng.randint(5, 60) * DAY
        yield day, _release(rng, ocid, "2", day, tag=["tenderUpdate"], buyer=buyer, tender=update)
    if chance > 0.3:
        day = opened + rng.randint(40, 190) * DAY
        winners = rng.sample((*SUPPLIERS, *PERSONS), rng.choice((1, 1, 1, 2)))
        award = {
            "id": "1",
            "status": rng.choice(("active", "active", "active", "cancelled")),
            "date": f"{day}T08:00:00Z",
            "value": {"amount": rng.randrange(1_000, 900_000), "currency": rng.choice(CURRENCIES)},
            "suppliers": [{"name": name} for name in winners] + _numbered(rng, day),
        }
        told = tender | {"status": "complete", "numberOfTenderers": rng.randint(1, 9)}
        yield (
            day,
            _release(rng, ocid, "3", day, tag=["award"], buyer=buyer, tender=told) | {"awards": [award]},
        )


def _numbered(rng, day):
    """Return a supplier by its number, in some cases, under the name that it has on the day."""
    if rng.random() < 0.6:
        return []
    number, first, later = rng.choice(NUMBERED)
    identifier = {"scheme": "ZA-CIPC", "id": number}
    return [{"name": later if day >= RENAMED else first, "identifier": identifier}]


def _release(rng, ocid, number, day, *, tag, buyer, tender):
    zone = rng.choice(("T08:00:00Z", "T23:30:00-05:00", "T01:30:00+02:00"))
    return {
        "ocid": ocid,
        "id": number,
        "date": f"{day}{zone}",
        "tag": tag,
        "initiationType": "tender",
        "buyer": buyer,
        "tender": copy.deepcopy(tender),
    }


def _refill(rng, release):
    """Put another content in the place of a release, in place."""
    if rng.random() < 0.2:  # the same party, spelled otherwise
        release["buyer"] = {"name": release["buyer"]["name"].swapcase()}
    elif rng.random() < 0.3:
        release["tender"]["category"] = rng.choice(CATEGORIES)
    elif "awards" in release and rng.random() < 0.5:
        release["awards"][0]["status"] = rng.choice(("active", "cancelled"))
        release["awards"][0]["value"]["amount"] = rng.randrange(1_000, 900_000)
    else:
        release["tender"]["value"] = {
            "amount": rng.randrange(1_000, 900_000),
            "currency": rng.choice(CURRENCIES),
        }
    if rng.random() < 0.2:
        release["date"] = release["date"][:10] + "T22:15:00Z"
