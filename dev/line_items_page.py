"""The page on line items, made from the map, with examples from the golden statements."""

import csv
from collections import Counter

from dev.stack import ROOT
from sankofa.fundamentals.line_items import LineItem, MapEntry, line_items

PAGE = ROOT / "docs" / "reference" / "line-items.md"
SHARED = 3  # concepts with one list of others, from which on it is written once
GOLDEN = ROOT / "tests" / "golden" / "statements.csv"

_PAGE = """\
# Line items

Line items make issuers comparable across taxonomies. A value belongs to a line item if the filing
states it under one of the concepts below; the first one that a filing states wins (FUN-3 in the
[contract](../contract.md)). Some concepts count only under a condition on what else the filing states, with a
value other than zero. All other values are served under their own concept (`items=all`, FUN-10).

Examples are real: they were read from what the filer printed, by code that does not use this map
([golden statements](../golden.md)). The page is made by `.venv/bin/python -m dev line_items`.
{sections}"""


def line_items_page() -> str:
    """Return the page that lists every line item, its concepts in order, and a real example of some."""
    examples = _examples()
    return _PAGE.format(sections="".join(_section(item, examples.get(item.name)) for item in line_items()))


def _section(item: LineItem, example: dict[str, str] | None) -> str:
    lines = ["", f"## {item.name}", "", f"{item.definition} *({item.kind.replace('_', ' ')})*", ""]
    groups = Counter(_group(entry) for entry in item.entries if entry.unless)
    exclusive = [group for group, entries in groups.items() if entries >= SHARED]
    lines += [_concept(entry, is_exclusive=_group(entry) in exclusive) for entry in item.entries]
    lines += [f"\n*Alone*: the filing states no other of {_names(group)}." for group in exclusive]
    if example:
        lines += ["", _told(example)]
    return "\n".join([*lines, ""])


def _group(entry: MapEntry) -> tuple[str, ...]:
    """Return a concept and those that must not stand beside it."""
    return tuple(sorted({entry.concept, *entry.unless}))


def _concept(entry: MapEntry, *, is_exclusive: bool) -> str:
    conditions = []
    if entry.unless:
        conditions.append("alone" if is_exclusive else "unless it states " + _names(entry.unless))
    if entry.when:
        conditions.append("if it states " + _names(entry.when))
    return f"{entry.rank}. `{entry.concept}`" + (f": {'; '.join(conditions)}" if conditions else "")


def _names(concepts: tuple[str, ...]) -> str:
    return " or ".join(f"`{concept}`" for concept in concepts)


def _told(example: dict[str, str]) -> str:
    period = f"{example['start']} to {example['end']}" if example["start"] else f"on {example['end']}"
    value = f"{int(example['value']):,}" if example["value"].lstrip("-").isdigit() else example["value"]
    return (
        f"Example: {example['name']}, {period}: {value} {example['unit']},"
        f" stated as `{example['concept']}` in the filing {example['accession']} of {example['filed']}."
    )


def _examples() -> dict[str, dict[str, str]]:
    """Return the newest golden number of each line item, whose concept is in the map."""
    known = {(entry.line_item, entry.concept) for item in line_items() for entry in item.entries}
    with GOLDEN.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (row["item"], row["concept"]) in known]
    rows.sort(key=lambda row: (row["filed"], row["end"], row["start"], row["cik"]))
    return {row["item"]: row for row in rows}
