"""A question: which endpoint, which parameters, which page. Pure; who sends it is decided elsewhere."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

T = TypeVar("T")

Day = dt.date | str  # a date, or YYYY-MM-DD


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint(Generic[T]):
    """What the service says of one of its endpoints."""

    name: str
    path: str
    takes: tuple[str, ...]  # parameters, in the service's spelling
    rows: tuple[type[T], ...]  # more than one: the answer shows which
    rows_key: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What is added to questions that take it and do not say otherwise."""

    as_of: str | None = None
    edition: int | None = None


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One endpoint with parameters as they are sent; the same question has the same address."""

    endpoint: Endpoint[T]
    sent: tuple[tuple[str, str], ...]

    @property
    def address(self) -> str:
        """Path and query, relative to the service."""
        sent = dict(self.sent)
        in_path = {
            name: quote(text, safe="") for name, text in sent.items() if f"{{{name}}}" in self.endpoint.path
        }
        query = urlencode({name: text for name, text in sent.items() if name not in in_path})
        path = self.endpoint.path.format(**in_path)
        return f"{path}?{query}" if query else path

    def sends(self, name: str) -> str | None:
        """Return a parameter as it is sent; None if it is not."""
        return dict(self.sent).get(name)

    def with_(self, **changed: object) -> Question[T]:
        """Return the same question with some parameters set; None takes one away."""
        sent = dict(self.sent) | {
            name: text_of(value) for name, value in changed.items() if value is not None
        }
        kept = tuple((name, text) for name, text in sent.items() if changed.get(name, text) is not None)
        return replace(self, sent=kept)


def question(endpoint: Endpoint[T], asked: Mapping[str, Any], scope: Scope) -> Question[T]:
    """Return the question that a call asks: its own arguments, and from the scope what it left open.

    The scope is sent beside a cursor too: a page that was cut at another date is then refused by the service.
    """
    named = {"from" if name == "from_" else name: value for name, value in asked.items()}
    for name, value in (("as_of", scope.as_of), ("edition", scope.edition)):
        if name in endpoint.takes and named.get(name) is None:
            named[name] = value
    sent = tuple((name, text_of(value)) for name, value in named.items() if value is not None)
    return Question(endpoint, sent)


def text_of(value: object) -> str:
    """Return an argument as the service spells it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return value.date().isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, list | tuple):
        return ",".join(map(text_of, value))
    raise TypeError(f"expected text, a whole number, a date or a list of them, not {type(value).__name__}")
