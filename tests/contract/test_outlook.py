"""MAC-7: the World Economic Outlook over HTTP, edition after edition; only outturns are served."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sankofa.ingest.source import Source
from support.stated_tenders import fetched
from support.weo_exports import GDP, PRICES, export, line

OUTLOOK = Source(name="an-outlook", publisher="a test", license_class="synthetic", parser="imf_weo")
GDP_KEY, PRICES_KEY = "WEO.NGDPD.KEN", "WEO.PCPIPCH.KEN"
YEARS = (2013, 2014, 2015)


def editions():
    """Return two editions: in the second, GDP of 2015 is an outturn and prices of 2014 are an estimate."""
    first = export(
        YEARS,
        line("Kenya", GDP, ("55.1", "61.4", "63.4"), 2014),
        line("Kenya", PRICES, ("5.7", "6.9", "6.6"), 2014),
        edition="October 2015",
    )
    second = export(
        (*YEARS, 2016),
        line("Kenya", GDP, ("55.097", "61.4", "63.767", "69.2"), 2015),
        line("Kenya", PRICES, ("5.7", "6.88", "6.6", "6.2"), 2013),
        edition="October 2016",
    )
    return fetched(first, "2015-11-20"), fetched(second, "2016-11-20")


def known(service, key, as_of):
    response = service.get("/v1/macro", series=key, as_of=as_of)
    assert response.status_code == 200, response.text
    return {row["date"][:4]: row["value"] for row in response.exact["data"]}


@pytest.mark.proves("MAC-7", "MAC-4", "ENV-5")
def test_outturns_are_known_from_the_end_of_the_edition_s_month(service):
    for document in editions():
        (batch,) = service.ingest(document, source_name=OUTLOOK)
        assert batch.outcome == "accepted"
    service.publish()
    old = {"2013": Decimal("55.1"), "2014": Decimal("61.4")}
    new = {"2013": Decimal("55.097"), "2014": Decimal("61.4"), "2015": Decimal("63.767")}
    for as_of, expected in (
        ("2015-10-30", {}),
        ("2015-10-31", old),
        ("2016-10-30", old),
        ("2016-10-31", new),
    ):
        assert known(service, GDP_KEY, as_of) == expected, as_of
    (row, *_) = service.get("/v1/macro", series=GDP_KEY, as_of="2016-12-31").exact["data"]
    assert {
        name: row[name] for name in ("date", "unit", "vintage", "available_at", "available_at_basis")
    } == {
        "date": "2015-12-31",
        "unit": "USD billions",
        "vintage": 1,
        "available_at": "2016-10-31",
        "available_at_basis": "publisher",
    }


@pytest.mark.proves("MAC-7", "ENV-5")
def test_an_outturn_that_a_later_edition_marks_as_an_estimate_is_withdrawn(service):
    service.ingest(*editions(), source_name=OUTLOOK)
    service.publish()
    assert known(service, PRICES_KEY, "2016-10-30") == {"2013": Decimal("5.7"), "2014": Decimal("6.9")}
    assert known(service, PRICES_KEY, "2016-10-31") == {"2013": Decimal("5.7")}


@pytest.mark.proves("MAC-7")
def test_every_estimate_is_counted_with_its_reason(service):
    batches = service.ingest(*editions(), source_name=OUTLOOK)
    assert [batch.rejected for batch in batches] == [{"estimate": 2}, {"estimate": 4}]


@pytest.mark.proves("MAC-7")
def test_the_fund_s_own_source_is_closed_until_its_licence_is_confirmed(service):
    service.ingest(*editions(), source_name="imf-weo")
    service.publish()
    assert known(service, GDP_KEY, "2016-12-31") == {}
