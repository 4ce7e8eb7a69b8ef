"""The envelope around every answer: rows, licence, count, and what the answer is pinned to."""

from __future__ import annotations

from typing import Any

import msgspec

from sankofa.ask.endpoint import LICENSE, Answer, Endpoint

# Decimals leave as JSON numbers, digit for digit; no binary float is ever in between.
_ENCODER = msgspec.json.Encoder(decimal_format="number")


def as_json(endpoint: Endpoint, answer: Answer) -> bytes:
    """Return the body of a successful answer. The rows are encoded already, once for their size and this."""
    others = _ENCODER.encode(without_rows(answer))
    return b'{"%b":%b,%b' % (endpoint.rows_key.encode(), answer.encoded, others[1:])


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
