"""What is computed in the client from several rows: twelve months, and amounts in another currency."""

from __future__ import annotations

import asyncio
import datetime as dt
from decimal import Decimal
from fractions import Fraction

import msgspec
import pytest

from sankofa_client import AsyncClient, InvalidParameter
from sankofa_client.currency import History, ways
from sankofa_client.rows import FundamentalsFact, SeriesValue
from sankofa_client.trailing import NotCovered, trailing


def fact(start, end, value, available="2024-01-01"):
    """A fact with nothing of interest but its period and value."""
    told = dict.fromkeys(FundamentalsFact.__struct_fields__, "x")
    numbers = {"vintage": 1, "decimals": None, "fiscal_year": None, "first_filing_held": None}
    days = {
        "period_start": dt.date.fromisoformat(start),
        "period_end": dt.date.fromisoformat(end),
        "available_at": dt.date.fromisoformat(available),
        "known_until": None,
        "accepted_at": None,
        "observed_at": dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
    }
    return FundamentalsFact(**{**told, **numbers, **days, "value_reported": Decimal(value)})


YEAR = fact("2022-01-01", "2022-12-31", 400, "2023-03-01")
H1_BEFORE = fact("2022-01-01", "2022-06-30", 150, "2022-08-01")
H1 = fact("2023-01-01", "2023-06-30", 210, "2023-08-15")
QUARTERS = [
    fact("2022-07-01", "2022-09-30", 90),
    fact("2022-10-01", "2022-12-31", 120, "2024-05-05"),
    fact("2023-01-01", "2023-03-31", 100),
    fact("2023-04-01", "2023-06-30", 110),
]


def test_a_year_that_is_the_newest_period_is_twelve_months():
    found = trailing([H1_BEFORE, YEAR])
    assert (found.value, len(found.parts)) == (400, 1)
    assert (found.period_start, found.period_end) == (YEAR.period_start, YEAR.period_end)


def test_a_year_and_the_half_after_it_less_the_half_in_it():
    found = trailing([YEAR, H1_BEFORE, H1])
    assert found.value == 400 + 210 - 150
    assert [(part.sign, part.fact) for part in found.parts] == [(1, YEAR), (1, H1), (-1, H1_BEFORE)]
    assert (found.period_start, found.period_end) == (dt.date(2022, 7, 1), dt.date(2023, 6, 30))
    assert found.available_at == H1.available_at


def test_four_quarters_in_a_row_come_before_that_and_their_day_is_the_last_one():
    found = trailing([YEAR, H1_BEFORE, H1, *QUARTERS])
    assert (found.value, found.available_at) == (90 + 120 + 100 + 110, dt.date(2024, 5, 5))
    assert found.period_start == dt.date(2022, 7, 1)


@pytest.mark.parametrize(
    "known", [[], [H1], [YEAR, H1], [H1_BEFORE, H1], QUARTERS[1:], [QUARTERS[0], *QUARTERS[2:]]]
)
def test_what_does_not_add_up_is_no_figure(known):
    with pytest.raises(NotCovered):
        trailing(known)


def test_twelve_months_of_an_issuer_are_what_it_reported_then(demo, client, issuer):
    told = demo.get(f"/v1/fundamentals/{issuer}", as_of="2024-03-15", period_type="FY", items="revenue").exact
    newest = told["data"][0]
    with client.as_of("2024-03-15"):
        found = client.ttm(issuer, line_item="revenue")
    assert (found.value, str(found.period_end)) == (newest["value_reported"], "2023-12-31")
    assert [part.fact.fact_id for part in found.parts] == [newest["fact_id"]]
    with client.as_of("2010-01-01"), pytest.raises(NotCovered, match="no period"):
        client.ttm(issuer, line_item="revenue")
    with pytest.raises(InvalidParameter, match="no_such_item"):
        client.ttm(issuer, line_item="no_such_item")


@pytest.fixture(scope="module")
def in_shillings(client):
    """An issuer whose year ended in June 2025, when the rates of the demo world begin."""
    for ranked in client.screen(metric="net_margin", country="KE"):
        facts = client.fundamentals(ranked.service_id, items="revenue")
        if any((fact.unit, str(fact.period_end)) == ("KES", "2025-06-30") for fact in facts):
            return ranked.service_id
    raise AssertionError("no such issuer")


def test_amounts_are_converted_by_a_rate_of_the_period_s_end_and_show_it(demo, client, in_shillings):
    asked = {"as_of": "2025-10-31", "period_type": "FY", "items": "revenue"}
    rows = client.fundamentals(in_shillings, **asked)
    made = client.converted(rows, "USD")
    assert [one.row for one in made] == list(rows)
    (one,) = (one for one in made if one.value is not None)  # of the years before there is no rate
    rates = {}
    for series in ("FX.EUR.KES", "FX.EUR.USD"):
        told = demo.get("/v1/macro", series=series, to="2025-06-30", as_of="2025-10-31", limit=1).exact[
            "data"
        ]
        rates[series] = max(told, key=lambda row: row["date"])
    assert [(rate.series, rate.used) for rate in one.rates] == [
        ("FX.EUR.KES", "divided by"),
        ("FX.EUR.USD", "times"),
    ]
    for rate in one.rates:
        row = rates[rate.series]
        assert (rate.value, str(rate.date), rate.fact_id) == (row["value"], row["date"], row["fact_id"])
        assert rate.available_at <= dt.date(2025, 10, 31)
    exact = (
        Fraction(one.row.value_reported)
        / Fraction(rates["FX.EUR.KES"]["value"])
        * Fraction(rates["FX.EUR.USD"]["value"])
    )
    assert abs(Fraction(one.value) - exact) <= Fraction(1, 2 * 10**10)


def test_ways_lead_from_one_currency_to_the_other():
    assert list(ways("KES", "KES")) == [()]
    steps = [[series for series, _ in way] for way in ways("KES", "ZAR")]
    crossed = [["FX.EUR.KES", "FX.EUR.ZAR"], ["FX.USD.KES", "FX.USD.ZAR"]]
    assert steps == [["FX.KES.ZAR"], ["FX.ZAR.KES"], *crossed]


def test_no_rate_is_taken_from_after_the_day_or_from_long_before():
    told = dict.fromkeys(SeriesValue.__struct_fields__, "x")
    value = SeriesValue(**{**told, "date": dt.date(2024, 1, 10)})
    history = History([value])
    assert history.on(dt.date(2024, 1, 9), 7) is None
    assert history.on(dt.date(2024, 1, 17), 7) is value
    assert history.on(dt.date(2024, 1, 18), 7) is None


def test_both_clients_compute_the_same(demo, client, issuer, key):
    async def other():
        async with AsyncClient(demo.api.url, key=key) as there:
            rows = there.fundamentals(issuer, period_type="FY", items="revenue")
            return await there.ttm(issuer, line_item="revenue"), await there.converted(rows, "USD")

    rows = client.fundamentals(issuer, period_type="FY", items="revenue")
    here = client.ttm(issuer, line_item="revenue"), client.converted(rows, "USD")
    assert msgspec.json.encode(here) == msgspec.json.encode(asyncio.run(other()))
