"""Search marks of releases: each content is marked with its traits, in the month of its date.

A mark is a number: the month in its upper bits, and 48 bits of a hash of a trait, such as a status or a word
of a title. One index over all marks finds the contents of a month that have all requested traits, however
many there are. A walk over months, newest first, ends when its page is full.
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

VERSION = "1"  # raised when the marks change: the next edition then marks all contents again
ANYTHING = 0  # the trait that every content has
MOST_WORDS = 64  # of one content; further words of its titles are not indexed
_SHIFT = 48
_FIRST_YEAR = 1970  # no release has a date before it
_DECADES = range(27)  # amounts have at most 26 digits before the point
_OCDS_CATEGORIES = frozenset({"goods", "works", "services"})
_MARKED_ROLES = ("buyer", "supplier")


class Content(NamedTuple):
    """The input of the marks of a content."""

    country: str
    ocid: str
    sorted_at: datetime
    body: Body
    parties: Sequence[tuple[str, Sequence[str]]]  # issued ids and roles
    category: str | None  # as signals count it
    texts: Sequence[str]  # only those that may be served


@lru_cache(maxsize=65_536)
def trait(kind: str, what: str) -> int:
    """Return the number of a trait; ids, words and codes never share a number."""
    digest = hashlib.md5(f"{kind}|{what}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[:6]) or 1


def month_of(moment: datetime) -> int:
    """Return the number of a month, counted from 1."""
    at = moment.astimezone(UTC)
    return (at.year - _FIRST_YEAR) * 12 + at.month


def process_mark(ocid: str) -> int:
    """Return the mark of all contents of a process; it has no month."""
    return trait("ocid", ocid)


def words(texts: Iterable[str]) -> Iterator[str]:
    """Yield the search words of texts."""
    return (word for text in texts for word in folded(text) if word != "&")


def marks(content: Content) -> list[int]:
    """Return the marks of a content without those of its words."""
    return sorted({*_in_month(content, _traits(content)), process_mark(content.ocid)})


def marks_with_words(content: Content) -> list[int]:
    """Return the marks of a content including the words of its titles; empty if these are withheld."""
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
    """Yield the values of a content: those of its tender and its awards."""
    if body.tender and body.tender.value:
        yield body.tender.value
    yield from (award.value for award in body.awards if award.value)


def _titles(content: Content) -> Iterator[str]:
    body = content.body
    places = [part.title for part in (body.tender, *body.awards, *body.contracts) if part]
    return (content.texts[place] for place in dict.fromkeys(places) if place is not None and content.texts)


def _decade(amount: Decimal) -> int:
    """Return the number of digits before the point; 0 for an amount below one."""
    return max(amount.adjusted() + 1, 0)


def _first_digit(amount: Decimal, decade: int) -> int:
    return amount.as_tuple().digits[0] if decade else 0


def value_traits(currency: str, lowest: Decimal | None, highest: Decimal | None) -> list[int]:
    """Return traits such that each content with a value in the range has at least one of them.

    Decades within the range have one trait each. At the ends, contents with the same first digit also match.
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
