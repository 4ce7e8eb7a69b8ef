"""Header fields of the formats that have no envelope: CSV, NDJSON and Arrow.

`X-Answer` holds the envelope as one line of ASCII JSON, without the rows and without `next_cursor`. The
cursor is in `Link` alone: it may be 3 KiB long, and many proxies refuse a response header above 4 or 8 KiB.
"""

from __future__ import annotations

import json

import msgspec

from sankofa.ask.endpoint import Answer
from sankofa.ask.params import canonical
from sankofa.ask.question import Question
from sankofa.web import envelope

LICENSE_LINK = '</docs/license>; rel="license"'


def fields(question: Question, answer: Answer) -> dict[str, str]:
    """Return the fields that carry the envelope of an answer."""
    links = [LICENSE_LINK]
    if answer.next_cursor:
        links.append(f'<{_next_address(question, answer.next_cursor)}>; rel="next"')
    return {
        "X-Answer": _in_one_line(answer),
        "X-Count": str(len(answer.rows)),
        "X-Truncated": "true" if answer.truncated else "false",
        "Link": ", ".join(links),
    }


def _next_address(question: Question, cursor: str) -> str:
    """Return the address of the next page, with `limit`: a cursor does not fix the size of a page."""
    path = question.permanent_address.partition("?")[0]
    limit = canonical(question.params).get("limit")
    return f"{path}?cursor={cursor}" + (f"&limit={limit}" if limit else "")


def _in_one_line(answer: Answer) -> str:
    facts = msgspec.to_builtins(envelope.without_rows(answer))
    del facts["next_cursor"]
    return json.dumps(facts, separators=(",", ":"))
