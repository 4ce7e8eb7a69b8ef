"""Two answers to one question, compared field by field, without what names the archived document."""

from __future__ import annotations

import re
from collections import Counter

_HASH = re.compile(r"@sha256:[0-9a-f]{64}")
_DOCUMENT = ("observed_at", "provenance_id")  # and with a prefix: old_observed_at
NOBODY = "<none>"


def plain(row):
    """Return a row without what names the archived document; what it rests on stays, without the hash."""
    cited = {}
    for name, value in row.items():
        if name.endswith(_DOCUMENT):
            continue
        if name.endswith("source_ref") and value:
            # A derived row lists the references of its inputs.
            cited[name] = "; ".join(sorted(set(_HASH.sub("", value).split("; "))))
        elif name == "timeline":
            cited[name] = [plain(one | {"ocid": row["ocid"]}) for one in value]
        else:
            cited[name] = value
    if is_of_tender(row):
        cited.pop("fact_id", None)
    return cited


def is_of_tender(row):
    """Return whether the fact id of a row is made from the hash of its document."""
    return row.get("dataset") == "AF-TENDER" or "ocid" in row


def differences(key_of, whole, grown):
    """Return how the answer of the whole world differs from that of the grown one: Counter of field names."""
    if whole == grown:
        return Counter(), None
    found, example = Counter(), None
    wanted, got = _by_key(key_of, grown), _by_key(key_of, whole)
    for key in {**wanted, **got}:
        one, other = got.get(key), wanted.get(key)
        if one == other:
            continue
        if one is None or other is None:
            names = ["row surplus" if other is None else "row missing"]
        else:
            names = sorted(
                name for name in {**one, **other} if one.get(name, NOBODY) != other.get(name, NOBODY)
            )
        found.update(names)
        example = example or (key, {name: (_shown(one, name), _shown(other, name)) for name in names})
    in_order = [key_of(row) for row in whole] == [key_of(row) for row in grown]
    if not found and not in_order and not any(map(is_of_tender, whole)):  # whose order ends in the fact id
        found["order"] += 1
    return found, example


def additions(key_of, whole, grown):
    """Return what the whole world shows that the grown one does not: a value may be taken away, no more."""
    wanted = _by_key(key_of, [_unranked(row) for row in grown])
    rows = [_unranked(row) for row in whole]
    kept = [wanted[key_of(row)] for row in rows if key_of(row) in wanted]
    found, example = differences(key_of, rows, kept)
    places = {key: place for place, key in enumerate(wanted)}
    order = [places[key_of(row)] for row in rows if key_of(row) in places]
    if order != sorted(order):
        found["order"] += 1
    return found, example


def as_known(key_of, whole, grown):
    """Return all differences but the two fields that look beyond the day by design (MET-7)."""
    return differences(key_of, *([_on_its_day(row) for row in rows] for rows in (whole, grown)))


def _on_its_day(row):
    return {name: value for name, value in row.items() if name not in {"revised_later", "exact_from"}}


def _unranked(row):
    return {name: value for name, value in row.items() if name != "rank"}


def _by_key(key_of, rows):
    found = {}
    for row in rows:
        key, place = key_of(row), 0
        while (key, place) in found:
            place += 1
        found[key, place] = row
    return {key if not place else (*key, place): row for (key, place), row in found.items()}


def _shown(row, name):
    return row if row is None or name.startswith("row ") else row.get(name, NOBODY)
