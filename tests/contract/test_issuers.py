"""ENT-9, ENT-10: the universe of a day is who had filed by then, whatever became of them."""

from __future__ import annotations

import itertools
import random
from datetime import date, timedelta

import pytest

from support.filings import FY2022, FY2023, REVENUE, Filer
from support.lei_documents import an_lei
from support.organisations import company, person, register
from support.stated_organisations import SOURCE, document, record

PATH = "/v1/issuers"
MARKS = ("files_accounts:US-SEC",)
FIELDS = [
    "service_id",
    "legal_name",
    "name_as_of",
    "country",
    "industry",
    "tickers",
    "former_tickers",
    "first_filed",
    "last_filed",
    "filings",
    "source_ref",
    "license_class",
    "observed_at",
    "provenance_id",
]
FIRST = date(2015, 1, 5)
ASSETS = "ifrs-full:Assets"
COUNTRIES = ("KE", "NG", "ZA")
INDUSTRIES = ("2000", "2086", "6021", None)


class Story:
    """What becomes of an issuer: days of filings, and what is stated of it from which day on."""

    def __init__(self, rng, number):
        self.number = number
        self.filer = Filer(number, "")
        self.days = sorted(rng.sample(range(2_500), rng.randint(1, 12)))
        self.filed = [FIRST + timedelta(day) for day in self.days]
        self.assets = rng.choice([None, *self.filed])  # the day of the first filing that states assets
        for place, day in enumerate(self.filed):
            period = (FY2022, FY2023)[place % 2]
            self.filer.says(1_000 + place, filed=day.isoformat(), period=period)
            if self.assets is not None and day >= self.assets:
                self.filer.says(5 + place, filed=day.isoformat(), period=(None, period[1]), concept=ASSETS)
        turns = sorted(rng.sample(range(2_500), rng.randint(1, 3)))
        self.stated = [
            (
                FIRST + timedelta(day),
                f"Issuer {number} of {place} PLC",
                rng.choice(COUNTRIES),
                rng.choice(INDUSTRIES),
                rng.choice([None, f"T{number}", f"U{number}"]),
            )
            for place, day in enumerate(turns)
        ]

    def records(self):
        """Return the records that state names, homes, industries and tickers, each from its day."""
        for day, name, country, sic, symbol in self.stated:
            marks = (*MARKS, *([f"sic:{sic}"] if sic else []))
            claims = [] if symbol is None else [("ticker", "XNAI", symbol)]
            yield record(self.filer.identifier, name, *claims, day=day, country=country, marks=marks)

    def on(self, day):
        """Return the row of a day as the documents have it, or None before the first filing."""
        filed = [one for one in self.filed if one <= day]
        if not filed:
            return None
        known = [one for one in self.stated if one[0] <= day]
        _, name, country, sic, symbol = known[-1] if known else (None,) * 5
        tickers = {symbol} - {None}
        former = {one[-1] for one in known[:-1]} - {None}
        return {
            "legal_name": name,
            "country": country,
            "industry": sic,
            "tickers": sorted(f"XNAI:{one}" for one in tickers),
            "former_tickers": sorted(f"XNAI:{one}" for one in former - tickers),
            "first_filed": min(filed).isoformat(),
            "last_filed": max(filed).isoformat(),
            "filings": len(filed),
        }


@pytest.fixture(scope="module")
def world(module_service):
    """Forty issuers that come, file, are renamed, move, are listed and delisted; a register of others."""
    service = module_service
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    stories = [Story(rng, number) for number in range(101, 141)]
    service.ingest(*(story.filer.document() for story in stories))
    for story in stories:
        service.ingest(document(*story.records()), source_name=SOURCE)
    register(service, company(1, "Files Nothing Ltd"), person(2, "Sipho Mokoena"))
    service.publish()
    service.stories = {service.id_of(story.filer.identifier): story for story in stories}
    changes = [day for story in stories for day in (*story.filed, *(one[0] for one in story.stated))]
    service.days = [FIRST - timedelta(1), date(2025, 1, 1)] + [
        day + timedelta(step) for day in rng.sample(changes, 20) for step in (-1, 0)
    ]
    return service


def listed(service, **params):
    """Return all rows, page by page."""
    rows, cursor = [], None
    while True:
        body = service.get(PATH, **params, **({"cursor": cursor} if cursor else {})).exact
        rows += body["data"]
        cursor = body["next_cursor"]
        if cursor is None:
            return rows


def expected(service, day, is_asked=lambda _story, _row: True):
    """Return the rows of a day by id, computed from what the documents state."""
    rows = {service_id: (story, story.on(day)) for service_id, story in service.stories.items()}
    return {
        service_id: row
        for service_id, (story, row) in sorted(rows.items())
        if row is not None and is_asked(story, row)
    }


def told(rows):
    """Return the rows by id with the fields that a story tells."""
    names = [*FIELDS[1:2], *FIELDS[3:10]]
    return {row["service_id"]: {name: row[name] for name in names} for row in rows}


@pytest.mark.proves("ENT-9")
def test_on_every_day_exactly_those_are_listed_that_had_filed_by_then(world):
    seen = set()
    for day in world.days:
        rows = listed(world, as_of=day.isoformat())
        assert told(rows) == expected(world, day), day
        assert [row["service_id"] for row in rows] == sorted(row["service_id"] for row in rows)
        seen |= {len(rows)}
    assert len(seen) > 5


@pytest.mark.proves("ENT-9")
def test_the_universe_only_grows(world):
    """Survivors' bias would show as somebody who is missing on an earlier day, though they had filed."""
    sizes = [(day, set(told(listed(world, as_of=day.isoformat())))) for day in sorted(world.days)]
    for (_, before), (_, after) in itertools.pairwise(sizes):
        assert before <= after
    assert sizes[-1][1] == set(world.stories)


@pytest.mark.proves("ENT-9")
def test_a_row_has_the_fields_of_the_contract(world):
    body = world.get(PATH, limit=1).exact
    (row,) = body["data"]
    assert list(row) == FIELDS
    assert body["truncated"] is True
    assert row["source_ref"].startswith("demo-companyfacts:")


@pytest.mark.proves("ENT-10")
@pytest.mark.parametrize("country", COUNTRIES)
def test_by_the_country_of_the_day(world, country):
    for day in world.days:
        rows = listed(world, as_of=day.isoformat(), country=country.lower())
        assert told(rows) == expected(world, day, lambda _, row: row["country"] == country), day


@pytest.mark.proves("ENT-10")
@pytest.mark.parametrize("digits", ["20", "208", "6021", "99"])
def test_by_the_industry_of_the_day(world, digits):
    for day in world.days:
        rows = listed(world, as_of=day.isoformat(), industry=digits)
        assert told(rows) == expected(world, day, lambda _, row: (row["industry"] or "").startswith(digits))


@pytest.mark.proves("ENT-10")
def test_by_the_exchange_of_the_day(world):
    for day in world.days:
        rows = listed(world, as_of=day.isoformat(), exchange="xnai")
        assert told(rows) == expected(world, day, lambda _, row: bool(row["tickers"]))
    assert listed(world, exchange="XLON") == []


@pytest.mark.proves("ENT-10")
def test_by_a_line_item_that_was_known_on_the_day(world):
    for day in world.days:
        rows = listed(world, as_of=day.isoformat(), has_item="total_assets")
        assert told(rows) == expected(
            world, day, lambda story, _, day=day: story.assets is not None and story.assets <= day
        )
        assert told(listed(world, as_of=day.isoformat(), has_item="revenue")) == expected(world, day)
    assert listed(world, has_item="no_such_item") == []


@pytest.mark.proves("ENT-10")
def test_filters_together_and_page_by_page(world):
    day = date(2021, 1, 4)

    def is_asked(_, row):
        return row["country"] == "KE" and bool(row["tickers"])

    params = {"as_of": day.isoformat(), "country": "KE", "exchange": "NBO", "has_item": "revenue"}
    whole = listed(world, **params)
    assert told(whole) == expected(world, day, is_asked)
    assert listed(world, **params, limit=1) == whole


@pytest.mark.proves("ENT-10", "ERR-3")
@pytest.mark.parametrize(
    ("name", "value"),
    [("exchange", "NSE"), ("exchange", "a b"), ("industry", "2"), ("industry", "food"), ("has_item", "")],
)
def test_a_malformed_filter_is_refused(world, name, value):
    response = world.get(PATH, **{name: value})
    assert (response.status_code, response.exact["parameter"]) == (400, name)


@pytest.mark.proves("ENT-9")
def test_a_filing_of_two_sources_counts_once_and_one_without_values_not_at_all(service):
    filer = Filer(7, "Once Filed PLC").says(100, filed="2023-03-01").says(None, filed="2024-03-01")
    service.ingest(filer.document())
    service.ingest(filer.document().replace(b" ", b"  "), source_name="sec-companyfacts")
    service.publish()
    (row,) = listed(service)
    assert (row["first_filed"], row["last_filed"], row["filings"]) == ("2023-03-01", "2023-03-01", 1)


@pytest.mark.proves("ENT-9", "OPS-7")
def test_a_filing_that_confirms_all_values_is_counted(service):
    filer = Filer(7, "Confirmed PLC").says(100, filed="2023-03-01")
    service.ingest(filer.document())
    service.publish()
    filer.says(100, filed="2024-03-01")
    service.ingest(filer.document())
    service.await_edition(service.publish().edition)
    (row,) = listed(service)
    assert (row["last_filed"], row["filings"]) == ("2024-03-01", 2)
    (then,) = listed(service, as_of="2024-02-29")
    assert (then["last_filed"], then["filings"]) == ("2023-03-01", 1)
    assert listed(service, edition=1)[0]["filings"] == 1


@pytest.mark.proves("ENT-9", "EDN-7")
def test_who_is_taken_down_is_on_no_list(service):
    service.ingest(Filer(7, "Gone PLC").says(100, filed="2023-03-01").document())
    service.publish()
    (row,) = listed(service)
    service.take_down(row["service_id"])
    service.await_edition(service.publish().edition)
    assert listed(service) == listed(service, edition=1) == []
    assert service.rows("SELECT count(*) FROM serving.issuer") == [(0,)]


@pytest.mark.proves("ENT-9", "ENT-2")
def test_a_merged_issuer_is_listed_once_with_the_filings_of_both(service):
    one = Filer(7, "First PLC").says(100, filed="2023-03-01")
    two = Filer(8, "Second PLC").says(100, filed="2022-03-01", concept=REVENUE)
    service.ingest(one.document(), two.document())
    service.publish()
    assert len(listed(service)) == 2
    service.merge(service.id_of(one.identifier), into=service.id_of(two.identifier))
    service.await_edition(service.publish().edition)
    (row,) = listed(service)
    assert row["service_id"] == service.id_of(two.identifier)
    assert (row["first_filed"], row["last_filed"], row["filings"]) == ("2022-03-01", "2023-03-01", 2)
    assert len(listed(service, edition=1)) == 2
    assert an_lei(1) not in str(row)
