"""What the caller sees of one issuer: a row for each vintage, in the order of an answer."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NamedTuple, TypedDict

from oracle.events import FactId
from oracle.periods import FiscalCalendar
from oracle.sightings import Sighting, describes_a_period
from oracle.vintages import Rank, Vintage, candidates, vintages_of

SCOPE = "consolidated"

Mode = Literal["latest", "as_reported", "all"]


class Row(TypedDict):
    line_item: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    period_type: str | None
    fiscal_year: int | None
    vintage: int
    available_at: date
    available_at_basis: str
    observed_at: datetime
    reported_as: str
    license_class: str
    source: str
    accession: str
    concept: str


class Served(NamedTuple):
    vintage: Vintage
    row: Row


def order_of_rows(served: Served) -> tuple[int, str, str, date, str, str, int]:
    row = served.row
    return (
        -row["period_end"].toordinal(),
        row["line_item"],
        row["period_type"] or "",
        row["period_start"] or date.min,
        row["unit"],
        row["scope"],
        row["vintage"],
    )


def currency_of(unit: str) -> str | None:
    numerator, _, _ = unit.partition("/")
    return numerator if re.fullmatch("[A-Z]{3}", numerator) else None


def own_period_ends(facts: list[Sighting]) -> dict[tuple[str, str], date]:
    """Where each filing's own period ends: its latest period, or its cover page where it has no other."""
    ends: dict[tuple[str, str], date] = {}
    for fact in filter(describes_a_period, facts):
        ends[fact.filing] = max(fact.fact.end, ends.get(fact.filing, date.min))
    covers: dict[tuple[str, str], date] = {}
    for fact in facts:
        covers[fact.filing] = max(fact.fact.end, covers.get(fact.filing, date.min))
    return covers | ends


def history_of(
    facts: list[Sighting],
    removed: Container[FactId],
    line_items: Mapping[str, list[Rank]],
    licenses: Mapping[str, str],
) -> list[Served]:
    """Every vintage of one issuer, in the order of an answer.

    A removed fact competes for nothing; that its filing and its period existed stays known.
    """
    calendar = FiscalCalendar.of(facts)
    own_period_end = own_period_ends(facts)
    history = []
    competing = [fact for fact in facts if fact.fact not in removed]
    for key, competitors in candidates(competing, line_items).items():
        period_type = calendar.period_type(key.start, key.end)
        for vintage in vintages_of(key, competitors):
            sighting = vintage.sighting
            assert sighting.fact.value is not None
            is_own = key.end >= own_period_end[sighting.filing]
            row = Row(
                line_item=key.line_item,
                value_reported=sighting.fact.value,
                currency_reported=currency_of(key.unit),
                unit=key.unit,
                scope=SCOPE,
                period_start=key.start,
                period_end=key.end,
                period_type=period_type,
                fiscal_year=calendar.fiscal_year(key.end) if period_type else None,
                vintage=vintage.number,
                available_at=sighting.filed,
                available_at_basis="filing",
                observed_at=sighting.fetched_at,
                reported_as="own" if is_own else "comparative",
                license_class=licenses[sighting.fact.source],
                source=sighting.fact.source,
                accession=sighting.fact.accession,
                concept=sighting.fact.concept,
            )
            history.append(Served(vintage, row))
    return sorted(history, key=order_of_rows)


def choose(history: Iterable[Served], vintages: Mode, as_of: date) -> list[Served]:
    known = [served for served in history if served.vintage.known_by(as_of)]
    if vintages == "all":
        return known
    if vintages == "as_reported":
        return [served for served in known if served.vintage.number == 1]
    newest = {served.vintage.key: served for served in known}  # vintages ascend, so the last one stays
    return [served for served in newest.values() if not served.vintage.withdrawn_by(as_of)]
