"""What callers ask about series, with a liking for what is there and for days on which an answer changes."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from oracle.series_answers import COUNTRIES

DAY = timedelta(days=1)
LIMITS = ("1", "2", "3", "7", "25", "100", "101", "10000")
FORMS = ("application/json",) * 8 + ("text/csv", "application/x-ndjson")
NOWHERE = ("ZZ", "zzz", "FRA")


class Question(NamedTuple):
    """A path, its parameters as they are sent, the form of the answer, and whether to walk on."""

    path: str
    asked: dict[str, str]
    form: str
    is_walk: bool


def questions(model, rng, count, tomorrow):
    """Yield questions about what the model has published."""
    for _ in range(count):
        about = rng.choice(rng.choice(model.editions))
        path, asked = rng.choice((_of_series, _of_series, _of_years, _of_facts))(rng, about, tomorrow)
        asked |= _some(rng, 0.5, edition=str(rng.randint(1, len(model.days))))
        is_walk = rng.random() < 0.2
        asked |= _some(rng, 0.9 if is_walk else 0.3, limit=rng.choice(LIMITS))
        asked |= _some(rng, 0.005, edition=str(len(model.days) + 1))
        yield Question(path, asked, rng.choice(FORMS), is_walk)


def _of_series(rng, about, tomorrow):
    key, head = about.vintage.key, about.head
    asked = _some(rng, 0.5, series=rng.choice((key, key, key, key.lower(), "CPI.ATL")))
    asked |= _some(rng, 0.7 if asked else 1, as_of=_turn(rng, about, tomorrow))
    asked |= _some(rng, 0.25, country=_spelled(rng, head.country))
    asked |= _some(rng, 0.2, series_type=rng.choice(("fx", "cpi", "indicator", head.series_type)))
    often = ("annual", "quarterly", "monthly", "daily", head.frequency)
    asked |= _some(rng, 0.2, frequency=rng.choice(often))
    asked |= _some(rng, 0.01, indicator="AU.DIT.ONE")
    return "/v1/macro", asked | _bounds(rng, about, in_years=0.01)


def _of_years(rng, about, _tomorrow):
    head = about.head
    asked = _some(rng, 0.5, country=_spelled(rng, head.country))
    asked |= _some(rng, 0.5, indicator=rng.choice((head.indicator or "AU.DIT.ONE", "AU.DIT.TWO", "NO.SUCH")))
    asked |= _some(rng, 0.01, frequency="monthly") | _some(rng, 0.01, series_type="cpi")
    return "/v1/macro", asked | _bounds(rng, about, in_years=0.6)


def _of_facts(rng, about, tomorrow):
    country = about.head.country or "KEN"
    asked = {"entity_id": country} if rng.random() < 0.6 else {"country": _any_case(rng, country)}
    asked |= _some(rng, 0.97 if "country" in asked else 0.2, dataset="AF-MACRO")
    asked |= _some(rng, 0.01, country="KEN") | _some(rng, 0.01, dataset="AF-FUND")
    asked |= _some(rng, 0.4, measure=rng.choice((about.measure, about.vintage.key, "NO.SUCH")))
    return "/v1/shared/facts", asked | _some(rng, 0.5, as_of=_turn(rng, about, tomorrow))


def _some(rng, share, **parameter):
    return parameter if rng.random() < share else {}


def _turn(rng, about, tomorrow):
    """Return a day near one on which a value came or went; now and then one after every edition."""
    vintage = about.vintage
    day = rng.choice((vintage.available_at, vintage.known_until or vintage.available_at))
    day += rng.choice((-1, 0, 0, 1, rng.randint(-20, 20))) * DAY
    return "9999-12-31" if rng.random() < 0.01 else str(min(day, tomorrow))


def _bounds(rng, about, in_years):
    """Return `from` and `to`, each perhaps; close to a value, so that its own day is met."""
    asked = {}
    for name, side in (("from", -1), ("to", 1)):
        day = about.end + side * rng.choice((0, 0, 1, 40, 400)) * DAY + rng.choice((0, 0, 0, -side)) * DAY
        asked |= _some(rng, 0.25, **{name: str(day.year if rng.random() < in_years else day)})
    return asked


def _spelled(rng, country):
    """Return a code of a country, of two or three letters in any case."""
    if country is None or rng.random() < 0.05:
        return rng.choice(NOWHERE)
    return _any_case(rng, rng.choice((country, COUNTRIES[country][0])))


def _any_case(rng, text):
    return "".join(rng.choice((letter.upper(), letter.lower())) for letter in text)
