"""The outside format, written: one companyfacts file from the entries it is to hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Entry(NamedTuple):
    """One value of one filing. `value` is the very text of the JSON number, None is null."""

    concept: str
    start: date | None
    end: date
    unit: str
    value: str | None
    accession: str
    filed: date
    form: str = "10-K"


def companyfacts(cik: int, name: str, entries: Iterable[Entry]) -> bytes:
    """Numbers are placed as text, so that no digit passes through a binary float."""
    tags: dict[str, dict[str, dict[str, list[str]]]] = {}
    for entry in entries:
        taxonomy, _, tag = entry.concept.partition(":")
        tags.setdefault(taxonomy, {}).setdefault(tag, {}).setdefault(entry.unit, []).append(_entry(entry))
    taxonomies = _members({taxonomy: _members(_described(units)) for taxonomy, units in tags.items()})
    return f'{{"cik":{cik},"entityName":{json.dumps(name)},"facts":{taxonomies}}}'.encode()


def _described(tags: dict[str, dict[str, list[str]]]) -> dict[str, str]:
    return {
        tag: _members(
            {
                "label": json.dumps(tag),
                "description": "null",
                "units": _members({unit: f"[{','.join(entries)}]" for unit, entries in units.items()}),
            }
        )
        for tag, units in tags.items()
    }


def _entry(entry: Entry) -> str:
    start = {} if entry.start is None else {"start": f'"{entry.start}"'}
    return _members(
        {
            **start,
            "end": f'"{entry.end}"',
            "val": "null" if entry.value is None else entry.value,
            "accn": json.dumps(entry.accession),
            "fy": str(entry.end.year),
            "fp": '"FY"',
            "form": json.dumps(entry.form),
            "filed": f'"{entry.filed}"',
        }
    )


def _members(members: dict[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members.items()) + "}"
