"""The sources: one file NAME.toml each, in the package's folder `sources` and in the operator's folder.

An operator's file with the name of a packaged source only overrides values: it opens or closes the source, or
moves its portal. A file with another name is a separate source.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from sankofa.core.errors import Refused
from sankofa.core.licences import LICENCES
from sankofa.ingest.parsers import PARSERS
from sankofa.ingest.portals.page import SHOWS_NEXT
from sankofa.ingest.source import Source

_OURS = resources.files("sankofa") / "sources"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_COUNTRY = re.compile("[A-Z]{2}")
_OF_A_COUNTRY = "ocds"  # releases do not name their portal
_GRANTED_TO_US = frozenset({"synthetic", "operator"})  # no publisher's page states it
_FIELDS = {each.name for each in dataclasses.fields(Source)} - {"name"}  # the name comes from the file

Written = dict[str, Any]


def sources(folder: str = "") -> dict[str, Source]:
    """Return all sources by name. Raise if a file of the operator's folder is wrong."""
    known, mistakes = read(folder)
    if mistakes:
        raise Refused("\n".join(mistakes))
    return known


def source(name: str, folder: str = "") -> Source:
    """Return one source. Raise with the list of sources if it does not exist."""
    return named(name, sources(folder))


def named(name: str, known: Mapping[str, Source]) -> Source:
    """Return one of the given sources. Raise with their names if it does not exist."""
    if name not in known:
        raise Refused(f"there is no source `{name}`{_like(name, known)}")
    return known[name]


def closed_sources(known: Mapping[str, Source] | None = None) -> tuple[str, ...]:
    """Return the sources whose documents are stored and never served."""
    every = sources() if known is None else known
    return tuple(name for name, one in every.items() if not one.redistributable)


def read(folder: str = "") -> tuple[dict[str, Source], list[str]]:
    """Return the valid sources, and a sentence about each invalid one."""
    known, mistakes = dict(_packaged()), []
    for name, file in _files(_own(folder)) if folder else ():
        try:
            below = _written(_OURS / file.name) if name in known else {}
            known[name] = _source(name, _over(below, _written(file)))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as unreadable:
            mistakes.append(f"{name}.toml is not TOML: {unreadable}")
        except ValueError as wrong:
            mistakes.append(f"{name}.toml: {wrong}")
            known.pop(name, None)
    return known, mistakes


@cache
def _packaged() -> dict[str, Source]:
    """Return the sources of the package: read once, unlike the operator's, which may change at any time."""
    return {name: _source(name, _written(file)) for name, file in _files(_OURS)}


def _written(file: Traversable) -> Written:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _own(folder: str) -> Path:
    own = Path(folder)
    if not own.is_dir():
        raise Refused(f"SANKOFA_SOURCES is no folder: {folder}")
    return own


def _files(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder that hold sources, by name."""
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            yield file.name.removesuffix(".toml"), file


def _over(below: Written, above: Written) -> Written:
    """Return `below` with the changes of `above`: tables are merged, and `false` removes a table."""
    merged = below | above
    for key in below.keys() & above.keys():
        if isinstance(below[key], dict) and isinstance(above[key], dict):
            merged[key] = _over(below[key], above[key])
        elif isinstance(below[key], dict) and above[key] is False:
            del merged[key]
    return merged


def _source(name: str, fields: Written) -> Source:
    """Return the source of a file. Raise ValueError with what to change if it is invalid."""
    if not _NAME.fullmatch(name):
        raise ValueError("a name has small letters, digits and hyphens")
    for field in fields.keys() - _FIELDS:
        raise ValueError(f"there is no field `{field}`{_like(field, _FIELDS)}")
    one = msgspec.convert(fields | {"name": name}, Source)
    if one.parser not in PARSERS:
        raise ValueError(f"there is no parser `{one.parser}`{_like(one.parser, PARSERS)}")
    if one.license_class not in LICENCES:
        raise ValueError(
            f"there is no licence class `{one.license_class}`{_like(one.license_class, LICENCES)}"
        )
    if one.country and not _COUNTRY.fullmatch(one.country):
        raise ValueError("`country` is an ISO 3166-1 code of two capital letters")
    if one.parser == _OF_A_COUNTRY and not one.country:
        raise ValueError("`country` is missing: a portal of tenders is of one")
    _require_feed(one)
    if one.redistributable:
        _require_licence(one)
    return one


def _require_feed(one: Source) -> None:
    """Raise if a source could not be fetched completely as declared."""
    if one.due and not one.portal:
        raise ValueError("`due` needs a table `portal`: without one, nothing is fetched")
    if one.due and one.frozen:
        raise ValueError("a frozen source is never due: write `due = false`, or leave `frozen` out")
    if one.parser != SHOWS_NEXT and one.portal and one.portal.is_paged and not one.portal.pages_at:
        raise ValueError(
            f"`pages_at` is missing: pages for the parser {one.parser} do not show whether another follows, "
            "so only the first would be fetched"
        )


def _require_licence(one: Source) -> None:
    """Raise if a source would be served without a licence that allows it."""
    obstacle = LICENCES[one.license_class].obstacle
    if obstacle:
        raise ValueError(
            f"{one.license_class} cannot be served, because {obstacle}: "
            "write `redistributable = false`, or the licence that you have evidence of"
        )
    if not one.license_url and one.license_class not in _GRANTED_TO_US:
        raise ValueError("`license_url` is missing: what is served says where its licence is granted")


def _like(written: str, names: Iterable[str]) -> str:
    near = get_close_matches(written, names, n=1)
    return f"; did you mean `{near[0]}`?" if near else f"; there are: {', '.join(sorted(names))}"
