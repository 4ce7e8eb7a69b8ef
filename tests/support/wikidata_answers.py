"""Answers of Wikidata's query service: rows of an item, the kind of an identifier and its value."""

from __future__ import annotations

import json


def answer(*rows):
    """Return the JSON answer to a query with these rows."""
    bindings = [
        {
            "item": {"type": "uri", "value": f"http://www.wikidata.org/entity/{item}"},
            kind: {"type": "literal", "value": value},
        }
        for item, kind, value in rows
    ]
    head = {"vars": ["item", "lei", "cik", "isin"]}
    return json.dumps({"head": head, "results": {"bindings": bindings}}).encode()
