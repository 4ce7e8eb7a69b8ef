"""MAC: every vintage with its days, several names in one call, and aggregates of countries."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from contract.test_macro import PATH, parameter_of, rows
from support.stated_macro import GDP, INFLATION, indicator, vintages

# January changed twice, and back; February was revised and then withdrawn.
PRICES = {
    "2024-01-01": [("2024-02-15", "110.1"), ("2024-03-15", "110.4"), ("2024-04-15", "110.1")],
    "2024-02-01": [("2024-03-15", "111"), ("2024-04-15", "111.5"), ("2024-06-15", ".")],
}
JANUARY = [
    ("110.1", "2024-02-15", "2024-03-15"),
    ("110.4", "2024-03-15", "2024-04-15"),
    ("110.1", "2024-04-15", None),
]
FEBRUARY = [("111", "2024-03-15", "2024-04-15"), ("111.5", "2024-04-15", "2024-06-15")]
OUTPUT = {("KEN", 2022): "113", ("ZAF", 2022): "405", ("NGA", 2021): "440", ("SSF", 2022): "2000"}
PRICE, KENYA, SOUTH = "CPI.KEN", f"WB.{GDP[0]}.KEN", f"WB.{GDP[0]}.ZAF"
REGION, WORLD = f"WB.{GDP[0]}.SSF", f"WB.{INFLATION[0]}.WLD"
# Both documents of the World Bank are of this day.
KNOWN = "2024-03-28"


@pytest.fixture(scope="module")
def named(module_service):
    service = module_service
    service.ingest(vintages(PRICES), source_name="demo-alfred")
    service.ingest(indicator(OUTPUT), source_name="demo-world-bank")
    inflation = {("KEN", 2022): "7.7", ("WLD", 2022): "8"}
    service.ingest(indicator(inflation, INFLATION), source_name="demo-world-bank")
    service.publish()
    return service


def stretches(found):
    """Return value and days by period, vintages in the order of the answer."""
    by_period = {}
    for row in found:
        days = row["value"], row["available_at"], row["known_until"]
        by_period.setdefault(row["date"], []).append(days)
    return by_period


def stated(period, day="9999-12-31"):
    """Return what was stated of a period by a day; an end that came later is not told."""
    return [
        (Decimal(value), began, ended if ended and ended <= day else None)
        for value, began, ended in period
        if began <= day
    ]


@pytest.mark.proves("MAC-8")
def test_every_vintage_is_served_with_its_first_day_and_its_end(named):
    assert stretches(rows(named, series=PRICE, vintages="all")) == {
        "2024-02-29": stated(FEBRUARY),
        "2024-01-31": stated(JANUARY),
    }


@pytest.mark.proves("MAC-8")
def test_an_end_after_as_of_is_not_told(named):
    day = date(2024, 2, 14)
    while day < date(2024, 6, 20):
        found = stretches(rows(named, series=PRICE, vintages="all", as_of=day))
        told = {"2024-02-29": stated(FEBRUARY, str(day)), "2024-01-31": stated(JANUARY, str(day))}
        assert found == {period: known for period, known in told.items() if known}, day
        for row in rows(named, series=PRICE, as_of=day):
            assert row["known_until"] is None
        day += timedelta(days=1)


@pytest.mark.proves("MAC-8")
def test_on_each_day_latest_is_the_vintage_whose_days_hold_it(named):
    every = rows(named, series=PRICE, vintages="all")
    for day in sorted(
        {row["available_at"] for row in every} | {row["known_until"] or "" for row in every} - {""}
    ):
        latest = {row["fact_id"] for row in rows(named, series=PRICE, as_of=day)}
        assert latest == {
            row["fact_id"]
            for row in every
            if row["available_at"] <= day and not (row["known_until"] and row["known_until"] <= day)
        }


@pytest.mark.proves("MAC-8")
def test_as_reported_is_the_first_vintage_also_of_what_was_withdrawn(named):
    found = rows(named, series=PRICE, vintages="as_reported")
    assert [(row["date"], row["vintage"], row["value"]) for row in found] == [
        ("2024-02-29", 1, 111),
        ("2024-01-31", 1, Decimal("110.1")),
    ]


@pytest.mark.proves("MAC-8", "ENV-17")
@pytest.mark.parametrize(
    "asked", [{"series": f"{KENYA},{PRICE}"}, {"as_of": "2024-05-01"}, {"country": "KEN"}]
)
def test_pages_of_all_vintages_are_the_whole(named, asked):
    asked = {"as_of": "2024-07-01", "vintages": "all"} | asked
    whole, walked, cursor = rows(named, **asked), [], {}
    assert len(whole) > 5
    while cursor is not None:
        body = named.get(PATH, limit=1, **asked, **cursor).exact
        walked += body["data"]
        cursor = body["next_cursor"] and {"cursor": body["next_cursor"]}
    assert walked == whole


@pytest.mark.proves("MAC-9")
def test_several_series_are_the_answers_of_each_in_one_order(named):
    both = rows(named, series=f"{PRICE},{KENYA}")
    assert {row["fact_id"] for row in both} == {
        row["fact_id"] for series in (PRICE, KENYA) for row in rows(named, series=series)
    }
    assert [(row["date"], row["series"]) for row in both] == [("2024-01-31", PRICE), ("2022-12-31", KENYA)]
    for other in (f"{KENYA},{PRICE}", f"{KENYA},{PRICE},{KENYA}"):
        assert named.get(PATH, series=other).content == named.get(PATH, series=f"{PRICE},{KENYA}").content


@pytest.mark.proves("MAC-9")
def test_several_countries_and_indicators_are_combined(named):
    def years(**asked):
        return [(row["year"], row["indicator"], row["country_iso3"]) for row in rows(named, **asked)]

    kenya = [(2022, INFLATION[0], "KEN"), (2022, GDP[0], "KEN")]
    assert years(country="KE") == kenya
    assert years(country="KE,zaf") == [*kenya, (2022, GDP[0], "ZAF")]
    assert years(country="KEN,NGA", indicator=GDP[0]) == [(2022, GDP[0], "KEN"), (2021, GDP[0], "NGA")]
    assert years(country="KEN,ZAF", indicator=f"{GDP[0]},{INFLATION[0]}") == years(country="KEN,ZAF")
    assert years(indicator=f"{GDP[0]},{INFLATION[0]}") == years()
    both = rows(named, country="KEN,ZAF", as_of=KNOWN)
    assert {row["series"] for row in both} == {PRICE, KENYA, SOUTH, f"WB.{INFLATION[0]}.KEN"}


@pytest.mark.proves("MAC-9", "ERR-5")
@pytest.mark.parametrize("name", ["series", "country", "indicator"])
def test_a_list_has_at_most_twenty_names_and_none_is_empty(named, name):
    codes = [f"A{first}{second}" for first in "ABCDE" for second in "ABCDE"]
    assert named.get(PATH, **{name: ",".join(codes[:20])}).status_code == 200
    for wrong in (",".join(codes[:21]), "KEN,", ",", ",KEN"):
        assert parameter_of(named.get(PATH, **{name: wrong})) == name


@pytest.mark.proves("MAC-9")
def test_names_of_which_nothing_was_known_are_listed(named):
    body = named.get(PATH, series=f"{PRICE},FX.USD.KES,CPI.ken").exact
    assert body["unknown"] == {"series": ["CPI.ken", "FX.USD.KES"]}
    assert {row["series"] for row in body["data"]} == {PRICE}
    body = named.get(PATH, country="KEN,GHA", indicator=f"{GDP[0]},NO.SUCH").exact
    assert body["unknown"] == {"country": ["GHA"], "indicator": ["NO.SUCH"]}
    assert len(body["data"]) == 1
    assert named.get(PATH, country="XX").exact["unknown"] == {"country": ["XX"]}


@pytest.mark.proves("MAC-9")
def test_a_name_is_unknown_on_the_days_before_its_first_value(named):
    asked = {"series": f"{PRICE},{KENYA}"}
    assert named.get(PATH, as_of="2024-02-14", **asked).exact["unknown"] == {"series": [PRICE, KENYA]}
    assert named.get(PATH, as_of="2024-02-15", **asked).exact["unknown"] == {"series": [KENYA]}
    assert "unknown" not in named.get(PATH, as_of=KNOWN, **asked).exact


@pytest.mark.proves("MAC-9")
def test_a_known_name_that_other_parameters_leave_no_row_of_is_not_unknown(named):
    for asked in (
        {"series": PRICE, "country": "ZAF"},
        {"series": PRICE, "to": "2020-01-01"},
        {"country": "NGA", "indicator": INFLATION[0]},
        {"series": f"{PRICE},{KENYA}", "limit": 1},
    ):
        assert "unknown" not in named.get(PATH, **asked).exact


@pytest.mark.proves("MAC-6", "MAC-10")
def test_an_aggregate_is_asked_for_by_its_code_and_marked(named):
    (world,) = rows(named, series=WORLD)
    assert (world["aggregate"], world["country_iso2"], world["country_iso3"]) == ("WLD", None, None)
    (region,) = rows(named, country="SSF")
    assert (region["aggregate"], region["country_iso3"], region["value"]) == ("SSF", None, 2000)
    assert [row["series"] for row in rows(named, country="ssf,wld", as_of=KNOWN)] == [WORLD, REGION]
    places = [
        (row["country_iso3"], row["aggregate"]) for row in rows(named, country="KEN,SSF", indicator=GDP[0])
    ]
    assert places == [("KEN", None), (None, "SSF")]


@pytest.mark.proves("MAC-6", "MAC-10")
def test_no_list_of_countries_has_aggregates_in_it(named):
    for asked in ({}, {"indicator": GDP[0]}, {"indicator": f"{GDP[0]},{INFLATION[0]}"}):
        found = rows(named, **asked)
        assert found
        assert {row["aggregate"] for row in found} == {None}
        assert None not in {row["country_iso3"] for row in found}
