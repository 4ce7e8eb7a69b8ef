"""The answers of a peer must hold the same facts with the same values before they are timed."""

from __future__ import annotations

import http.client
import json
from datetime import datetime
from decimal import Decimal

Row = dict[str, object]
_NUMBERS = {"value_reported", "previous_value", "extraction_confidence"}
_TIMES = {"accepted_at", "observed_at"}
_LEFT_OUT = {"known_until"}  # null in every answer as of a day


def fetched(port: int, target: str, headers: dict[str, str]) -> list[Row]:
    """Return the rows of an answer. Raise if it is not a success."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", target, headers=headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    if response.status != 200:
        raise RuntimeError(f"{target} gave {response.status}: {content[:500]!r}")
    body = json.loads(content, parse_float=Decimal)
    return body if isinstance(body, list) else body["data"]


def differences(ours: list[Row], theirs: list[Row]) -> list[str]:
    """Return the fields that differ; the order of facts is not compared, nor fields that only a peer has."""
    by_key = {_key(row): row for row in theirs}
    if len(by_key) != len(theirs) or len(ours) != len(theirs):
        return [f"{len(ours)} facts, and {len(theirs)} of the peer"]
    found = []
    for row in ours:
        other = by_key.get(_key(row))
        if other is None:
            found.append(f"{_key(row)} is missing")
            continue
        found += [
            f"{name}: {value!r}, and {other.get(name)!r} of the peer"
            for name, value in row.items()
            if name not in _LEFT_OUT and (name not in other or _same(name, value) != _same(name, other[name]))
        ]
    return found


def _key(row: Row) -> tuple[object, ...]:
    """Return what identifies a row of an answer; a fact may be reported under several line items."""
    return row["fact_id"], row["line_item"], row["period_type"]


def _same(name: str, value: object) -> object:
    """Return a value in a form that does not depend on how JSON writes it."""
    if value is None:
        return None
    if name in _NUMBERS:
        return Decimal(str(value))
    if name in _TIMES:
        return datetime.fromisoformat(str(value))
    return value
