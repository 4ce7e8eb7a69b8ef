"""A claim held against the vintages of its figure. Pure: the rule that decides what a leak is."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_EVEN, Decimal

from sankofa_client._claims import Claim
from sankofa_client._leak_report import Finding, Verdict
from sankofa_client.rows import FundamentalsFact

_YEAR = "FY"


class History:
    """All vintages of one issuer's figures, by line item and period."""

    def __init__(self, facts: Iterable[FundamentalsFact]) -> None:
        self._held: defaultdict[tuple[str, dt.date | int], list[FundamentalsFact]] = defaultdict(list)
        for fact in facts:
            self._held[fact.line_item, fact.period_end].append(fact)
            if fact.period_type == _YEAR and fact.fiscal_year is not None:
                self._held[fact.line_item, fact.fiscal_year].append(fact)

    def about(self, claim: Claim) -> list[FundamentalsFact]:
        """Return the vintages that a claim is about, in the order in which they became known."""
        found = [
            fact
            for fact in self._held.get((claim.line_item, claim.period), ())
            if claim.period_type in {None, fact.period_type} and claim.unit in {None, fact.unit}
        ]
        return sorted(found, key=lambda fact: (fact.available_at, fact.vintage))


def judge(claim: Claim, history: History, rounded_to: Decimal | None = None) -> Finding:
    """Return what the vintages say about a claim."""
    vintages = history.about(claim)
    if claim.value is None:
        return _finding(claim, "empty")
    if not vintages:
        return _finding(claim, "not_held")
    same = [fact for fact in vintages if _agree(fact.value_reported, claim.value, rounded_to)]
    if not same:
        return _finding(claim, "never_reported", then=_standing(vintages, claim.known_on))
    first = same[0]
    then = _standing([fact for fact in vintages if _key(fact) == _key(first)], claim.known_on)
    if first.available_at > claim.known_on:
        return _finding(claim, "known_later", first, then)
    return _finding(claim, "as_known", first, then, is_stale=then not in same)


def _standing(vintages: Sequence[FundamentalsFact], day: dt.date) -> FundamentalsFact | None:
    """Return the vintage that stood on a day; None if there was none, or several figures share the period."""
    known = [fact for fact in vintages if fact.available_at <= day]
    return known[-1] if known and len({_key(fact) for fact in vintages}) == 1 else None


def _key(fact: FundamentalsFact) -> tuple[object, ...]:
    return fact.period_start, fact.period_end, fact.unit, fact.scope


def _agree(reported: Decimal, claimed: Decimal | float, rounded_to: Decimal | None) -> bool:
    """Tell whether two figures are the same. A float is the same if ours, as a float, is that float."""
    if rounded_to is not None:
        return _rounded(reported, rounded_to) == _rounded(Decimal(str(claimed)), rounded_to)
    return float(reported) == claimed if isinstance(claimed, float) else reported == claimed


def _rounded(value: Decimal, unit: Decimal) -> Decimal:
    return (value / unit).quantize(Decimal(1), ROUND_HALF_EVEN)


def _finding(
    claim: Claim,
    verdict: Verdict,
    first: FundamentalsFact | None = None,
    then: FundamentalsFact | None = None,
    *,
    is_stale: bool = False,
) -> Finding:
    is_leak = verdict == "known_later" and first is not None
    return Finding(
        claim=claim,
        verdict=verdict,
        first_known=first.available_at if first else None,
        days_early=(first.available_at - claim.known_on).days if is_leak and first else None,
        known_then=then.value_reported if then else None,
        restated_on=then.available_at if is_stale and then else None,
        source_ref=first.source_ref if first else None,
    )
