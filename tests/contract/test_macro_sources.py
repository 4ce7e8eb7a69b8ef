"""MAC: what later documents of a series, or of another source of it, do not change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from support.bank_tables import GDP, page

FIRST = datetime(2024, 1, 1, 12, tzinfo=UTC)
BANK = "demo-world-bank"
SERIES = f"WB.{GDP}.KEN.Q"


def stated(day, value, **options):
    """Return a page with one quarter, as updated and fetched some days after the first."""
    moment = FIRST + timedelta(days=day)
    return page({"KEN": {"2020Q1": value}}, moment.date(), **options), moment


def known(service, day):
    """Return what was known on a day: value, unit and source of each row."""
    response = service.get("/v1/macro", series=SERIES, as_of=str((FIRST + timedelta(days=day)).date()))
    assert response.status_code == 200, response.text
    rows = response.exact["data"]
    return [(row["value"], row["unit"], row["source_ref"].partition("@")[0]) for row in rows]


@pytest.mark.proves("MAC-5", "MAC-1")
def test_a_source_that_begins_later_answers_from_its_own_days_on(service):
    service.authority = (("world-bank",), (BANK,))
    service.ingest(stated(0, "1"), source_name=BANK)
    service.publish()
    service.ingest(stated(9, "2"), source_name="world-bank")
    service.publish()
    service.await_edition(2)
    assert known(service, 5) == [(1, "USD", BANK)]
    assert known(service, 9) == [(2, "USD", "world-bank")]


@pytest.mark.proves("MAC-5", "MAC-1")
def test_of_sources_with_one_authority_the_newest_document_answers(service):
    service.authority = (("world-bank", BANK),)
    service.ingest(stated(0, "1"), source_name=BANK)
    service.ingest(stated(5, "2"), source_name="world-bank")
    service.publish()
    # The same value again: nothing new of its source, and yet the newest document of all.
    service.ingest(stated(9, "1"), source_name=BANK)
    service.publish()
    service.await_edition(2)
    assert [known(service, day) for day in (4, 5, 8, 9)] == [
        [(1, "USD", BANK)],
        [(2, "USD", "world-bank")],
        [(2, "USD", "world-bank")],
        [(1, "USD", BANK)],
    ]


@pytest.mark.proves("MAC-4", "MAC-1")
def test_a_value_keeps_the_unit_that_it_was_stated_in(service):
    service.ingest(stated(0, "1"), source_name=BANK)
    service.ingest(stated(9, "2", name="Prices (annual %)"), source_name=BANK)
    service.publish()
    assert known(service, 5) == [(1, "USD", BANK)]
    assert known(service, 9) == [(2, "percent", BANK)]
