"""The source definitions of `sources.toml`, and the parser each one names."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources

from sankofa.core.errors import Refused
from sankofa.fundamentals.model import Filing
from sankofa.ingest import sec_companyfacts, sec_fsds
from sankofa.ingest.bounds import Rejections

Parser = Callable[[bytes, Rejections], Iterator[Filing]]

PARSERS: dict[str, Parser] = {
    "sec_companyfacts": sec_companyfacts.parse,
    "sec_fsds": sec_fsds.parse,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source of documents."""

    name: str
    publisher: str
    license_class: str
    parser: str


def sources() -> dict[str, Source]:
    """Return all sources by name."""
    text = resources.files(__package__).joinpath("sources.toml").read_text(encoding="utf-8")
    return {name: Source(name=name, **fields) for name, fields in tomllib.loads(text).items()}


def source(name: str) -> Source:
    """Return one source, or say which there are."""
    known = sources()
    if name not in known:
        raise Refused(f"no source {name}; there are: {', '.join(sorted(known))}")
    return known[name]
