"""The result in `docs/bench.md` and its picture, made from the figures of the last whole run."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import log
from pathlib import Path

import msgspec

from bench.section import replaced
from bench.table import HEAD, Figures, line

_DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURE = _DOCS / "bench.md", _DOCS / "assets" / "bench.svg"
FIGURES = Path(__file__).with_name("figures.json")
_BAR, _LEFT, _WIDTH, _TOP = 22, 170, 460, 34
_LEAST, _MOST = 0.05, 16.0  # of the axis
_TICKS = (0.1, 0.25, 0.5, 1, 2, 4, 8)
# The colours of the docs; a viewer in the dark scheme gets the second set.
_STYLE = (
    'text{font:12px Inter,"Segoe UI",system-ui,sans-serif;fill:#1c1a16}.name{text-anchor:end}'
    ".tick{text-anchor:middle;fill:#635c50}.grid{stroke:#ddd5c6}.bar{fill:#1f4a7d}"
    ".ratio{text-anchor:end;fill:#fff}"
    ".goal{stroke:#b4541a;stroke-width:2.5}"
    "@media (prefers-color-scheme:dark){text{fill:#f1ebdf}.tick{fill:#aca392}.grid{stroke:#3a362e}"
    ".bar{fill:#8fbcf0}.ratio{fill:#14120e}.goal{stroke:#f0a060}}"
)

_INTRODUCTION = """\
## Result

This section was made by `python -m bench --write` on {result.day}, with {result.facts:,} facts,
{result.connections} connections, and {result.rounds} rounds of {result.seconds} s.
The load of the machine was {result.load:.1f} before. A bar is the ratio of rates, on a logarithmic scale.
A line across is the goal.

![The ratio of rates of each cell, and its goal](assets/bench.svg)
"""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run: how it was made, and what was measured."""

    day: str
    facts: int
    connections: int
    rounds: int
    seconds: int
    load: float  # of the machine, when the run began
    cells: list[Figures]


def kept() -> Result:
    """Return the result of the last whole run."""
    return msgspec.json.decode(FIGURES.read_bytes(), type=Result)


def write(result: Result) -> None:
    """Keep a result, and bring the page and its picture to it."""
    FIGURES.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    PICTURE.write_text(picture(result.cells), encoding="utf-8")
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), section(result)), encoding="utf-8")


def section(result: Result) -> str:
    """Return the whole section."""
    table = "\n".join((HEAD, *map(line, result.cells)))
    return f"{_INTRODUCTION.format(result=result)}\n{table}\n"


def picture(cells: Sequence[Figures]) -> str:
    """Return the ratios as bars."""
    height = _TOP + _BAR * len(cells) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 60} {height}" role="img">',
        f"<title>Ratio of rates to the bare engine</title><style>{_STYLE}</style>",
    ]
    for tick in _TICKS:
        x = _place(tick)
        parts.append(f'<path class="grid" d="M{x} {_TOP - 8}V{height - 4}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{_TOP - 14}">{tick:g}</text>')
    for number, one in enumerate(cells):
        y = _TOP + _BAR * number
        end = _place(one.ratio)
        parts.append(f'<text class="name" x="{_LEFT - 10}" y="{y + 13}">{escape(one.cell)}</text>')
        parts.append(f'<path class="bar" d="M{_LEFT} {y + 2}H{end}V{y + 16}H{_LEFT}z"/>')
        parts.append(f'<text class="ratio" x="{end - 6}" y="{y + 13}">{one.ratio:.2f}</text>')
        if one.goal:
            parts.append(f'<path class="goal" d="M{_place(one.goal)} {y - 1}V{y + 19}"/>')
    return "\n".join((*parts, "</svg>", ""))


def _place(ratio: float) -> float:
    part = log(max(ratio, _LEAST) / _LEAST) / log(_MOST / _LEAST)
    return round(_LEFT + _WIDTH * part, 1)
