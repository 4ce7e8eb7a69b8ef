"""What an issuer says and when: annual and interim filings, comparatives, amended filings.

Every issuer says exactly FACTS values. Own figures, interim figures and amendments come first; what
is left of the number goes to comparatives: all lines that changed, then the most important ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from demo.fiscal import QUARTERS, Period, period, working_day
from demo.lines import CASH, EQUITY, PROFIT, REVENUE, US_GAAP, Kind, Line
from demo.profiles import Cadence, Profile, Revision
from demo.statements import Statement

FACTS = 250
AMENDED_LINES = 6
FIRST_QUARTER, HALF = 1, 2
UNREVISED = Revision(())


class Said(NamedTuple):
    """One value of a filing; None says that the issuer now reports nothing there."""

    line: Line
    period: Period
    value: int | Decimal | None


class Filing(NamedTuple):
    """One filing, with the fiscal year and period that it states as its own."""

    form: str
    fiscal_year: int
    fiscal_period: str
    filed: date
    facts: list[Said]


def filings(profile: Profile) -> list[Filing]:
    """Return all filings of an issuer in the order in which they were filed."""
    others = [*_interims(profile), *_amendments(profile)]
    spare = FACTS - sum(len(filing.facts) for filing in others)
    return sorted([*others, *_annuals(profile, spare)], key=lambda filing: filing.filed)


def later(profile: Profile, day: date, number: int) -> Filing:
    """Return a filing made on `day`: the first quarter of a new year, and last year's top line restated.

    Both move with `number`, so that each later filing is news after the one before it.
    """
    books, new_year = profile.statements[-1], profile.last_year + 1
    new = period(new_year, profile.year_end, FIRST_QUARTER, FIRST_QUARTER)
    facts = [
        Said(line, new, (books[line.name] // QUARTERS + number) * profile.scale) for line in (REVENUE, PROFIT)
    ]
    facts += [Said(line, new, books[line.name] * profile.scale) for line in (EQUITY, CASH)]
    restated = Revision(profile.sector.reclassified)
    shown = _lines(profile, restated.lines)
    facts += _figures(profile, len(profile.statements) - 1, shown, restated, -number)
    return Filing(_form(profile, interim=True), new_year, "Q1", day, facts)


def _annuals(profile: Profile, spare: int) -> Iterator[Filing]:
    """Make the annual filings; together they say `spare` values."""
    count = len(profile.lags)
    changed = [profile.revisions.get(year, UNREVISED) for year in range(count)]
    spare -= count * len(profile.lines) + sum(len(_lines(profile, of.lines)) for of in changed)
    share, more = divmod(spare, count)
    for place, lag in enumerate(profile.lags):
        year = place + 1
        own = profile.revisions.get(year, UNREVISED)
        facts = _figures(profile, year, profile.lines, own, own.first)
        shown = _lines(profile, changed[place].lines, others=share + (place >= count - more))
        facts += _figures(profile, place, shown, changed[place], None if changed[place].withdrawn else 0)
        filed = working_day(_year(profile, year).end, lag)
        yield Filing(_form(profile), _fiscal_year(profile, year), "FY", filed, facts)


def _amendments(profile: Profile) -> Iterator[Filing]:
    """Make the amended filings, some weeks after the filings that they amend."""
    for year, revision in profile.revisions.items():
        if revision.amended is None:
            continue
        shown = _lines(profile, revision.lines, others=AMENDED_LINES - len(revision.lines))
        filed = working_day(_year(profile, year).end, profile.lags[year - 1] + profile.interim_lag)
        facts = _figures(profile, year, shown, revision, revision.amended)
        yield Filing(f"{_form(profile)}/A", _fiscal_year(profile, year), "FY", filed, facts)


def _interims(profile: Profile) -> Iterator[Filing]:
    """Make the filings within the years: halves with comparatives, or quarters and the year so far."""
    if profile.cadence is Cadence.ANNUAL:
        return
    form = _form(profile, interim=True)
    for year in range(1, len(profile.statements)):
        fiscal_year = _fiscal_year(profile, year)
        if profile.cadence is Cadence.HALF_YEARLY:
            half = period(fiscal_year, profile.year_end, FIRST_QUARTER, HALF)
            facts = _part_year(profile, year, FIRST_QUARTER, HALF, (REVENUE, PROFIT, EQUITY, CASH))
            facts += _part_year(profile, year - 1, FIRST_QUARTER, HALF, (REVENUE, PROFIT))
            yield Filing(form, fiscal_year, "H1", working_day(half.end, profile.interim_lag), facts)
            continue
        for quarter in range(FIRST_QUARTER, QUARTERS):
            end = period(fiscal_year, profile.year_end, quarter, quarter).end
            facts = _part_year(profile, year, quarter, quarter, (REVENUE, PROFIT))
            so_far = (CASH,) if quarter == FIRST_QUARTER else (REVENUE,)
            facts += _part_year(profile, year, FIRST_QUARTER, quarter, so_far)
            yield Filing(form, fiscal_year, f"Q{quarter}", working_day(end, profile.interim_lag), facts)


def _figures(
    profile: Profile, year: int, lines: tuple[Line, ...], revision: Revision, shift: int | None
) -> list[Said]:
    """Say lines of a full year, those of the revision shifted, or as nil where there is no shift."""
    full, books = _year(profile, year), profile.statements[year]
    facts = []
    for line in lines:
        moved = shift if line.name in revision.lines else 0
        facts.append(Said(line, full, None if moved is None else _value(profile, line, books, moved)))
    return facts


def _part_year(profile: Profile, year: int, first: int, last: int, lines: tuple[Line, ...]) -> list[Said]:
    """Say lines of some quarters: flows by the season, balances on a straight line through the year."""
    span = period(_fiscal_year(profile, year), profile.year_end, first, last)
    now = profile.statements[year]
    facts = []
    for line in lines:
        amount = now[line.name]
        if line.kind is Kind.FLOW:
            amount = sum(amount * season // 100 for season in profile.quarters[first - 1 : last])
        else:
            before = profile.statements[year - 1][line.name]
            amount = before + (amount - before) * last // QUARTERS
        facts.append(Said(line, span, amount * profile.scale))
    return facts


def _value(profile: Profile, line: Line, books: Statement, shift: int) -> int | Decimal:
    """Return a line in reporting currency, its amount in the books shifted."""
    if line.name in books:
        return (books[line.name] + shift) * profile.scale
    if line.kind is Kind.SHARES:
        return profile.shares
    profit = (books[PROFIT.name] + shift) * profile.scale
    cents = (200 * profit + profile.shares) // (2 * profile.shares)
    return Decimal(cents).scaleb(-2)


def _lines(profile: Profile, changed: tuple[str, ...], others: int = 0) -> tuple[Line, ...]:
    """Return the changed lines that the issuer reports, and some others, the most important first."""
    lines = tuple(line for line in profile.lines if line.name in changed)
    if not others:
        return lines
    return lines + tuple(line for line in profile.lines if line.name not in changed)[:others]


def _year(profile: Profile, year: int) -> Period:
    return period(_fiscal_year(profile, year), profile.year_end)


def _fiscal_year(profile: Profile, year: int) -> int:
    return profile.last_year - len(profile.statements) + 1 + year


def _form(profile: Profile, *, interim: bool = False) -> str:
    """Return the form: domestic forms for quarterly US GAAP reporters, those of foreign filers for others."""
    if profile.taxonomy == US_GAAP and profile.cadence is Cadence.QUARTERLY:
        return "10-Q" if interim else "10-K"
    return "6-K" if interim else "20-F"
