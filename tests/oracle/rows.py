"""What the caller sees of one issuer: a row for each vintage, in the order of an answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple, TypedDict

from oracle.events import FactId
from oracle.filings import Filing
from oracle.labels import Labels
from oracle.revisions import Revision
from oracle.sightings import FilingId, Sighting
from oracle.vintages import Key, Rank, Vintage, candidates, vintages_of

SCOPE = "consolidated"

Mode = Literal["latest", "as_reported", "all"]


class Figure(TypedDict):
    """What a row says of a vintage on whatever day."""

    line_item: str
    value_reported: Decimal
    currency_reported: str | None
    unit: str
    scope: str
    period_start: date | None
    period_end: date
    vintage: int
    revision: Revision | None
    decimals: int | None
    available_at: date
    available_at_basis: str
    accepted_at: datetime | None
    form: str | None
    filing_id: str | None
    observed_at: datetime
    extraction_confidence: Decimal | None
    method: str
    reported_as: str
    first_filing_held: bool
    days_rounded: str | None
    license_class: str
    source: str
    accession: str
    stated_unit: str
    concept: str


class Row(Figure):
    """A figure with what is known of it on the day of the answer: labels, and whether it stands."""

    known_until: date | None
    previous_value: Decimal | None
    restated_on: date | None
    period_type: str | None
    fiscal_year: int | None


class Served(NamedTuple):
    vintage: Vintage
    figure: Figure


def order_of_rows(row: Row) -> tuple[int, str, str, date, str, str, int]:
    return (
        -row["period_end"].toordinal(),
        row["line_item"],
        row["period_type"] or "",
        row["period_start"] or date.min,
        row["unit"],
        row["scope"],
        row["vintage"],
    )


def is_asked(row: Figure, items: str) -> bool:
    """Whether a row is of the items that somebody asks for."""
    if items == "standard":
        return ":" not in row["line_item"]
    return items == "all" or not {row["line_item"], row["concept"]}.isdisjoint(items.split(","))


def currency_of(unit: str) -> str | None:
    numerator, _, _ = unit.partition("/")
    return numerator if re.fullmatch("[A-Z]{3}", numerator) else None


def history_of(
    facts: list[Sighting],
    filings: Mapping[FilingId, Filing],
    removed: Container[FactId],
    line_items: Mapping[str, list[Rank]],
    licenses: Mapping[str, str],
) -> list[Served]:
    """Every vintage of one issuer, those of one key in ascending order.

    A removed fact competes for nothing; that its filing and its period existed stays known.
    """
    history = []
    competing = [fact for fact in facts if fact.fact not in removed]
    for key, competitors in candidates(competing, line_items).items():
        vintages = vintages_of(key, competitors, filings)
        is_own = [_reported_as_own(vintage, filings) for vintage in vintages]
        for vintage, own in zip(vintages, is_own, strict=True):
            sighting = vintage.sighting
            assert sighting.fact.value is not None
            figure = Figure(
                line_item=key.line_item,
                value_reported=sighting.fact.value,
                currency_reported=currency_of(key.unit),
                unit=key.unit,
                scope=SCOPE,
                period_start=key.start,
                period_end=key.end,
                vintage=vintage.number,
                revision=vintage.revision,
                decimals=sighting.decimals,
                available_at=sighting.filed,
                available_at_basis="filing",
                accepted_at=None,
                form=filings[sighting.filing].form,
                filing_id=sighting.fact.accession,
                observed_at=sighting.fetched_at,
                extraction_confidence=None,
                method="xbrl",
                reported_as="own" if own else "comparative",
                first_filing_held=is_own[0],
                days_rounded=None,  # all sources of these histories state exact days
                license_class=licenses[sighting.fact.source],
                source=sighting.fact.source,
                accession=sighting.fact.accession,
                stated_unit=sighting.fact.unit,
                concept=sighting.fact.concept,
            )
            history.append(Served(vintage, figure))
    return history


def _reported_as_own(vintage: Vintage, filings: Mapping[FilingId, Filing]) -> bool:
    own_end = filings[vintage.sighting.filing].own_end
    return own_end is not None and vintage.key.end >= own_end


def choose(history: Iterable[Served], vintages: Mode, as_of: date) -> list[Served]:
    """The vintages of an answer: a withdrawn value has no latest one, a mere rounding is not the latest."""
    known = [served for served in history if served.vintage.known_by(as_of)]
    if vintages == "all":
        return known
    if vintages == "as_reported":
        return [served for served in known if served.vintage.number == 1]
    newest: dict[Key, Served] = {}
    withdrawn = set()
    for served in known:
        vintage = served.vintage
        if not vintage.is_passed_over:
            newest[vintage.key] = served
        # Only the last vintage of a key can be withdrawn without another one after it.
        withdrawn.discard(vintage.key)
        if vintage.withdrawn_by(as_of):
            withdrawn.add(vintage.key)
    return [served for key, served in newest.items() if key not in withdrawn]


def ends(history: Iterable[Served], as_of: date) -> dict[tuple[Key, int], date]:
    """The first day on which `latest` lacked a vintage that had come, for those that it lacked by `as_of`."""
    found = {}
    of_key: dict[Key, list[Served]] = defaultdict(list)
    for served in history:
        of_key[served.vintage.key].append(served)
    for key, every in of_key.items():
        turns = {one.vintage.sighting.filed for one in every} | {one.vintage.withdrawn_at for one in every}
        for day in sorted(turn for turn in turns if turn is not None and turn <= as_of):
            latest = [one.vintage.number for one in choose(every, "latest", day)]
            for one in every:
                if one.vintage.known_by(day) and one.vintage.number not in latest:
                    found.setdefault((key, one.vintage.number), day)
    return found


def replaced(chosen: Iterable[Served], history: Iterable[Served]) -> dict[tuple[Key, int], Served]:
    """What `latest` showed on the day before each restatement, unless it showed nothing."""
    found = {}
    of_key: dict[Key, list[Served]] = defaultdict(list)
    for served in history:
        of_key[served.vintage.key].append(served)
    for vintage in (served.vintage for served in chosen if is_restated(served.vintage)):
        for before in choose(of_key[vintage.key], "latest", vintage.sighting.filed - timedelta(days=1)):
            found[vintage.key, vintage.number] = before
    return found


def is_restated(vintage: Vintage) -> bool:
    """Whether a vintage took the place of another one."""
    return vintage.number > 1 and not vintage.is_passed_over


def labelled(
    chosen: Iterable[Served],
    labels: Labels,
    ended: Mapping[tuple[Key, int], date],
    before: Mapping[tuple[Key, int], Served],
) -> list[Row]:
    """The rows of an answer in order, each with what is known of it on the answer's day."""
    rows = []
    label = cache(labels.label)
    for served in chosen:
        vintage = served.vintage
        period_type, fiscal_year = label(vintage.key.start, vintage.key.end)
        old = before.get((vintage.key, vintage.number))
        rows.append(
            Row(
                **served.figure,
                known_until=ended.get((vintage.key, vintage.number)),
                previous_value=old.figure["value_reported"] if old else None,
                restated_on=vintage.sighting.filed if is_restated(vintage) else None,
                period_type=period_type,
                fiscal_year=fiscal_year,
            )
        )
    return sorted(rows, key=order_of_rows)
