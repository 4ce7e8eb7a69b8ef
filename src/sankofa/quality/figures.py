"""The figures of quality, computed from counts of a dataset.

A part is the name of a count. Ages are counted by month, so that keys which no edition touches still age.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import NamedTuple

NO_COUNTRY = "none"  # for keys without a country, or with an unknown one
FRESH_MONTHS = 18  # of an issuer's newest period
FRESH_MONTHS_OF_SERIES = {"A": 24, "Q": 9, "M": 4, "D": 2}  # by frequency; publishers release late
FRESH_MONTHS_OF_PORTAL = 3  # of a portal's newest release
FEW_MAPPED = 30  # percent of an issuer's facts
JOINED = ("lei", "lei.register", "ticker", "isin", "isin.register", "country", "industry")

Figures = Callable[["Held"], Iterable["Figure"]]


class Result(NamedTuple):
    """A result measured outside publishing: by a full audit, or on a labelled sample."""

    good: int
    measured: int
    measured_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The counts of a dataset in an edition, or of the keys that a build touched."""

    by_country: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    newest: Mapping[str, date] = field(default_factory=dict)  # by country: the last day with news
    day: date = date.min  # of the edition
    results: Mapping[str, Result] = field(default_factory=dict)
    overrides: int = 0

    def total(self, part: str) -> int:
        """Return the count of a part in all countries."""
        return sum(counts.get(part, 0) for counts in self.by_country.values())

    def count(self, part: str, country: str | None) -> int:
        """Return the count of a part in one country, or in all."""
        return self.total(part) if country is None else self.by_country[country].get(part, 0)

    def parts(self, prefix: str) -> Counter[str]:
        """Return the counts of all countries for the parts with a prefix, by the rest of their names."""
        found: Counter[str] = Counter()
        for counts in self.by_country.values():
            found.update(
                {part.removeprefix(prefix): n for part, n in counts.items() if part.startswith(prefix)}
            )
        return found

    def ages(self, prefix: str, country: str | None = None) -> Counter[int]:
        """Return the number of keys by age in months, from parts that end in a month: `newest/2024-03`."""
        chosen = self.by_country if country is None else {country: self.by_country[country]}
        found: Counter[int] = Counter()
        for part, n in Held(by_country=chosen).parts(prefix).items():
            year, month = map(int, part.rpartition("/")[2].split("-"))
            found[(self.day.year - year) * 12 + self.day.month - month] += n
        return found


class Figure(NamedTuple):
    """One number of a measure: a count or a share. With a zero denominator the share is UNMEASURED."""

    good: int
    of: int | None = None  # None: the number itself
    part: str = ""  # the part of the dataset, unless it is the whole
    measured_at: datetime | None = None  # None: with the edition

    @property
    def exact(self) -> Fraction | None:
        """The number; None if it is UNMEASURED."""
        if self.of is None:
            return Fraction(self.good)
        return Fraction(self.good, self.of) if self.of else None


def coverage(held: Held) -> Iterable[Figure]:
    """Yield the number of keys, in total and by country."""
    yield Figure(held.total("keys"))
    for country, counts in held.by_country.items():
        if counts.get("keys"):
            yield Figure(counts["keys"], part=country or NO_COUNTRY)


def countries(held: Held) -> Iterable[Figure]:
    """Yield the number of countries with keys."""
    yield Figure(sum(1 for country, counts in held.by_country.items() if country and counts.get("keys")))


def completeness(held: Held) -> Iterable[Figure]:
    """Yield the share of keys that have each item, in total and by country."""
    for item, having in held.parts("item/").items():
        yield Figure(having, held.total("keys"), item)
    for country, counts in held.by_country.items():
        for part, having in counts.items():
            if part.startswith("item/"):
                name = f"{part.removeprefix('item/')}.{country or NO_COUNTRY}"
                yield Figure(having, counts.get("keys", 0), name)


def indicators(held: Held) -> Iterable[Figure]:
    """Yield the share of countries with each indicator, and of indicators by country."""
    reported = {
        country: {part.removeprefix("item/") for part in counts if part.startswith("item/")}
        for country, counts in held.by_country.items()
        if country
    }
    reported = {country: items for country, items in reported.items() if items}
    known = Counter(item for items in reported.values() for item in items)
    for item, countries in known.items():
        yield Figure(countries, len(reported), item)
    for country, items in reported.items():
        yield Figure(len(items), len(known), country)


def freshness(held: Held) -> Iterable[Figure]:
    """Yield the days since the newest availability, in total and by country."""
    newest = max(held.newest.values(), default=None)
    yield Figure((held.day - newest).days) if newest else Figure(0, 0)
    for country, day in held.newest.items():
        yield Figure((held.day - day).days, part=country or NO_COUNTRY)


def share(good: str, of: str) -> Figures:
    """Return a function that computes the share of one count in another."""
    return lambda held: (Figure(held.total(good), held.total(of)),)


def spared(faults: str, of: str) -> Figures:
    """Return a function that computes the share without a fault."""
    return lambda held: (Figure(held.total(of) - held.total(faults), held.total(of)),)


def found(slug: str) -> Figures:
    """Return a function that returns the last result of a measure made outside publishing."""

    def figures(held: Held) -> Iterable[Figure]:
        result = held.results.get(slug)
        yield Figure(result.good, result.measured, "", result.measured_at) if result else Figure(0, 0)

    return figures


def accuracy(held: Held) -> Iterable[Figure]:
    """Yield the share of correct values, of a labelled sample or of golden statements."""
    golden = Figure(held.total("golden/agreed"), held.total("golden/compared"), "golden")
    if golden.of and held.total("keys"):
        yield golden
    (sampled,) = found("extraction_accuracy")(held)
    yield sampled if sampled.of or not held.total("keys") else golden._replace(part="")


def rejections(held: Held) -> Iterable[Figure]:
    """Yield the share of rejected rows, in total, by source and by reason."""
    refused, read = held.parts("rejected/"), held.parts("read/")
    rows = read.total() + refused.total()
    yield Figure(refused.total(), rows)
    by_source = _grouped(refused, first=True)
    for source in read | by_source:
        yield Figure(by_source[source], read[source] + by_source[source], source)
    for reason, refusals in _grouped(refused, first=False).items():
        yield Figure(refusals, rows, reason)


def repairs(held: Held) -> Iterable[Figure]:
    """Yield the repaired fields per accepted row, in total, by source and by reason."""
    repaired, read = held.parts("repaired/"), held.parts("read/")
    yield Figure(repaired.total(), read.total())
    by_source = _grouped(repaired, first=True)
    for source in read:
        yield Figure(by_source[source], read[source], source)
    for reason, fields in _grouped(repaired, first=False).items():
        yield Figure(fields, read.total(), reason)


def _grouped(counts: Counter[str], *, first: bool) -> Counter[str]:
    """Return counts by the first part of their names, or by the rest."""
    grouped: Counter[str] = Counter()
    for name, n in counts.items():
        before, _, after = name.partition("/")
        grouped[before if first else after] += n
    return grouped


def fresh_issuers(held: Held) -> Iterable[Figure]:
    """Yield the share of issuers with a recent period, in total and by country."""
    for country in (None, *held.by_country):
        ages, keys = held.ages("newest/", country), held.count("keys", country)
        if country is None or keys:
            name = "" if country is None else country or NO_COUNTRY
            yield Figure(sum(n for age, n in ages.items() if age < FRESH_MONTHS), keys, name)


def age_of_issuers(held: Held) -> Iterable[Figure]:
    """Yield the median age of issuers' newest periods, in total and by country."""
    yield _median(held.ages("newest/"))
    for country in held.by_country:
        if ages := held.ages("newest/", country):
            yield _median(ages, country or NO_COUNTRY)


def fresh_series(held: Held) -> Iterable[Figure]:
    """Yield the share of series with a recent value, in total and by frequency."""
    fresh, series = {}, {}
    for frequency, months in FRESH_MONTHS_OF_SERIES.items():
        ages = held.ages(f"newest/{frequency}/")
        fresh[frequency] = sum(n for age, n in ages.items() if age < months)
        series[frequency] = held.total(f"frequency/{frequency}")
    yield Figure(sum(fresh.values()), sum(series.values()))
    for frequency, n in series.items():
        if n:
            yield Figure(fresh[frequency], n, frequency)


def age_of_series(held: Held) -> Iterable[Figure]:
    """Yield the median age of the newest values of series, in total and by frequency."""
    every: Counter[int] = Counter()
    for frequency in FRESH_MONTHS_OF_SERIES:
        ages = held.ages(f"newest/{frequency}/")
        every += ages
        if ages:
            yield _median(ages, frequency)
    yield _median(every)


def fresh_portals(held: Held) -> Iterable[Figure]:
    """Yield the share of portals with a recent release."""
    ages = _ages_of_portals(held)
    yield Figure(sum(1 for age in ages.values() if age < FRESH_MONTHS_OF_PORTAL), len(ages))


def age_of_portals(held: Held) -> Iterable[Figure]:
    """Yield the median age of portals' newest releases, and the age of each."""
    ages = _ages_of_portals(held)
    yield _median(Counter(ages.values()))
    for source, age in ages.items():
        yield Figure(age, part=source)


def _ages_of_portals(held: Held) -> dict[str, int]:
    sources = {name.partition("/")[0] for name in held.parts("newest/")}
    return {source: min(held.ages(f"newest/{source}/")) for source in sources}


def _median(ages: Counter[int], part: str = "") -> Figure:
    """Return the median; of an even number, the mean of the two in the middle."""
    every = sorted(ages.elements())
    if not every:
        return Figure(0, 0, part)
    low, high = every[(len(every) - 1) // 2], every[len(every) // 2]
    return Figure(low + high, 2, part)


def joined(held: Held) -> Iterable[Figure]:
    """Yield the share of issuers that have an identifier, by its type."""
    return (Figure(held.total(f"joined/{name}"), held.total("keys"), name) for name in JOINED)


def mapped(held: Held) -> Iterable[Figure]:
    """Yield the share of facts mapped to a line item, in total and by source."""
    standard, other = held.parts("standard/"), held.parts("other/")
    yield Figure(standard.total(), standard.total() + other.total())
    for source in standard | other:
        yield Figure(standard[source], standard[source] + other[source], source)


def mapped_by_issuer(held: Held) -> Iterable[Figure]:
    """Yield the distribution of issuers' shares: the median, and the number of issuers far below it."""
    percents = Counter({int(percent): n for percent, n in held.parts("mapped/").items()})
    middle = _median(percents)
    yield Figure(middle.good, middle.of and middle.of * 100, "median")
    few = sum(n for percent, n in percents.items() if percent < FEW_MAPPED)
    yield Figure(few, percents.total(), f"below_{FEW_MAPPED}")


def hashed_ids(held: Held) -> Iterable[Figure]:
    """Yield the share of ids that are hashes, in total and by country."""
    yield Figure(held.total("hashed_ids"), held.total("ids"))
    for country, counts in held.by_country.items():
        if counts.get("ids"):
            yield Figure(counts.get("hashed_ids", 0), counts["ids"], country or NO_COUNTRY)


def labelled(held: Held) -> Iterable[Figure]:
    """Yield the share of facts whose period has labels, then the reasons for missing labels."""
    unlabelled = held.parts("unlabelled/")
    yield Figure(held.total("rows") - sum(unlabelled.values()), held.total("rows"))
    for reason, rows in unlabelled.items():
        yield Figure(rows, held.total("rows"), reason)


def on_time(held: Held) -> Iterable[Figure]:
    """Yield the share of sources that are not stale, in total and each by itself."""
    fed, stale = held.parts("fed/"), held.parts("stale/")
    yield Figure(fed.total() - stale.total(), fed.total())
    for source in fed:
        yield Figure(1 - stale[source], 1, source)


def overrides(held: Held) -> Iterable[Figure]:
    """Yield the number of floors that were overridden for the edition."""
    yield Figure(held.overrides)
