"""Content negotiation by RFC 9110: format and coding.

Among equal weights the more specific range wins, then the format offered first. If nothing matches, or the
header is malformed, the answer is JSON, unless JSON was explicitly excluded. Callers pass a header that was
sent in several lines joined by commas.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sankofa.web.formats import JSON

# Possessive quantifiers: a header has one reading, and no crafted one is read in exponential time.
_WORD = r"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
_PARAMETER = rf'[ \t]*+;[ \t]*+(?:({_WORD})=({_WORD}|"(?:[^"\\]|\\.)*+"))?+'
_PARAMETERS = re.compile(_PARAMETER)
_ELEMENT = re.compile(
    rf"[ \t]*+(?:(?P<name>{_WORD}(?:/{_WORD})?+)(?P<parameters>(?:{_PARAMETER})*+))?+[ \t]*+(?:,|\Z)"
)
_WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")


@dataclass(frozen=True, slots=True)
class Weighted:
    """One element of a header, its name in lower case."""

    name: str
    weight: float
    has_parameters: bool


class Preference(NamedTuple):
    """The weight of a media type and the specificity of the matching range; 0 if no range matches."""

    weight: float
    specificity: int


class _Malformed(Exception):
    """A header that the grammar does not allow."""


@lru_cache(maxsize=256)
def choose(accept: str | None, offered: Sequence[str]) -> str | None:
    """Return the media type to answer with, or None if JSON was explicitly excluded.

    JSON is always offered.
    """
    try:
        ranges = _elements(accept or "")
    except _Malformed:
        return JSON
    best = max(offered, key=lambda media_type: _preference(media_type, ranges))
    if _preference(best, ranges).weight > 0:
        return best
    return None if _preference(JSON, ranges).specificity else JSON


@lru_cache(maxsize=256)
def accepts_gzip(accept_encoding: str | None) -> bool:
    """Return whether the caller accepts gzip. A missing or malformed header counts as no."""
    try:
        weights = {element.name: element.weight for element in _elements(accept_encoding or "")}
    except _Malformed:
        return False
    return weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0))) > 0


def _preference(media_type: str, ranges: Sequence[Weighted]) -> Preference:
    """Return the weight that the most specific matching range gives a media type."""
    specific = [media_type, media_type.partition("/")[0] + "/*", "*/*"]
    matching = [
        (len(specific) - specific.index(one.name), not one.has_parameters, one.weight)
        for one in ranges
        if one.name in specific
    ]
    specificity, _, weight = max(matching, default=(0, False, 0.0))
    return Preference(weight, specificity)


def _elements(header: str) -> list[Weighted]:
    elements = []
    position = 0
    while position < len(header):
        found = _ELEMENT.match(header, position)
        if found is None:
            raise _Malformed
        if found["name"]:
            elements.append(_weighted(found["name"].lower(), found["parameters"]))
        position = found.end()
    # Parameters narrow a range; excluding a variant that is not offered has no effect.
    return [one for one in elements if one.weight > 0 or not one.has_parameters]


def _weighted(name: str, parameters: str) -> Weighted:
    pairs = [(key.lower(), value) for key, value in _PARAMETERS.findall(parameters) if key]
    weights = [value for key, value in pairs if key == "q"]
    if len(weights) > 1 or not all(_WEIGHT.fullmatch(weight) for weight in weights):
        raise _Malformed
    return Weighted(name, float(weights[0]) if weights else 1.0, len(pairs) > len(weights))
