"""What tenders say in words: mostly nothing but the matter, and sometimes a person who must not be shown."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from demo.chance import Chance
from demo.names import word
from demo.persons import GIVEN_NAMES

FIRST_WORD = 2_480_000
CONTACTS = 60


class Wording(Enum):
    """What a text gives away."""

    INNOCENT = "nothing"
    CONTACT = "the name of the contact"
    EMAIL = "an e-mail address"
    TELEPHONE = "a telephone number"
    IDENTITY = "the number of a passport"
    BIDDER = "the name of a person who bids, in the remark on the award"


# One in ten names or reaches a contact; of those that would name a bidder, many have no person among them.
DRAWN = (
    *(Wording.INNOCENT,) * 31,
    *(Wording.CONTACT, Wording.EMAIL, Wording.TELEPHONE, Wording.IDENTITY),
    *(Wording.BIDDER,) * 5,
)


class Contact(NamedTuple):
    """Whom a portal names for questions. The address is of a domain that nobody can have."""

    name: str
    email: str
    telephone: str


def contact(seed: int, chance: Chance) -> Contact:
    """Draw a clerk: a given name and a coined one."""
    number = chance.below(CONTACTS)
    given, family = GIVEN_NAMES[number % len(GIVEN_NAMES)], word(seed, FIRST_WORD + number)
    return Contact(f"{given} {family}", f"{family.lower()}@tenders.example", f"012 000 {number:04}")


def described(wording: Wording, matter: str, clerk: Contact) -> str:
    """Return a description of what is asked for."""
    return {
        Wording.CONTACT: f"{matter}. Questions are answered by {clerk.name.upper()}.",
        Wording.EMAIL: f"{matter}. Send questions to {clerk.email} before the closing date.",
        Wording.TELEPHONE: f"{matter}. For site visits call {clerk.telephone}.",
        Wording.IDENTITY: f"{matter}. The site agent has the passport no. ZZ{clerk.telephone[-4:]}00.",
    }.get(wording, f"{matter}. Bids are opened in public. Lots may be awarded separately.")


def remark(person: str) -> str:
    """Return what an award says of a bidder."""
    return f"The bid of {person} was looked at twice."
