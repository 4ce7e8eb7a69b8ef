"""The outside format, written: one companyfacts file from the entries it is to hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple


class Entry(NamedTuple):
    """One value of one filing. `value` is the very text of the JSON number, None is null.

    The last three fields belong to the filing: all entries of one filing have the same.
    """

    concept: str
    start: date | None
    end: date
    unit: str
    value: str | None
    accession: str
    filed: date
    form: str = "10-K"
    fiscal_year: int | None = None
    fiscal_period: str | None = None


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
    start = "" if entry.start is None else f'"start":"{entry.start}",'
    value = "null" if entry.value is None else entry.value
    fiscal_year = "null" if entry.fiscal_year is None else entry.fiscal_year
    fiscal_period = "null" if entry.fiscal_period is None else f'"{entry.fiscal_period}"'
    return (
        f'{{{start}"end":"{entry.end}","val":{value},"accn":"{entry.accession}","fy":{fiscal_year},'
        f'"fp":{fiscal_period},"form":"{entry.form}","filed":"{entry.filed}"}}'
    )


def _members(members: dict[str, str]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members.items()) + "}"
