"""An endpoint, declared once as data; routes, the OpenAPI page and tools are made from it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec

from sankofa.storage.reading import Edition, Reader

LICENSE = (
    "Licence-clean research and informational data that holds no natural-person data; each row names its"
    " source and licence."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Rows for one question, with what the envelope says about them."""

    rows: Sequence[msgspec.Struct]
    edition: Edition
    as_of: date | None
    next_cursor: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One question that can be asked over every surface."""

    path: str
    name: str
    summary: str
    description: str
    params: type[msgspec.Struct]
    row: type[msgspec.Struct]
    order: str
    read: Callable[[Reader, Any], Awaitable[Answer]]
    statuses: tuple[int, ...]
    rows_key: str = "data"
