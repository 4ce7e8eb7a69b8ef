"""MAC: macroeconomic series as they were known, and indicators by year."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pyarrow as pa
import pytest

from contract.keyed import key
from support.stated_macro import EURO_BEGAN, GDP, INFLATION, indicator, rates, vintages

PATH = "/v1/macro"
ARROW = "application/vnd.apache.arrow.stream"
EXACT = "0.123456789012345678901234567"
FIRST_FETCH, SECOND_FETCH = (datetime(2024, month, 10, 18, tzinfo=UTC) for month in (3, 4))
RAND = {EURO_BEGAN: {"ZAR": "6.9358"}, "2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "20.7"}}
# February was first stated in March, revised in April and withdrawn in June; January changed twice, and back.
PRICES = {
    "2024-01-01": [("2024-02-15", "110.1"), ("2024-03-15", "110.4"), ("2024-04-15", "110.1")],
    "2024-02-01": [("2024-03-15", "111"), ("2024-04-15", "111.5"), ("2024-06-15", ".")],
}
OUTPUT = {("KEN", 2021): "109.7", ("KEN", 2022): "113.4", ("ZAF", 2022): "405.3", ("NGA", 2020): EXACT}
OUTPUT_SERIES = {f"WB.{GDP[0]}.{area}" for area, _ in OUTPUT}


@pytest.fixture(scope="module")
def macro(module_service):
    """A service with hand-made series in edition 1, and a page revised in edition 2."""
    service = module_service
    service.ingest((rates(RAND | {"2024-03-01": {"ZAR": "20.9"}}), FIRST_FETCH), source_name="demo-fx")
    # The next history corrects one rate and has another one no more.
    corrected = RAND | {"2024-02-29": {"ZAR": "20.75"}, "2024-04-10": {"ZAR": "20.1"}}
    service.ingest((rates(corrected), SECOND_FETCH), source_name="demo-fx")
    service.ingest(vintages(PRICES), source_name="demo-alfred")
    service.ingest(indicator(OUTPUT), source_name="demo-world-bank")
    inflation = {("KEN", 2022): "7.7", ("WLD", 2022): "8"}
    service.ingest(indicator(inflation, INFLATION), source_name="demo-world-bank")
    service.publish()
    revised = {("KEN", 2022): "113.6", ("KEN", 2021): None}
    service.ingest(indicator(revised, updated="2024-06-28"), source_name="demo-world-bank")
    service.publish()
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


def rows(service, **params):
    response = service.get(PATH, **params)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def parameter_of(response):
    assert response.status_code == 400, response.text
    return response.exact["parameter"]


def observed(found):
    return [(row["series"], row["date"], row["vintage"], row["value"]) for row in found]


def years(found):
    return [(row["year"], row["indicator"], row["country_iso3"], row["value"]) for row in found]


@pytest.mark.proves("MAC-1", "ENV-5")
@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2024-02-14", []),
        ("2024-02-15", [("2024-01-31", 1, "110.1")]),
        ("2024-03-14", [("2024-01-31", 1, "110.1")]),
        ("2024-03-15", [("2024-02-29", 1, "111"), ("2024-01-31", 2, "110.4")]),
        ("2024-04-15", [("2024-02-29", 2, "111.5"), ("2024-01-31", 3, "110.1")]),
        ("2024-06-14", [("2024-02-29", 2, "111.5"), ("2024-01-31", 3, "110.1")]),
        ("2024-06-15", [("2024-01-31", 3, "110.1")]),
        (None, [("2024-01-31", 3, "110.1")]),
    ],
)
def test_a_series_is_served_as_it_was_known(macro, as_of, expected):
    asked = {"series": "CPI.KEN"} | ({"as_of": as_of} if as_of else {})
    assert observed(rows(macro, **asked)) == [
        ("CPI.KEN", day, vintage, Decimal(value)) for day, vintage, value in expected
    ]


@pytest.mark.proves("MAC-1", "ENV-5")
def test_a_rate_counts_from_its_day_and_its_correction_and_its_end_from_the_fetch(macro):
    def rand(as_of):
        return {day: value for _, day, _, value in observed(rows(macro, series="FX.EUR.ZAR", as_of=as_of))}

    assert rand("2024-02-28") == {EURO_BEGAN: Decimal("6.9358"), "2024-02-28": Decimal("20.8")}
    assert rand("2024-04-09") == rand("2024-02-28") | {
        "2024-02-29": Decimal("20.7"),
        "2024-03-01": Decimal("20.9"),
    }
    assert rand("2024-04-10") == rand("2024-02-28") | {
        "2024-02-29": Decimal("20.75"),
        "2024-04-10": Decimal("20.1"),
    }


@pytest.mark.proves("MAC-1", "MAC-4")
@pytest.mark.parametrize(
    ("as_of", "expected"),
    [
        ("2024-03-27", []),
        ("2024-03-28", [("2022-12-31", 1, "113.4"), ("2021-12-31", 1, "109.7")]),
        ("2024-06-27", [("2022-12-31", 1, "113.4"), ("2021-12-31", 1, "109.7")]),
        ("2024-06-28", [("2022-12-31", 2, "113.6")]),
    ],
)
def test_years_are_served_as_they_were_known(macro, as_of, expected):
    series = f"WB.{GDP[0]}.KEN"
    found = rows(macro, series=series, as_of=as_of)
    assert observed(found) == [(series, day, vintage, Decimal(value)) for day, vintage, value in expected]
    assert {row["frequency"] for row in found} <= {"annual"}


@pytest.mark.proves("MAC-1")
def test_no_answer_holds_what_was_not_known(macro):
    day = date(2024, 2, 10)
    while day < date(2024, 7, 1):
        for row in rows(macro, as_of=day.isoformat()):
            assert row["available_at"] <= day.isoformat()
        day += timedelta(days=3)


@pytest.mark.proves("MAC-1")
def test_series_or_as_of_makes_series_mode_and_neither_annual_mode(macro):
    for asked in ({"series": "CPI.KEN"}, {"as_of": "2024-05-01"}):
        assert {"series", "date", "vintage"} <= rows(macro, **asked)[0].keys()
    assert {"indicator", "year"} <= rows(macro)[0].keys()
    body = macro.get(PATH).exact
    assert body["as_of"] is None
    ((day,),) = macro.rows("SELECT max(published_at)::date FROM serving.edition")
    assert macro.get(PATH, series="CPI.KEN").exact["as_of"] == day.isoformat()


@pytest.mark.proves("MAC-1")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"series": "CPI.KEN"}, {"CPI.KEN"}),
        ({"series_type": "fx"}, {"FX.EUR.ZAR"}),
        ({"series_type": "cpi"}, {"CPI.KEN"}),
        ({"series_type": "indicator"}, {*OUTPUT_SERIES, "WB.FP.CPI.TOTL.ZG.KEN", "WB.FP.CPI.TOTL.ZG.WLD"}),
        ({"frequency": "annual", "country": "KE"}, {"WB.NY.GDP.MKTP.CD.KEN", "WB.FP.CPI.TOTL.ZG.KEN"}),
        ({"series": "WB.FP.CPI.TOTL.ZG.WLD"}, {"WB.FP.CPI.TOTL.ZG.WLD"}),
        ({"country": "WLD"}, {"WB.FP.CPI.TOTL.ZG.WLD"}),
        ({"frequency": "daily"}, {"FX.EUR.ZAR"}),
        ({"frequency": "monthly"}, {"CPI.KEN"}),
        ({"frequency": "quarterly"}, set()),
        ({"country": "ZA"}, {"FX.EUR.ZAR", "WB.NY.GDP.MKTP.CD.ZAF"}),
        ({"country": "ken", "series_type": "cpi", "frequency": "monthly"}, {"CPI.KEN"}),
        ({"country": "ken", "series_type": "fx"}, set()),
        ({"series": "CPI.KEN", "country": "ZAF"}, set()),
        ({"series": "CPI.KEN", "series_type": "fx"}, set()),
        ({"series": "CPI.KEN", "frequency": "daily"}, set()),
        ({"from": "2024-02-29", "to": "2024-02-29"}, {"CPI.KEN", "FX.EUR.ZAR"}),
        ({"series": "CPI.KEN", "from": "2024-02-01"}, {"CPI.KEN"}),
        ({"series": "CPI.KEN", "to": "2024-01-30"}, set()),
        ({"series": "FX.USD.KES"}, set()),
    ],
)
def test_filters_of_series_mode(macro, asked, expected):
    found = rows(macro, as_of="2024-05-01", **asked)
    assert {row["series"] for row in found} == expected
    days = [row["date"] for row in found]
    assert all(asked.get("from", "") <= day <= asked.get("to", "9") for day in days)


@pytest.mark.proves("MAC-1", "MAC-2")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"country": "KEN"}, [(2022, "KEN"), (2022, "KEN")]),
        ({"country": "ke", "indicator": GDP[0]}, [(2022, "KEN")]),
        ({"indicator": GDP[0]}, [(2022, "KEN"), (2022, "ZAF"), (2020, "NGA")]),
        ({"indicator": GDP[0], "from": "2021"}, [(2022, "KEN"), (2022, "ZAF")]),
        ({"from": "2020", "to": "2020"}, [(2020, "NGA")]),
        ({"from": "2020-12-31", "to": "2021-01-01"}, [(2020, "NGA")]),
        ({"from": "2020-03-01", "to": "2020-03-01"}, [(2020, "NGA")]),
        ({"to": "2019-12-31"}, []),
        ({"from": "2023"}, []),
        ({"country": "GHA"}, []),
        ({"country": "XX"}, []),
        ({"indicator": "no such thing"}, []),
    ],
)
def test_filters_of_annual_mode(macro, asked, expected):
    assert [(row["year"], row["country_iso3"]) for row in rows(macro, **asked)] == expected


@pytest.mark.proves("MAC-1", "ENV-17")
@pytest.mark.parametrize("asked", [{}, {"as_of": "2024-05-01"}])
def test_without_a_filter_there_are_pages_in_a_total_order(macro, asked):
    whole = rows(macro, **asked)
    assert len(whole) >= 4
    walked, cursor = [], {}
    while True:
        body = macro.get(PATH, headers=key(macro, "starter"), limit=1, **asked, **cursor).exact
        walked += body["data"]
        if body["next_cursor"] is None:
            break
        # The cursor alone is enough: it brings the mode with it.
        cursor, asked = {"cursor": body["next_cursor"]}, {}
    assert walked == whole
    by = ("date", "series") if "series" in whole[0] else ("year", "indicator")
    places = [(row[by[0]], row[by[1]], row["country_iso3"]) for row in whole]
    assert places == sorted(
        sorted(places, key=lambda place: place[1:]), key=lambda place: place[0], reverse=True
    )
    assert len(set(places)) == len(places)


@pytest.mark.proves("MAC-2")
def test_a_country_has_two_codes_in_any_case(macro):
    for mode in ({}, {"as_of": "2024-05-01"}):
        spelled = [macro.get(PATH, country=code, **mode) for code in ("KE", "ke", "KEN", "ken", "Ken")]
        assert {response.exact["count"] > 0 for response in spelled} == {True}
        assert len({response.content for response in spelled}) == 1
        assert len({response.headers["content-location"] for response in spelled}) == 1
    for code in ("K", "KENY", "K1", "", "KÉ", "KE\n", "K E"):
        assert parameter_of(macro.get(PATH, country=code)) == "country"


@pytest.mark.proves("MAC-2", "ERR-5")
@pytest.mark.parametrize("name", ["from", "to"])
def test_a_bound_is_a_date_or_a_year_of_annual_mode(macro, name):
    assert macro.get(PATH, **{name: "2020"}).status_code == 200
    assert macro.get(PATH, **{name: "2020-02-29"}).status_code == 200
    for wrong in ("0000", "20", "2020-2-1", "2021-02-29", "20200101", "2020-01-01T00", "-2020", " 2020", ""):
        assert parameter_of(macro.get(PATH, **{name: wrong})) == name
    for mode in ({"series": "CPI.KEN"}, {"as_of": "2024-05-01"}):
        refused = macro.get(PATH, **{name: "2020"}, **mode)
        assert parameter_of(refused) == name
        assert "annual mode" in refused.exact["detail"]


@pytest.mark.proves("ERR-5")
@pytest.mark.parametrize(
    "asked",
    [
        {"from": "2021", "to": "2020"},
        {"from": "2021", "to": "2020-12-31"},
        {"series": "CPI.KEN", "from": "2020-01-02", "to": "2020-01-01"},
    ],
)
def test_from_after_to_names_both(macro, asked):
    response = macro.get(PATH, **asked)
    assert parameter_of(response) == "from"
    assert response.exact["parameters"] == ["from", "to"]


@pytest.mark.proves("MAC-3")
def test_a_parameter_of_the_other_mode_is_refused_with_the_reason(macro):
    for mode in ({"series": "CPI.KEN"}, {"as_of": "2024-05-01"}):
        refused = macro.get(PATH, indicator=GDP[0], **mode)
        assert parameter_of(refused) == "indicator"
        assert "series or as_of makes this series mode" in refused.exact["detail"]
    for name, value in (("series_type", "fx"), ("frequency", "daily"), ("vintages", "all")):
        refused = macro.get(PATH, **{name: value})
        assert parameter_of(refused) == name
        assert "without series or as_of this is annual mode" in refused.exact["detail"]
    both = macro.get(PATH, frequency="daily", series_type="fx")
    assert both.exact["parameters"] == ["series_type", "frequency"]


@pytest.mark.proves("ERR-9")
@pytest.mark.parametrize(
    ("name", "value"), [("series_type", "FX"), ("series_type", "gdp"), ("frequency", "weekly")]
)
def test_families_and_frequencies_are_closed_sets(macro, name, value):
    assert parameter_of(macro.get(PATH, as_of="2024-05-01", **{name: value})) == name


@pytest.mark.proves("MAC-4", "ENV-4", "ENV-15")
def test_an_annual_row_has_every_field_and_its_provenance(macro):
    (row,) = rows(macro, country="ZAF")
    assert row == {
        "country_iso2": "ZA",
        "country_iso3": "ZAF",
        "aggregate": None,
        "indicator": "NY.GDP.MKTP.CD",
        "indicator_name": "GDP (current US$)",
        "year": 2022,
        "value": Decimal("405.3"),
        "unit": "USD",
        "available_at": "2024-03-28",
        "available_at_basis": "publisher",
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "observed_at": row["observed_at"],
        "provenance_id": row["provenance_id"],
        "fact_id": row["fact_id"],
    }
    assert row["observed_at"].endswith("Z")
    document, _, place = row["source_ref"].partition("#")
    assert place == "WB.NY.GDP.MKTP.CD.ZAF"
    ((known,),) = macro.rows(
        "SELECT count(*) FROM ops.document WHERE source || '@sha256:' || encode(sha256, 'hex') = %s", document
    )
    assert known == 1


@pytest.mark.proves("MAC-4", "ENV-4", "ENV-15")
def test_a_series_row_has_every_field_and_its_provenance(macro):
    row = rows(macro, series="CPI.KEN", as_of="2024-03-20")[0]
    assert row == {
        "series": "CPI.KEN",
        "series_type": "cpi",
        "frequency": "monthly",
        "country_iso2": "KE",
        "country_iso3": "KEN",
        "aggregate": None,
        "date": "2024-02-29",
        "value": 111,
        "unit": "index",
        "vintage": 1,
        "available_at": "2024-03-15",
        "available_at_basis": "publisher",
        "known_until": None,
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "observed_at": row["observed_at"],
        "provenance_id": row["provenance_id"],
        "fact_id": row["fact_id"],
    }
    assert row["source_ref"].startswith("demo-alfred@sha256:")
    corrected = rows(macro, series="FX.EUR.ZAR", **{"from": "2024-02-29", "to": "2024-02-29"})[0]
    assert (corrected["available_at"], corrected["available_at_basis"]) == ("2024-04-10", "first_seen")
    assert corrected["observed_at"] == "2024-04-10T18:00:00Z"


@pytest.mark.proves("MAC-4")
def test_a_rate_is_never_inverted(macro):
    first = rows(macro, series="FX.EUR.ZAR")[-1]
    assert (first["date"], first["value"], first["unit"]) == (EURO_BEGAN, Decimal("6.9358"), "ZAR")
    assert rows(macro, series="FX.ZAR.EUR") == []


@pytest.mark.proves("ENV-6", "ENV-14")
def test_a_value_of_27_decimals_leaves_digit_for_digit_in_every_form(macro):
    asked = {"indicator": GDP[0], "country": "NGA"}
    assert EXACT.encode() in macro.get(PATH, **asked).content
    (line,) = csv.DictReader(io.StringIO(macro.get(PATH, headers={"Accept": "text/csv"}, **asked).text))
    assert line["value"] == EXACT
    table = pa.ipc.open_stream(macro.get(PATH, headers={"Accept": ARROW}, **asked).content).read_all()
    assert [value.normalize() for value in table.column("value").to_pylist()] == [Decimal(EXACT)]


@pytest.mark.proves("EDN-2")
def test_an_earlier_edition_keeps_its_years(macro):
    kenya = {"country": "KEN", "indicator": GDP[0]}
    before = [(2022, GDP[0], "KEN", Decimal("113.4")), (2021, GDP[0], "KEN", Decimal("109.7"))]
    assert years(rows(macro, edition=1, **kenya)) == before
    # The next page states 2021 as missing: a withdrawal.
    assert years(rows(macro, edition=2, **kenya)) == [(2022, GDP[0], "KEN", Decimal("113.6"))]


@pytest.mark.proves("KEY-7", "KEY-8", "KEY-12")
def test_limits_of_the_tiers_hold_here_too(macro):
    for mode in ({}, {"as_of": "2024-05-01"}):
        assert macro.get(PATH, headers=key(macro, "sample"), limit=26, **mode).status_code == 402
        assert parameter_of(macro.get(PATH, headers=key(macro, "starter"), limit=1001, **mode)) == "limit"
        assert parameter_of(macro.get(PATH, limit=0, **mode)) == "limit"
        assert macro.get(PATH, limit=2, **mode).exact["count"] == 2


@pytest.mark.proves("TEN-3")
def test_a_cursor_of_one_mode_is_none_of_the_other(macro):
    annual = macro.get(PATH, limit=1).exact["next_cursor"]
    series = macro.get(PATH, limit=1, as_of="2024-05-01").exact["next_cursor"]
    for sent in (
        {"cursor": annual, "as_of": "2024-05-01"},
        {"cursor": annual, "series": "CPI.KEN"},
        {"cursor": annual, "country": "KEN"},
        {"cursor": series, "indicator": GDP[0]},
        {"cursor": series, "as_of": "2024-05-02"},
        {"cursor": series, "frequency": "daily"},
    ):
        assert parameter_of(macro.get(PATH, **sent)) == "cursor"
    assert macro.get(PATH, cursor=series, as_of="2024-05-01").status_code == 200
