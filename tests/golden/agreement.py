"""Golden statements beside what the service answers: which agree, and the tables of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date
from decimal import Decimal

from golden.kept import HEADLINES

# Data sets round last days to the end of a month. Where a true day is known the service has that one.
ROUNDED = 16


def compare(golden, rows):
    """Yield each golden number of an issuer with the served row of its day; None if there is none."""
    by_item = defaultdict(list)
    for row in rows:
        by_item[row["line_item"], row["unit"], row["period_start"] is None].append(row)
    for one in golden:
        candidates = [
            (distance, row)
            for row in by_item[one["item"], one["unit"], not one["start"]]
            if row["available_at"] <= one["filed"]
            and (row["known_until"] is None or row["known_until"] > one["filed"])
            and (distance := _distance(one, row)) is not None
        ]
        yield one, min(candidates, key=lambda found: found[0], default=(0, None))[1]


def agrees(one, row):
    """Return whether a served row has the golden number."""
    return row is not None and Decimal(row["value_reported"]) == Decimal(one["value"])


def table(header, counted):
    """Return a table of agreement: golden numbers, those that agree, and their share."""
    lines = [f"| {header} | golden | agree | share |", "|---|---:|---:|---:|"]
    total = Counter()
    for name, (golden, same) in counted.items():
        lines.append(f"| {name} | {golden:,} | {same:,} | {same / golden:.2%} |")
        total.update(golden=golden, same=same)
    lines.append(f"| all | {total['golden']:,} | {total['same']:,} | {total['same'] / total['golden']:.2%} |")
    return "\n".join(lines)


def count(pairs, key):
    """Return golden and agreeing numbers by a key of the golden row, in the order of the statements."""
    golden, same = Counter(), Counter()
    for one, row in pairs:
        golden[one[key]] += 1
        same[one[key]] += agrees(one, row)
    order = HEADLINES if key == "item" else sorted(golden)
    return {name: (golden[name], same[name]) for name in order if golden[name]}


def _distance(one, row):
    """Return how many days the periods lie apart at their ends; None if they are not the same."""
    ends = [(one["end"], row["period_end"])]
    if one["start"]:
        ends.append((one["start"], row["period_start"]))
    apart = [abs((date.fromisoformat(a) - date.fromisoformat(b)).days) for a, b in ends]
    return sum(apart) if max(apart) <= ROUNDED else None
