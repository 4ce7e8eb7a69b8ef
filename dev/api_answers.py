"""The answers in the API reference: taken from the local stack, abridged, and kept in a file.

`python -m dev answers` writes that file. Pages are then made without a running service, and the tests of the
docs run every call and compare its answer with the page.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from dev import application
from dev.api_calls import Call, calls
from dev.service import StackError
from dev.stack import Stack

FILE = Path(__file__).with_name("api_answers.json")
_CUT = "…"
_ROWS = 1  # of each list; the rest is cut
_LONGEST = 72  # characters of a text
# These differ between installations, or with the clock.
_CHANGING = frozenset(
    {
        "build",
        "bytes",
        "checked_at",
        "content_digest",
        "digest",
        "fetched_at",
        "last_good",
        "latency_ms",
        "line",
        "line_path",
        "name",
        "next_cursor",
        "next_due",
        "observed_at",
        "path",
        "previous_digest",
        "provenance_id",
        "published_at",
        "retrieved_at",
        "root",
        "row",
        "seal",
        "seconds",
        "sha256",
        "signature",
        "stale_at",
        "url",
    }
)


class _Number(str):
    """A number, with the digits it came with."""

    __slots__ = ()


def take(stack: Stack) -> dict[str, str]:
    """Request every example from the local stack; return the abridged answers by operation."""
    url = application.api(stack).url
    key = (stack.home / "key").read_text(encoding="utf-8").strip()
    with httpx.Client(base_url=url, headers={"X-API-Key": key}, timeout=60) as client:
        return {call.name: _taken(client, call) for call in calls() if call.is_shown}


def kept() -> dict[str, str]:
    """Return the answers as they were last taken."""
    found: dict[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def write(answers: dict[str, str]) -> None:
    """Keep the answers."""
    FILE.write_text(json.dumps(answers, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def abridge(body: str) -> str:
    """Return a JSON text, indented, with one row of each list; `…` stands where something was cut."""
    value = json.loads(body, parse_float=_Number, parse_int=_Number)
    return "\n".join(_lines(value, ""))


def _taken(client: httpx.Client, call: Call) -> str:
    answer = client.get(call.address)
    if answer.status_code != httpx.codes.OK:
        raise StackError(f"{call.address}: {answer.text}")
    return abridge(answer.text)


def _lines(value: Any, indent: str) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if isinstance(value, dict) and value:
        yield "{"
        yield from _members([(f"{json.dumps(key)}: ", key, item) for key, item in value.items()], indent)
        yield f"{indent}}}"
    elif isinstance(value, list) and value:
        yield "["
        yield from _members([("", "", item) for item in value[:_ROWS]], indent, cut=len(value) > _ROWS)
        yield f"{indent}]"
    else:
        yield _scalar(value)


def _members(items: list[tuple[str, str, Any]], indent: str, *, cut: bool = False) -> Iterator[str]:
    inner = f"{indent}  "
    for position, (label, key, item) in enumerate(items, 1):
        changing = key in _CHANGING and item is not None
        first, *rest = [_CUT] if changing else _lines(item, inner)
        comma = "," if position < len(items) or cut else ""
        lines = [f"{inner}{label}{first}", *rest]
        yield from lines[:-1]
        yield f"{lines[-1]}{comma}"
    if cut:
        yield f"{inner}{_CUT}"


def _scalar(value: Any) -> str:  # noqa: ANN401 - any JSON
    if isinstance(value, _Number):
        return value
    text = json.dumps(value, ensure_ascii=False)
    return f'{text[:_LONGEST]}{_CUT}"' if len(text) > _LONGEST + 2 else text
