"""The list of deprecations. Each entry has a successor and at least half a year's notice."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from sankofa.core.errors import Refused

Kind = Literal["route", "parameter", "field", "enum_value", "metric", "panel", "sku", "tool"]

NOTICE = timedelta(days=180)
_RELATIVE_LINK = re.compile(r"/(?!/)[A-Za-z0-9._~!$&'()*+,;=:@%/?#-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecated:
    """A deprecated item and the link to its successor.

    A route is named by its path; a parameter or field after its endpoint (`macro.country`), an enum value
    after its parameter or field (`macro.frequency.monthly`); the others by their own name.
    """

    kind: Kind
    name: str
    since: date
    sunset: date
    successor: str  # a link within the service: the new route, or the page that describes what to use


Registry = tuple[Deprecated, ...]

DEPRECATED: Registry = ()


def check(registry: Iterable[Deprecated]) -> None:
    """Raise if an entry breaks these rules; the message names every such entry."""
    faults: list[str] = []
    seen: set[tuple[str, str]] = set()
    for entry in registry:
        faults += [f"{entry.kind} {entry.name}: {fault}" for fault in _faults(entry)]
        if (entry.kind, entry.name) in seen:
            faults.append(f"{entry.kind} {entry.name}: is listed twice")
        seen.add((entry.kind, entry.name))
    if faults:
        raise Refused("; ".join(faults))


def find(registry: Iterable[Deprecated], kind: Kind, name: str) -> Deprecated | None:
    """Return the entry of that kind and name, or None if it is not deprecated."""
    return next((entry for entry in registry if (entry.kind, entry.name) == (kind, name)), None)


def _faults(entry: Deprecated) -> Iterable[str]:
    if not entry.successor:
        yield "names no successor"
    elif not _RELATIVE_LINK.fullmatch(entry.successor):
        yield "its successor is not a link of the form /path"
    if entry.sunset < entry.since:
        yield "its sunset is before its deprecation"
    elif entry.sunset - entry.since < NOTICE:
        yield f"its sunset is less than {NOTICE.days} days after its deprecation"
