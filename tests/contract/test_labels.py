"""FUN-4, FUN-7 and FUN-8 over HTTP: labels as known on a day, kinds of change, and which filing said it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from support.filings import FY2022, FY2023, Filer, data_set
from support.service import FETCHED

PATH = "/v1/fundamentals/"
QUARTER = ("2024-07-01", "2024-09-30")
JUNE_YEAR = ("2024-07-01", "2025-06-30")


def december_then_june(number):
    """Return a filer whose years end in December until its report of 2025-09-01 is for a year to June."""
    filer = Filer(number)
    filer.says(900, filed="2024-02-20", period=FY2023, form="10-K", fiscal=(2023, "FY"))
    filer.says(250, filed="2024-11-01", period=QUARTER, form="10-Q", fiscal=(2024, "Q3"))
    filer.says(1000, filed="2025-09-01", period=JUNE_YEAR, form="10-K", fiscal=(2025, "FY"))
    filer.says(250, filed="2025-09-01", period=QUARTER, form="10-K", fiscal=(2025, "FY"))
    return filer


def labels(service, filer, **asked):
    rows = service.facts(service.id_of(filer.identifier), **asked)
    return {
        (row["period_start"], row["period_end"]): (row["period_type"], row["fiscal_year"]) for row in rows
    }


@pytest.mark.proves("FUN-4")
def test_a_change_of_year_end_relabels_from_its_day_on_and_never_before(make_service):
    service, filer = make_service(), december_then_june(11)
    service.ingest(filer.document())
    service.publish()
    assert labels(service, filer, as_of="2024-12-01")[QUARTER] == ("Q3", 2024)
    assert labels(service, filer, as_of="2025-08-31")[QUARTER] == ("Q3", 2024)
    assert labels(service, filer, as_of="2025-09-01")[QUARTER] == ("Q1", 2025)
    assert labels(service, filer)[JUNE_YEAR] == ("FY", 2025)
    assert labels(service, filer)[FY2023] == ("FY", 2023)
    assert set(labels(service, filer, as_of="2024-12-01", period_type="Q3")) == {QUARTER}
    assert labels(service, filer, as_of="2024-12-01", period_type="Q1") == {}
    assert len(service.facts(service.id_of(filer.identifier), vintages="all")) == 3


@pytest.mark.proves("FUN-4")
def test_shared_facts_and_the_diff_have_the_labels_of_their_day(make_service):
    service, filer = make_service(), december_then_june(12)
    service.ingest(filer.document())
    service.publish()
    issuer = service.id_of(filer.identifier)
    for as_of, expected in (("2025-08-31", "Q3"), ("2025-09-01", "Q1")):
        facts = service.get("/v1/shared/facts", entity_id=issuer, as_of=as_of).exact["data"]
        assert [row["period_type"] for row in facts if row["period_end"] == QUARTER[1]] == [expected]
        changes = service.get(f"/v1/diff/{issuer}", from_as_of="2024-01-01", to_as_of=as_of).exact["data"]
        assert [row["period_type"] for row in changes if row["period_end"] == QUARTER[1]] == [expected]


@pytest.mark.proves("FUN-4")
def test_twelve_months_in_an_interim_report_are_ttm_and_move_no_year_end(service):
    filer = Filer(13)
    filer.says(700, filed="2010-01-29", period=("2009-01-01", "2009-12-31"), form="10-K", fiscal=(2009, "FY"))
    filer.says(
        1024, filed="2010-04-23", period=("2009-04-01", "2010-03-31"), form="10-Q", fiscal=(2010, "Q1")
    )
    filer.says(299, filed="2010-04-23", period=("2010-01-01", "2010-03-31"), form="10-Q", fiscal=(2010, "Q1"))
    filer.says(
        5,
        filed="2010-04-23",
        concept="us-gaap:Assets",
        period=(None, "2010-03-31"),
        form="10-Q",
        fiscal=(2010, "Q1"),
    )
    service.ingest(filer.document())
    service.publish()
    assert labels(service, filer) == {
        ("2009-01-01", "2009-12-31"): ("FY", 2009),
        ("2009-04-01", "2010-03-31"): ("TTM", 2010),
        ("2010-01-01", "2010-03-31"): ("Q1", 2010),
        (None, "2010-03-31"): ("Q1", 2010),
    }
    assert set(labels(service, filer, period_type="ttm")) == {("2009-04-01", "2010-03-31")}


@pytest.mark.proves("FUN-4")
def test_an_instant_has_the_label_of_the_period_that_ends_that_day_and_none_nearby(service):
    filer = Filer(14)
    for concept in ("Revenues", "CostOfRevenue", "GrossProfit", "ProfitLoss", "IncomeTaxExpenseBenefit"):
        year = ("2008-09-28", "2009-09-26")
        filer.says(
            1, filed="2009-10-27", concept=f"us-gaap:{concept}", period=year, form="10-K", fiscal=(2009, "FY")
        )
    for end in ("2009-09-26", "2008-09-27", "2009-10-16", "2009-09-20"):
        filer.says(
            2,
            filed="2009-10-27",
            concept="us-gaap:Assets",
            period=(None, end),
            form="10-K",
            fiscal=(2009, "FY"),
        )
    service.ingest(filer.document())
    service.publish()
    instants = {end: label for (start, end), label in labels(service, filer).items() if start is None}
    assert instants == {
        "2009-09-26": ("FY", 2009),
        "2008-09-27": ("FY", 2008),
        "2009-10-16": (None, None),
        "2009-09-20": (None, None),
    }


@pytest.mark.proves("FUN-1", "FUN-4")
def test_the_balance_of_another_year_end_is_not_what_a_half_year_report_declares(service):
    """As in a report of American Superconductor: the latest day that many of its values have ends a year."""
    filer = Filer(16)
    amended = {"filed": "2011-09-23", "form": "10-Q/A", "fiscal": (2009, "Q2")}
    filer.says(9, filed="2010-05-27", period=("2009-04-01", "2010-03-31"), form="10-K", fiscal=(2009, "FY"))
    filer.says(4, period=("2009-04-01", "2009-09-30"), **amended)
    for concept in ("Assets", "Liabilities", "StockholdersEquity"):
        filer.says(5, concept=f"us-gaap:{concept}", period=(None, "2010-03-31"), **amended)
    service.ingest(filer.document())
    service.publish()
    assert labels(service, filer) == {
        ("2009-04-01", "2010-03-31"): ("FY", 2009),
        ("2009-04-01", "2009-09-30"): ("H1", 2009),
        (None, "2010-03-31"): ("FY", 2009),
    }


@pytest.mark.proves("FUN-4")
def test_the_fiscal_year_is_the_filer_s_own_where_it_is_declared(service):
    filer = Filer(15)
    year = ("2025-02-01", "2026-01-31")
    filer.says(1, filed="2026-03-13", period=year, form="10-K", fiscal=(2025, "FY"))
    filer.says(1, filed="2026-03-13", period=("2024-02-01", "2025-01-31"), form="10-K", fiscal=(2025, "FY"))
    service.ingest((filer.document(), FETCHED + timedelta(days=90)))
    service.publish()
    assert labels(service, filer) == {year: ("FY", 2025), ("2024-02-01", "2025-01-31"): ("FY", 2024)}


@pytest.mark.proves("FUN-4", "QUA-1")
def test_where_nothing_is_declared_there_is_no_label_and_quality_counts_why(service):
    filer = Filer(16)
    filer.says(1, filed="2024-05-01", period=("2024-01-01", "2024-03-31"), form="6-K")
    filer.says(1, filed="2024-05-01", period=("2024-01-01", "2024-02-10"), form="6-K")
    service.ingest(filer.document())
    service.publish()
    assert set(labels(service, filer).values()) == {(None, None)}
    rows = service.get("/v1/quality-metrics/AF-FUND").exact["data"]
    shares = {row["measure"]: row["value"] for row in rows if row["measure"].startswith("labelled_periods")}
    assert shares == {
        "labelled_periods": 0,
        "labelled_periods.not_declared": 0.5,
        "labelled_periods.odd_length": 0.5,
    }


REVISIONS = {
    21: ([("100", "20-F"), ("90", "20-F")], ["restated"], "90"),
    22: ([("294604", "20-F"), ("294604000", "20-F")], ["rescaled"], "294604000"),
    23: ([("294603943", "20-F"), ("294604000", "20-F")], ["rounded"], "294603943"),
    24: ([("294603943", "20-F"), ("294604000", "20-F/A")], ["rounded"], "294604000"),
    25: ([("294604000", "20-F"), ("294603943", "20-F")], ["rounded"], "294603943"),
    26: ([("294603943", "20-F"), ("294613943", "20-F/A")], ["corrected"], "294613943"),
    27: ([("1150", "20-F"), ("1100", "20-F")], ["restated"], "1100"),
    28: (
        [("294603943", "20-F"), ("294604000", "20-F"), ("294603943", "20-F")],
        ["rounded", "rounded"],
        "294603943",
    ),
}


@pytest.fixture(scope="module")
def revised(module_service):
    for number, (stated, _, _) in REVISIONS.items():
        filer = Filer(number)
        for year, (value, form) in enumerate(stated, 2024):
            filer.says(value, filed=f"{year}-03-01", form=form, period=FY2023)
            if not form.endswith("/A") and year > 2024:  # a later year's own report, with a comparative
                filer.says(
                    7, filed=f"{year}-03-01", form=form, period=(f"{year - 1}-01-01", f"{year - 1}-12-31")
                )
        module_service.ingest((filer.document(), FETCHED + timedelta(days=90)))
    module_service.publish()
    return module_service


@pytest.mark.proves("FUN-7")
@pytest.mark.parametrize("number", REVISIONS)
def test_a_vintage_says_what_kind_of_change_it_is(revised, number):
    _, expected, latest = REVISIONS[number]
    issuer = revised.id_of(Filer(number).identifier)
    history = [row for row in revised.facts(issuer, vintages="all") if row["period_end"] == FY2023[1]]
    assert [row["revision"] for row in history] == [None, *expected]
    (row,) = (row for row in revised.facts(issuer) if row["period_end"] == FY2023[1])
    assert str(row["value_reported"]) == latest


@pytest.mark.proves("FUN-7", "FUN-2", "SHF-3", "EDN-6")
def test_a_rounded_comparative_replaces_nothing_anywhere(revised):
    issuer = revised.id_of(Filer(23).identifier)
    facts = revised.get("/v1/shared/facts", entity_id=issuer).exact["data"]
    assert [str(row["value"]) for row in facts if row["period_end"] == FY2023[1]] == ["294603943"]
    diff = revised.get(f"/v1/diff/{issuer}", from_as_of="2024-06-01", to_as_of="2025-06-01").exact["data"]
    assert [row["period_end"] for row in diff] == ["2024-12-31"]


@pytest.mark.proves("FUN-7")
def test_another_concept_is_a_reclassification(service):
    filer = Filer(31)
    filer.says(500, filed="2024-03-01", concept="us-gaap:SalesRevenueNet", unit="USD", period=FY2023)
    filer.says(480, filed="2025-03-01", concept="us-gaap:Revenues", unit="USD", period=FY2023)
    service.ingest(filer.document())
    service.publish()
    rows = service.facts(service.id_of(filer.identifier), vintages="all")
    assert [(row["vintage"], row["revision"]) for row in rows] == [(1, None), (2, "reclassified")]


@pytest.mark.proves("FUN-7", "FUN-9")
def test_a_value_that_a_rounding_followed_is_withdrawn_with_it(service):
    filer = Filer(32)
    filer.says(294603943, filed="2024-03-01", period=FY2023)
    filer.says(294604000, filed="2025-03-01", period=FY2023)
    filer.says(None, filed="2025-06-01", period=FY2023)
    service.ingest(filer.document())
    service.publish()
    issuer = service.id_of(filer.identifier)
    assert [row["vintage"] for row in service.facts(issuer, as_of="2025-05-31")] == [1]
    assert service.facts(issuer, as_of="2025-06-01") == []
    history = service.facts(issuer, vintages="all")
    assert [row["known_until"] for row in history] == ["2025-06-01", "2025-03-01"]


@pytest.mark.proves("FUN-7")
def test_as_reported_says_whether_the_first_filing_is_held(service):
    filer = Filer(33)
    filer.says(60, filed="2024-02-01", period=FY2023).says(55, filed="2024-02-01", period=FY2022)
    service.ingest(filer.document())
    service.publish()
    rows = service.facts(service.id_of(filer.identifier), vintages="as_reported")
    assert {row["fiscal_year"]: row["first_filing_held"] for row in rows} == {2023: True, 2022: False}


@pytest.mark.proves("FUN-8", "FUN-4")
def test_a_row_names_the_filing_its_form_and_the_moment_of_acceptance(service):
    header = ("adsh", "cik", "name", "form", "period", "filed", "accepted", "fye", "fy", "fp")
    number = "0000000041-24-000007"
    sub = (
        number,
        "41",
        "EXAMPLE CORP",
        "10-Q",
        "20240331",
        "20240509",
        "2024-05-09 17:12:00.0",
        "1231",
        "2024",
        "Q1",
    )
    num = (number, "Revenues", "us-gaap/2023", "20240331", "1", "USD", "125")
    service.ingest(
        data_set(sub=(header, sub), num=(("adsh", "tag", "version", "ddate", "qtrs", "uom", "value"), num)),
        source_name="sec-fsds",
    )
    service.publish()
    (row,) = service.facts(service.id_of("cik:0000000041"))
    assert (row["form"], row["filing_id"], row["accepted_at"]) == ("10-Q", number, "2024-05-09T21:12:00Z")
    assert (row["available_at"], row["period_type"], row["fiscal_year"]) == ("2024-05-09", "Q1", 2024)
