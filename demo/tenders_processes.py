"""Contracting processes: who asks for what, who bids, and what becomes of it, month by month.

The processes of a month are drawn alone, so that any package can be written without the others.
"""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from demo.chance import Chance
from demo.tenders_portals import Body, Portal, Purchase
from demo.tenders_suppliers import Bidders, Supplier, bidders, spelled_otherwise
from demo.tenders_texts import DRAWN, Contact, Wording, contact, described, remark

FIRST_YEAR = 2022
MONTHS = tuple(date(year, month, 1) for year in range(FIRST_YEAR, 2025) for month in range(1, 13))
# Drawn processes are numbered from here; those told by name come before.
FIRST_DRAWN = 1_000
PER_MONTH = 100
FOREIGN_MONEY = "USD"
USD_IS_WORTH = 50  # roughly, on all portals


class Process(NamedTuple):
    """One process, with all that ever becomes of it."""

    portal: Portal
    number: int
    buyer: Body
    purchase: Purchase
    opened: date
    closes: date
    title: str
    description: str
    clerk: Contact
    value: int  # in units of the currency; 0 where the portal does not say
    currency: str
    wording: Wording = Wording.INNOCENT
    restated: tuple[int, ...] = ()  # the value in the packages of the following months, under the same id
    bidders: tuple[Supplier, ...] = ()
    awarded: date | None = None  # None: nobody is awarded the contract
    winners: tuple[Supplier, ...] = ()
    price: int = 0
    remark: str = ""  # on the award
    signed: date | None = None
    cancelled: date | None = None  # when the award was

    @property
    def ocid(self) -> str:
        """Return the name of the process, everywhere and for ever."""
        return f"{self.portal.prefix}-{self.number:06}"


def place_of(day: date) -> int:
    """Return the place of a day's month, counted from the first of MONTHS; it may be after the last."""
    return (day.year - FIRST_YEAR) * 12 + day.month - 1


@cache
def opened_in(seed: int, portal: Portal, place: int) -> tuple[Process, ...]:
    """Return the processes that open in the month at a place, also in one after the last of MONTHS."""
    month = date(FIRST_YEAR + place // 12, place % 12 + 1, 1)
    chance = Chance(f"sankofa demo world {seed} tenders {portal.country} {month}")
    asked = [
        purchase
        for purchase in portal.purchases
        for _ in range(_demand(chance, purchase, place, is_rush=month.month == portal.year_end))
    ]
    first = FIRST_DRAWN + place * PER_MONTH
    return tuple(
        _drawn(chance, seed, portal, purchase=purchase, month=month, number=first + turn)
        for turn, purchase in enumerate(asked)
    )


def _demand(chance: Chance, purchase: Purchase, place: int, *, is_rush: bool) -> int:
    """Return how many processes a month has: the trend, a rush before the fiscal year ends, and chance."""
    usual = purchase.monthly + purchase.growth * place // (len(MONTHS) - 1)
    rush = usual // 2 if is_rush else 0
    return max(1, usual + rush + chance.between(-1, 1))


def _drawn(
    chance: Chance, seed: int, portal: Portal, *, purchase: Purchase, month: date, number: int
) -> Process:
    is_chief = chance.percent(purchase.share)
    buyer = portal.bodies[purchase.chief] if is_chief else chance.pick(portal.bodies)
    opened = month + timedelta(days=chance.below(28))
    closes = opened + timedelta(days=chance.between(14, 40))
    is_foreign = chance.percent(6)
    value = purchase.value * chance.between(200, 3_000) // (USD_IS_WORTH if is_foreign else 1)
    is_single = chance.percent(purchase.single)
    found = _bidders(chance, bidders(seed, portal), 1 if is_single else chance.between(2, 6))
    trader = next((bidder.name for bidder in found if bidder.is_person), "")
    is_decided = chance.percent(70)
    wording = chance.pick(DRAWN)
    if wording is Wording.BIDDER and not (trader and is_decided):
        wording = Wording.INNOCENT
    clerk = contact(seed, chance)
    matter = f"{chance.pick(purchase.asked)} at {chance.pick(portal.places)}"
    process = Process(
        portal=portal,
        number=number,
        buyer=buyer,
        purchase=purchase,
        opened=opened,
        closes=closes,
        title=matter,
        description=described(wording, matter, clerk),
        clerk=clerk,
        value=value,
        currency=FOREIGN_MONEY if is_foreign else portal.currency,
        wording=wording,
        restated=(value + value // 10,) if chance.percent(3) else (),
        bidders=found,
        remark=remark(trader) if wording is Wording.BIDDER else "",
    )
    return _decided(chance, process) if is_decided else process


def _bidders(chance: Chance, known: Bidders, count: int) -> tuple[Supplier, ...]:
    """Draw bidders: one in nine is a person, and organisations at the head of the list bid more often."""
    found: dict[Supplier, Supplier] = {}
    while len(found) < count:
        if chance.percent(11):
            bidder = chance.pick(known.persons)
        else:
            organisations = known.organisations
            bidder = organisations[chance.below(chance.between(1, len(organisations)))]
        is_respelled = not bidder.is_person and chance.percent(12)
        found[bidder] = bidder._replace(name=spelled_otherwise(bidder.name)) if is_respelled else bidder
    return tuple(found.values())


def _decided(chance: Chance, process: Process) -> Process:
    """Award a process: to one bidder, rarely to two; a few awards are cancelled, the others are signed."""
    awarded = process.closes + timedelta(days=chance.between(7, 45))
    later = awarded + timedelta(days=chance.between(7, 30))
    is_joint, is_cancelled = chance.percent(5), chance.percent(6)
    return process._replace(
        awarded=awarded,
        winners=process.bidders[: 2 if is_joint else 1],
        price=process.value * chance.between(75, 115) // 100,
        signed=None if is_cancelled else later,
        cancelled=later if is_cancelled else None,
    )
