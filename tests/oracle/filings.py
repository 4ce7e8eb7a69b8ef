"""Filings: what the source states of each, and where the filing's own period ends (FUN-1)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from oracle.months import length
from oracle.sightings import FilingId, Sighting, describes_a_period

AMENDED = "/A"
DECLARED_LENGTHS = {
    "Q1": range(77, 124),
    "Q2": range(161, 204),
    "H1": range(161, 204),
    "Q3": range(245, 289),
    "9M": range(245, 289),
}
Period = tuple[date | None, date]


@dataclass(frozen=True)
class Filing:
    """One filing with the periods of all its values, mapped or not, and of its withdrawals."""

    source: str
    accession: str
    filed: date
    form: str | None
    fiscal_year: int | None
    fiscal_period: str | None
    fiscal_year_end: str | None  # MMDD; companyfacts has none
    periods: frozenset[Period]  # without the cover page
    own_end: date

    @property
    def order(self) -> tuple[date, str, str]:
        """Filings in the order they became available; companyfacts has no acceptance time."""
        return (self.filed, self.accession, self.source)

    def durations_to_own_end(self) -> list[tuple[date, date]]:
        return [(start, end) for start, end in self.periods if start is not None and end == self.own_end]

    def amends(self, other: Filing) -> bool:
        """Whether this is an amendment of another filing: the same form with `/A`, the same own period."""
        if self.form is None or other.form is None or not self.form.endswith(AMENDED):
            return False
        same_form = self.form.removesuffix(AMENDED) == other.form.removesuffix(AMENDED)
        return same_form and self.own_end == other.own_end


def filings_of(facts: Iterable[Sighting]) -> dict[FilingId, Filing]:
    """The filings behind some facts; what the documents state of a filing is taken from the earliest."""
    by_filing: dict[FilingId, list[Sighting]] = defaultdict(list)
    for fact in facts:
        by_filing[fact.filing].append(fact)
    return {number: _filing(said) for number, said in by_filing.items()}


def _filing(said: list[Sighting]) -> Filing:
    first = min(said, key=lambda sighting: sighting.document)
    source, accession = first.filing
    return Filing(
        source=source,
        accession=accession,
        filed=first.filed,
        form=first.form,
        fiscal_year=first.fiscal_year,
        fiscal_period=first.fiscal_period,
        fiscal_year_end=None,
        periods=frozenset((s.fact.start, s.fact.end) for s in said if describes_a_period(s)),
        own_end=own_period_end(
            [(s.fact.start, s.fact.end) for s in said if describes_a_period(s)],
            [(s.fact.start, s.fact.end) for s in said if not describes_a_period(s)],
            first.filed,
            first.fiscal_period,
        ),
    )


def own_period_end(
    periods: list[Period], cover: list[Period], filed: date, fiscal_period: str | None = None
) -> date:
    """The latest day up to the filing's that is busy, or ends a period of the declared length.

    Busy is a day on which at least a fifth as many values end as on the busiest, unless periods of the
    declared length are there and the day is not some years after one of them ends. The cover page counts only
    where the filing holds nothing else. If all values end after the filing, it is the last day of all.
    """
    said = periods or cover
    counts = Counter(end for _, end in said if end <= filed)
    lengths = DECLARED_LENGTHS.get(fiscal_period or "", range(0))
    ends = {end for start, end in said if start is not None and length(start, end) in lengths}
    declared = ends & {*counts}
    busy = [
        end
        for end, count in counts.items()
        if end in declared or (5 * count >= max(counts.values()) and _is_years_after(end, declared))
    ]
    return max(busy, default=max(end for _, end in said))


def _is_years_after(end: date, declared: set[date]) -> bool:
    apart = [(end - day).days for day in declared]
    return not apart or any(abs(days - 365 * round(days / 365)) <= 10 for days in apart if days >= -10)
