"""The measured cells, as data: one kind of request each, and the ratio that it should reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote, urlencode

import msgspec

from bench.world import Subject
from sankofa.ask.endpoint import Endpoint
from sankofa.ask.params import parameters
from sankofa.entities.routes import CROSSWALK_LOOKUP, ENTITY
from sankofa.entities.search import SEARCH
from sankofa.facts.routes import PANEL
from sankofa.fundamentals.routes import FUNDAMENTALS
from sankofa.macro.routes import MACRO
from sankofa.metrics.routes import SCREEN
from sankofa.tenders.routes import TENDER_PROCESS, TENDERS

Answered = Literal["uncached", "rows kept", "hit", "304"]
ARROW = {"Accept": "application/vnd.apache.arrow.stream"}
CSV = {"Accept": "text/csv"}
GZIP = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One kind of request. `values` are the parameters; `{name}` in them is a field of the subject."""

    name: str
    endpoint: Endpoint
    values: Mapping[str, str]
    answered: Answered = "uncached"
    headers: Mapping[str, str] = field(default_factory=dict)
    tool: str = ""  # called over MCP with the same parameters
    goal: float | None = None  # of the ratio of rates

    def filled(self, subject: Subject) -> dict[str, str]:
        """Return the parameters of a request about a subject."""
        return {name: text.format(**subject) for name, text in self.values.items()}

    def split(self, subject: Subject) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Return the parameters of the path, and those of the query."""
        declared = parameters(self.endpoint.params)
        filled = self.filled(subject)
        path = {name: text for name, text in filled.items() if declared[name].in_path}
        return path, [(name, text) for name, text in filled.items() if name not in path]

    def target(self, subject: Subject) -> str:
        """Return the path and query of a request about a subject."""
        path, query = self.split(subject)
        address = self.endpoint.path.format(**{name: quote(text, safe="") for name, text in path.items()})
        return f"{address}?{urlencode(query)}" if query else address

    def message(self, subject: Subject) -> bytes:
        """Return the body of the tool call."""
        params = {"name": self.tool, "arguments": self.filled(subject)}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        return msgspec.json.encode(message)


_FACTS = {"service_id": "{issuer}", "as_of": "2024-06-30", "period_type": "FY"}
_CALL = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def _facts(
    name: str,
    answered: Answered,
    goal: float | None,
    headers: Mapping[str, str] | None = None,
    tool: str = "",
) -> Cell:
    return Cell(
        name=name,
        endpoint=FUNDAMENTALS,
        values=_FACTS,
        answered=answered,
        headers=headers or {},
        tool=tool,
        goal=goal,
    )


FACTS = (
    _facts("fundamentals", "uncached", 0.70),
    _facts("fundamentals hit", "hit", 4.0),
    _facts("fundamentals 304", "304", 6.0),
)
CELLS = (
    *FACTS,
    _facts("fundamentals again", "rows kept", None),
    _facts("fundamentals csv", "uncached", 0.40, CSV),
    _facts("fundamentals arrow", "uncached", 0.50, ARROW),
    _facts("fundamentals gzip", "uncached", None, GZIP),
    _facts("fundamentals gzip hit", "hit", None, GZIP),
    _facts("mcp", "uncached", 0.45, _CALL, "get_fundamentals"),
    _facts("mcp hit", "hit", 1.2, _CALL, "get_fundamentals"),
    Cell(name="panel", endpoint=PANEL, values={"line_item": "revenue,net_income", "as_of": "{day}"}),
    Cell(name="tenders", endpoint=TENDERS, values={"country": "KE", "as_of": "{day}"}, goal=0.55),
    Cell(name="process", endpoint=TENDER_PROCESS, values={"ocid": "{ocid}"}),
    Cell(
        name="screen",
        endpoint=SCREEN,
        values={"metric": "net_margin", "as_of": "{day}", "limit": "50"},
        goal=0.60,
    ),
    Cell(name="series", endpoint=MACRO, values={"country": "KEN", "as_of": "{day}"}),
    Cell(name="entity", endpoint=ENTITY, values={"service_id": "{issuer}"}, goal=0.30),
    Cell(
        name="crosswalk", endpoint=CROSSWALK_LOOKUP, values={"id_type": "lei", "id_value": "{lei}"}, goal=0.30
    ),
    Cell(name="search", endpoint=SEARCH, values={"q": "{name}"}),
)
