"""What callers are told of series: all rows of an answer, or why there is none."""

from __future__ import annotations

from calendar import monthrange
from collections import defaultdict
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from oracle.series import Head, Vintage, vintages

# Who publishes a figure goes before who repeats it. A copy of the Bank's table counts as the Bank's.
AUTHORITIES = {"world-bank": 0, "datahub-gdp": 0, "ecb": 1}
UNSERVED = ("alfred-gdp",)
LICENSES = {"world-bank": "CC-BY-4.0", "datahub-gdp": "ODC-PDDL-1.0", "ecb": "attribution"}
COUNTRIES = {
    "KEN": ("KE", "Kenya"),
    "GHA": ("GH", "Ghana"),
    "UGA": ("UG", "Uganda"),
    "TZA": ("TZ", "Tanzania, United Republic of"),
    "USA": ("US", "United States"),
    "ZAF": ("ZA", "South Africa"),
    "GBR": ("GB", "United Kingdom"),
    None: (None, None),
}
MONTHS = {"annual": 12, "quarterly": 3, "monthly": 1}


class Answer(NamedTuple):
    """All rows in order, or the parameters of which a refusal names one."""

    rows: list[dict[str, Any]]
    as_of: date | None = None
    refused: frozenset[str] = frozenset()


class Served(NamedTuple):
    """One vintage as an edition serves it."""

    vintage: Vintage
    head: Head
    end: date
    rows: dict[str, dict[str, Any]]  # by endpoint and mode

    @property
    def measure(self):
        return self.head.indicator if self.head.frequency == "annual" else self.vintage.key


class Model:
    """Everything that was told, and what each edition makes of it."""

    def __init__(self):
        self.days: list[date] = []
        self.editions: list[list[Served]] = []
        self._told = defaultdict(list)
        self._latest: dict[tuple[int, date], list[Served]] = {}

    def tell(self, told):
        if told.source not in UNSERVED:
            self._told[told.source, told.group] += told.statements

    def publish(self, day):
        by_key = defaultdict(lambda: defaultdict(list))
        for (source, _), statements in self._told.items():
            for key in {key for statement in statements for key in statement.values}:
                by_key[key][source] += [
                    replace(one, values={key: one.values[key]} if key in one.values else {})
                    for one in statements
                ]
        served = []
        for key, sources in by_key.items():
            history = vintages(sources, _authority)
            if history:
                head = _newest_head(sources, key)
                served += [_served(vintage, head) for vintage in history]
        self.days.append(day)
        self.editions.append(served)

    def latest(self, edition, day):
        """Return the newest vintage of each value known on a day, unless it was withdrawn by then."""
        if (edition, day) not in self._latest:
            newest = {}
            for one in self.editions[edition - 1]:
                if one.vintage.available_at <= day:
                    newest[one.vintage.key, one.vintage.period] = (
                        one  # vintages ascend, so the last one stays
                    )
            self._latest[edition, day] = sorted(
                (
                    one
                    for one in newest.values()
                    if not one.vintage.known_until or one.vintage.known_until > day
                ),
                key=lambda one: (-one.end.toordinal(), one.measure, one.head.country or "", one.vintage.key),
            )
        return self._latest[edition, day]

    def answer(self, path, asked):
        """Answer a question, whose parameters are texts as they are sent."""
        is_macro = path == "/v1/macro"
        refused = (_refused_macro if is_macro else _refused_facts)(asked)
        edition = int(asked.get("edition", len(self.days)))
        if edition > len(self.days):
            refused.add("edition")
        as_of = date.fromisoformat(asked["as_of"]) if "as_of" in asked else None
        if refused:
            return Answer([], refused=frozenset(refused))
        day = min(as_of or self.days[edition - 1], self.days[edition - 1])
        known = self.latest(edition, day)
        if not is_macro:
            facts = [one.rows["facts"] for one in known if _is_meant_fact(one, asked)]
            return Answer(facts, day)
        if "series" in asked or as_of:
            by_series = sorted(known, key=lambda one: (-one.end.toordinal(), one.measure, one.vintage.key))
            return Answer([one.rows["series"] for one in by_series if _is_meant_observation(one, asked)], day)
        return Answer([one.rows["years"] for one in known if _is_meant_year(one, asked)])


def _newest_head(sources, key):
    """Return what a series is by the newest document that names it, of the best source that has a value."""
    having = {
        source
        for source, statements in sources.items()
        for one in statements
        if any(value is not None for value in one.values.get(key, {}).values())
    }
    best = min(map(_authority, having))
    naming = [
        one
        for source in having
        for one in sources[source]
        if _authority(source) == best and key in one.values
    ]
    return max(naming, key=lambda one: (one.available_at, one.fetched_at, one.sha256)).heads[key]


def _authority(source):
    return (AUTHORITIES.get(source, len(AUTHORITIES)), "" if source in AUTHORITIES else source)


def _served(vintage, head):
    end = _last_day(vintage.period, head.frequency)
    alpha2, name = COUNTRIES[head.country]
    is_annual = head.frequency == "annual"
    source = vintage.source
    common = {
        "value": vintage.value,
        "unit": vintage.statement.heads[vintage.key].unit,
        "available_at": vintage.available_at.isoformat(),
        "available_at_basis": vintage.basis,
        "source_ref": f"{source}@sha256:{vintage.statement.sha256.hex()}#{vintage.key}",
        "license_class": LICENSES.get(source, "synthetic"),
        "observed_at": vintage.statement.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    place = {"country_iso2": alpha2, "country_iso3": head.country}
    quarter = f"Q{end.month // 3}" if head.frequency == "quarterly" else None
    told = {"series_type": head.series_type, "frequency": head.frequency, "date": end.isoformat()}
    rows = {
        "series": {"series": vintage.key, **told, **place, "vintage": vintage.vintage, **common},
        "years": {
            **place,
            "indicator": head.indicator,
            "indicator_name": head.indicator_name,
            "year": end.year,
            **common,
        },
        "facts": {
            "entity_id": head.country,
            "entity_name": name,
            "name_as_of": None,
            "country_iso3": head.country,
            "dataset": "AF-MACRO",
            "measure": head.indicator if is_annual else vintage.key,
            "period_end": end.isoformat(),
            "period_type": "FY" if is_annual else quarter,
            "vintage": vintage.vintage,
            **common,
        },
    }
    return Served(vintage, head, end, rows)


def _last_day(first, frequency):
    if frequency == "daily":
        return first
    month = first.month + MONTHS[frequency] - 1
    return first.replace(month=month, day=monthrange(first.year, month)[1])


def _refused_macro(asked):
    is_series = "series" in asked or "as_of" in asked
    refused = {"indicator"} if is_series else {"series_type", "frequency"}
    refused &= asked.keys()
    if is_series:
        refused |= {name for name in ("from", "to") if len(asked.get(name, "")) == 4}
    if "from" in asked and "to" in asked and _bound(asked, "from") > _bound(asked, "to"):
        refused |= {"from", "to"}
    return refused


def _refused_facts(asked):
    if ("entity_id" in asked) == ("country" in asked):
        return {"entity_id", "country"}
    is_wrong = "country" in asked and "dataset" not in asked
    return {"dataset"} if is_wrong or asked.get("dataset") == "AF-FUND" else set()


def _bound(asked, name):
    """Return the day that a bound means: a year from its first day, or to its last."""
    text = asked.get(name) or {"from": "0001", "to": "9999"}[name]
    return text if len(text) > 4 else text + {"from": "-01-01", "to": "-12-31"}[name]


def _is_of(head, text):
    """Tell whether a series is of a country, as alpha-2 or alpha-3 in any case."""
    return text is None or (
        head.country is not None and text.upper() in (head.country, COUNTRIES[head.country][0])
    )


def _is_meant_observation(one, asked):
    head, end = one.head, one.end.isoformat()
    return (
        asked.get("series") in (None, one.vintage.key)
        and asked.get("series_type") in (None, head.series_type)
        and asked.get("frequency") in (None, head.frequency)
        and _is_of(head, asked.get("country"))
        and _bound(asked, "from") <= end <= _bound(asked, "to")
    )


def _is_meant_year(one, asked):
    head = one.head
    return (
        head.frequency == "annual"
        and head.country is not None
        and asked.get("indicator") in (None, head.indicator)
        and _is_of(head, asked.get("country"))
        and int(_bound(asked, "from")[:4]) <= one.end.year <= int(_bound(asked, "to")[:4])
    )


def _is_meant_fact(one, asked):
    subject = asked.get("entity_id") or asked["country"].upper()
    return one.head.country == subject and asked.get("measure") in (None, one.measure)
