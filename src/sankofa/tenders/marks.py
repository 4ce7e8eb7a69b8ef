"""How releases are found: each content is marked with what it has, in the month of its date.

A mark is a number: the month in its upper bits, and below it 48 bits of a hash of what the content has, such
as a status or a word of a title. One index over the marks of all contents finds those of a month that have
everything which is asked for, however many conditions there are. A walk over months, newest first, ends when
its page is full.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from sankofa.entities.folding import words as folded
from sankofa.tenders.model import Body, Money

VERSION = "1"  # raised when contents are marked otherwise: the next edition marks all anew
ANYTHING = 0  # the trait that every content has
MOST_WORDS = 64  # of one content; further words of its titles find nothing
_SHIFT = 48
_FIRST_YEAR = 1970  # no release has a date before it
_DECADES = range(27)  # amounts have at most 26 digits before the point
_OCDS_CATEGORIES = frozenset({"goods", "works", "services"})
_MARKED_ROLES = ("buyer", "supplier")


class Content(NamedTuple):
    """What a content is marked for."""

    country: str
    ocid: str
    sorted_at: datetime
    body: Body
    parties: Sequence[tuple[str, Sequence[str]]]  # issued ids and roles
    category: str | None  # as signals count it
    texts: Sequence[str]  # only those that may be served


@lru_cache(maxsize=65_536)
def trait(kind: str, what: str) -> int:
    """Return the number of something that a content can have; ids, words and codes never share one."""
    digest = hashlib.md5(f"{kind}|{what}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:6]) or 1


def month_of(moment: datetime) -> int:
    """Return the number of a month, counted from 1."""
    at = moment.astimezone(UTC)
    return (at.year - _FIRST_YEAR) * 12 + at.month


def process_mark(ocid: str) -> int:
    """Return the mark that all contents of a process have: it is of no month."""
    return trait("ocid", ocid)


def words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the words by which texts are found."""
    return (word for text in texts for word in folded(text) if word != "&")


def marks(content: Content) -> list[int]:
    """Return the marks of a content apart from its words."""
    return sorted({*_in_month(content, _traits(content)), process_mark(content.ocid)})


def marks_with_words(content: Content) -> list[int]:
    """Return the marks of a content with the words of its titles; there are none if these are withheld."""
    found = dict.fromkeys(words(_titles(content)))
    worded = (trait("word", word) for word in list(found)[:MOST_WORDS])
    return sorted({*_in_month(content, _traits(content)), *_in_month(content, worded)})


def _in_month(content: Content, traits: Iterable[int]) -> Iterator[int]:
    month = month_of(content.sorted_at) << _SHIFT
    return (month + one for one in traits)


def _traits(content: Content) -> Iterator[int]:
    body = content.body
    yield ANYTHING
    yield trait("country", content.country)
    for service_id, roles in content.parties:
        yield from (trait(role, service_id) for role in _MARKED_ROLES if role in roles)
    if content.category:
        yield trait("category", content.category)
    if tender := body.tender:
        if tender.status:
            yield trait("status", tender.status)
        if main := tender.main_category:
            yield trait("category", main)
            if main.casefold() in _OCDS_CATEGORIES:
                yield trait("category", main.casefold())
    for value in reported_values(body):
        decade = _decade(value.amount)
        yield trait("currency", value.currency)
        yield trait("decade", f"{value.currency} {decade}")
        yield trait("step", f"{value.currency} {decade} {_first_digit(value.amount, decade)}")


def reported_values(body: Body) -> Iterator[Money]:
    """Yield the values by which a content is found: that of its tender and those of its awards."""
    if body.tender and body.tender.value:
        yield body.tender.value
    yield from (award.value for award in body.awards if award.value)


def _titles(content: Content) -> Iterator[str]:
    body = content.body
    places = [part.title for part in (body.tender, *body.awards, *body.contracts) if part]
    return (content.texts[place] for place in dict.fromkeys(places) if place is not None and content.texts)


def _decade(amount: Decimal) -> int:
    """Return how many digits an amount has before the point; 0 if it is below one."""
    return max(amount.adjusted() + 1, 0)


def _first_digit(amount: Decimal, decade: int) -> int:
    return amount.as_tuple().digits[0] if decade else 0


def value_traits(currency: str, lowest: Decimal | None, highest: Decimal | None) -> list[int]:
    """Return traits of which each content has one that states a value between two amounts.

    Whole decades stand for themselves. At the ends, contents with the same first digit are found as well.
    """
    if lowest is None and highest is None:
        return [trait("currency", currency)]
    low = Decimal(0) if lowest is None else lowest
    high = Decimal(10) ** _DECADES.stop if highest is None else highest
    return list(_between(currency, low, high))


def _between(currency: str, low: Decimal, high: Decimal) -> Iterator[int]:
    for decade in _DECADES:
        unit = Decimal(10) ** (decade - 1) if decade else Decimal(0)
        end = Decimal(10) ** decade
        if low <= unit and high >= end:
            yield trait("decade", f"{currency} {decade}")
        elif not decade and low < end and high > 0:
            yield trait("step", f"{currency} 0 0")
        elif decade and low < end and high >= unit:
            for digit in range(1, 10):
                if low < (digit + 1) * unit and high >= digit * unit:
                    yield trait("step", f"{currency} {decade} {digit}")
