"""The source definitions of `sources.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import msgspec

from sankofa.core.errors import Refused
from sankofa.ingest.portals.portal import Portal


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of documents."""

    name: str
    publisher: str
    license_class: str
    parser: str  # a name in `parsers.py`
    redistributable: bool = True  # what is not is kept and never served
    country: str = ""  # ISO 3166-1 alpha-2 of a portal of tenders
    states: dict[str, Any] = field(default_factory=dict)  # what its documents do not say themselves
    portal: Portal | None = None  # where its documents are fetched; the others are loaded from files


def sources() -> dict[str, Source]:
    """Return all sources by name."""
    text = resources.files(__package__).joinpath("sources.toml").read_text(encoding="utf-8")
    return {name: _source(name, **fields) for name, fields in tomllib.loads(text).items()}


def _source(name: str, portal: dict[str, Any] | None = None, **fields: Any) -> Source:  # noqa: ANN401  # as written
    return Source(name=name, portal=msgspec.convert(portal, Portal | None), **fields)


def closed_sources() -> tuple[str, ...]:
    """Return the sources whose documents are kept and never served."""
    return tuple(name for name, known in sources().items() if not known.redistributable)


def source(name: str) -> Source:
    """Return one source, or say which there are."""
    known = sources()
    if name not in known:
        raise Refused(f"no source {name}; there are: {', '.join(sorted(known))}")
    return known[name]
