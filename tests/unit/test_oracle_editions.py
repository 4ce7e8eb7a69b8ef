"""The oracle's editions, merges and takedowns, proved by hand from the rules."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from oracle.events import Merge, Publish, Takedown
from oracle.examples import (
    ACME,
    ACME_AGAIN,
    ACME_OLD,
    LINE_ITEMS,
    SOURCE,
    day,
    fact,
    ingest,
    numbered,
    says,
    values,
    year,
)
from oracle.model import Model

PUBLISHED = day("2024-06-30")


@pytest.fixture
def model(tmp_path: Path) -> Model:
    line_items = tmp_path / "line_items.csv"
    line_items.write_text(LINE_ITEMS)
    return Model({SOURCE: "public", "other": "restricted"}, line_items)


def test_a_late_document_renumbers_the_next_edition_and_no_earlier_one(model):
    model.apply(ingest(says("90", "2021-05-01", "A2")), Publish(PUBLISHED))
    before = model.answer(ACME, 1, vintages="all")
    model.apply(ingest(says("100", "2021-02-01", "A1"), fetched="2024-03-01"), Publish(PUBLISHED))
    assert numbered(before) == [(1, "90")]
    assert model.answer(ACME, 1, vintages="all") == before
    assert numbered(model.answer(ACME, 2, vintages="all")) == [(1, "100"), (2, "90")]
    assert model.answer(ACME, 1, day("2021-03-01")) == []
    assert values(model.answer(ACME, 2, day("2021-03-01"))) == ["100"]


def test_a_fact_belongs_to_its_earliest_document_even_if_that_comes_later(model):
    entry = says("100", "2021-02-01", "A1")
    model.apply(
        ingest(entry, says("1", "2021-02-01", "A1", year(2019)), fetched="2024-02-02"),
        Publish(PUBLISHED),
        ingest(entry, fetched="2024-01-01"),
        Publish(PUBLISHED),
    )
    newest, older = model.answer(ACME, 1)
    assert newest["observed_at"] == older["observed_at"] == datetime(2024, 2, 2, tzinfo=UTC)
    newest, older = model.answer(ACME, 2)
    assert newest["observed_at"] == datetime(2024, 1, 1, tzinfo=UTC)
    assert older["observed_at"] == datetime(2024, 2, 2, tzinfo=UTC)


def test_a_document_ingested_twice_changes_nothing(model):
    document = ingest(says("100", "2021-02-01", "A1"))
    model.apply(document, Publish(PUBLISHED), document, Publish(PUBLISHED))
    assert model.answer(ACME, 1, vintages="all") == model.answer(ACME, 2, vintages="all")


def test_a_filing_from_after_the_fetch_is_rejected_but_for_one_day(model):
    early = ingest(says("100", "2021-02-02", "A1"), says("90", "2021-02-03", "A2"), fetched="2021-02-01")
    model.apply(early, Publish(PUBLISHED))
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100")]
    assert [rejected.fact for rejected in model.rejected] == [fact("90", "A2")]
    model.apply(ingest(says("90", "2021-02-03", "A2"), fetched="2021-02-03"), Publish(PUBLISHED))
    assert numbered(model.answer(ACME, vintages="all")) == [(1, "100"), (2, "90")]


def test_the_day_of_publishing_cuts_where_as_of_is_later_or_not_sent(model):
    model.apply(ingest(says("100", "2021-02-02", "A1"), fetched="2021-02-01"), Publish(day("2021-02-01")))
    assert model.answer(ACME) == []
    assert model.answer(ACME, as_of=day("2021-02-02")) == []
    model.apply(Publish(day("2021-02-02")))
    assert values(model.answer(ACME)) == ["100"]
    assert model.answer(ACME, as_of=day("2021-02-01")) == []
    assert model.answer(ACME, edition=1, as_of=day("2021-02-02")) == []


def test_a_merge_holds_from_the_next_edition_on(model):
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), cik=7),
        ingest(says("90", "2021-05-01", "B1"), cik=8),
        Publish(PUBLISHED),
        Merge(ACME_AGAIN, ACME),
        Publish(PUBLISHED),
    )
    assert values(model.answer(ACME, 1, vintages="all")) == ["100"]
    assert values(model.answer(ACME_AGAIN, 1, vintages="all")) == ["90"]
    assert model.resolved_from(ACME_AGAIN, 1) is None
    assert numbered(model.answer(ACME, 2, vintages="all")) == [(1, "100"), (2, "90")]
    assert model.answer(ACME_AGAIN, 2, vintages="all") == model.answer(ACME, 2, vintages="all")
    assert model.resolved_from(ACME_AGAIN, 2) == ACME_AGAIN
    assert model.resolved_from(ACME, 2) is None


def test_a_chain_of_merges_ends_at_the_last_survivor(model):
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), cik=9),
        ingest(says("90", "2021-05-01", "B1"), cik=8),
        ingest(says("80", "2021-08-01", "C1"), cik=7),
        Merge(ACME_OLD, ACME_AGAIN),
        Publish(PUBLISHED),
        Merge(ACME_AGAIN, ACME),
        Publish(PUBLISHED),
    )
    assert values(model.answer(ACME_OLD, 1, vintages="all")) == ["100", "90"]
    assert values(model.answer(ACME, 1, vintages="all")) == ["80"]
    assert values(model.answer(ACME_OLD, 2, vintages="all")) == ["100", "90", "80"]
    with pytest.raises(ValueError, match="cannot be merged"):
        model.apply(Merge(ACME, ACME_OLD))


def test_a_merge_brings_the_fiscal_year_of_the_other(model):
    quarter = (day("2020-01-01"), day("2020-03-31"))
    model.apply(
        ingest(says("25", "2020-05-01", "A1", quarter), cik=7),
        ingest(says("100", "2021-02-01", "B1"), cik=8),
        Publish(PUBLISHED),
        Merge(ACME_AGAIN, ACME),
        Publish(PUBLISHED),
    )
    assert [row["period_type"] for row in model.answer(ACME, 1)] == [None]
    assert [row["period_type"] for row in model.answer(ACME, 2)] == ["FY", "Q1"]


def test_an_issuer_taken_down_is_unknown_in_every_edition(model):
    model.apply(ingest(says("100", "2021-02-01", "A1")), Publish(PUBLISHED))
    assert values(model.answer(ACME, 1)) == ["100"]
    model.apply(Takedown(ACME))
    assert model.answer(ACME, 1) is None
    model.apply(ingest(says("90", "2021-05-01", "A2")), Publish(PUBLISHED))
    assert model.answer(ACME, 2) is None


def test_the_takedown_of_a_survivor_reaches_its_duplicates(model):
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), cik=7),
        ingest(says("90", "2021-05-01", "B1"), cik=8),
        Publish(PUBLISHED),
        Merge(ACME_AGAIN, ACME),
        Publish(PUBLISHED),
        Takedown(ACME),
    )
    assert [model.answer(subject, n) for subject in (ACME, ACME_AGAIN) for n in (1, 2)] == [None] * 4


def test_who_is_one_with_somebody_taken_down_is_unknown_from_the_next_edition_on(model):
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), cik=7),
        ingest(says("90", "2021-05-01", "B1"), cik=8),
        Publish(PUBLISHED),
        Takedown(ACME_AGAIN),
        Merge(ACME_AGAIN, ACME),
        Publish(PUBLISHED),
    )
    assert values(model.answer(ACME, 1)) == ["100"]
    assert [model.answer(ACME_AGAIN, 1), model.answer(ACME_AGAIN, 2), model.answer(ACME, 2)] == [None] * 3


def test_a_fact_taken_down_leaves_a_gap_in_old_editions_and_none_in_new_ones(model):
    model.apply(
        ingest(
            says("100", "2021-02-01", "A1"), says("90", "2021-05-01", "A2"), says("100", "2021-08-01", "A3")
        ),
        Publish(PUBLISHED),
        Takedown(fact("90", "A2")),
    )
    assert numbered(model.answer(ACME, 1, vintages="all")) == [(1, "100"), (3, "100")]
    assert model.answer(ACME, 1, day("2021-06-01")) == []
    model.apply(Publish(PUBLISHED))
    assert numbered(model.answer(ACME, 2, vintages="all")) == [(1, "100")]
    assert numbered(model.answer(ACME, 1, vintages="all")) == [(1, "100"), (3, "100")]


def test_an_issuer_whose_only_fact_is_taken_down_stays_known(model):
    model.apply(ingest(says("100", "2021-02-01", "A1")), Publish(PUBLISHED), Takedown(fact("100.0", "A1")))
    assert model.answer(ACME, 1) == []
    model.apply(Publish(PUBLISHED))
    assert model.answer(ACME, 2) == []
    assert model.answer(ACME, 1) == []


def test_a_fact_taken_down_gives_way_to_the_next_concept_and_keeps_its_dates(model):
    second = says("95", "2021-02-01", "A1", concept="us-gaap:SalesRevenueNet")
    quarter = says("25", "2021-02-01", "A1", (day("2020-10-01"), day("2020-12-31")))
    model.apply(
        ingest(says("100", "2021-02-01", "A1"), quarter), Takedown(fact("100", "A1")), Publish(PUBLISHED)
    )
    assert [(str(row["value_reported"]), row["period_type"]) for row in model.answer(ACME, 1)] == [
        ("25", "Q4")
    ]
    model.apply(ingest(second), Publish(PUBLISHED))
    assert values(model.answer(ACME, 2)) == ["95", "25"]
