"""The figures of a cell: medians over the rounds, with the range of the ratio, as a line of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from bench.measure import Run

HEAD = (
    "| cell | ratio of rates | goal | ratio of CPU | requests/s | p50 ms | p99 ms | bytes/answer"
    " | CPU µs: API + PostgreSQL + Redis | bare |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of a cell. Processor times are µs of a request, or of a bare transaction."""

    cell: str
    goal: float | None
    ratio: float
    lowest: float
    highest: float
    processor_ratio: float
    rate: float
    p50_ms: float
    p99_ms: float
    bytes: float
    api: float
    postgres: float
    redis: float
    bare: float


def figures(runs: Sequence[Run]) -> Figures:
    """Return the medians of the runs of one cell."""

    def middle(value: Callable[[Run], float]) -> float:
        return round(median(map(value, runs)), 3)

    return Figures(
        cell=runs[0].cell.name,
        goal=runs[0].cell.goal,
        ratio=middle(lambda run: run.ratio),
        lowest=round(min(run.ratio for run in runs), 3),
        highest=round(max(run.ratio for run in runs), 3),
        processor_ratio=middle(lambda run: run.processor_ratio),
        rate=middle(lambda run: run.load.rate),
        p50_ms=middle(lambda run: run.load.p50_ms),
        p99_ms=middle(lambda run: run.load.p99_ms),
        bytes=middle(lambda run: run.load.bytes / run.load.requests),
        api=middle(lambda run: 1e6 * run.api),
        postgres=middle(lambda run: 1e6 * run.postgres),
        redis=middle(lambda run: 1e6 * run.redis),
        bare=middle(lambda run: 1e6 * run.bare.seconds),
    )


def line(one: Figures) -> str:
    """Return the line of one cell, in Markdown."""
    columns = (
        one.cell,
        f"{one.ratio:.2f} ({one.lowest:.2f}-{one.highest:.2f})",
        f"{one.goal:g}" if one.goal else "",
        f"{one.processor_ratio:.2f}",
        f"{one.rate:,.0f}",
        f"{one.p50_ms:.1f}",
        f"{one.p99_ms:.1f}",
        f"{one.bytes:,.0f}",
        f"{one.api:.0f} + {one.postgres:.0f} + {one.redis:.0f}",
        f"{one.bare:.0f}",
    )
    return f"| {' | '.join(columns)} |"
