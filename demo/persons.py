"""Persons who stand in registers: sole proprietors, and names that read like companies'. None may be served.

All are invented. Those told here stand in every world; others are drawn, a given name and a coined one.
"""

from __future__ import annotations

from demo.chance import Chance
from demo.identifiers import lei
from demo.lei_records import LeiRecord
from demo.names import COUNTRIES, word
from demo.places import PLACES, UNLISTED_FORM

FIRST_TOLD = 500
FIRST_DRAWN = 3_000_000_000
# The words of persons follow those of organisations.
FIRST_WORD = 2_300_000

GIVEN_NAMES = (
    *("Thabo", "Nomvula", "Chinedu", "Folake", "Wanjiru", "Otieno", "Kwame", "Akosua", "Yasmine", "Mehdi"),
    *("Aya", "Seydou", "Neema", "Juma", "Nakato", "Okello", "Mutinta", "Chanda", "Kagiso", "Lesedi"),
)


def _person(number: int, name: str, country: str, category: str, registered_as: str = "") -> LeiRecord:
    place = PLACES[country]
    return LeiRecord(
        lei=lei(number),
        name=name,
        country=country,
        authority=place.authority if registered_as else "",
        number=registered_as,
        legal_form=UNLISTED_FORM,
        updated="2025-07-01T09:30:00Z",
        created="2012-05-14T00:00:00Z",
        category=category,
        language=place.language,
        city=place.city,
        postcode=place.postcode,
        validation="ENTITY_SUPPLIED_ONLY",
    )


TOLD = tuple(
    _person(FIRST_TOLD + place, *told)
    for place, told in enumerate(
        (
            ("Lindiwe Vashonuka", "ZA", "SOLE_PROPRIETOR"),
            ("Ifeanyi Dorashemu", "NG", "SOLE_PROPRIETOR", "BN 3141592"),
            ("Nyambura Thukorevi Enterprises", "KE", "SOLE_PROPRIETOR", "BN-X7K2QP"),
            ("Trust Moyo", "ZA", "GENERAL"),
            ("Justice Banda", "ZM", "GENERAL"),
            ("Blessing Limited", "NG", "GENERAL"),
            ("Gift Phiri Holdings", "ZM", "SOLE_PROPRIETOR"),
            ("J SA Mokoena", "ZA", "SOLE_PROPRIETOR"),
            ("Mokoena t/a TM Plumbing (Pty) Ltd", "ZA", "GENERAL"),
            ("Nkosi Family Trust", "ZA", "GENERAL"),
            ("Estate Late Naledi Dlamini", "BW", "GENERAL"),
            ("Ets Diallo", "CI", "GENERAL"),
            ("Smith & Sons", "BW", "GENERAL"),
        )
    )
)


def drawn(seed: int, number: int) -> LeiRecord:
    """Draw sole proprietor `number` of a world."""
    chance = Chance(f"sankofa demo world {seed} person {number}")
    name = f"{chance.pick(GIVEN_NAMES)} {word(seed, FIRST_WORD + number)}"
    return _person(FIRST_DRAWN + number, name, chance.pick(COUNTRIES).code, "SOLE_PROPRIETOR")
