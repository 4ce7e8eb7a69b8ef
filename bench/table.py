"""The result as a table: medians over the rounds, with the range of the ratio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from bench.cells import CELLS, Run

HEAD = (
    "| cell | workers | requests/s | ratio to pgbench | p50 ms | p99 ms | bytes/answer"
    " | CPU µs/request: API + PostgreSQL + Redis |\n"
    "|---|---|---|---|---|---|---|---|"
)


def table(runs: Sequence[Run]) -> str:
    """Return the table of all cells, in Markdown."""
    lines = [_line([run for run in runs if run.cell == cell]) for cell in CELLS]
    return "\n".join([HEAD, *lines])


def _line(runs: Sequence[Run]) -> str:
    def middle(value: Callable[[Run], float]) -> float:
        return median(map(value, runs))

    cell = runs[0].cell
    ratios = [run.ratio for run in runs]
    api = middle(lambda run: 1e6 * run.api_seconds / run.load.requests)
    postgres = middle(lambda run: 1e6 * run.postgres_seconds / run.load.requests)
    redis = middle(lambda run: 1e6 * run.redis_seconds / run.load.requests)
    columns = (
        cell.name,
        str(cell.workers),
        f"{middle(lambda run: run.rate):,.0f}",
        f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
        f"{middle(lambda run: run.load.p50_ms):.1f}",
        f"{middle(lambda run: run.load.p99_ms):.1f}",
        f"{middle(lambda run: run.load.bytes / run.load.requests):,.0f}",
        f"{api:.0f} + {postgres:.0f} + {redis:.0f}",
    )
    return f"| {' | '.join(columns)} |"
