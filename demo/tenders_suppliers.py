"""Who bids: issuers and organisations that stand in registers, companies known from tenders only, persons.

Persons are sole traders under their own names, as real portals list them: none may ever be served.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from demo import persons, remarkable
from demo.chance import Chance
from demo.lei_records import LeiRecord
from demo.names import word
from demo.organisations import has_lei, of_issuer
from demo.tenders_portals import Portal
from demo.world import World

COMPANIES = 40
PERSONS = 30
# Words that no issuer, organisation or person of a register has.
FIRST_WORD = 2_400_000
WORDS_PER_PORTAL = 1_000
TRADES = ("Civils", "Supplies", "Engineering", "Projects", "Builders", "Catering", "Security", "Electrical")
LEI = "XI-LEI"


class Supplier(NamedTuple):
    """Somebody who bids: a name, the number of a register if it states one, and whether it is a person."""

    name: str
    country: str
    scheme: str = ""
    number: str = ""
    is_person: bool = False


class Bidders(NamedTuple):
    """Who bids on a portal; those that win most come first."""

    organisations: tuple[Supplier, ...]
    persons: tuple[Supplier, ...]


@cache
def bidders(seed: int, portal: Portal) -> Bidders:
    """Return who bids on a portal: the first twenty issuers of a seed, whatever the size of the world."""
    chance = Chance(f"sankofa demo world {seed} bidders {portal.country}")
    world = World(seed)
    issuers = [_issuer(world, index) for index in range(world.issuers)]
    told = (remarkable.RENAMED, remarkable.SURVIVOR, *remarkable.SHARING, remarkable.SECOND_OF_TICKER)
    companies = [
        Supplier(f"{word(seed, number)} {chance.pick(TRADES)} {chance.pick(portal.forms)}", portal.country)
        for number in _numbers(portal, 0, COMPANIES)
    ]
    known = [*issuers, *(registered(record) for record in told)]
    near = [supplier for supplier in known if supplier.country == portal.country]
    far = [supplier for supplier in known if supplier.country != portal.country]
    return Bidders((*near, *companies, *far), (*_told(portal), *_sole_traders(seed, portal)))


def registered(record: LeiRecord) -> Supplier:
    """Return an organisation under its LEI or, every second one, under the number of its register."""
    is_even = int(record.lei[-3]) % 2 == 0
    scheme, number = (LEI, record.lei) if is_even else (record.authority, record.number)
    return Supplier(record.name, record.country, scheme, number)


def withheld(seed: int, portal: Portal) -> tuple[str, ...]:
    """Return the names of the persons who bid on a portal."""
    return tuple(person.name for person in bidders(seed, portal).persons)


def spelled_otherwise(name: str) -> str:
    """Return a company's name as another clerk writes it."""
    return name.upper().replace("(PTY) LTD", "PTY LTD.").replace("LIMITED", "LTD")


def _issuer(world: World, index: int) -> Supplier:
    profile = world.profile(index)
    if has_lei(world, index):
        return registered(of_issuer(world, index))
    return Supplier(profile.name, profile.country)


def _told(portal: Portal) -> list[Supplier]:
    """Return the persons of the country's register who bid, some with a number as persons have it."""
    return [
        Supplier(person.name, person.country, person.authority, person.number, is_person=True)
        for person in persons.TOLD
        if person.country == portal.country
    ]


def _sole_traders(seed: int, portal: Portal) -> list[Supplier]:
    chance = Chance(f"sankofa demo world {seed} sole traders {portal.country}")
    return [
        Supplier(f"{chance.pick(persons.GIVEN_NAMES)} {word(seed, number)}", portal.country, is_person=True)
        for number in _numbers(portal, COMPANIES, PERSONS)
    ]


def _numbers(portal: Portal, first: int, count: int) -> range:
    start = FIRST_WORD + ("ZA", "KE", "NG").index(portal.country) * WORDS_PER_PORTAL + first
    return range(start, start + count)
