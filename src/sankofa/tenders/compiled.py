"""A contracting process as one record: its releases merged by the rules of OCDS, oldest first.

Only the served parts of each release are merged. The last statement of a field counts. Awards, contracts and
parties are merged by id, other lists are replaced. A withheld statement removes the earlier value, so that
nothing outdated is served in its place.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from sankofa.tenders.served import ServedProcess, ServedRelease, TimelineRelease

Fields = dict[str, Any]
_KEPT = (Decimal, dt.datetime, dt.date)
_NULLABLE = frozenset({"name", "name_as_of", "language"})
_BY_ID = ("parties", "awards", "contracts")
_MERGED = ("initiationType", "language", "parties", "buyer", "planning", "tender", "awards", "contracts")


def compiled(
    releases: Sequence[tuple[ServedRelease, ServedRelease]], *, is_complete: bool = True
) -> ServedProcess:
    """Return the process of these releases, each given as served and as a statement (`projection`)."""
    in_order = sorted(releases, key=lambda one: (one[0].date, one[0].id))
    record: Fields = {}
    for _, statement in in_order:
        fields = msgspec.to_builtins(statement, builtin_types=_KEPT)
        _merge(record, {name: fields[name] for name in _MERGED if name in fields})
    served = [release for release, _ in in_order]
    last = served[-1]
    newest = max(served, key=lambda one: (one.available_at, one.date, one.id))
    record |= {name: list(record[name].values()) for name in _BY_ID if name in record}
    for award in record.get("awards", ()):
        award.setdefault("joint", False)
    record |= {
        "ocid": last.ocid,
        "id": f"{last.ocid}-{last.date.strftime('%Y-%m-%dT%H:%M:%SZ')}",
        "date": last.date,
        "tag": ["compiled"],
        "country": last.country,
        "withheld_parties": max(one.withheld_parties for one in served),
        "text_withheld": any(one.text_withheld for one in served),
        "releases": len(served),
        "is_complete": is_complete,
        "timeline": [_entry(one) for one in served],
        "available_at": newest.available_at,
        "available_at_basis": newest.available_at_basis,
        "source_ref": newest.source_ref,
        "license_class": newest.license_class,
        "observed_at": newest.observed_at,
        "provenance_id": newest.provenance_id,
    }
    return msgspec.convert(_without_gaps(record), ServedProcess, builtin_types=_KEPT)


def _entry(release: ServedRelease) -> Fields:
    return {name: getattr(release, name) for name in TimelineRelease.__struct_fields__}


def _merge(record: Fields, fields: Fields) -> None:
    for name, value in fields.items():
        if value is None and name not in _NULLABLE:
            record.pop(name, None)
        elif isinstance(value, dict):
            inner = record.setdefault(name, {})
            _merge(inner, value)
        elif name in _BY_ID:
            kept = record.setdefault(name, {})
            for key, block in _blocks(name, value):
                _merge(kept.setdefault(key, {}), block)
        else:
            record[name] = value


def _blocks(name: str, blocks: Iterable[Fields]) -> Iterator[tuple[tuple[str, int], Fields]]:
    """Yield the blocks of a list by id, and by position if one id is used for several objects.

    Blocks of awards with one id and one value are one award, won by the suppliers of them all (TEN-5).
    """
    groups: dict[str, dict[str, Fields]] = {}
    for block in blocks:
        values = groups.setdefault(block["id"], {})
        same = values.setdefault(repr(block.get("value")), {})
        suppliers = {
            one["id"]: one for one in (*(same.get("suppliers") or ()), *(block.get("suppliers") or ()))
        }
        same.update(block)
        if suppliers:
            same["suppliers"] = list(suppliers.values())
    for number, values in groups.items():
        for turn, block in enumerate(values.values()):
            if name == "awards" and "suppliers" not in block:
                block.pop("joint", None)  # `joint` was set from the suppliers
            yield (number, turn), block


def _without_gaps(part: Any) -> Any:  # noqa: ANN401  # any value of a record
    """Return a value without nulls, and without the lists and objects that become empty."""
    if isinstance(part, dict):
        inner = {name: _without_gaps(value) for name, value in part.items()}
        return {name: value for name, value in inner.items() if value is not None or name in _NULLABLE}
    if isinstance(part, list):
        return [_without_gaps(value) for value in part]
    return part
