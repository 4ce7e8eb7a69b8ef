"""Fundamentals from ESEF reports: days by evidence, periods that end at midnight, issuers by their LEI."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from sankofa.ingest.sources import source
from support.esef_reports import END_OF_2023, YEAR_2022, entry, fact, index, packed, path_of, report
from support.lei_documents import an_lei, as_csv, stated

# What the repository holds may not be served; this is invented.
OPEN = replace(source("esef"), name="invented-esef", license_class="synthetic", redistributable=True)
SEEN = datetime(2024, 7, 1, 10, tzinfo=UTC)
LISTED, ALONE, UNKNOWN, RETIRED = 1, 2, 3, 4
PER_SHARE = {"concept": "ifrs-full:BasicEarningsLossPerShare", "unit": "iso4217:EUR/xbrli:shares"}
MEMBER = {"ifrs-full:ComponentsOfEquityAxis": "ifrs-full:IssuedCapitalMember"}


def of_2022(issuer):
    return report(fact("302632000", decimals=-3, period=YEAR_2022, issuer=issuer))


def of_2023(issuer, comparative):
    equity = {"concept": "ifrs-full:Equity", "period": END_OF_2023, "issuer": issuer}
    return report(
        fact("350000000", decimals=-6, issuer=issuer),
        fact(comparative, decimals=-6, period=YEAR_2022, issuer=issuer),
        fact("80000000", decimals=-6, **equity),
        fact("5000000", decimals=-6, **equity, **MEMBER),
        fact("1", concept="own:Revenue", issuer=issuer),
        fact("0.304", decimals=3, issuer=issuer, **PER_SHARE),
    )


@pytest.fixture(scope="module")
def shown(module_service):
    service = module_service
    records = [stated(lei=an_lei(LISTED)), stated(lei=an_lei(ALONE))]
    records.append(stated(lei=an_lei(RETIRED), registration="RETIRED"))
    service.ingest(as_csv(*records), source_name="demo-gleif")
    page = index(entry("2023-04-03 12:00:00", period="2022-12-31"), entry("2024-04-02 12:00:00"))
    files = {
        "filings.json": page,
        path_of(period="2022-12-31"): of_2022(LISTED),
        path_of(): of_2023(LISTED, "303000000"),  # the same, rounded to the million
    }
    reports = [of_2023(ALONE, "301000000"), of_2022(ALONE), of_2022(UNKNOWN), of_2022(RETIRED)]
    service.batches = service.ingest(*((data, SEEN) for data in (packed(files), *reports)), source_name=OPEN)
    service.publish()
    service.ids = {
        issuer: service.id_of(f"lei:{an_lei(issuer)}") for issuer in (LISTED, ALONE, UNKNOWN, RETIRED)
    }
    return service


def values(rows):
    return {
        (row["line_item"], row["period_start"], row["period_end"], row["unit"]): row["value_reported"]
        for row in rows
    }


@pytest.mark.proves("FUN-1", "ENV-4", "ENV-15")
def test_a_row_of_a_report_has_the_day_of_its_index(shown):
    (row,) = (row for row in shown.facts(shown.ids[LISTED]) if row["line_item"] == "equity")
    number = f"{an_lei(LISTED)}-2023-12-31-ESEF-FI-0"
    assert row == {
        "service_id": shown.ids[LISTED],
        "line_item": "equity",
        "concept": "ifrs-full:Equity",
        "value_reported": 80000000,
        "currency_reported": "EUR",
        "unit": "EUR",
        "scope": "consolidated",
        "period_start": None,
        "period_end": "2023-12-31",
        "days_rounded": None,
        "period_type": "FY",
        "fiscal_year": 2023,
        "vintage": 1,
        "revision": None,
        "previous_value": None,
        "restated_on": None,
        "decimals": -6,
        "available_at": "2024-04-02",
        "available_at_basis": "publisher",
        "known_until": None,
        "accepted_at": None,
        "form": "AFR",
        "filing_id": number,
        "reported_as": "own",
        "first_filing_held": True,
        "source_ref": row["source_ref"],
        "license_class": "synthetic",
        "observed_at": "2024-07-01T10:00:00Z",
        "extraction_confidence": None,
        "method": "xbrl",
        "provenance_id": row["provenance_id"],
        "fact_id": row["fact_id"],
    }
    assert row["source_ref"].startswith(f"invented-esef:{number}@sha256:")
    assert row["source_ref"].endswith("#ifrs-full:Equity")


@pytest.mark.proves("FUN-1")
def test_what_is_served_is_the_whole_and_ends_before_midnight(shown):
    assert [batch.rejected for batch in shown.batches] == [{"dimensional": 1}, {"dimensional": 1}, {}, {}, {}]
    assert values(shown.facts(shown.ids[LISTED])) == {
        ("revenue", "2022-01-01", "2022-12-31", "EUR"): 302632000,
        ("revenue", "2023-01-01", "2023-12-31", "EUR"): 350000000,
        ("equity", None, "2023-12-31", "EUR"): 80000000,
        ("eps_basic", "2023-01-01", "2023-12-31", "EUR/shares"): Decimal("0.304"),
    }


@pytest.mark.proves("FUN-3")
def test_a_comparative_that_is_rounded_confirms_and_another_restates(shown):
    def history(issuer):
        return [
            (row["vintage"], row["value_reported"], row["available_at"], row["reported_as"])
            for row in shown.facts(shown.ids[issuer], vintages="all")
            if row["period_end"] == "2022-12-31"
        ]

    assert history(LISTED) == [(1, 302632000, "2023-04-03", "own")]
    # Seen on one day, and the report of the later year loaded first: its word is the later one.
    assert history(ALONE) == [
        (1, 302632000, "2024-07-01", "own"),
        (2, 301000000, "2024-07-01", "comparative"),
    ]


@pytest.mark.proves("ENV-15")
def test_a_report_without_an_index_is_known_from_the_day_it_was_seen(shown):
    assert shown.facts(shown.ids[ALONE], as_of="2024-06-30") == []
    rows = shown.facts(shown.ids[ALONE], as_of="2024-07-01")
    assert {row["available_at_basis"] for row in rows} == {"first_seen"}
    assert len(shown.facts(shown.ids[LISTED], as_of="2023-04-03")) == 1
    assert shown.facts(shown.ids[LISTED], as_of="2023-04-02") == []


def test_an_issuer_is_who_its_lei_record_says_and_unknown_without_one(shown):
    body = shown.get("/v1/crosswalk", id_type="lei", id_value=an_lei(LISTED)).exact
    assert [row["service_id"] for row in body["data"]] == [shown.ids[LISTED]]
    (entity,) = shown.get(f"/v1/entities/{shown.ids[LISTED]}").exact["data"]
    assert entity["legal_name"] == "Acmé Holdings Ltd"
    assert "filer" not in entity["established_by"]  # whoever wrote the file, no regulator has seen it
    assert shown.get(f"/v1/fundamentals/{shown.ids[UNKNOWN]}").status_code == 404
    shown.ingest(as_csv(stated(lei=an_lei(UNKNOWN))), source_name="demo-gleif")
    shown.await_edition(shown.publish().edition)
    assert values(shown.facts(shown.ids[UNKNOWN])) == {
        ("revenue", "2022-01-01", "2022-12-31", "EUR"): 302632000
    }


def test_a_report_does_not_revive_a_retired_lei(shown):
    assert shown.get("/v1/crosswalk", id_type="lei", id_value=an_lei(RETIRED)).exact["data"] == []
    assert shown.facts(shown.ids[RETIRED]) != []
