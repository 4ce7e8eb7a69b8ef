"""The envelope around every answer: rows, licence, count, and what the answer is pinned to."""

from __future__ import annotations

from typing import Any

import msgspec

from sankofa.ask.endpoint import LICENSE, Answer, Endpoint

# Decimals leave as JSON numbers, digit for digit; no binary float is ever in between.
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def as_json(endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the body of a successful answer."""
    return _ENCODER.encode({endpoint.rows_key: answer.rows, **without_rows(answer)})


def without_rows(answer: Answer) -> dict[str, Any]:
    """Return the envelope's fields in their order, except the rows."""
    return {
        "count": len(answer.rows),
        "truncated": answer.truncated,
        "next_cursor": answer.next_cursor,
        "edition": answer.edition.number,
        "as_of": answer.as_of,
        **answer.extra,
        "_license": LICENSE,
    }
