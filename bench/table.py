"""The result as a table: medians over the rounds, with the range of the ratio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from bench.measure import Run

HEAD = (
    "| cell | ratio of rates | goal | ratio of CPU | requests/s | p50 ms | p99 ms | bytes/answer"
    " | CPU µs: API + PostgreSQL + Redis | bare |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def line(runs: Sequence[Run]) -> str:
    """Return the line of one cell, in Markdown."""

    def middle(value: Callable[[Run], float]) -> float:
        return median(map(value, runs))

    cell = runs[0].cell
    ratios = [run.ratio for run in runs]
    parts = [
        1e6 * middle(part) for part in (lambda run: run.api, lambda run: run.postgres, lambda run: run.redis)
    ]
    columns = (
        cell.name,
        f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
        f"{cell.goal:g}" if cell.goal else "",
        f"{middle(lambda run: run.processor_ratio):.2f}",
        f"{middle(lambda run: run.rate):,.0f}",
        f"{middle(lambda run: run.load.p50_ms):.1f}",
        f"{middle(lambda run: run.load.p99_ms):.1f}",
        f"{middle(lambda run: run.load.bytes / run.load.requests):,.0f}",
        " + ".join(f"{part:.0f}" for part in parts),
        f"{1e6 * middle(lambda run: run.bare.seconds):.0f}",
    )
    return f"| {' | '.join(columns)} |"
