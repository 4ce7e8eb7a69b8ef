"""Detect ids that may contain a person's name, since portals make some from names, and hash them.

An id with two consecutive words may. It does not if it follows the declared pattern of its publisher. Nor
does the id of a release or a tender that only repeats words of a title in the release, no two of which are
part of a name in the release: it then reveals no more than the title.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Iterator
from typing import Any

from sankofa.entities.folding import words
from sankofa.ingest.ocds.contacts import Contacts, names
from sankofa.ingest.ocds.publishers import publisher
from sankofa.ingest.ocds.text import flags

_SHORTEST_WORD = 3  # letters of the longer of two words; two shorter ones are codes
_SEPARATOR = re.compile(r"[\W_]+")
_OCID_PREFIX = re.compile(r"^ocds-[a-z0-9]{6}-", re.IGNORECASE)
# Words that portals use in ids, besides numbers.
_SILENT = frozenset({"ocds", "planning", "tender", "award", "contract", "release", "record", "compiled"})


def hashed(number: str) -> str:
    """Return a stable hash to replace an id that may contain a person's name."""
    return f"h-{hashlib.sha256(number.encode()).hexdigest()[:24]}"


def may_name(number: str) -> bool:
    """Return whether an id has two consecutive words and does not follow its publisher's pattern."""
    return _has_two_words(number) and not _is_of_pattern(number)


def repeats_title(number: str, release: dict[str, Any], contacts: Contacts) -> bool:
    """Return whether an id has only words of a title of its release, and no part of a name in it."""
    spoken = _spoken(number)
    return any(
        _follows(spoken, words(title)) and not flags(title, contacts) for title in _titles(release)
    ) and not any(
        first in name and second in name
        for name in names(release)
        for first, second in itertools.pairwise(spoken)
    )


def _has_two_words(number: str) -> bool:
    parts = _SEPARATOR.split(_OCID_PREFIX.sub("", number).casefold())
    lengths = [len(part) if part.isalpha() and part not in _SILENT else 0 for part in parts]
    return any(min(pair) and max(pair) >= _SHORTEST_WORD for pair in itertools.pairwise(lengths))


def _is_of_pattern(number: str) -> bool:
    """Return whether an id matches its publisher's pattern; words of OCDS may follow."""
    known = publisher(number)
    if known is None:
        return False
    rest = number[len(known.prefix) :].split("-")
    while rest and rest[-1].casefold() in _SILENT:
        rest.pop()
    return known.ids.fullmatch("-".join(rest)) is not None


def _spoken(number: str) -> list[str]:
    """Return the words of an id without the numbers and words of OCDS around them."""
    held = list(words(_SEPARATOR.sub(" ", number)))
    for end in (0, -1):
        while held and (held[end].isdigit() or held[end] in _SILENT):
            del held[end]
    return held


def _follows(spoken: list[str], title: Iterable[str]) -> bool:
    """Return whether a title contains the words in this order; the last may be truncated."""
    rest = iter(title)
    *whole, last = spoken
    return all(word in rest for word in whole) and any(word.startswith(last) for word in rest)


def _titles(release: dict[str, Any]) -> Iterator[str]:
    """Yield the titles in a release, and the description of its budget."""
    planning = release.get("planning")
    budget = planning.get("budget") if isinstance(planning, dict) else None
    sections = [(release.get("tender"), "title"), (budget, "description")]
    for name in ("awards", "contracts"):
        several = release.get(name)
        sections += [(one, "title") for one in several] if isinstance(several, list) else []
    for section, key in sections:
        if isinstance(section, dict) and isinstance(title := section.get(key), str):
            yield title
