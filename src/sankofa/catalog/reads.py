"""The query of the catalogue; each kind is one function of the table below."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from datetime import date
from functools import cache

from msgspec.structs import replace

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.catalog.served import CatalogEntry, CatalogParams, Kind
from sankofa.core.licences import most_restrictive
from sankofa.entities.exchanges import aliases_of, exchanges
from sankofa.fundamentals.line_items import line_items
from sankofa.metrics.formulas import METRICS
from sankofa.quality.reads import shares_mapped
from sankofa.signals.panels import PANELS
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
_UNITS = {"monetary": "currency", "shares": "shares", "per_share": "currency/shares", "ratio": "pure"}
_NO_COUNTRY = "none"  # for keys without a country, or with an unknown one

_Described = tuple[str, str | None, str | None, str | None]  # key, definition, unit, formula


def place_of_entry(entry: CatalogEntry) -> tuple[Scalar, ...]:
    """Return the sort key of an entry."""
    return (entry.key,)


async def entries(reader: Reader, params: CatalogParams, page: Page) -> Found:
    """Return the entries of one kind, ordered by key."""
    after = str(page.after[0]) if page.after else ""
    return Found(rows=await _KINDS[params.kind](reader, page, after))


async def _metrics(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    described = [(metric.slug, metric.definition, "pure", metric.formula) for metric in METRICS]
    return await _covered(reader, page, after, "metrics", described)


async def _line_items(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    return await _covered(reader, page, after, "line-items", _described_line_items())


async def _exchanges(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    described = [(one.mic, f"{one.name}, {one.country}", None, None) for one in exchanges().values()]
    found = await _covered(reader, page, after, "exchanges", described)
    return [replace(entry, aliases=aliases_of(entry.key)) for entry in found]


@cache
def _described_line_items() -> list[_Described]:
    return [(item.name, item.definition, _UNITS[item.kind], None) for item in line_items()]


async def _covered(
    reader: Reader, page: Page, after: str, kind: Kind, described: Iterable[_Described]
) -> list[CatalogEntry]:
    """Return each key that has rows in the edition, with its definition and coverage."""
    values = {"kind": kind, "edition": page.edition.number}
    held = _by_key(await reader.fetch(_SQL["coverage"], values, edition=page.edition))
    following = sorted(entry for entry in described if entry[0] > after and entry[0] in held)
    return [_entry(*entry, held[entry[0]]) for entry in following[: page.rows + 1]]


async def _signals(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    values = {"day": page.edition.day, "edition": page.edition.number}
    held = _by_key(await reader.fetch(_SQL["signals"], values, edition=page.edition))
    following = sorted(key for key in PANELS if key > after and key in held)[: page.rows + 1]
    return [_entry(key, PANELS[key].purpose, None, PANELS[key].method, held[key]) for key in following]


async def _categories(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    values = {"day": page.edition.day, "after": after, "edition": page.edition.number, "rows": page.rows + 1}
    held = _by_key(await reader.fetch(_SQL["categories"], values, edition=page.edition))
    return [_entry(key, None, None, None, held[key]) for key in sorted(held)]


def _by_key(rows: Iterable[Row]) -> defaultdict[str, list[Row]]:
    held: defaultdict[str, list[Row]] = defaultdict(list)
    for key, *of_country in rows:
        held[key].append(tuple(of_country))
    return held


def _entry(
    key: str, definition: str | None, unit: str | None, formula: str | None, by_country: list[Row]
) -> CatalogEntry:
    classes = {name for *_, several in by_country for names in several for name in names.split()}
    return CatalogEntry(
        key,
        definition,
        unit,
        formula,
        [],
        {country or _NO_COUNTRY: count for country, count, *_ in sorted(by_country, key=lambda row: row[0])},
        _bound(min, (first for _, _, first, *_ in by_country)),
        _bound(max, (last for _, _, _, last, _ in by_country)),
        most_restrictive(classes) if classes else None,
    )


def _bound(choose: Callable[[list[date]], date], days: Iterable[date | None]) -> date | None:
    known = [day for day in days if day]
    return choose(known) if known else None


async def _indicators(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    rows = await _listed(reader, page, after, "indicators")
    return [
        CatalogEntry(
            key, definition, unit, None, [], dict(sorted(coverage.items())), first, last, license_class
        )
        for key, definition, unit, coverage, first, last, license_class in rows
    ]


async def _series(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    rows = await _listed(reader, page, after, "series")
    return [
        CatalogEntry(key, definition, unit, None, [], {country: 1}, first, last, license_class)
        for key, definition, unit, country, first, last, license_class in rows
    ]


async def _sources(reader: Reader, page: Page, after: str) -> list[CatalogEntry]:
    rows = await _listed(reader, page, after, "sources")
    mapped = await shares_mapped(reader, page)
    return [
        CatalogEntry(
            key, publisher, None, None, [], {country: documents}, first, last, license_class, mapped.get(key)
        )
        for key, publisher, country, documents, first, last, license_class in rows
    ]


async def _listed(reader: Reader, page: Page, after: str, statement: str) -> list[Row]:
    values = {"day": page.edition.day, "after": after, "edition": page.edition.number, "rows": page.rows + 1}
    return await reader.fetch(_SQL[statement], values, edition=page.edition)


_KINDS: dict[Kind, Callable[[Reader, Page, str], Awaitable[list[CatalogEntry]]]] = {
    "metrics": _metrics,
    "line-items": _line_items,
    "indicators": _indicators,
    "series": _series,
    "signals": _signals,
    "categories": _categories,
    "exchanges": _exchanges,
    "sources": _sources,
}
