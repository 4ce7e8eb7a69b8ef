"""All rows of an answer as one conversation, for what is computed from several answers."""

from __future__ import annotations

from typing import Any, TypeVar

from sankofa_client._conversation import Conversation, Core
from sankofa_client._question import Endpoint, Scope, question

T = TypeVar("T")


def rows_of(core: Core, scope: Scope, endpoint: Endpoint[T], **asked: Any) -> Conversation[list[T]]:
    """Fetch every page and return its rows."""
    sent = question(endpoint, asked, scope)
    page = yield from core.page(sent)
    found = list(page.rows)
    while page.next_cursor:
        page = yield from core.page(sent.with_(cursor=page.next_cursor))
        found += page.rows
    return found
