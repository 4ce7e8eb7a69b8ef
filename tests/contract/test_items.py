"""FUN-10: every value of a filing is served, under a line item or under its concept."""

from __future__ import annotations

import pytest

from support.filings import FY2022, Filer

ASSETS, EPS = "us-gaap:Assets", "us-gaap:EarningsPerShareBasic"
REVENUES, SALES, OWN = "us-gaap:Revenues", "us-gaap:SalesRevenueNet", "acme:WellsDrilled"
INSTANT = (None, "2023-12-31")


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with one filer: what it states in 2023, and what it states of the year before in 2024."""
    service = module_service
    filer = Filer(1)
    filer.says(10, filed="2023-02-01", concept=SALES, unit="USD", period=FY2022)
    filer.says(7, filed="2023-02-01", concept=OWN, unit="pure", period=FY2022)
    filer.says(12, filed="2024-02-01", concept=REVENUES, unit="USD", period=FY2022)
    filer.says(11, filed="2024-02-01", concept=SALES, unit="USD", period=FY2022)
    filer.says(8, filed="2024-02-01", concept=OWN, unit="pure", period=FY2022)
    filer.says(3, filed="2024-02-01", concept=EPS, unit="USD")
    filer.says(4, filed="2024-02-01", concept=EPS, unit="shares", period=FY2022)
    filer.says(5, filed="2024-02-01", concept=ASSETS, unit="USD", period=INSTANT)
    service.ingest(filer.document())
    service.publish()
    service.filer = service.id_of(filer.identifier)
    return service


def told(rows):
    return sorted((row["line_item"], row["concept"], row["unit"], row["value_reported"]) for row in rows)


STANDARD = [
    ("total_assets", ASSETS, "USD", 5),
    ("eps_basic", EPS, "USD/shares", 3),
    ("revenue", REVENUES, "USD", 12),
]
OTHERS = [(OWN, OWN, "pure", 8), (EPS, EPS, "shares", 4), (SALES, SALES, "USD", 11)]


@pytest.mark.proves("FUN-10")
def test_what_stands_for_no_line_item_goes_by_its_concept(shown):
    assert told(shown.facts(shown.filer)) == sorted(STANDARD)
    assert told(shown.facts(shown.filer, items="standard")) == sorted(STANDARD)
    assert told(shown.facts(shown.filer, items="all")) == sorted(STANDARD + OTHERS)


@pytest.mark.proves("FUN-10")
def test_items_are_asked_for_by_name(shown):
    assert told(shown.facts(shown.filer, items=OWN)) == [(OWN, OWN, "pure", 8)]
    assert told(shown.facts(shown.filer, items=f"eps_basic,{OWN}")) == [
        (OWN, OWN, "pure", 8),
        ("eps_basic", EPS, "USD/shares", 3),
    ]
    assert shown.facts(shown.filer, items="acme:Nothing") == []


@pytest.mark.proves("FUN-10")
def test_the_name_of_a_concept_gives_its_rows_under_every_line_item(shown):
    """In 2023 it stood for revenue; a year later the filing preferred another one."""
    assert told(shown.facts(shown.filer, items=SALES, as_of="2023-12-31")) == [("revenue", SALES, "USD", 10)]
    assert told(shown.facts(shown.filer, items=SALES)) == [(SALES, SALES, "USD", 11)]
    every = shown.facts(shown.filer, items=SALES, vintages="all")
    assert told(every) == sorted([("revenue", SALES, "USD", 10), (SALES, SALES, "USD", 11)])


@pytest.mark.proves("FUN-10")
def test_a_concept_has_vintages_as_a_line_item_has(shown):
    rows = shown.facts(shown.filer, items=OWN, vintages="all")
    assert [(row["vintage"], row["value_reported"], row["known_until"]) for row in rows] == [
        (1, 7, "2024-02-01"),
        (2, 8, None),
    ]
    assert told(shown.facts(shown.filer, items=OWN, as_of="2024-01-31")) == [(OWN, OWN, "pure", 7)]


@pytest.mark.proves("FUN-10")
@pytest.mark.parametrize(
    ("items", "hint"),
    [
        ("revenu", "did you mean revenue?"),
        ("zzz", "/v1/catalog/line-items lists them"),
        ("revenue,", "expected a line item"),
        ("all,revenue", "no line item is called all"),
        (",".join(f"acme:Item{number}" for number in range(21)), "at most 20 names"),
    ],
)
def test_a_slip_in_a_name_is_told(shown, items, hint):
    answer = shown.get(f"/v1/fundamentals/{shown.filer}", items=items)
    assert answer.status_code == 400
    assert hint in answer.text


@pytest.mark.proves("FUN-10")
def test_a_difference_is_asked_for_by_item_too(shown):
    def changed(**asked):
        days = {"from_as_of": "2024-01-31", "to_as_of": "2024-02-01"}
        rows = shown.get(f"/v1/diff/{shown.filer}", **days, **asked).json()["data"]
        return sorted((row["line_item"], row["change"]) for row in rows)

    assert changed() == [("eps_basic", "added"), ("revenue", "restated"), ("total_assets", "added")]
    assert changed(items=OWN) == [(OWN, "restated")]
    assert set(changed()) < set(changed(items="all"))


@pytest.mark.proves("FUN-10")
def test_shared_facts_are_line_items_or_the_measure_asked_for(shown):
    def measures(**asked):
        rows = shown.get("/v1/shared/facts", dataset="AF-FUND", entity_id=shown.filer, **asked).json()["data"]
        return {row["measure"] for row in rows}

    assert measures() == {"total_assets", "eps_basic", "revenue"}
    assert measures(measure=OWN) == {OWN}
