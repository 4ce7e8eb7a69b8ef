"""The read of shared facts; each dataset has one function of the table below."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date

from sankofa.ask.cursor import Scalar
from sankofa.ask.endpoint import Found, Page
from sankofa.core.countries import country, country_name
from sankofa.facts.served import FUND, MACRO, TENDER, SharedFact, SharedFactsParams
from sankofa.macro.reads import series_of
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader, Row

_SQL = named(__package__)
# Keys are printable ASCII, compared byte by byte: none is below the one or above the other.
_LOWEST, _HIGHEST = "", "\x7f"
_FIRST_FACT = "00000000-0000-0000-0000-000000000000"


def place_of_fact(fact: SharedFact) -> tuple[Scalar, ...]:
    """Return a fact's place in the order of its dataset."""
    series = series_of(fact.source_ref) if fact.dataset == MACRO else ""
    return fact.period_end.isoformat(), fact.measure, series, fact.fact_id


async def shared_facts(reader: Reader, params: SharedFactsParams, page: Page) -> Found:
    """Return the facts of an organisation or a country in one dataset, each in its latest vintage."""
    return await _DATASETS[params.dataset or FUND](reader, params, page)


async def _of_issuer(reader: Reader, params: SharedFactsParams, page: Page) -> Found:
    """Return the values that an issuer reported."""
    day = page.knowable(params.as_of)
    until, measure, _, fact = page.after or (date.max, None, None, None)
    rows = await reader.fetch(
        _SQL["reported_by_issuer"],
        {
            "subject": params.entity_id,
            "edition": page.edition.number,
            "day": day,
            "rows": page.rows + 1,
            "measure": params.measure,
            "until": until,
            "after_measure": measure,
            "after_fact": fact,
        },
        edition=page.edition,
    )
    return _resolved(params, [_issuer_fact(row) for row in rows], day)


def _resolved(params: SharedFactsParams, facts: list[SharedFact], day: date) -> Found:
    """Return an issuer's facts; after a merge, with the requested id."""
    merged = bool(facts) and facts[0].entity_id != params.entity_id
    return Found(rows=facts, as_of=day, extra={"resolved_from": params.entity_id} if merged else {})


def _issuer_fact(row: Row) -> SharedFact:
    fact_id, entity_id, name, name_as_of, jurisdiction, *others = row
    # A part of a country (US-DE) begins with the country's own code.
    known = country(jurisdiction[:2]) if jurisdiction else None
    return SharedFact(fact_id, entity_id, name, name_as_of, known.alpha3 if known else None, *others)


async def _of_country(reader: Reader, params: SharedFactsParams, page: Page) -> Found:
    """Return the values of a country's series."""
    day = page.knowable(params.as_of)
    subject = params.entity_id or params.country or ""
    until, measure, series, _ = page.after or (date.max, _LOWEST, _LOWEST, None)
    rows = await reader.fetch(
        _SQL["values_of_country"],
        {
            "subject": subject,
            "edition": page.edition.number,
            "day": day,
            "rows": page.rows + 1,
            "lowest": params.measure or _LOWEST,
            "highest": params.measure or _HIGHEST,
            "until": until,
            "after_measure": measure,
            "after_series": series,
        },
        edition=page.edition,
    )
    name = country_name(subject)
    return Found(
        rows=[SharedFact(fact_id, entity_id, name, *others) for fact_id, entity_id, _, *others in rows],
        as_of=day,
    )


async def _of_tenders(reader: Reader, params: SharedFactsParams, page: Page) -> Found:
    """Return the values of a country's tenders, or of an issuer's awards."""
    day = page.knowable(params.as_of)
    portals = country(params.country) if params.country else None
    until, _, _, fact = page.after or (date.max, None, None, _FIRST_FACT)
    rows = await reader.fetch(
        _SQL["awards_of_issuer" if params.is_of_issuer else "tender_values_of_country"],
        {
            "subject": params.subject,
            "country": portals.alpha2 if portals else None,
            "edition": page.edition.number,
            "day": day,
            "rows": page.rows + 1,
            "measure": params.measure,
            "until": until,
            "after_fact": fact,
        },
        edition=page.edition,
    )
    if params.is_of_issuer:
        return _resolved(params, [_issuer_fact(row) for row in rows], day)
    return Found(rows=[_buyer_fact(row) for row in rows], as_of=day)


def _buyer_fact(row: Row) -> SharedFact:
    """Return a tender's value as a fact of its buyer, or of the country if no buyer is established."""
    fact_id, entity_id, name, name_as_of, iso3, *others = row
    entity_name = name if entity_id != iso3 else country_name(iso3)
    return SharedFact(fact_id, entity_id, entity_name, name_as_of, iso3, *others)


_DATASETS: dict[str, Callable[[Reader, SharedFactsParams, Page], Awaitable[Found]]] = {
    FUND: _of_issuer,
    MACRO: _of_country,
    TENDER: _of_tenders,
}
