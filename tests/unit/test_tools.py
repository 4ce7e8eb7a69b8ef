"""The tools as data: what they take and answer follows from their endpoints."""

from __future__ import annotations

import json
from decimal import Decimal

import jsonschema_rs
import pytest

from sankofa.ask.params import parameters
from sankofa.fundamentals.claims import judge
from sankofa.fundamentals.served import FundamentalsFact
from sankofa.surfaces.mcp_door import DEEPEST, is_readable
from sankofa.surfaces.tools import BY_NAME, INSTRUCTIONS, TOOLS


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_takes_what_its_endpoint_takes(tool):
    schema = tool.input_schema()
    own = {"limit", "full"}
    assert set(schema["properties"]) - own == set(parameters(tool.endpoint.params)) - own
    assert "full" in schema["properties"]
    assert ("limit" in schema["properties"]) is tool.endpoint.takes_cursor
    jsonschema_rs.validate(schema, dict(tool.example))


def test_names_are_told_once_and_instructions_are_short():
    assert len(BY_NAME) == len(TOOLS) <= 20
    assert len(INSTRUCTIONS) < 2_000


def fact(value, vintage, year=2022):
    """Return a fact of which only what a verdict looks at is told."""
    told = dict.fromkeys(FundamentalsFact.__struct_fields__)
    told |= {
        "value_reported": Decimal(value),
        "vintage": vintage,
        "period_end": year,
        "unit": "KES",
        "scope": "c",
    }
    return FundamentalsFact(**told)


FIRST, SECOND, OTHER = fact("1.50", 1), fact("1.4", 2), fact("9", 1, 2021)


@pytest.mark.parametrize(
    ("value", "known", "history", "verdict", "rows"),
    [
        ("1.4", [SECOND], [FIRST, SECOND], "matches", [SECOND]),
        ("1.40", [SECOND], [FIRST, SECOND], "matches", [SECOND]),
        ("1.5", [SECOND, OTHER], [FIRST, SECOND, OTHER], "matched_earlier_vintage", [FIRST, SECOND]),
        ("1.5", [], [FIRST], "matched_earlier_vintage", [FIRST]),
        ("1.45", [SECOND], [FIRST, SECOND], "contradicted", [SECOND]),
        ("1.45", [], [FIRST], "contradicted", [FIRST]),
        ("1.5", [], [], "not_held", []),
    ],
)
def test_a_verdict_follows_from_what_was_known_and_what_was_said(value, known, history, verdict, rows):
    assert judge(Decimal(value), known, history) == (verdict, rows)


def message(**changed):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"} | changed).encode()


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


@pytest.mark.parametrize(
    "body",
    [
        message(),
        message(id="a"),
        message(params={}),
        message(params={"x": nested(DEEPEST - 2)}),
        message(extra=1),
    ],
)
def test_a_request_is_readable(body):
    assert is_readable(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[" + message() + b"]",
        message(jsonrpc="1.0"),
        message(jsonrpc="2.0\n"),
        message(method=1),
        message(method="m" * 129),
        message(id=None),
        message(id=1.5),
        message(id=["a"]),
        message(id="a" * 257),
        message(params=[]),
        message(params={"x": nested(DEEPEST)}),
        message(params={"x": float("nan")}),
        message(params={"x": "\ud800"}),
        message() + message(),
        b"\xff" + message(),
        b"[" * 60_000,
        b'{"jsonrpc":"2.0","result":{},"id":1}',
    ],
)
def test_what_is_no_single_request_in_strict_json_is_not(body):
    assert not is_readable(body)
