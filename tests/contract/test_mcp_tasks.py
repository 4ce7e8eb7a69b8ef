"""MCP-1 and MCP-5: twelve questions that people ask, answered by tool calls alone, each within four.

What is expected stands in the documents of the demo world: `demo/README.md` tells the stories, and what is
not told there is worked out here from what the documents say.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

import pytest

from demo.macro_economy import UPDATES, figures, prices
from demo.persons import TOLD
from support.mcp_client import Agent

pytestmark = pytest.mark.proves("MCP-1", "MCP-5")
SEED = 1
GDP = "NY.GDP.MKTP.CD"
MILLION = 1_000_000
NYALUMERA_LEI = "9999DEMO100000000065"


@pytest.fixture
def agent(demo):
    agent = Agent(demo)
    yield agent
    agent.close()
    assert agent.calls <= 4


def the(rows, **fields):
    """Return the one row with these fields."""
    (row,) = (row for row in rows if all(row[name] == value for name, value in fields.items()))
    return row


def release(rows, number):
    return the(rows, id=number)


def test_revenue_by_lei_as_known_then_restated_later_with_its_source(agent):
    issuer = agent.answer("search_entities", query=NYALUMERA_LEI)["data"][0]["service_id"]
    known = agent.answer(
        "get_fundamentals", service_id=issuer, as_of="2023-06-30", period_type="FY", limit=50
    )
    then = the(known["data"], line_item="revenue", fiscal_year=2022)
    assert then["value_reported"] == 1_150 * MILLION
    assert then["available_at"] == "2023-03-16"
    later = agent.answer(
        "verify_figure", service_id=issuer, line_item="revenue", fiscal_year=2022, value=1_150 * MILLION
    )
    assert later["verdict"] == "matched_earlier_vintage"
    first, newest = later["data"]
    assert first["fact_id"] == then["fact_id"]
    assert (newest["value_reported"], newest["available_at"]) == (1_100 * MILLION, "2024-03-15")
    assert newest["source_ref"] != first["source_ref"]
    assert newest["source_ref"].endswith("#ifrs-full:Revenue")
    assert newest["license_class"] == "synthetic"


def test_every_vintage_of_a_figure_that_went_back_and_forth(agent):
    issuer = agent.answer("search_entities", query="XJSE:KWZ")["data"][0]["service_id"]
    facts = agent.answer("get_fundamentals", service_id=issuer, period_type="FY", vintages="all", limit=300)[
        "data"
    ]
    told = [row for row in facts if (row["line_item"], row["fiscal_year"]) == ("revenue", 2023)]
    assert [(row["vintage"], row["available_at"], row["value_reported"] / MILLION) for row in told] == [
        (1, "2023-09-13", 2_000),
        (2, "2023-10-30", 1_800),
        (3, "2024-09-13", 2_000),
    ]


def test_a_dividend_that_was_withdrawn_is_gone_from_that_day_on(agent):
    issuer = agent.answer("search_entities", query="Zumarela Bank")["data"][0]["service_id"]
    asked = {"service_id": issuer, "period_type": "FY", "limit": 200}
    for day, expected in (("2023-03-20", [5_950 * MILLION]), ("2023-03-21", [])):
        rows = agent.answer("get_fundamentals", **asked, as_of=day)["data"]
        paid = [row for row in rows if (row["line_item"], row["fiscal_year"]) == ("dividends_paid", 2021)]
        assert [row["value_reported"] for row in paid] == expected


def test_a_tender_s_value_before_and_after_it_was_corrected(agent):
    number = "ocds-demoza-000001-2023-03-14"
    for day, amount in (("2023-04-02", 12_000_000), ("2023-05-02", 15_500_000)):
        found = agent.answer("search_tenders", country="ZA", from_="2023-03-14", as_of=day, limit=200)
        row = release(found["data"], number)
        assert row["tender"]["value"] == {"amount": amount, "currency": "ZAR"}
        assert row["available_at"] <= day
    assert row["vintage"] == 2


def test_who_won_the_school_meals_and_who_that_is(agent):
    found = agent.answer("search_tenders", country="KE", from_="2023-04-01", as_of="2023-05-31", limit=200)
    (won,) = (row for row in found["data"] if row["ocid"] == "ocds-demoke-000001" and row["tag"] == ["award"])
    (award,) = won["awards"]
    assert (award["date"][:10], award["value"]["amount"]) == ("2023-04-11", 39_500_000)
    (winner,) = award["suppliers"]
    row = agent.answer("get_entity", service_id=winner["service_id"])["data"][0]
    assert (row["lei"], row["legal_name"]) == (NYALUMERA_LEI, "Nyalumera Foods Holdings PLC")


def test_an_award_in_dollars_to_two_firms_together(agent):
    found = agent.answer("search_tenders", country="KE", from_="2024-03-01", as_of="2024-04-10", limit=200)
    rows = [row for row in found["data"] if row["ocid"] == "ocds-demoke-000003" and "awards" in row]
    (award,) = rows[0]["awards"]
    assert award["value"] == {"amount": 2_350_000, "currency": "USD"}
    firms = {
        agent.answer("get_entity", service_id=one["service_id"])["data"][0]["lei"]
        for one in award["suppliers"]
    }
    assert firms == {"9999DEMO000000001428", "9999DEMO000000000943"}


def test_an_award_that_was_cancelled_stood_until_then(agent):
    asked = {"country": "KE", "from_": "2023-07-01", "limit": 300}
    statuses = {}
    for day in ("2023-08-05", "2023-09-05"):
        rows = agent.answer("search_tenders", **asked, as_of=day)["data"]
        newest = next(row for row in rows if row["ocid"] == "ocds-demoke-000002" and "awards" in row)
        statuses[day] = newest["awards"][0]["status"]
    assert statuses == {"2023-08-05": "active", "2023-09-05": "cancelled"}


def test_who_is_a_person_is_not_told_and_that_is_said(agent):
    found = agent.answer("search_tenders", country="ZA", from_="2023-10-20", as_of="2023-11-30", limit=300)
    awarded = [row for row in found["data"] if row["ocid"] == "ocds-demoza-000003" and "awards" in row]
    assert awarded
    for row in awarded:
        assert (row["withheld_parties"] > 0, row["text_withheld"]) == (True, True)
        assert all("suppliers" not in award for award in row["awards"])
    assert TOLD[0].name.casefold() not in str(found).casefold()
    searched = agent.answer("search_entities", query=TOLD[0].name)["data"]
    assert TOLD[0].name.casefold() not in str(searched).casefold()


def test_the_first_of_a_ranking_worked_out_from_its_own_facts(agent):
    day = "2024-06-30"
    ranked = agent.answer("screen_issuers", metric="net_margin", as_of=day, limit=25)["data"]
    assert [row["value"] for row in ranked] == sorted((row["value"] for row in ranked), reverse=True)
    first = ranked[0]
    facts = agent.answer(
        "get_fundamentals", service_id=first["service_id"], period_type="FY", as_of=day, limit=100
    )["data"]
    of_year = [row for row in facts if row["fiscal_year"] == first["fiscal_year"]]
    behind = {row["line_item"]: row for row in of_year if row["fact_id"] in first["inputs"]}
    profit, revenue = (behind[name]["value_reported"] for name in ("net_income", "revenue"))
    quotient = Context(prec=60).divide(Decimal(profit), Decimal(revenue))
    assert first["value"] == quotient.quantize(Decimal("1e-10"), ROUND_HALF_EVEN)
    assert all(row["available_at"] <= day for row in behind.values())


def test_consumer_prices_as_published_and_as_revised(agent):
    by_month = {}
    for month, released, value in prices(SEED):
        by_month.setdefault(month, []).append((released, Decimal(value)))
    month, said = next((month, said) for month, said in by_month.items() if len(said) == 2)
    for released, value in said:
        rows = agent.answer("get_macro", series="CPI.KEN", as_of=str(released), limit=100)["data"]
        row = next(row for row in rows if row["date"][:7] == str(month)[:7])
        assert (row["value"], row["available_at"]) == (value, str(released))


def test_the_gdp_of_two_countries_in_a_year(agent):
    told = [
        {area: years for (indicator, area), years in figures(SEED, update).items() if indicator.code == GDP}
        for update in range(len(UPDATES))
    ]
    for country, area in (("KE", "KEN"), ("ng", "NGA")):
        found = agent.answer("get_macro", country=country, indicator=GDP, from_="2020", to="2020")
        (row,) = found["data"]
        assert (row["country_iso3"], row["year"]) == (area, 2020)
        values = [years[area].get(2020) for years in told]
        assert row["value"] == Decimal(values[-1])
        opened = max(turn for turn in range(len(values)) if turn == 0 or values[turn] != values[turn - 1])
        assert row["available_at"] == UPDATES[opened].isoformat()


def test_old_names_merged_ids_and_tickers_that_moved(agent):
    renamed = agent.answer("search_entities", query="9999DEMO000000000167")["data"][0]
    assert renamed["legal_name"] == "Mbolurado Maritime Ltd"
    for name in ("LUKHANOVARI ENERGY LTD", "Lukhanovari Energy Limited"):
        found = agent.answer("search_entities", query=name)["data"]
        assert {row["matched"] for row in found} == {"name"}
        assert {row["lei"] for row in found} - {None} == {"9999DEMO000000000652"}
    holder, former = agent.answer("search_entities", query="XNAI:BRSK")["data"]
    assert (holder["legal_name"], holder["matched"]) == ("Kithulera Steel PLC", "identifier")
    assert (former["legal_name"], former["matched"]) == ("Barishemo Breweries PLC", "former_identifier")
    assert former["until"] < holder["since"]
