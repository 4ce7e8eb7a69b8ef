"""Parameters, each declared once and parsed strictly.

A silently ignored `asof=` would serve look-ahead data. So unknown and repeated names are rejected, and a
value is accepted only in the form that the contract defines.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec

from sankofa.core.errors import BadParameter

P = TypeVar("P", bound=msgspec.Struct)

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DATE_SCHEMA = {"type": "string", "format": "date", "pattern": f"^{_DATE.pattern}$"}
_SERVICE_ID = re.compile(r"[A-Za-z0-9]+")
_NUMBER = re.compile(r"[1-9][0-9]{0,9}")
_LIMIT = re.compile(r"[1-9][0-9]{0,3071}")  # a large limit is valid; the tier decides whether to serve it
LONGEST_TEXT = 3072
LAST_EDITION = 2**31 - 2  # the next number means "not superseded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """How one parameter is parsed and described; `parse` raises ValueError with the accepted form."""

    description: str
    parse: Callable[[str], Any]
    schema: Mapping[str, Any]
    example: str  # empty if there is no fixed example
    in_path: bool = False


def matching(pattern: re.Pattern[str], hint: str) -> Callable[[str], str]:
    """Return a parser for text that matches the whole pattern."""

    def parse(text: str) -> str:
        if not pattern.fullmatch(text):
            raise ValueError(hint)
        return text

    return parse


def calendar_date(text: str) -> date:
    """Parse a date in the only accepted form."""
    try:
        return date.fromisoformat(_DATE.fullmatch(text)[0])  # type: ignore[index]  # no match is a TypeError
    except (TypeError, ValueError):
        raise ValueError("expected a calendar date of the form YYYY-MM-DD") from None


def _edition(text: str) -> int:
    if not _NUMBER.fullmatch(text) or int(text) > LAST_EDITION:
        raise ValueError("expected the number of a published edition; /v1/editions lists them")
    return int(text)


def _limit(text: str) -> int:
    if not _LIMIT.fullmatch(text):
        raise ValueError("expected a whole number of at least 1, in ASCII digits")
    return int(text)


def _printable(text: str) -> str:
    if not text or len(text) > LONGEST_TEXT or not text.isascii() or not text.isprintable():
        raise ValueError(
            "expected a next_cursor of this endpoint, passed back verbatim and with the same filters"
        )
    return text


def one_of(*values: str, fold: bool = False) -> Callable[[str], str]:
    """Return a parser for a closed set; with `fold`, the case of the letters does not matter."""

    def parse(text: str) -> str:
        value = text.upper() if fold and text.isascii() else text
        if value not in values:
            raise ValueError(f"expected one of {', '.join(values)}")
        return value

    return parse


def organisation(description: str) -> Parameter:
    """Return the parameter that narrows an answer to one organisation, by its service id."""
    return Parameter(
        description=description,
        parse=matching(_SERVICE_ID, "expected letters and digits only"),
        schema={"type": "string", "pattern": f"^{_SERVICE_ID.pattern}$"},
        example="",
    )


def refuse_reversed(first: date | None, last: date | None, names: tuple[str, str] = ("from", "to")) -> None:
    """Raise BadParameter if the range of days ends before it begins."""
    if first and last and first > last:
        raise BadParameter(names[0], f"expected no later than {names[1]}", (names[1],))


ServiceId = Annotated[
    str,
    Parameter(
        description="Identifier that the service issued for the organisation. Compared exactly.",
        parse=matching(_SERVICE_ID, "expected letters and digits only"),
        schema={"type": "string", "pattern": f"^{_SERVICE_ID.pattern}$"},
        example="DC0000000000000",
        in_path=True,
    ),
]
# For endpoints that answer a malformed id like an unknown one: it is parsed as an id that does not exist.
AnyServiceId = Annotated[
    str,
    Parameter(
        description="Identifier that the service issued for the organisation. Compared exactly.",
        parse=lambda text: text if _SERVICE_ID.fullmatch(text) else "",
        schema={"type": "string", "pattern": f"^{_SERVICE_ID.pattern}$"},
        example="DC0000000000000",
        in_path=True,
    ),
]
AsOf = Annotated[
    date | None,
    Parameter(
        description="Answer with what was knowable on this date. Default, and used for any later date: the "
        "day the edition was published.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2024-03-31",
    ),
]
Day = Annotated[
    date,
    Parameter(
        description="What was knowable on this date. A date after the day of the edition counts as that day.",
        parse=calendar_date,
        schema=DATE_SCHEMA,
        example="2024-03-31",
    ),
]
EditionNumber = Annotated[
    int | None,
    Parameter(
        description="Answer from this edition. Default: the newest that changed what the request reads.",
        parse=_edition,
        schema={"type": "integer", "minimum": 1, "maximum": LAST_EDITION},
        example="1",
    ),
]


Limit = Annotated[
    int | None,
    Parameter(
        description="How many rows a page holds. Default and maximum depend on the key's tier.",
        parse=_limit,
        schema={"type": "integer", "minimum": 1},
        example="10",
    ),
]
CursorText = Annotated[
    str | None,
    Parameter(
        description="A `next_cursor`, passed back verbatim; it pins the query and the edition.",
        parse=_printable,
        schema={"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT, "pattern": "^[ -~]+$"},
        example="",
    ),
]


@functools.cache
def parameters(struct: type[msgspec.Struct]) -> dict[str, Parameter]:
    """Return a parameter struct's declarations by the names that callers send."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: hints[attribute].__metadata__[0] for name, attribute in _attributes(struct).items()}


@functools.cache
def _attributes(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return the attributes by the names that callers send; they differ for reserved words of Python."""
    return dict(zip(struct.__struct_encode_fields__, struct.__struct_fields__, strict=True))


@functools.cache
def required(struct: type[msgspec.Struct]) -> frozenset[str]:
    """Return the names of the parameters that must be sent."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(struct) if field.required)


def canonical(params: msgspec.Struct) -> dict[str, str]:
    """Return the parameters that have a value, each in its canonical spelling."""
    values = ((name, getattr(params, attribute)) for name, attribute in _attributes(type(params)).items())
    return {name: str(value) for name, value in values if value is not None}


def parse(struct: type[P], path: Mapping[str, str], query: Iterable[tuple[str, str]]) -> P:
    """Parse the parameters of a request. Raise BadParameter with each wrong one and its accepted form."""
    values = read(struct, path, query)
    attributes = _attributes(struct)
    return struct(**{attributes[name]: value for name, value in values.items()})


def read(
    struct: type[msgspec.Struct],
    path: Mapping[str, str],
    query: Iterable[tuple[str, str]],
    *,
    resumes: bool = False,
) -> dict[str, Any]:
    """Return the parsed values by name. With a cursor, required parameters may be left out."""
    declared = parameters(struct)
    sent: dict[str, str] = dict(path)
    wrong: dict[str, str] = {}
    for name, text in query:
        if name not in declared or declared[name].in_path:
            wrong.setdefault(printable(name), _unknown(name, declared))
        elif name in sent:
            wrong.setdefault(name, "expected once; it was sent more than once")
        else:
            sent[name] = text
    values = {}
    for name, text in sent.items():
        try:
            values[name] = declared[name].parse(text)
        except ValueError as error:
            wrong.setdefault(name, str(error))
    for name in declared:
        if name in required(struct) and name not in sent and not resumes:
            wrong[name] = f"required. {declared[name].description}"
    if wrong:
        first, *others = wrong
        raise BadParameter(first, wrong[first], tuple(others))
    return values


def printable(name: str) -> str:
    """Return an undeclared name in a form that is safe to echo."""
    return (
        "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in name[:64]) or "?"
    )


def _unknown(name: str, declared: Mapping[str, Parameter]) -> str:
    known = [known for known, parameter in declared.items() if not parameter.in_path]
    nearest = difflib.get_close_matches(name.lower(), known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"this endpoint takes {', '.join(known) or 'none'}"
    return f"unknown parameter; {hint}"
