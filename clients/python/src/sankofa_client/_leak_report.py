"""What the leak checker found: counts, the share of leaks, the worst of them, and a verdict for every row."""

from __future__ import annotations

import datetime as dt
import html
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

import msgspec

from sankofa_client import _frames
from sankofa_client._claims import Claim
from sankofa_client._frames import ArrowTable, PandasFrame, PolarsFrame

Verdict = Literal["as_known", "known_later", "never_reported", "not_held", "empty"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one row, and what it rests on."""

    claim: Claim
    verdict: Verdict
    first_known: dt.date | None  # the day this figure became public
    days_early: int | None  # of a leak: how long before that day it was used
    known_then: Decimal | None  # the figure that stood on the claimed day
    restated_on: dt.date | None  # of a figure that was known and no longer stood: since when
    source_ref: str | None  # the document that first shows the figure

    def __str__(self) -> str:
        claim = self.claim
        told = f"row {claim.row}: {claim.service_id} {claim.line_item} {claim.period} = {claim.value}"
        if self.verdict != "known_later":
            return f"{told}: {self.verdict}"
        then = "nothing" if self.known_then is None else f"{self.known_then:f}"
        return (
            f"{told}, used on {claim.known_on}, public from {self.first_known}: "
            f"{self.days_early:,} days early; known then: {then}"
        )


class LookAhead(AssertionError):
    """A table holds figures that could not be known on their day."""


@dataclass(frozen=True, slots=True)
class Report:
    """A verdict for every row of a table, in its order, all by one edition."""

    findings: Sequence[Finding]
    edition: int | None

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have which verdict."""
        found = Counter(finding.verdict for finding in self.findings)
        return {verdict: found[verdict] for verdict in get_args(Verdict)}

    @property
    def leaks(self) -> list[Finding]:
        """The leaks, the longest first."""
        found = [finding for finding in self.findings if finding.verdict == "known_later"]
        return sorted(found, key=lambda finding: -(finding.days_early or 0))

    @property
    def share(self) -> float | None:
        """Leaks among the rows whose figure the service knows; None if it knows none."""
        judged = self.counts["as_known"] + self.counts["known_later"]
        return self.counts["known_later"] / judged if judged else None

    @property
    def restated(self) -> int:
        """How many figures were public, and no longer stood on their day: out of date, which is no leak."""
        return sum(finding.restated_on is not None for finding in self.findings)

    @property
    def verdicts(self) -> list[str]:
        """The verdict of every row, to put beside the table."""
        return [finding.verdict for finding in self.findings]

    def require_none(self) -> None:
        """Raise `LookAhead` if there is a leak: a line for your own tests."""
        if self.leaks:
            raise LookAhead(str(self))

    def to_arrow(self) -> ArrowTable:
        """Return a row for every row of the table, in its order, to put beside it."""
        pa_ = _frames.library("pyarrow")
        exact = pa_.decimal128(38, 12)
        types = {"row": pa_.int64(), "verdict": pa_.string(), "first_known": pa_.date32()}
        types |= {"days_early": pa_.int64(), "known_then": exact, "restated_on": pa_.date32()}
        types |= {"source_ref": pa_.string()}
        rows = [
            {"row": finding.claim.row, **{name: getattr(finding, name) for name in types if name != "row"}}
            for finding in self.findings
        ]
        return pa_.Table.from_pylist(rows, pa_.schema(list(types.items())))

    def to_polars(self) -> PolarsFrame:
        """Return the same for Polars."""
        return _frames.polars(self.to_arrow())

    def to_pandas(self) -> PandasFrame:
        """Return the same for pandas."""
        return _frames.pandas(self.to_arrow())

    def __str__(self) -> str:
        lines = [self._headline(), ""]
        total = max(len(self.findings), 1)
        for verdict, count in self.counts.items():
            if count:
                lines.append(
                    f"  {verdict:<15}{count:>9,} {count / total:>7.1%}  {self._about(verdict)}".rstrip()
                )
        if self.leaks:
            lines += ["", "The worst:", *(f"  {finding}" for finding in self.leaks[:5])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"

    def _headline(self) -> str:
        held = f"{len(self.findings):,} rows held against edition {self.edition}"
        if self.share is None:
            return f"{held}: none of their figures is known here"
        if not self.leaks:
            return f"{held}: no look-ahead"
        return f"{held}: {self.share:.1%} of the figures known here could not be known on their day"

    def _about(self, verdict: str) -> str:
        if verdict == "known_later":
            days = [finding.days_early or 0 for finding in self.leaks]
            middle = statistics.median(days)
            return f"leaks: {min(days):,} to {max(days):,} days early, {middle:,.0f} in the median"
        if verdict == "as_known" and self.restated:
            return f"{self.restated:,} of them restated by then: out of date, which is no leak"
        return ""
