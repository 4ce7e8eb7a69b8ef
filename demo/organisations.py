"""Who has an LEI record: most issuers, a tenth as many organisations that are none, and some told by name.

Each record is made alone and on demand, and stays the same in worlds of every size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from demo import persons, remarkable
from demo.chance import Chance
from demo.identifiers import lei
from demo.lei_records import LeiRecord
from demo.names import COUNTRIES, word
from demo.places import PLACES
from demo.showcase import SHOWCASE
from demo.world import World

# Where each kind's numbers begin; a world has fewer issuers than lie between.
FIRST_ISSUER = 1_000_000_000
FIRST_OTHER = 2_000_000_000
ISSUERS_PER_OTHER = 10
ISSUERS_PER_PERSON = 20
# The words of the others follow those of all issuers.
FIRST_OTHER_WORD = 2_000_000

TRADES = ("Properties", "Trading", "Investments", "Hospitals", "Farms", "Shipping", "Motors", "Publishing")


def records(world: World, issuers: Iterable[int]) -> Iterator[LeiRecord]:
    """Return the records of some issuers and of those between them; issuer 0 brings those told by name."""
    for index in issuers:
        if index == 0:
            yield from remarkable.RECORDS
            yield from persons.TOLD
        if has_lei(world, index):
            yield of_issuer(world, index)
        if index % ISSUERS_PER_OTHER == ISSUERS_PER_OTHER - 1:
            yield _other(world, index // ISSUERS_PER_OTHER)
        if index % ISSUERS_PER_PERSON == ISSUERS_PER_PERSON - 1:
            yield persons.drawn(world.seed, index // ISSUERS_PER_PERSON)


def withheld(world: World) -> list[LeiRecord]:
    """Return every record of a person: none may ever be served once the delta is published."""
    count = world.issuers // ISSUERS_PER_PERSON
    drawn = [persons.drawn(world.seed, number) for number in range(count)]
    return [*persons.TOLD, remarkable.TURNED, *drawn]


def has_lei(world: World, index: int) -> bool:
    """Tell whether an issuer has an LEI: seven of eight do, and all of the showcase."""
    return index < len(SHOWCASE) or _chance(world, "LEI", index).below(8) > 0


def lei_of_issuer(index: int) -> str:
    """Return the LEI that an issuer has, if it has one."""
    return lei(FIRST_ISSUER + index)


def of_issuer(world: World, index: int) -> LeiRecord:
    """Return the LEI record of an issuer."""
    profile = world.profile(index)
    name, country = profile.name, profile.country
    return _record(_chance(world, "record", index), lei_of_issuer(index), name, country, 200_000 + index)


def _other(world: World, number: int) -> LeiRecord:
    """Return an organisation that issues nothing."""
    chance = _chance(world, "other", number + len(SHOWCASE))
    country = chance.pick(COUNTRIES)
    coined = word(world.seed, FIRST_OTHER_WORD + number)
    name = f"{coined} {chance.pick(TRADES)} {chance.pick(country.forms)}"
    return _record(chance, lei(FIRST_OTHER + number), name, country.code, 700_000 + number)


def _record(chance: Chance, identifier: str, name: str, country: str, number: int) -> LeiRecord:
    place = PLACES[country]
    year = chance.between(1985, 2014)
    lapsed = chance.percent(8)
    return LeiRecord(
        lei=identifier,
        name=name,
        country=country,
        authority=place.authority,
        number=place.number.format(year=year, number=number),
        legal_form=place.legal_form,
        updated=f"{2024 if lapsed else 2025}-{chance.between(1, 12):02}-{chance.between(1, 28):02}T09:30:00Z",
        created=f"{year}-{chance.between(1, 12):02}-{chance.between(1, 28):02}T00:00:00Z",
        registration_status="LAPSED" if lapsed else "ISSUED",
        language=place.language,
        street=f"{chance.between(1, 400)} Demo Street",
        city=place.city,
        postcode=place.postcode,
    )


def _chance(world: World, what: str, index: int) -> Chance:
    """Draw for an issuer of the showcase as in every other world."""
    seed = "showcase" if index < len(SHOWCASE) else str(world.seed)
    return Chance(f"sankofa demo world {seed} {what} {index}")
