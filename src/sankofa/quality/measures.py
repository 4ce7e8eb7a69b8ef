"""What is measured of a dataset: each measure is a function of counts, with a unit and perhaps a floor.

Counts are additive, so those of a whole dataset follow from the keys that an edition touched. The same
functions judge the keys of a build before it becomes current, and answer who asks about an edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import Literal, NamedTuple

from sankofa.datasets import SKUS
from sankofa.fundamentals.dataset import DATASET as FUNDAMENTALS
from sankofa.macro.dataset import DATASET as INDICATORS
from sankofa.tenders.dataset import DATASET as TENDERS

METHODOLOGY = "quality-v1"
UNMEASURED: Literal["UNMEASURED"] = "UNMEASURED"
FUND, TENDER, MACRO = FUNDAMENTALS.name, TENDERS.name, INDICATORS.name
VERIFIED = "verified"
NO_COUNTRY = "none"  # of what is of no country, or of a country that is not known

Status = Literal["pass", "fail", "no_floor", "UNMEASURED"]


class Result(NamedTuple):
    """What was measured apart from publishing: by a whole audit, or on a labelled sample."""

    good: int
    measured: int
    measured_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What an edition holds of a dataset, counted; or what a build has touched of it."""

    by_country: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    newest: Mapping[str, date] = field(default_factory=dict)  # by country: the last day anything was known
    day: date = date.min  # of the edition
    results: Mapping[str, Result] = field(default_factory=dict)
    overrides: int = 0

    def total(self, part: str) -> int:
        """Return the count of a part in all countries."""
        return sum(counts.get(part, 0) for counts in self.by_country.values())

    def parts(self, prefix: str) -> Counter[str]:
        """Return the counts in all countries of the parts that begin so, by the rest of their names."""
        found: Counter[str] = Counter()
        for counts in self.by_country.values():
            found.update(
                {part.removeprefix(prefix): n for part, n in counts.items() if part.startswith(prefix)}
            )
        return found


class Figure(NamedTuple):
    """One number of a measure: a count, or a share of so many; none of nothing is not measured."""

    good: int
    of: int | None = None  # None: the number itself
    part: str = ""  # what of the dataset it is about, where not all of it
    measured_at: datetime | None = None  # None: with the edition

    @property
    def exact(self) -> Fraction | None:
        """The number; None where nothing was measured."""
        if self.of is None:
            return Fraction(self.good)
        return Fraction(self.good, self.of) if self.of else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One thing that is measured."""

    slug: str
    unit: str
    method: str
    figures: Callable[[Held], Iterable[Figure]]
    skus: tuple[str, ...] = tuple(SKUS)
    floor: Fraction | None = None
    fault: str = ""  # the part that counts faults, where a build below the floor does not become current

    @property
    def methodology_ref(self) -> str:
        """Where the method is described."""
        return f"{METHODOLOGY}#{self.slug}"

    def status(self, value: Fraction | None) -> Status:
        """Compare a number with the floor. Only a measured number that has a floor can pass or fail."""
        if value is None:
            return UNMEASURED
        if self.floor is None:
            return "no_floor"
        return "pass" if value >= self.floor else "fail"


def _coverage(held: Held) -> Iterable[Figure]:
    yield Figure(held.total("keys"))
    for country, counts in held.by_country.items():
        if counts.get("keys"):
            yield Figure(counts["keys"], part=country or NO_COUNTRY)


def _countries(held: Held) -> Iterable[Figure]:
    yield Figure(sum(1 for country, counts in held.by_country.items() if country and counts.get("keys")))


def _completeness(held: Held) -> Iterable[Figure]:
    for item, having in held.parts("item/").items():
        yield Figure(having, held.total("keys"), item)
    for country, counts in held.by_country.items():
        for part, having in counts.items():
            if part.startswith("item/"):
                name = f"{part.removeprefix('item/')}.{country or NO_COUNTRY}"
                yield Figure(having, counts.get("keys", 0), name)


def _indicators(held: Held) -> Iterable[Figure]:
    stated = {
        country: {part.removeprefix("item/") for part in counts if part.startswith("item/")}
        for country, counts in held.by_country.items()
        if country
    }
    stated = {country: items for country, items in stated.items() if items}
    known = Counter(item for items in stated.values() for item in items)
    for item, countries in known.items():
        yield Figure(countries, len(stated), item)
    for country, items in stated.items():
        yield Figure(len(items), len(known), country)


def _freshness(held: Held) -> Iterable[Figure]:
    newest = max(held.newest.values(), default=None)
    yield Figure((held.day - newest).days) if newest else Figure(0, 0)
    for country, day in held.newest.items():
        yield Figure((held.day - day).days, part=country or NO_COUNTRY)


def _share(good: str, of: str) -> Callable[[Held], Iterable[Figure]]:
    return lambda held: (Figure(held.total(good), held.total(of)),)


def _spared(faults: str, of: str) -> Callable[[Held], Iterable[Figure]]:
    """Return what gives the share that is free of a fault."""
    return lambda held: (Figure(held.total(of) - held.total(faults), held.total(of)),)


def _rejections(held: Held) -> Iterable[Figure]:
    yield Figure(held.total("rejected"), held.total("read") + held.total("rejected"))


def _found(slug: str) -> Callable[[Held], Iterable[Figure]]:
    """Return what gives the last result of a measure that is made apart."""

    def figures(held: Held) -> Iterable[Figure]:
        result = held.results.get(slug)
        yield Figure(result.good, result.measured, "", result.measured_at) if result else Figure(0, 0)

    return figures


def _labelled(held: Held) -> Iterable[Figure]:
    unlabelled = held.parts("unlabelled/")
    yield Figure(held.total("rows") - sum(unlabelled.values()), held.total("rows"))
    for reason, rows in unlabelled.items():
        yield Figure(rows, held.total("rows"), reason)


_BY_COUNTRY = "In all, and by country (`none`: of no country, or of one not known)."

MEASURES = (
    *(
        Measure(
            slug=f"coverage_{dataset.counted.plural}",
            unit=dataset.counted.plural,
            skus=(sku,),
            method=f"{dataset.counted.coverage} {_BY_COUNTRY}",
            figures=_coverage,
        )
        for sku, dataset in SKUS.items()
        if dataset.counted
    ),
    Measure(
        slug="coverage_countries",
        unit="countries",
        method="Countries of which the edition holds anything.",
        figures=_countries,
    ),
    Measure(
        slug="completeness",
        unit="share",
        skus=(FUND, TENDER),
        method="By line item of an issuer, or by what a process may state (buyer, tender_value, category, "
        "deadline, award): the share of those that are covered which state it, in all and by "
        "country. Where nobody states it there is no row.",
        figures=_completeness,
    ),
    Measure(
        slug="completeness",
        unit="share",
        skus=(MACRO,),
        method="By indicator: the share of the countries covered that have it. By country: the share of "
        "the indicators that any country has which this one has.",
        figures=_indicators,
    ),
    Measure(
        slug="labelled_periods",
        unit="share",
        skus=(FUND,),
        method="The share of facts whose period has a type and a fiscal year under the newest filings. Then "
        "the shares that have none, by reason: `not_declared` (no filing declares or implies a fiscal "
        "year), `off_calendar` (it does not end with a quarter of the fiscal year), `odd_length` (neither a "
        "year nor nine, six or three months), `short_year` (a transition period).",
        figures=_labelled,
    ),
    Measure(
        slug="freshness",
        unit="days",
        method="Days from the last day on which anything that the edition holds became available to the "
        f"day it was published. {_BY_COUNTRY}",
        figures=_freshness,
    ),
    Measure(
        slug="provenance_completeness",
        unit="share",
        floor=Fraction(1),
        method="The share of rows, of every vintage, that name a document by its hash, a licence, the "
        "moment it was fetched, the day the value became available and what evidences that day.",
        fault="unsourced",
        figures=_spared("unsourced", "rows"),
    ),
    Measure(
        slug="look_ahead_dates",
        unit="share",
        floor=Fraction(1),
        method="No row is available after `as_of`: the share of rows whose `available_at` is no earlier "
        "than the ledger evidences. Of a fact that is the day of its filing; of an observation that "
        "of the snapshot, or its own day where the publisher releases it on that; of a release the "
        "portal's date, or the day it was fetched.",
        fault="early",
        figures=_spared("early", "rows"),
    ),
    Measure(
        slug="look_ahead_history",
        unit="share",
        floor=Fraction(1),
        method="Earlier answers are not changed by later filings: of the rows known before the first "
        "document that an edition newly holds of a key, the share that stand in it as in the "
        "edition before, over all editions. Not compared: an edition with other rules, decisions, "
        "takedowns or sources; an organisation that became or ceased to be one with another; a "
        "series that another source serves.",
        fault="rewritten",
        figures=_spared("rewritten", "compared"),
    ),
    Measure(
        slug="future_independence",
        unit="share",
        floor=Fraction(1),
        method="No field of an earlier answer is changed by later filings: the same comparison as "
        "`look_ahead_history`, of every field that is served, such as period type, fiscal year, unit and "
        "revision, and not only of values and vintages. Not compared: the document that a row cites, "
        "and labels that begin on or after the day of that first document.",
        fault="foreseen",
        figures=_spared("foreseen", "compared"),
    ),
    Measure(
        slug="look_ahead_first_vintage",
        unit="share",
        floor=Fraction(1),
        method="Vintage 1 is what was reported first: the share of rows whose vintages follow one another "
        "in the order in which they became available, and of which the first has the value that its "
        "`fact_id` was made from (facts and observations).",
        fault="misnumbered",
        figures=_spared("misnumbered", "rows"),
    ),
    Measure(
        slug="look_ahead_newest_period",
        unit="share",
        floor=Fraction(1),
        method=f"No restatement hides a newer period. Of {FUND}: the share of years of metrics that follow "
        f"one another in the order in which they were published, each until the next. Of {MACRO} "
        f"and {TENDER}: the share of rows that hold until the next vintage begins, or were "
        "withdrawn before it.",
        fault="hiding",
        figures=_spared("hiding", "spans"),
    ),
    Measure(
        slug="look_ahead_audit",
        unit="share",
        floor=Fraction(1),
        method="The five look-ahead checks over everything that the edition holds, and over all editions, "
        "counted anew from the ledger by `sankofa audit`: the share of what was checked that is "
        "free of faults. Served from the next edition on.",
        figures=_found("look_ahead_audit"),
    ),
    Measure(
        slug=VERIFIED,
        unit="share",
        floor=Fraction(1),
        method="The share of rows, documents and files, of all datasets together, that `sankofa verify "
        "--every` found as they were sealed when it last ran. Served from the next edition on.",
        figures=_found(VERIFIED),
    ),
    Measure(
        slug="withheld_share",
        unit="share",
        skus=(FUND, TENDER),
        method="The share of those who file, or whom releases mention, that are withheld because nothing "
        "establishes that they are organisations.",
        figures=_share("withheld", "parties"),
    ),
    Measure(
        slug="false_withhold_rate",
        unit="share",
        skus=(FUND, TENDER),
        method="The share of organisations of a labelled sample that are withheld. It has no floor: the "
        "check is meant to err on that side.",
        figures=_found("false_withhold_rate"),
    ),
    Measure(
        slug="extraction_accuracy",
        unit="share",
        floor=Fraction(99, 100),
        method="The share of values of a labelled sample, read from documents by hand, that the edition "
        "holds in the same way.",
        figures=_found("extraction_accuracy"),
    ),
    Measure(
        slug="rejections_share",
        unit="share",
        method="Rows of documents that were rejected, with a reason, divided by all rows that were read.",
        figures=_rejections,
    ),
    Measure(
        slug="floor_overrides",
        unit="floors",
        method="Floors that this edition was published below, on an operator's word. The reasons are "
        "recorded.",
        figures=lambda held: (Figure(held.overrides),),
    ),
)


# The checks that `sankofa audit` repeats over everything.
LOOK_AHEAD = frozenset(
    {
        "look_ahead_dates",
        "look_ahead_history",
        "future_independence",
        "look_ahead_first_vintage",
        "look_ahead_newest_period",
    }
)


def measures_of(sku: str) -> tuple[Measure, ...]:
    """Return what is measured of a dataset."""
    return tuple(measure for measure in MEASURES if sku in measure.skus)
