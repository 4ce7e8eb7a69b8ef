"""FUN-12: rows of one issuer by line item, concept, fiscal year and end of the period."""

from __future__ import annotations

import itertools

import pytest

from support.filings import FY2022, FY2023, Filer

REVENUES, SALES, ASSETS = "us-gaap:Revenues", "us-gaap:SalesRevenueNet", "us-gaap:Assets"
OWN, LOSS = "acme:WellsDrilled", "us-gaap:ProfitLoss"


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with one filer that reports two years, changes a concept and restates."""
    service = module_service
    filer = Filer(1)
    filer.says(10, filed="2023-02-01", concept=SALES, unit="USD", period=FY2022)
    filer.says(2, filed="2023-02-01", concept=LOSS, unit="USD", period=FY2022)
    filer.says(7, filed="2023-02-01", concept=OWN, unit="pure", period=FY2022)
    filer.says(30, filed="2023-02-01", concept=ASSETS, unit="USD", period=(None, "2022-12-31"))
    filer.says(12, filed="2024-02-01", concept=REVENUES, unit="USD", period=FY2022)
    filer.says(14, filed="2024-02-01", concept=REVENUES, unit="USD", period=FY2023)
    filer.says(3, filed="2024-02-01", concept=LOSS, unit="USD", period=FY2023)
    filer.says(33, filed="2024-02-01", concept=ASSETS, unit="USD", period=(None, "2023-12-31"))
    service.ingest(filer.document())
    service.publish()
    service.filer = service.id_of(filer.identifier)
    return service


def told(rows):
    return sorted((row["line_item"], row["period_end"][:4], row["value_reported"]) for row in rows)


@pytest.mark.proves("FUN-12")
def test_one_line_item_or_several(shown):
    assert told(shown.facts(shown.filer, line_item="revenue")) == [
        ("revenue", "2022", 12),
        ("revenue", "2023", 14),
    ]
    assert told(shown.facts(shown.filer, line_item="revenue,total_assets", fiscal_year=2023)) == [
        ("revenue", "2023", 14),
        ("total_assets", "2023", 33),
    ]
    assert told(shown.facts(shown.filer, line_item=OWN)) == [(OWN, "2022", 7)]


@pytest.mark.proves("FUN-12")
def test_years_and_days(shown):
    assert told(shown.facts(shown.filer, line_item="revenue", fiscal_year="2022")) == [
        ("revenue", "2022", 12)
    ]
    both = shown.facts(shown.filer, line_item="revenue", fiscal_year="2023,2022")
    assert both == shown.facts(shown.filer, line_item="revenue", **{"from": "2022-12-31", "to": "2023-12-31"})
    assert shown.facts(shown.filer, **{"from": "2023-01-01", "to": "2023-12-30"}) == []
    assert shown.facts(shown.filer, fiscal_year="1999") == []


@pytest.mark.proves("FUN-12")
def test_a_concept_gives_its_rows_and_another_one_still_ends_it(shown):
    assert shown.facts(shown.filer, concept=SALES) == []
    (first,) = shown.facts(shown.filer, concept=SALES, vintages="all")
    assert (first["line_item"], first["value_reported"], first["known_until"]) == (
        "revenue",
        10,
        "2024-02-01",
    )
    (then,) = shown.facts(shown.filer, concept=SALES, as_of="2024-01-31")
    assert then["known_until"] is None
    assert told(shown.facts(shown.filer, concept=f"{OWN},{LOSS}", fiscal_year=2022)) == [
        (OWN, "2022", 7),
        ("net_income", "2022", 2),
        ("net_income_attributable_to_parent", "2022", 2),
    ]
    assert shown.facts(shown.filer, concept="acme:Nothing") == []


FILTERS = (
    ("line_item", ("revenue", f"total_assets,{OWN}"), lambda row, text: row["line_item"] in text.split(",")),
    ("concept", (SALES, f"{REVENUES},{ASSETS}"), lambda row, text: row["concept"] in text.split(",")),
    ("fiscal_year", ("2022", "2021,2023"), lambda row, text: str(row["fiscal_year"]) in text.split(",")),
    ("from", ("2022-12-31", "2022-06-30"), lambda row, text: row["period_end"] >= text),
    ("to", ("2022-12-31", "2023-12-31"), lambda row, text: row["period_end"] <= text),
    ("period_type", ("FY", "Q1"), lambda row, text: row["period_type"] == text),
)


@pytest.mark.proves("FUN-12")
@pytest.mark.parametrize("vintages", ["latest", "as_reported", "all"])
def test_filters_hold_together_and_leave_rows_as_they_are(shown, vintages):
    """All pairs of filters, against the rows of an answer that has none."""
    for as_of in ("2023-06-30", "2024-06-30"):
        asked = {"as_of": as_of, "vintages": vintages, "items": "all"}
        every = shown.facts(shown.filer, **asked)
        for (one, texts, holds), (other, more, also) in itertools.combinations(FILTERS, 2):
            for text, further in itertools.product(texts, more):
                rows = shown.facts(shown.filer, **asked, **{one: text, other: further})
                assert rows == [row for row in every if holds(row, text) and also(row, further)]


@pytest.mark.proves("FUN-12", "ERR-2", "ERR-5")
@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"line_item": "revenu"}, ["line_item"]),
        ({"line_item": ""}, ["line_item"]),
        ({"concept": "revenue"}, ["concept"]),
        ({"concept": ",".join(f"acme:Item{number}" for number in range(21))}, ["concept"]),
        ({"concept": ",".join(f"acme:{'x' * 200}{number}" for number in range(8))}, ["concept"]),
        ({"fiscal_year": "23"}, ["fiscal_year"]),
        ({"fiscal_year": "2023,"}, ["fiscal_year"]),
        ({"from": "2023"}, ["from"]),
        ({"from": "2024-01-01", "to": "2023-12-31"}, ["from", "to"]),
    ],
)
def test_what_is_malformed_is_named(shown, asked, names):
    answer = shown.get(f"/v1/fundamentals/{shown.filer}", **asked)
    body = answer.json()
    assert answer.status_code == 400
    assert body.get("parameters", [body["parameter"]]) == names
