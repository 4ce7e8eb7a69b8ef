"""Load the named statements of a `.sql` file.

A rule that several statements share is a fragment. It is declared once: in the file itself, in the
`fragments.sql` of its package, or in `fragments.sql` here, which all packages share. A statement calls it
like a function of a schema `fragment`, and loading the file puts its text in place of the call.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

_BLOCK = re.compile(r"^-- (name|fragment|columns|order|each): (.+)\n", re.MULTILINE)
_SIGNATURE = re.compile(r"(\w+)\((\w+(?:, \w+)*)\)(?: (if|of) (\w+(?:, \w+)*))?")
_ARGUMENT = r"(?:%\(\w+\)s|[\w.]+)(?:::\w+)?(?: [-+] \d+)?"
_CALL = re.compile(rf"\bfragment\.(\w+)\(({_ARGUMENT}(?:, {_ARGUMENT})*)\)")
_ANY_CALL = re.compile(r"\bfragment\..*")
_COMMENT = re.compile(r"^\s*--.*\n", re.MULTILINE)
_LISTED = re.compile(r"^SELECT FROM \w+\s+ORDER BY|^SELECT|\s+FROM \w+(?:\s+CROSS JOIN \w+)*$")
_VALUE = re.compile(r"%\((\w+)\)s|%%")
_SHARED = "sankofa.storage"


class _Block(NamedTuple):
    # name: a statement; fragment: an expression; columns, order: a part of such a list; each: a SELECT that
    # is repeated, once for each row of values, and joined by UNION ALL
    kind: str
    title: str
    text: str


class _Fragment(NamedTuple):
    parameters: list[str]
    text: str

    def applied(self, arguments: list[str]) -> str:
        """Return the text with arguments in place of parameters, but not within literals and longer names."""
        given = dict(zip(self.parameters, arguments, strict=True))
        parameter = re.compile(rf"'[^']*'|(?<!\.)(?<!%\()\b({'|'.join(given)})\b")
        return parameter.sub(lambda found: given.get(found[1], found[0]), self.text)


def named(
    package: str, file: str = "queries.sql", *variants: str, **each: Sequence[Sequence[str]]
) -> dict[str, str]:
    """Return the statements of a file by the name in their first comment line, with fragments expanded.

    A second declaration of a fragment with `if x` replaces it for the variant `x`. A fragment declared
    `of x, y` is repeated for each row of names in `each`. Raise ValueError for a call
    that cannot be expanded and for a fragment of the file that no statement calls. The text is shipped with
    the package; values are always bound, never written into it.
    """
    blocks = _blocks(package, file)
    shared = _fragments(_SHARED) | _fragments(package)
    own = _declared(blocks, shared, variants, each)
    called: set[str] = set()
    statements = {
        block.title: _expanded(block.text, shared | own, called) for block in blocks if block.kind == "name"
    }
    if unused := own.keys() - called:
        raise ValueError(f"{package}, {file}: no statement calls the fragments {sorted(unused)}")
    return statements


def whole(package: str, file: str) -> str:
    """Return a file that is one statement (a domain's `publish.sql`)."""
    text = _text(package, file).strip().rstrip(";")
    return _expanded(text, _fragments(_SHARED) | _fragments(package), set())


@lru_cache(maxsize=512)
def positional(statement: str) -> tuple[str, tuple[str, ...]]:
    """Return a statement with `$1`, `$2`, … for its named values, without comments, and the names in order.

    The driver caches its own translation only for short statements; a long one took it half a millisecond.
    """
    names: dict[str, int] = {}

    def place(found: re.Match[str]) -> str:
        return f"${names.setdefault(found[1], len(names) + 1)}" if found[1] else "%"

    return _VALUE.sub(place, _COMMENT.sub("", statement)), tuple(names)


@cache
def _fragments(package: str) -> dict[str, _Fragment]:
    """Return the fragments that the files of a package share."""
    if not resources.files(package).joinpath("fragments.sql").is_file():
        return {}
    return _declared(_blocks(package, "fragments.sql"), {} if package == _SHARED else _fragments(_SHARED))


def _declared(
    blocks: list[_Block],
    known: dict[str, _Fragment],
    variants: tuple[str, ...] = (),
    each: Mapping[str, Sequence[Sequence[str]]] = MappingProxyType({}),
) -> dict[str, _Fragment]:
    """Return the fragments of a file. Each may call shared fragments and those declared above it."""
    found: dict[str, _Fragment] = {}
    missing = set(variants)
    for block in blocks:
        if block.kind == "name":
            continue
        signature = _SIGNATURE.fullmatch(block.title)
        if signature is None:
            raise ValueError(f"expected a fragment as name(parameter, …), not {block.title!r}")
        name, parameters = signature[1], signature[2].split(", ")
        if (block.kind == "each") != (signature[3] == "of") or (block.kind == "each" and name not in each):
            raise ValueError(f"expected rows of values for `-- each: … of …`, not {block.title!r}")
        if block.kind == "each":
            one = _Fragment(signature[4].split(", "), _COMMENT.sub("", block.text))
            repeated = " UNION ALL ".join(f"({one.applied(list(values))})" for values in each[name])
            found[name] = _Fragment(parameters, f"({repeated})")
            continue
        variant = signature[4]
        if variant and (name not in found or found[name].parameters != parameters):
            raise ValueError(f"no fragment has the parameters of its variant {block.title!r}")
        if not variant and name in known | found:
            raise ValueError(f"fragment {name!r} is declared twice")
        if variant and variant not in variants:
            continue
        missing.discard(variant)
        text = _expanded(_selected(block.text), known | found, set())
        found[name] = _Fragment(parameters, f"({text})" if block.kind == "fragment" else text)
    if missing:
        raise ValueError(f"no fragment has the variants {sorted(missing)}")
    return found


def _selected(text: str) -> str:
    """Return the list that a fragment selects or sorts by. It is written as a statement to be linted."""
    return _LISTED.sub("", _COMMENT.sub("", text)).strip()


def _expanded(text: str, fragments: dict[str, _Fragment], called: set[str]) -> str:
    """Return a text with the calls of fragments replaced by their texts, and add the names to `called`."""

    def expansion(call: re.Match[str]) -> str:
        name, arguments = call[1], call[2].split(", ")
        if name not in fragments:
            raise ValueError(f"unknown fragment in {call[0]}")
        if len(arguments) != len(fragments[name].parameters):
            raise ValueError(f"expected the arguments {', '.join(fragments[name].parameters)} in {call[0]}")
        called.add(name)
        return fragments[name].applied(arguments)

    expanded = _CALL.sub(expansion, text)
    if left := _ANY_CALL.search(expanded):
        raise ValueError(f"expected fragment.name(argument, …), not {left[0]}")
    return expanded


def _blocks(package: str, file: str) -> list[_Block]:
    parts = _BLOCK.split(_text(package, file))
    texts = (text.strip().rstrip(";") for text in parts[3::3])
    return [_Block(*block) for block in zip(parts[1::3], parts[2::3], texts, strict=True)]


def _text(package: str, file: str) -> str:
    return resources.files(package).joinpath(file).read_text(encoding="utf-8")
