"""Search: organisations by identifier, or by current or former name, best match first.

Every step reads an index and a bounded number of names, however common the words are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Endpoint, Found, Page
from sankofa.ask.reads import Reads
from sankofa.entities.names import search_key
from sankofa.entities.served import (
    FILER_REGISTERS,
    ID_TYPES,
    OPEN_TYPES,
    PAID_PLACE,
    NamedOrganisation,
    SearchParams,
    Ticker,
    ToolSearchParams,
    filer_number,
)
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_KINDS = {None: (), "issuer": ("issuers",), "other": ("others",)}
# By whether a country or issuers are requested, and by kind.
_STATEMENTS = {
    (is_marked, kind): named(__package__, "search.sql", *(() if is_marked else ("anybody",)), *variants)
    for is_marked in (True, False)
    for kind, variants in _KINDS.items()
}
_MOST_NAMES = 2_000  # that hold all the words
_MOST_SIMILAR = 500  # for each way to leave something out
_LEAST_NEARNESS = 0.3
_SHORTEST = 3  # letters: shorter words are in no trigram and would need a full scan
_MOST_VARIED = 4  # of the longest words; the others only count in the ranking


async def search(reader: Reader, params: SearchParams | ToolSearchParams, page: Page) -> Found:
    """Return the organisations that a text matches on a day: by identifier, name, words or similarity."""
    name = search_key(params.text)
    words = name.split()
    ticker = Ticker.read(params.text)
    day = page.knowable(params.as_of)
    kind = params.kind if isinstance(params, SearchParams) else None
    marks = [mark for mark in (params.country, kind) if mark and mark != "other"]
    statements = _STATEMENTS[bool(marks), kind]
    place, nearness, after_name, service_id = page.after or (None,) * 4
    values = {
        "after_place": place,
        "after_nearness": nearness,
        "after_name": after_name,
        "after_service_id": service_id,
        "edition": page.edition.number,
        "day": day,
        "is_past": day < page.edition.day,
        "marks": marks,
        "paid_place": PAID_PLACE,
        "name": name,
        "rows": page.rows + 1,
    }
    rows = await reader.fetch(
        statements["by_identifier_or_words"],
        {
            **values,
            "id_value": ticker.symbol if ticker else params.text,
            "issuer": ticker.mic if ticker else None,
            "filer_number": None if ticker else filer_number(params.text),
            "filer_registers": list(FILER_REGISTERS),
            "open_types": list(ID_TYPES if page.is_paid else OPEN_TYPES),
            "words": _pattern(words),
            "most": _MOST_NAMES,
        },
        edition=page.edition,
    )
    varied = list(_variations(words))
    if not rows and varied:
        rests, pieces = zip(*varied, strict=True)
        patterns = {"rests": list(rests), "pieces": list(pieces)}
        rows = await reader.fetch(
            statements["similar"],
            {**values, **patterns, "most": _MOST_SIMILAR, "least": _LEAST_NEARNESS},
            edition=page.edition,
        )
    return Found(rows=[_named(row) for row in rows], as_of=day)


def place_of_name(row: NamedOrganisation) -> tuple[Scalar, ...]:
    """Return the sort key of a row: what matched, how closely, and the compared name."""
    place: tuple[Scalar, ...] = row.__dict__["place"]
    return place


def _named(found: Row) -> NamedOrganisation:
    place, nearness, name, *fields = found
    row = NamedOrganisation(*fields)
    row.__dict__["place"] = (place, nearness, name, row.service_id)
    return row


def _pattern(words: Sequence[str]) -> str | None:
    """Return a pattern for names with all of the words, which are sorted; None if all are short."""
    if all(len(word) < _SHORTEST for word in words):
        return None
    return f"%{'%'.join(words)}%"


def _variations(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of patterns that leave out a word or half of it; the second matches the remaining half."""
    longest = sorted(sorted(words, key=len, reverse=True)[:_MOST_VARIED])
    for place, word in enumerate(longest):
        middle = len(word) // 2
        rest = _pattern([*longest[:place], *longest[place + 1 :]])
        if rest is not None:
            yield rest, rest
        if middle >= _SHORTEST:
            for half in (f"%{word[:middle]}%", f"%{word[middle:]}%"):
                yield rest or half, half


SEARCH = Endpoint(
    path="/v1/search",
    name="search",
    summary="Organisations by name or identifier, the nearest first",
    description=(
        "By an identifier, else by the whole name, by all words of it, or by a name that is nearly so. What "
        "an organisation no longer had on the day finds it too: `matched` is then `former_name` or "
        "`former_identifier`, and `until` says since when it does not hold. With `as_of`, nothing is found "
        "by a name or identifier that became known later. Paid tiers search every type of identifier, sample "
        "keys LEI and ticker. Of names with the same words at most 2,000 are compared."
    ),
    params=SearchParams,
    row=NamedOrganisation,
    order=(
        "what matched (identifier, former identifier, name, former name, words, words of a former name, "
        "similar), nearness descending, name, service_id"
    ),
    read=search,
    reads=(Reads(("identifier", "identifier_earlier", "organisation", "organisation_name", "issuer")),),
    position=place_of_name,
    statuses=(200, 304, 400, 401, 402, 429, 503),
    weight=4,
)
# The tool names the text `query` and omits `kind`, because models pay for every word of the tool list.
TOOL_SEARCH = replace(SEARCH, path="", params=ToolSearchParams, statuses=(200, 400, 401, 402, 429, 503))
