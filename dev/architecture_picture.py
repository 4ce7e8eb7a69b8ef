"""The picture of the architecture: an SVG drawn from the boxes and arrows of a text file."""

import tomllib
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from dev.stack import ROOT

SOURCE = ROOT / "docs" / "assets" / "architecture.toml"
PICTURE = SOURCE.with_suffix(".svg")
_WIDTH, _HEIGHT = 196, 54  # of a box
_ACROSS, _DOWN = 252, 86  # from one box to the next
_TOP, _EDGE = 52, 14
# The colours of the docs; a viewer in the dark scheme gets the second set.
_STYLE = """\
text{font-family:Inter,"Segoe UI",system-ui,sans-serif;fill:#1c1a16;text-anchor:middle}
.title{font-size:13px;fill:#635c50;letter-spacing:.06em}
.name{font-size:15px;font-weight:600}
.note{font-size:11.5px;fill:#635c50}
rect{fill:#faf7f1;stroke:#b9b0a1}
path{fill:none;stroke:#1f4a7d;stroke-width:1.4}
marker path{fill:#1f4a7d;stroke:none}
@media (prefers-color-scheme:dark){text{fill:#f1ebdf}.title,.note{fill:#aca392}
rect{fill:#1f1d18;stroke:#6b6456}\
path{stroke:#8fbcf0}marker path{fill:#8fbcf0}}"""

_TIP = """\
<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">\
<path d="M0 0L8 4L0 8z"/></marker>"""


class _Box(NamedTuple):
    """A box at its place."""

    x: float
    y: float
    text: str
    note: str
    to: list[str]


def svg() -> str:
    """Return the picture."""
    source = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    columns = source["column"]
    rows = max(len(column["boxes"]) for column in columns)
    width = 2 * _EDGE + _ACROSS * (len(columns) - 1) + _WIDTH
    height = _TOP + _DOWN * (rows - 1) + _HEIGHT + _EDGE
    boxes = dict(_boxes(columns, rows))
    arrows = (_arrow(box, boxes[name]) for box in boxes.values() for name in box.to)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(source['label'])}</title>",
            f"<style>{_STYLE}</style>",
            _TIP,
            *(_title(place, column["title"]) for place, column in enumerate(columns)),
            *arrows,
            *map(_drawn, boxes.values()),
            "</svg>\n",
        ]
    )


def _boxes(columns: list[dict[str, Any]], rows: int) -> Iterator[tuple[str, _Box]]:
    for across, column in enumerate(columns):
        above = (rows - len(column["boxes"])) / 2
        for down, box in enumerate(column["boxes"]):
            place = _Box(
                _EDGE + _ACROSS * across, _TOP + _DOWN * (above + down), box["text"], box["note"], box["to"]
            )
            yield box["id"], place


def _title(place: int, text: str) -> str:
    middle = _EDGE + _ACROSS * place + _WIDTH / 2
    return f'<text class="title" x="{middle:g}" y="28">{escape(text.upper())}</text>'


def _drawn(box: _Box) -> str:
    middle = box.x + _WIDTH / 2
    return (
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{_WIDTH}" height="{_HEIGHT}" rx="6"/>'
        f'<text class="name" x="{middle:g}" y="{box.y + 24:g}">{escape(box.text)}</text>'
        f'<text class="note" x="{middle:g}" y="{box.y + 42:g}">{escape(box.note)}</text>'
    )


def _arrow(start: _Box, end: _Box) -> str:
    """Draw from the facing sides of two columns, or from bottom to top within one."""
    if start.x == end.x:
        middle = start.x + _WIDTH / 2
        return f'<path marker-end="url(#tip)" d="M{middle:g} {start.y + _HEIGHT:g}V{end.y:g}"/>'
    onward = start.x < end.x
    x1, x2 = (start.x + _WIDTH, end.x) if onward else (start.x, end.x + _WIDTH)
    y1, y2 = start.y + _HEIGHT / 2, end.y + _HEIGHT / 2
    # Arrows in both directions between two columns keep apart.
    y1, y2 = (y1, y2) if onward else (y1 + 8, y2 + 8)
    bend = (x1 + x2) / 2
    return f'<path marker-end="url(#tip)" d="M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"/>'
