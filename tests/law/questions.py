"""What is asked on a day: every endpoint that takes `as_of`, every id and key of the world, in every mode.

Endpoints and their parameters are found in the declarations. One that has no entry in ASKED, or a parameter
that no entry varies, fails the test until somebody writes down how it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from law.compare import additions, differences
from sankofa.ask.params import parameters
from sankofa.metrics.formulas import BY_SLUG
from sankofa.signals.panels import PANELS
from sankofa.surfaces.rest import ENDPOINTS

# They choose a part of an answer or how it is told, and nothing else.
INDIFFERENT = frozenset({"edition", "limit", "cursor", "from", "to"})
CONCEPTS = ("ifrs-full:Revenue", "us-gaap:Revenues", "us-gaap:Assets,ifrs-full:Assets")
EXCHANGES = ("XNAI", "XJSE", "XNSA")
FORMS = ("10-K", "10-K/A", "10-Q", "20-F", "20-F/A", "DFP")
PERIOD_TYPES = ("FY", "H1", "H2", "Q1", "Q2", "Q3", "Q4", "9M", "TTM")


@dataclass(frozen=True)
class Place:
    """The ids and keys of a world, and the day to ask about."""

    day: date
    before: date  # an earlier day, for differences
    issuers: list[str]
    suppliers: list[str]
    processes: list[str]  # ocids
    portals: list[str]  # countries, alpha-2 and alpha-3
    countries: list[str]  # of series, alpha-3
    homes: list[str]  # of issuers, alpha-2
    series: list[str]
    measures: list[str]
    facts: list[str]  # ids of some
    texts: list[str]  # names and identifiers of organisations, of all days
    exchanges: list[str]
    industries: list[str]


class Question(NamedTuple):
    """One request without its date, and what it is about, which counts also where no row answers."""

    path: str
    about: tuple
    params: dict[str, str] = {}  # noqa: RUF012 - never changed


@dataclass(frozen=True)
class Asked:
    """How one endpoint is asked: with which parameters, what a row is about, and how answers are compared."""

    varies: frozenset[str]
    questions: Callable[[Place], Iterator[Question]]
    key_of: Callable[[dict], tuple]
    judge: Callable = differences


def dated(endpoint):
    """Return the names of the dates that an endpoint takes as days of knowledge."""
    return sorted(name for name in parameters(endpoint.params) if name.endswith("as_of"))


def endpoints():
    """Return every endpoint with such a date, or fail for one that nobody asks."""
    found = [endpoint for endpoint in ENDPOINTS if dated(endpoint)]
    for endpoint in found:
        entry = ASKED.get(endpoint.name)
        assert entry, (
            f"{endpoint.path} takes {dated(endpoint)}: write in tests/law/questions.py how it is asked"
        )
        unasked = set(parameters(endpoint.params)) - entry.varies - INDIFFERENT - set(dated(endpoint))
        assert not unasked, f"{endpoint.path} takes {sorted(unasked)}: vary them in tests/law/questions.py"
    return found


def fields(*names):
    return lambda row: tuple(row.get(name) for name in names)


def _fundamentals(place):
    accepted = parameters(_declared("fundamentals").params)["period_type"].parse
    types = [one for one in PERIOD_TYPES if _accepts(accepted, one)]
    for number, issuer in enumerate(place.issuers, place.day.toordinal()):
        path, about = f"/v1/fundamentals/{issuer}", (issuer,)
        for vintages in ("latest", "as_reported", "all"):
            yield Question(path, about, {"vintages": vintages})
        yield Question(path, about, {"vintages": "all", "items": "all"})
        yield Question(path, about, {"items": ",".join(place.measures)})
        # Rows with their types are compared above; two types in turn show that the filter agrees.
        for turn, vintages in enumerate(("latest", "all")):
            period_type = types[(number + turn * 4) % len(types)]
            yield Question(path, about, {"period_type": period_type, "vintages": vintages})
        item, year = place.measures[number % len(place.measures)], place.day.year - number % 4
        chosen = {"line_item": item, "fiscal_year": f"{year},{year - 1}"}
        yield Question(path, about, {"vintages": "all"} | chosen)
        yield Question(path, about, {"concept": CONCEPTS[number % len(CONCEPTS)], "to": f"{year}-12-31"})


def _declared(name):
    return next(endpoint for endpoint in ENDPOINTS if endpoint.name == name)


def _accepts(parse, text):
    try:
        return bool(parse(text))
    except ValueError:
        return False


def _diff(place):
    for issuer in place.issuers:
        yield Question(f"/v1/diff/{issuer}", (issuer,))
        yield Question(f"/v1/diff/{issuer}", (issuer,), {"items": "all"})


def _metrics(place):
    for issuer in place.issuers:
        yield Question(f"/v1/metrics/{issuer}", (issuer,))
        yield Question(f"/v1/metrics/{issuer}", (issuer,), {"basis": "as_known", "absent": "true"})
        yield Question(f"/v1/metrics/{issuer}", (issuer,), {"basis": "as_known", "years": "5"})
    for issuer in place.issuers[::10]:
        yield Question(f"/v1/metrics/{issuer}", (issuer,), {"metric": "net_margin", "years": "50"})
        yield Question(f"/v1/metrics/{issuer}", (issuer,), {"max_age_days": "500", "basis": "as_known"})


def _screen(place):
    for number, metric in enumerate(BY_SLUG):
        for order in ("asc", "desc"):
            asked = {"metric": metric, "order": order}
            yield Question("/v1/screen", (metric,), asked)
            yield Question("/v1/screen", (metric,), asked | {"basis": "as_known", "absent": "true"})
            yield Question("/v1/screen", (metric,), asked | {"basis": "as_known", "max_age_days": "500"})
        country = place.homes[number % len(place.homes)] if place.homes else "ZA"
        asked = {"metric": metric, "country": country}
        yield Question("/v1/screen", (metric, country), asked)
        known = {"basis": "as_known", "absent": "true"}
        yield Question("/v1/screen", (metric, country), asked | known)


def _shared_facts(place):
    path = "/v1/shared/facts"
    for issuer in place.issuers:
        yield Question(path, (issuer,), {"entity_id": issuer})
    for issuer in place.issuers[:: max(1, len(place.issuers) // 20)]:
        for measure in place.measures:
            yield Question(path, (issuer, measure), {"entity_id": issuer, "measure": measure})
    for supplier in place.suppliers:
        yield Question(path, (supplier,), {"entity_id": supplier, "dataset": "AF-TENDER"})
    for country in place.portals:
        if len(country) == 3:
            yield Question(path, (country,), {"country": country, "dataset": "AF-TENDER"})
    for number, country in enumerate(place.countries, place.day.toordinal()):
        by_country = {"country": country, "dataset": "AF-MACRO"}
        yield Question(path, (country,), {"entity_id": country} if number % 2 else by_country)


def _panel(place):
    items = [name for name in place.measures if ":" not in name] or ["revenue"]
    years = ",".join(str(place.day.year - ago) for ago in range(5))
    everything = {"line_item": ",".join(items)}
    for vintages in ("latest", "as_reported", "all"):
        yield Question("/v1/panel", (vintages,), everything | {"fiscal_year": years, "vintages": vintages})
    yield Question("/v1/panel", ("latest",), everything)
    for number, item in enumerate(items):
        by_type = {"line_item": item, "period_type": PERIOD_TYPES[(place.day.toordinal() + number) % 9]}
        yield Question("/v1/panel", (item,), by_type | {"fiscal_year": years})
        yield Question("/v1/panel", (item,), by_type)
        for home in place.homes:
            yield Question("/v1/panel", (item, home), {"line_item": item, "country": home})
        for exchange in EXCHANGES:
            yield Question("/v1/panel", (item, exchange), {"line_item": item, "exchange": exchange})
    for begin in range(0, len(place.issuers), 100):
        some = ",".join(place.issuers[begin : begin + 100])
        yield Question(
            "/v1/panel", tuple(place.issuers[begin : begin + 100]), everything | {"service_id": some}
        )


def _filings(place):
    yield Question("/v1/filings", ("all",))
    year = place.day.year
    yield Question("/v1/filings", ("days",), {"since": f"{year - 1}-01-01", "until": f"{year}-06-30"})
    for form in FORMS:
        yield Question("/v1/filings", (form,), {"form": form})
    for home in place.homes:
        yield Question("/v1/filings", (home,), {"country": home})
    for issuer in place.issuers:
        yield Question("/v1/filings", (issuer,), {"service_id": issuer})


def _fact(place):
    for fact_id in place.facts:
        yield Question(f"/v1/facts/{fact_id}", (fact_id,))


def _macro(place):
    yield Question("/v1/macro", ("all",))
    for name, values in {
        "series": place.series,
        "country": place.countries,
        "series_type": ("fx", "cpi", "indicator"),
        "frequency": ("annual", "quarterly", "monthly", "daily"),
    }.items():
        for value in values:
            yield Question("/v1/macro", (value,), {name: value})
    for start in range(0, len(place.series), 20):
        several = ",".join(place.series[start : start + 20])
        yield Question("/v1/macro", (several,), {"series": several, "vintages": "all"})
    yield Question("/v1/macro", ("first",), {"vintages": "as_reported", "country": "KEN,ZAF,SSF,WLD"})


_FOUND_BY = (("status", "active"), ("status", "complete"), ("category", "Roads"), ("q", "lot"))


def _tenders(place):
    for country in place.portals:
        if len(country) == 2:
            yield Question("/v1/tenders", (country,), {"country": country})
            yield Question("/v1/tenders", (country,), {"country": country, "from": "2023-06-01"})
            for name, value in _FOUND_BY:
                yield Question("/v1/tenders", (country, name, value), {"country": country, name: value})
            valued = {"country": country, "currency": "ZAR", "min_value": "1000", "max_value": "5000000"}
            yield Question("/v1/tenders", (country, "valued"), valued)
    for supplier in place.suppliers:
        for role in ("buyer", "supplier"):
            yield Question("/v1/tenders", (supplier, role), {role: supplier})
    for ocid in place.processes:
        yield Question("/v1/tenders", (ocid,), {"ocid": ocid})


def _process(place):
    for ocid in place.processes:
        yield Question(f"/v1/tenders/{ocid}", (ocid,))


def _parties(place):
    path = "/v1/tender-parties"
    for country in place.portals:
        if len(country) == 2:
            for role in ("buyer", "supplier"):
                yield Question(path, (country, role), {"country": country, "role": role})
            yield Question(path, (country,), {"country": country, "order": "releases"})
    yield Question(path, ("all",))
    yield Question(path, ("all",), {"order": "releases", "role": "supplier"})
    for supplier in place.suppliers:
        yield Question(path, (supplier,), {"service_id": supplier})


def _demand(place):
    for country in place.portals:
        if len(country) == 2:
            yield Question("/v1/signals/procurement-demand", (country,), {"country": country})
            yield Question(
                "/v1/signals/procurement-demand", (country,), {"country": country, "category": "Roads"}
            )


def _signal(place):
    for panel in PANELS:
        yield Question(f"/v1/signals/{panel}", (panel,))
        for country in place.portals:
            if len(country) == 2:
                yield Question(f"/v1/signals/{panel}", (panel,), {"country": country})
        name, value = ("currency", "ZAR") if PANELS[panel].breakdown == "currency" else ("category", "Roads")
        yield Question(f"/v1/signals/{panel}", (panel,), {name: value})


def _search(place):
    path = "/v1/search"
    for number, text in enumerate(place.texts, place.day.toordinal()):
        yield Question(path, (text,), {"q": text})
        if len(text) > 6:  # as somebody would mistype it
            at = 2 + number % (len(text) - 4)
            yield Question(path, (text, "misspelt"), {"q": text[:at] + text[at + 1 :]})
        if number % 5 == 0:
            kind = ("issuer", "other")[number // 5 % 2]
            yield Question(path, (text, kind), {"q": text, "kind": kind})
            for country in place.homes[:2]:
                yield Question(path, (text, country), {"q": text, "country": country})


def _issuers(place):
    path = "/v1/issuers"
    yield Question(path, ("all",))
    for name, values in {
        "country": place.homes,
        "exchange": place.exchanges,
        "industry": [code[:digits] for code in place.industries for digits in (2, 4)],
        "has_item": place.measures,
    }.items():
        for value in values:
            yield Question(path, (name, value), {name: value})
    for country in place.homes:
        for item in place.measures:
            yield Question(path, (country, item), {"country": country, "has_item": item})


VALUE = ("line_item", "period_start", "period_end", "unit", "scope")
SHARED = ("dataset", "entity_id", "measure", "period_end", "unit", "fact_id", "source_ref")
ASKED = {
    "fundamentals": Asked(
        frozenset({"service_id", "period_type", "vintages", "items", "line_item", "concept", "fiscal_year"}),
        _fundamentals,
        fields("service_id", *VALUE, "vintage"),
    ),
    "panel": Asked(
        frozenset(
            {
                *("line_item", "country", "exchange", "service_id", "fiscal_year"),
                *("period_type", "vintages"),
            }
        ),
        _panel,
        fields("service_id", *VALUE, "vintage"),
    ),
    "filings": Asked(
        frozenset({"since", "until", "form", "country", "service_id"}),
        _filings,
        fields("service_id", "filing_id", "available_at"),
    ),
    "fact": Asked(frozenset({"fact_id"}), _fact, fields("service_id", *VALUE, "vintage")),
    "diff": Asked(frozenset({"service_id", "items"}), _diff, fields("service_id", *VALUE)),
    "metrics": Asked(
        frozenset({"service_id", "metric", "years", "basis", "max_age_days", "absent"}),
        _metrics,
        fields("service_id", "metric", "period_end"),
        additions,
    ),
    "screen": Asked(
        frozenset({"metric", "order", "country", "basis", "max_age_days", "absent"}),
        _screen,
        fields("metric", "service_id"),
        additions,
    ),
    "search": Asked(frozenset({"q", "kind", "country"}), _search, fields("service_id")),
    "issuers": Asked(
        frozenset({"country", "exchange", "industry", "has_item"}), _issuers, fields("service_id")
    ),
    "shared_facts": Asked(
        frozenset({"entity_id", "country", "dataset", "measure"}), _shared_facts, fields(*SHARED)
    ),
    "macro": Asked(
        # An indicator is asked for in annual mode, which takes no date.
        frozenset({"series", "series_type", "frequency", "country", "indicator", "vintages"}),
        _macro,
        fields("series", "date", "vintage"),
    ),
    "tenders": Asked(
        frozenset({"country", "ocid", "buyer", "supplier", "category", "status", "q"})
        | {"currency", "min_value", "max_value"},
        _tenders,
        fields("country", "ocid", "id"),
    ),
    "tender_process": Asked(frozenset({"ocid"}), _process, fields("country", "ocid")),
    "tender_parties": Asked(
        frozenset({"country", "role", "service_id", "order"}),
        _parties,
        fields("service_id", "role", "country"),
    ),
    "procurement_demand": Asked(
        frozenset({"country", "category"}), _demand, fields("country", "month", "category")
    ),
    "signal": Asked(
        frozenset({"signal_key", "country", "category", "currency"}),
        _signal,
        fields("methodology_ref", "country", "month", "category", "currency"),
    ),
}
