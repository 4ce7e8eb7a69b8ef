"""Turn request parameters into a question: validated, sized by tier, pinned to an edition.

The canonical form does not depend on how the request was spelled. Cursors, cache keys and permanent
addresses are made from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import msgspec

from sankofa.access.tiers import Tier
from sankofa.ask import cursor as cursors
from sankofa.ask.cursor import Cursor, CursorKeys
from sankofa.ask.endpoint import LARGE, WHOLE, Answer, Endpoint, Page
from sankofa.ask.params import canonical, parameters, parse, read
from sankofa.core.errors import BadParameter, PaymentRequired
from sankofa.storage.reading import Reader

PAGE_BYTES = 4 << 20
# Decimals leave as JSON numbers, digit for digit; no binary float is ever in between.
_ENCODER = msgspec.json.Encoder(decimal_format="number")
_ABOUT_PAGES = ("edition", "limit", "cursor")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request for one page of one endpoint, in one edition."""

    endpoint: Endpoint
    params: msgspec.Struct
    query: dict[str, str]  # canonical, defaults included, without edition, limit and cursor
    page: Page

    @property
    def permanent_address(self) -> str:
        """The relative URL of exactly this answer, whatever is published later."""
        paths = {name for name, parameter in parameters(self.endpoint.params).items() if parameter.in_path}
        path = self.endpoint.path.format(**{name: quote(self.query[name], safe="") for name in paths})
        sent = canonical(self.params)
        query = {name: text for name, text in self.query.items() if name not in paths}
        query |= {name: sent[name] for name in ("limit", "cursor") if name in sent}
        return f"{path}?{urlencode({**query, 'edition': str(self.page.edition.number)})}"

    @property
    def is_large(self) -> bool:
        """Whether the requested page may take long to make."""
        return self.endpoint.takes_limit and self.page.rows * self.endpoint.weight > LARGE

    @property
    def identity(self) -> tuple[object, ...]:
        """Everything that determines the rows of the answer."""
        page = self.page
        query = tuple(sorted(self.query.items()))
        return (self.endpoint.name, query, page.rows, page.after, page.is_paid)


async def prepare(
    endpoint: Endpoint,
    path: Mapping[str, str],
    query: Sequence[tuple[str, str]],
    *,
    tier: Tier,
    reader: Reader,
    keys: CursorKeys,
    most: int | None = None,
) -> Question:
    """Validate the parameters, then the tier, then pin the edition. Nothing is read before that.

    `most` is an additional limit of the surface on the rows of a page.
    """
    cursor = None
    if endpoint.takes_cursor and "cursor" in dict(query):
        cursor, query = _resumed(endpoint, path, query, keys)
    params = parse(endpoint.params, path, query)
    meant = endpoint.meant_by(params)
    rows = min(_entitled(endpoint, params, tier), meant.largest_page)
    if most is not None:
        rows = min(rows, most)
    edition = await reader.edition(getattr(params, "edition", None), meant.touchable_by(params))
    if cursor:
        cursors.confirm(cursor, edition)
    after = cursor.position if cursor else None
    page = Page(edition=edition, rows=rows, after=after, is_paid=tier.is_paid)
    filters = {name: text for name, text in canonical(params).items() if name not in _ABOUT_PAGES}
    return Question(endpoint=meant, params=params, query=filters, page=page)


def _entitled(endpoint: Endpoint, params: msgspec.Struct, tier: Tier) -> int:
    """Return how many rows the tier allows. Raise PaymentRequired if the request needs a paid tier."""
    for name, paid in endpoint.paid_values.items():
        if not tier.is_paid and getattr(params, name) in paid:
            raise PaymentRequired(name)
    if endpoint.most is not None:
        return endpoint.most
    limit = getattr(params, "limit", None)
    return tier.page(limit) if endpoint.takes_limit or not tier.is_paid else WHOLE


def _resumed(
    endpoint: Endpoint, path: Mapping[str, str], query: Sequence[tuple[str, str]], keys: CursorKeys
) -> tuple[Cursor, Sequence[tuple[str, str]]]:
    """Return the cursor and the completed query. Parameters sent with the cursor must agree with it."""
    sent = {name: str(value) for name, value in read(endpoint.params, path, query, resumes=True).items()}
    cursor = cursors.decode(keys, endpoint.name, sent["cursor"])
    pinned = cursors.resolve(sent, cursor)
    resumed = {name: text for name, text in pinned.items() if name not in path}
    return cursor, [*resumed.items(), ("cursor", sent["cursor"])]


async def answer(
    question: Question,
    reader: Reader,
    keys: CursorKeys,
    *,
    room: int = PAGE_BYTES,
    shape: Callable[[Any], object] | None = None,
) -> Answer:
    """Read one page, cut it at its byte limit and add the cursor of the next page.

    If only a part of each row is sent, `shape` returns that part; the byte limit applies to it.
    """
    found = await question.endpoint.read(reader, question.params, question.page)
    page = list(found.rows[: question.page.rows])
    sent = page if shape is None else [shape(row) for row in page]
    encoded, fitting = _encoded(sent, room)
    rows = sent[:fitting]
    truncated = len(rows) < len(found.rows)
    next_cursor = None
    if truncated and question.endpoint.takes_cursor:
        edition = question.page.edition
        position = question.endpoint.position(page[len(rows) - 1])
        place = Cursor(edition=edition.number, mark=edition.mark, query=question.query, position=position)
        next_cursor = cursors.encode(keys, question.endpoint.name, place)
    return Answer(
        rows=rows,
        encoded=encoded,
        edition=question.page.edition,
        as_of=found.as_of,
        truncated=truncated,
        next_cursor=next_cursor,
        extra=found.extra,
    )


def _encoded(rows: Sequence[object], room: int) -> tuple[bytes, int]:
    """Return the JSON array of the rows that fit into so many bytes, and their number.

    It holds at least one row, if there are any.
    """
    encoded = _ENCODER.encode(rows)
    if len(encoded) <= room:
        return encoded, len(rows)
    taken: list[bytes] = []
    size = 0
    for row in map(_ENCODER.encode, rows):
        if taken and size + len(row) >= room:
            break
        if len(row) >= PAGE_BYTES:
            raise BadParameter("limit", "one row alone is larger than a page may be")
        taken.append(row)
        size += len(row) + 1
    return b"[" + b",".join(taken) + b"]", len(taken)
