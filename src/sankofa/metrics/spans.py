"""Spans of days: from a first day up to, but not including, another. Days are ISO text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

NEVER = "infinity"


class Span(NamedTuple):
    """The days from `since` up to, but not including, `until`."""

    since: str
    until: str


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return the same days as spans in order, none of which touch or overlap."""
    result: list[Span] = []
    for span in sorted(spans):
        if result and span.since <= result[-1].until:
            if span.until > result[-1].until:
                result[-1] = Span(result[-1].since, span.until)
        else:
            result.append(span)
    return result


def without(spans: list[Span], taken: list[Span]) -> list[Span]:
    """Return the days of `spans` that are not in `taken`; both are in order."""
    result = []
    for since, until in spans:
        first = since
        for taken_since, taken_until in taken:
            if taken_until <= first or taken_since >= until:
                continue
            if taken_since > first:
                result.append(Span(first, taken_since))
            first = taken_until
        if first < until:
            result.append(Span(first, until))
    return result
