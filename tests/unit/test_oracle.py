"""The oracle proved by hand: every expected value below was worked out on paper from the rules."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

import oracle
from oracle.events import Document, Ingest, Publish
from oracle.examples import ACME, ACME_AGAIN, LINE_ITEMS, SOURCE, day, ingest, numbered, says, values, year
from oracle.model import Model
from oracle.rows import currency_of

PUBLISHED = day("2024-06-30")


@pytest.fixture
def model(tmp_path: Path) -> Model:
    line_items = tmp_path / "line_items.csv"
    line_items.write_text(LINE_ITEMS)
    return Model({SOURCE: "public", "other": "restricted"}, line_items)


def test_100_90_100_are_three_vintages(model):
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"), says("90", "2021-05-01", "A2"), says("100", "2021-08-01", "A3")
        ),
        Publish(PUBLISHED),
    )
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100"), (2, "90"), (3, "100")]
    assert numbered(model.answer(ACME)) == [(3, "100")]
    assert numbered(model.answer(ACME, as_of=day("2021-07-31"))) == [(2, "90")]
    assert numbered(model.answer(ACME, as_of=day("2021-05-01"))) == [(2, "90")]
    assert numbered(model.answer(ACME, as_of=day("2021-04-30"))) == [(1, "100")]
    assert numbered(model.answer(ACME, as_of=day("2021-07-31"), vintages="as_reported")) == [(1, "100")]
    assert numbered(model.answer(ACME, as_of=day("2021-07-31"), vintages="all")) == [(1, "100"), (2, "90")]


def test_a_vintage_names_the_value_that_stood_the_day_before_it_came(model):
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"),
            says("90", "2021-05-01", "A2"),
            says(None, "2021-08-01", "A3"),
            says("80", "2021-09-01", "A4"),
        ),
        Publish(PUBLISHED),
    )
    rows = model.answer(ACME, vintages="all")
    assert [row["previous_value"] for row in rows] == [None, Decimal(100), None]
    assert [row["restated_on"] for row in rows] == [None, day("2021-05-01"), day("2021-09-01")]


def test_a_vintage_is_known_until_the_next_one_and_no_day_after_as_of_is_told(model):
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"), says("90", "2021-05-01", "A2"), says(None, "2021-08-01", "A3")
        ),
        Publish(PUBLISHED),
    )

    def until(as_of):
        return [row["known_until"] for row in model.answer(ACME, as_of=as_of, vintages="all")]

    assert until(day("2021-04-30")) == [None]
    assert until(day("2021-05-01")) == [day("2021-05-01"), None]
    assert until(day("2021-07-31")) == [day("2021-05-01"), None]
    assert until(day("2021-08-01")) == [day("2021-05-01"), day("2021-08-01")]


def test_a_repeated_value_is_a_confirmation_however_it_is_written(model):
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), says("1.00E2", "2021-05-01", "A2")), Publish(PUBLISHED)
    )
    (row,) = model.answer(ACME, vintages="all")
    assert (row["vintage"], row["accession"], row["available_at"]) == (1, "A1", day("2021-02-01"))


def test_an_unknown_issuer_and_one_with_nothing_yet_differ(model):
    model.apply(ingest(says("100", "2021-02-01", "A1")), Publish(PUBLISHED))
    for mode in ("latest", "as_reported", "all"):
        assert model.answer(ACME, as_of=day("2021-01-31"), vintages=mode) == []
    assert model.answer(ACME_AGAIN) is None


def test_the_filing_number_decides_within_a_day(model):
    model.apply(ingest(says("90", "2021-02-01", "B"), says("100", "2021-02-01", "A")), Publish(PUBLISHED))
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100"), (2, "90")]
    assert numbered(model.answer(ACME, as_of=day("2021-02-01"))) == [(2, "90")]


def test_the_filing_number_decides_before_the_document_hash(model):
    first = ingest(says("100", "2021-02-01", "A"))
    seconds = (ingest(says(str(value), "2021-02-01", "B")) for value in range(1, 100))
    second = next(document for document in seconds if document.document.sha256 < first.document.sha256)
    model.apply(second, first, Publish(PUBLISHED))
    assert [row["accession"] for row in model.answer(ACME, vintages="all")] == ["A", "B"]


def test_the_document_hash_decides_within_a_filing(model):
    first = ingest(says("100", "2021-02-01", "A"), fetched="2024-01-01")
    second = ingest(says("90", "2021-02-01", "A"), fetched="2024-01-02")
    model.apply(first, second, Publish(PUBLISHED))
    expected = ["100", "90"] if first.document.sha256 < second.document.sha256 else ["90", "100"]
    assert values(model.answer(ACME, vintages="all")) == expected


def test_a_fact_on_which_a_document_contradicts_itself_is_not_taken_from_it(model):
    contradiction = ingest(says("90", "2021-02-01", "A"), says("100", "2021-02-01", "A"))
    other = ingest(says("80", "2021-03-01", "B"))
    model.apply(contradiction, other, Publish(PUBLISHED))
    assert values(model.answer(ACME, vintages="all")) == ["80"]


def test_a_withdrawn_value_is_shown_until_the_day_of_withdrawal(model):
    model.apply(ingest(says("100", "2021-02-01", "A1"), says(None, "2021-05-01", "A2")), Publish(PUBLISHED))
    assert values(model.answer(ACME, as_of=day("2021-04-30"))) == ["100"]
    assert model.answer(ACME, as_of=day("2021-05-01")) == []
    assert model.answer(ACME) == []
    assert values(model.answer(ACME, vintages="as_reported")) == ["100"]
    assert values(model.answer(ACME, vintages="all")) == ["100"]


def test_a_value_after_its_withdrawal_is_a_new_vintage(model):
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"), says(None, "2021-05-01", "A2"), says("100", "2021-08-01", "A3")
        ),
        Publish(PUBLISHED),
    )
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100"), (2, "100")]
    assert numbered(model.answer(ACME)) == [(2, "100")]
    assert model.answer(ACME, as_of=day("2021-06-01")) == []


def test_a_nil_with_nothing_to_withdraw_is_nothing(model):
    model.apply(ingest(says(None, "2021-02-01", "A1")), Publish(PUBLISHED))
    assert model.answer(ACME) == []
    model.apply(ingest(says(None, "2021-01-01", "A0"), says("100", "2021-03-01", "A2")), Publish(PUBLISHED))
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100")]


def test_the_preferred_concept_present_speaks_for_the_filing_even_as_nil(model):
    model.apply(
        ingest(
            says("95", "2021-02-01", "A1", concept="us-gaap:SalesRevenueNet"),
            says("100", "2021-02-01", "A1"),
            says("90", "2021-05-01", "A2", concept="us-gaap:SalesRevenueNet"),
            says("80", "2021-08-01", "A3", concept="us-gaap:SalesRevenueNet"),
            says(None, "2021-08-01", "A3"),
        ),
        Publish(PUBLISHED),
    )
    rows = model.answer(ACME, vintages="all")
    assert [(row["concept"], str(row["value_reported"])) for row in rows] == [
        ("us-gaap:Revenues", "100"),
        ("us-gaap:SalesRevenueNet", "90"),
    ]
    assert model.answer(ACME) == []


def test_a_filing_s_own_period_is_its_latest_whatever_the_concept(model):
    later = (None, day("2021-06-30"))
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"),
            says("80", "2021-02-01", "A1", year(2019)),
            says("7", "2021-02-01", "A1", (None, day("2021-01-31")), concept="dei:SharesOutstanding"),
            says("101", "2021-09-01", "A2"),
            says(None, "2021-09-01", "A2", later, concept="us-gaap:Unmapped"),
        ),
        Publish(PUBLISHED),
    )
    rows = model.answer(ACME, vintages="all")
    assert [(str(row["value_reported"]), row["reported_as"]) for row in rows] == [
        ("100", "own"),
        ("101", "comparative"),
        ("80", "comparative"),
    ]


def test_two_sources_keep_their_filings_apart(model):
    model.apply(
        ingest(says("100", "2022-02-01", "A1"), says("1", "2022-02-01", "A1", year(2021))),
        ingest(says("90", "2022-05-01", "A1"), source="other"),
        Publish(PUBLISHED),
    )
    rows = [row for row in model.answer(ACME, vintages="all") if row["period_end"] == day("2020-12-31")]
    assert [(row["license_class"], row["reported_as"]) for row in rows] == [
        ("public", "comparative"),
        ("restricted", "own"),
    ]


def test_values_are_exact(model):
    text = "12345678901234567890123456.123456789012"
    model.apply(ingest(says(text, "2021-02-01", "A1")), Publish(PUBLISHED))
    assert values(model.answer(ACME)) == [text]


def test_rows_stand_newest_period_first(model):
    end = day("2020-12-31")
    quarter = (day("2020-10-01"), end)
    stub = (day("2020-12-01"), end)
    model.apply(
        ingest(
            says("1", "2021-02-01", "A1", year(2019)),
            says("2", "2021-02-01", "A1", quarter),
            says("3", "2021-02-01", "A1", year(2020), unit="EUR"),
            says("4", "2021-02-01", "A1", year(2020), unit="USD"),
            says("5", "2021-02-01", "A1", stub),
            says("6", "2021-02-01", "A1", (None, end)),
            says("7", "2021-02-01", "A1", (None, end), concept="us-gaap:Assets"),
            says("8", "2021-03-01", "A2", year(2020), unit="EUR"),
        ),
        Publish(PUBLISHED),
    )
    rows = model.answer(ACME, vintages="all")
    assert values(rows) == ["7", "5", "6", "3", "8", "4", "2", "1"]
    assert [row["period_type"] for row in rows] == ["FY", None, "FY", "FY", "FY", "FY", "Q4", "FY"]
    assert values(model.answer(ACME, period_type="q4")) == ["2"]
    assert rows[-1] == {
        "line_item": "revenue",
        "value_reported": Decimal(1),
        "currency_reported": "USD",
        "unit": "USD",
        "scope": "consolidated",
        "period_start": day("2019-01-01"),
        "period_end": day("2019-12-31"),
        "period_type": "FY",
        "fiscal_year": 2019,
        "vintage": 1,
        "revision": None,
        "previous_value": None,
        "restated_on": None,
        "decimals": None,
        "available_at": day("2021-02-01"),
        "available_at_basis": "filing",
        "known_until": None,
        "accepted_at": None,
        "form": "10-K",
        "filing_id": "A1",
        "observed_at": datetime(2024, 1, 1, tzinfo=UTC),
        "extraction_confidence": None,
        "method": "xbrl",
        "reported_as": "comparative",
        "first_filing_held": False,
        "days_rounded": None,
        "license_class": "public",
        "source": "sec",
        "accession": "A1",
        "stated_unit": "USD",
        "concept": "us-gaap:Revenues",
    }


def test_a_year_that_ends_in_the_first_days_of_january_belongs_to_the_year_before(model):
    weeks = (day("2019-12-29"), day("2021-01-02"))
    stub = (day("2021-01-03"), day("2021-01-20"))
    model.apply(
        ingest(says("1", "2021-02-01", "A1", weeks), says("2", "2021-02-01", "A2", stub)), Publish(PUBLISHED)
    )
    assert [(row["period_type"], row["fiscal_year"]) for row in model.answer(ACME)] == [
        (None, None),
        ("FY", 2020),
    ]


@pytest.mark.parametrize(
    ("unit", "currency"),
    [("USD", "USD"), ("ZAR/shares", "ZAR"), ("shares", None), ("pure", None), ("usd", None), ("USDX", None)],
)
def test_the_currency_is_the_unit_before_the_stroke(unit, currency):
    assert currency_of(unit) == currency


def test_nil_and_unmapped_facts_are_periods_of_a_filing_and_the_cover_page_is_none(model):
    instant = says("5", "2021-02-01", "A1", (None, day("2020-06-30")), concept="us-gaap:Assets")
    model.apply(
        ingest(instant, says("1", "2021-02-01", "A1", concept="dei:Cover")),
        Publish(PUBLISHED),
        ingest(instant, says(None, "2021-02-01", "A1", concept="us-gaap:Unmapped")),
        Publish(PUBLISHED),
        ingest(says(None, "2021-02-01", "A1", (day("2020-01-01"), day("2020-03-31")), concept="x:Unmapped")),
        Publish(PUBLISHED),
    )
    assert [model.answer(ACME, n)[0]["period_type"] for n in (1, 2, 3)] == [None, "H1", "Q2"]


def test_a_literal_companyfacts_file_is_read(model):
    body = b"""{"cik": "0000000007", "entityName": "Acme", "facts": {"us-gaap": {"Revenues": {
        "label": "Revenues", "description": null, "units": {"USD": [
            {"start": "2020-01-01", "end": "2020-12-31", "val": 100.10, "accn": "0000000007-21-000001",
             "fy": 2020, "fp": "FY", "form": "10-K", "filed": "2021-02-01", "frame": "CY2020"}]}}}}}"""
    model.apply(Ingest(Document(SOURCE, datetime(2021, 2, 2, tzinfo=UTC), body)), Publish(PUBLISHED))
    assert values(model.answer(ACME)) == ["100.10"]


def test_the_oracle_knows_nothing_of_the_service():
    for file in Path(oracle.__file__).parent.glob("*.py"):
        assert not re.search(r"^\s*(from|import) sankofa", file.read_text(), re.MULTILINE), file.name


def test_a_period_that_ends_before_it_begins_is_none(model):
    model.apply(
        ingest(
            says("90", "2021-02-01", "A", (day("2020-12-31"), day("2020-01-01"))),
            says("1", "2021-02-01", "A"),
        ),
        Publish(PUBLISHED),
    )
    assert values(model.answer(ACME, vintages="all")) == ["1"]
