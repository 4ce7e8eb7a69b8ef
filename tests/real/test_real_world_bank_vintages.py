"""The World Bank's real files over HTTP: what was known on a day, against a plain reading of the same files.

The reading uses csv and json and shares nothing with the service. It keeps what each source states, file
after file in the order of their days, and answers with the source that spoke of a value last and has it.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

import msgspec
import pytest

from support.macro_files import DATA, LONG, PAGES, WIDE, needs_real_files
from support.service import Service
from support.waiting import until

pytestmark = [needs_real_files, pytest.mark.heavy]

SEED = 19
# Tables without a preamble are dated by the repository that holds them (PROVENANCE.md), the older one first.
STRIPPED = {
    "2055594_2021": datetime(2025, 4, 21, 12, tzinfo=UTC),
    "6011335_2023": datetime(2025, 4, 21, 13, tzinfo=UTC),
}
PAGED = datetime(2024, 4, 18, 12, tzinfo=UTC)  # the day of the repository that holds the pages of 2024
CASSETTES = datetime(2021, 6, 13, 12, tzinfo=UTC)
COPIES = {
    "gdp": ("datahub-gdp", "NY.GDP.MKTP.CD"),
    "population": ("datahub-population", "SP.POP.TOTL"),
    "inflation": ("datahub-deflator", "NY.GDP.DEFL.KD.ZG"),
    "cpi": ("datahub-cpi", "FP.CPI.TOTL"),
}
CPI_CHANGE = ("datahub-cpi-change", "FP.CPI.TOTL.ZG")
# Codes that the Bank has replaced by those of ISO 3166.
FORMER = {"ADO": "AND", "IMY": "IMN", "KSV": "XKX", "ROM": "ROU", "TMP": "TLS", "WBG": "PSE", "ZAR": "COD"}


class File(NamedTuple):
    """One file: what it states by indicator, area and year, from which day on."""

    source: str
    path: object
    fetched_at: datetime
    day: date
    values: dict
    covers: frozenset  # indicators of which areas that are not named are gone
    is_whole: bool


def codes():
    """Return the Bank's three letters by its two, which pages use alone for income groups."""
    rows = json.loads((DATA / "worldbank/api-v2/countries.json").read_text())[1]
    return {row["iso2Code"]: row["id"] for row in rows}


def page(path):
    head, rows = json.loads(path.read_text(), parse_float=Decimal)
    known, values = codes(), defaultdict(dict)
    for row in rows:
        short = row["country"]["id"]
        area = row["countryiso3code"] or known.get(short, short)
        value = row["value"]
        values[row["indicator"]["id"], area][int(row["date"])] = None if value is None else Decimal(value)
    fetched = CASSETTES if "cassettes" in str(path) else PAGED
    return File(
        "world-bank", path, fetched, date.fromisoformat(head["lastupdated"]), values, frozenset(), False
    )


def wide(path):
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    [start] = [place for place, row in enumerate(rows) if "Country Code" in row]
    updated = [date.fromisoformat(row[1]) for row in rows[:start] if row and row[0] == "Last Updated Date"]
    header, values = rows[start], {}
    for row in filter(None, rows[start + 1 :]):
        cells = zip(header[4:], row[4:], strict=True)
        area = FORMER.get(row[1], row[1])
        values[row[3], area] = {int(year): Decimal(cell) for year, cell in cells if cell}
    fetched = next((moment for part, moment in STRIPPED.items() if part in path.stem), None)
    day = updated[0] if updated else fetched.date()
    fetched = fetched or datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
    return File("world-bank", path, fetched, day, values, frozenset(key[0] for key in values), True)


def long(path):
    day = date.fromisoformat(path.stem[-10:])
    source, indicator = (
        CPI_CHANGE if path.parent.name == "cpi" and day.year > 2020 else COPIES[path.parent.name]
    )
    values, are_all_named = defaultdict(dict), True
    for row in list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))[1:]:
        if row[1]:
            values[indicator, FORMER.get(row[1], row[1])][int(row[2])] = Decimal(row[3])
        are_all_named &= bool(row[1])
    covers = frozenset([indicator]) if are_all_named else frozenset()
    return File(
        source, path, datetime(day.year, day.month, day.day, 12, tzinfo=UTC), day, values, covers, True
    )


def files():
    read = [*map(page, PAGES), *map(wide, WIDE), *map(long, LONG)]
    return sorted(read, key=lambda one: (one.day, one.fetched_at))


class Reading:
    """What was known of every indicator, area and year, file after file."""

    def __init__(self):
        self._stated = defaultdict(dict)  # by value: what each source states, and its turn
        self._years = defaultdict(lambda: defaultdict(set))  # by source, indicator and area
        self._turn = 0

    def take(self, file):
        self._turn += 1
        years = self._years[file.source]
        for (indicator, area), values in file.values.items():
            said = dict(values)
            if file.is_whole:
                said |= dict.fromkeys(years[indicator, area] - values.keys())
            self._say(file.source, indicator, area, said)
        for indicator, area in [key for key in years if key[0] in file.covers and key not in file.values]:
            self._say(file.source, indicator, area, dict.fromkeys(years[indicator, area]))

    def _say(self, source, indicator, area, values):
        self._years[source][indicator, area] |= values.keys()
        for year, value in values.items():
            self._stated[indicator, area, year][source] = (self._turn, value)

    def known(self):
        """Return each value that some source has: of the source that spoke of it last."""
        for place, by_source in self._stated.items():
            having = [said for said in by_source.values() if said[1] is not None]
            if having:
                yield place, max(having)[1]


@pytest.fixture(scope="module")
def read():
    return files()


@pytest.fixture(scope="module")
def bank(stack, read):
    """A service that holds all of the files."""
    service = Service(stack, "test_world_bank")
    for file in read:
        [batch] = service.ingest((file.path.read_bytes(), file.fetched_at), source_name=file.source)
        assert batch.outcome == "accepted"
    service.publish()
    yield service
    service.close()


def rows(service, **asked):
    """Return all rows of an answer, page after page."""
    found = []
    while asked:
        answer = service.get("/v1/macro", limit=10_000, **asked)
        assert answer.status_code == 200, answer.text
        found += answer.exact["data"]
        asked = {"cursor": answer.exact["next_cursor"]} if answer.exact["next_cursor"] else None
    return found


class Value(msgspec.Struct):
    """What is compared of a row; its digits are read as they are sent."""

    series: str
    date: str
    value: Decimal
    available_at: str


class Page(msgspec.Struct):
    data: list[Value]
    next_cursor: str | None


def answered(service, asked):
    """Return a page. A busy machine may answer 503: then ask again."""
    answers = []
    until(
        lambda: (
            answers.append(service.get("/v1/macro", limit=5_000, **asked)) or answers[-1].status_code != 503
        )
    )
    assert answers[-1].status_code == 200, answers[-1].text
    return msgspec.json.decode(answers[-1].content, type=Page)


def known_on(service, day):
    """Return all values that were known on a day, by series and year."""
    found, asked = {}, {"as_of": str(day)}
    while asked:
        page = answered(service, asked)
        for row in page.data:
            assert row.available_at <= str(day)
            assert row.date.endswith("-12-31")
            found[row.series, int(row.date[:4])] = row.value
        asked = {"cursor": page.next_cursor} if page.next_cursor else None
    return found


def test_every_answer_as_of_a_day_is_what_a_plain_reading_of_the_files_gives(bank, read):
    """On the day of every file: all values of all series, with a day of evidence that is no later."""
    reading, compared, differences = Reading(), 0, []
    days = sorted({file.day for file in read})
    for day in days:
        for file in read:
            if file.day == day:
                reading.take(file)
        expected = {
            (f"WB.{indicator}.{area}", year): value for (indicator, area, year), value in reading.known()
        }
        answer = known_on(bank, day)
        compared += len(expected)
        differences += [
            (day, key, expected.get(key), answer.get(key))
            for key in expected.keys() | answer.keys()
            if expected.get(key) != answer.get(key)
        ]
    print(f"{compared:,} answers on {len(days)} days, {len(differences)} differ")
    assert compared > 500_000
    assert differences[:5] == []


def test_nothing_is_known_before_the_first_file_and_nothing_changes_between_two(bank, read):
    days = sorted({file.day for file in read})
    assert rows(bank, as_of=str(days[0] - timedelta(days=1))) == []
    for before, after in ((days[3], days[4]), (days[-2], days[-1])):
        eve = rows(bank, series="WB.NY.GDP.MKTP.CD.ZAF", as_of=str(after - timedelta(days=1)))
        assert eve == rows(bank, series="WB.NY.GDP.MKTP.CD.ZAF", as_of=str(before)) != []


def test_south_africa_s_population_is_served_to_2024(bank, read):
    newest = read[-1]
    assert newest.path.stem == "population_committed_2026-03-06"
    stated = newest.values["SP.POP.TOTL", "ZAF"]
    assert max(stated) == 2024
    served = rows(bank, country="ZA", indicator="SP.POP.TOTL")
    assert {row["year"]: row["value"] for row in served} == stated
    as_series = rows(bank, series="WB.SP.POP.TOTL.ZAF")
    assert [(row["date"], row["value"], row["fact_id"]) for row in as_series] == [
        (f"{row['year']}-12-31", row["value"], row["fact_id"]) for row in served
    ]


def test_no_population_differs_from_the_newest_file_that_has_it(bank, read):
    newest = {}
    for file in read:
        for (indicator, area), values in file.values.items():
            if indicator == "SP.POP.TOTL":
                newest |= {(area, year): value for year, value in values.items() if value is not None}
    served = {(row["country_iso3"], row["year"]): row["value"] for row in rows(bank, indicator="SP.POP.TOTL")}
    assert len(served) > 13_000
    assert {key: value for key, value in served.items() if newest[key] != value} == {}
    countries = {area for area, _ in served}
    assert {key for key in newest if key[0] in countries} == served.keys()


def test_kenya_s_inflation_is_served_to_the_last_year_of_the_newest_file(bank, read):
    last = max(max(file.values["FP.CPI.TOTL.ZG", "KEN"]) for file in read if file.source == CPI_CHANGE[0])
    served = rows(bank, country="KEN", indicator="FP.CPI.TOTL.ZG")
    assert served[0]["year"] == last == 2024


def test_aggregates_are_reached_by_their_series_and_are_no_countries(bank, read):
    aggregates = {
        row["id"]
        for row in json.loads((DATA / "worldbank/api-v2/countries.json").read_text())[1]
        if row["region"]["value"] == "Aggregates"
    }
    stated = {
        area
        for file in read
        for (indicator, area), values in file.values.items()
        if indicator == "SP.POP.TOTL" and any(values.values())
    } & aggregates
    assert {"AFE", "AFW", "SSF", "WLD"} <= stated
    for area in sorted(stated):
        found = rows(bank, series=f"WB.SP.POP.TOTL.{area}")
        assert len(found) > 50, area
        assert {(row["country_iso2"], row["country_iso3"]) for row in found} == {(None, None)}
        asked = rows(bank, country=area)  # by name they are given, and marked (MAC-10)
        assert {(row["country_iso3"], row["aggregate"]) for row in asked} == {(None, area)}
    countries = {row["country_iso3"] for row in rows(bank, indicator="SP.POP.TOTL")}
    assert countries.isdisjoint(aggregates)


def catalogue(service, kind):
    cursor, found = {}, []
    while cursor is not None:
        body = service.get(f"/v1/catalog/{kind}", limit=1000, **cursor).exact
        found += body["data"]
        cursor = {"cursor": body["next_cursor"]} if body["next_cursor"] else None
    return found


def test_what_the_catalogue_lists_answers_from_its_first_to_its_last_day(bank, read):
    """Every indicator, and of every indicator some series of countries and of aggregates."""
    listed = {entry["key"]: entry for entry in catalogue(bank, "series")}
    stated = {
        f"WB.{indicator}.{area}"
        for file in read
        for (indicator, area), values in file.values.items()
        if any(value is not None for value in values.values())
    }
    assert len(listed) > 1_500
    assert listed.keys() <= stated
    kinds = defaultdict(list)
    for key, entry in sorted(listed.items()):
        kinds[key.rpartition(".")[0], "none" in entry["coverage"]].append(key)
    rng, asked = random.Random(SEED), 0
    for keys in kinds.values():
        for key in rng.sample(keys, min(8, len(keys))):
            days = [row["date"] for row in rows(bank, series=key)]
            assert (days[-1], days[0]) == (listed[key]["first_date"], listed[key]["last_date"]), key
            asked += 1
    for entry in catalogue(bank, "indicators"):
        years = rows(bank, indicator=entry["key"])
        assert (f"{years[-1]['year']}-12-31", f"{years[0]['year']}-12-31") == (
            entry["first_date"],
            entry["last_date"],
        )
        assert len({row["country_iso3"] for row in years}) == sum(entry["coverage"].values())
    print(f"{len(listed):,} series listed, {asked} of {len(kinds)} kinds asked for, all answer")
    assert asked >= 60
