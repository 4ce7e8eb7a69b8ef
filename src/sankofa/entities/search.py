"""Search: organisations by identifier, or by current or former name, best match first.

Every step reads an index and a bounded number of names, however common the words are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Endpoint, Found, Page
from sankofa.ask.reads import Reads
from sankofa.entities.names import search_key, words
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
# By whether a country or issuers are requested, by kind, and by whether any word counts as whole.
_STATEMENTS = {
    (is_marked, kind, has_words): named(
        __package__,
        "search.sql",
        *(() if is_marked else ("anybody",)),
        *variants,
        *(() if has_words else ("parts",)),
    )
    for is_marked in (True, False)
    for kind, variants in _KINDS.items()
    for has_words in (True, False)
}
_MOST_NAMES = 2_000  # that hold all the words
_MOST_SIMILAR = 500  # for each way to leave something out
_LEAST_NEARNESS = 0.3  # of a whole name
_LEAST_OF_WORDS = 0.5  # of some words of a name
_LEAST_OF_ONE_WORD = 0.4
_SHORTEST = 3  # letters: shorter words are in no trigram and would need a full scan
_MOST_PARTS = 2  # each of its own: a pattern of many common words is read for 50 ms
_MOST_VARIED = 4  # of the longest words; the others only count in the ranking


async def search(reader: Reader, params: SearchParams | ToolSearchParams, page: Page) -> Found:
    """Return the organisations that a text matches on a day: by identifier, name, words or similarity."""
    name = search_key(params.text)
    ticker = Ticker.read(params.text)
    day = page.knowable(params.as_of)
    kind = params.kind if isinstance(params, SearchParams) else None
    marks = [mark for mark in (params.country, kind) if mark and mark != "other"]
    place, nearness, after_name, service_id = page.after or (None,) * 4
    parts = name.split()
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
        "id_value": ticker.symbol if ticker else params.text,
        "issuer": ticker.mic if ticker else None,
        "filer_number": None if ticker else filer_number(params.text),
        "filer_registers": list(FILER_REGISTERS),
        "open_types": list(ID_TYPES if page.is_paid else OPEN_TYPES),
        "words": name or None,
        "most": _MOST_NAMES,
        "parts": _pattern(parts),
        "most_similar": _MOST_SIMILAR,
        "least": _LEAST_NEARNESS,
        "least_of_words": _LEAST_OF_WORDS if len(parts) > 1 else _LEAST_OF_ONE_WORD,
    }
    statements = _STATEMENTS[bool(marks), kind, True]
    rows = await reader.fetch(statements["by_identifier_or_words"], values, edition=page.edition)
    for has_words, variations in ((True, _without_a_word(params.text)), (False, _parts(parts))):
        if not rows and (ways := list(variations)):
            values |= {"rests": [rest for rest, _ in ways], "pieces": [piece for _, piece in ways]}
            statement = _STATEMENTS[bool(marks), kind, has_words]["similar"]
            rows = await reader.fetch(statement, values, edition=page.edition)
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


def _pattern(parts: Sequence[str]) -> str:
    """Return a pattern for names with words that hold all of the parts, which are sorted."""
    return f"%{'%'.join(parts)}%"


def _without_a_word(text: str) -> Iterator[tuple[str, str]]:
    """Yield the words that stay, and a pattern for the name, without a word or half of it."""
    spelled = words(text)
    for word in sorted(spelled, key=len, reverse=True)[:_MOST_VARIED]:
        place = spelled.index(word)
        rest = search_key(" ".join(spelled[:place] + spelled[place + 1 :])).split()
        longest = sorted(rest, key=len, reverse=True)[: _MOST_VARIED - 1]
        # The index needs a pattern for each name: without half a word it is the beginning of one that stays.
        beginnings = [f"%{left[:_SHORTEST]}%" for left in longest[:1] if len(left) >= _SHORTEST]
        for pattern in (*beginnings, *(_pieces(search_key(word)) if rest else ())):
            yield " ".join(longest), pattern


def _parts(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield patterns for names with a word that holds one of two parts, or half of a single one."""
    if len(parts) <= _MOST_PARTS:
        yield from (("", _pattern([part])) for part in parts if len(part) >= _SHORTEST)
    if len(parts) == 1:
        yield from (("", half) for half in _pieces(parts[0]))


def _pieces(word: str) -> Iterator[str]:
    """Yield patterns for both halves of a word, one of which an error leaves as it is, or for a short one."""
    middle = len(word) // 2
    if middle >= _SHORTEST:
        yield from (_pattern([word[:middle]]), _pattern([word[middle:]]))
    elif len(word) >= _SHORTEST:
        yield _pattern([word])


SEARCH = Endpoint(
    path="/v1/search",
    name="search",
    summary="Organisations by name or identifier, the nearest first",
    description=(
        "By an identifier, by the whole name, and by all words of it; if nothing has them, by a name that is "
        "nearly so, or whose words begin or end like those of the text. What an organisation no longer had "
        "on the day finds it too: `matched` is then `former_name` or `former_identifier`, and `until` says "
        "since when it does not hold. With `as_of`, nothing is found by a name or identifier that became "
        "known later. Paid tiers search every type of identifier, sample keys LEI and ticker. Of names with "
        "the same words at most 2,000 are compared."
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
