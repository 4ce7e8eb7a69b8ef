"""CAT: what can be asked for, what it means, and how much of it an edition holds."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from sankofa.fundamentals.line_items import line_items
from sankofa.metrics.formulas import METRICS
from sankofa.signals.panels import PANELS
from support.filings import FY2022, FY2023, Filer
from support.lines import reports
from support.organisations import list_shares
from support.stated_macro import GDP, indicator, rates
from support.stated_organisations import SOURCE, document, record
from support.stated_tenders import package, release, tender

KINDS = ("metrics", "line-items", "indicators", "series", "signals", "categories", "exchanges", "sources")
FIELDS = [
    "key",
    "definition",
    "unit",
    "formula",
    "aliases",
    "coverage",
    "first_date",
    "last_date",
    "license_class",
    "mapped_facts",
]


@pytest.fixture(scope="module")
def listed(module_service):
    """A service with two Kenyan issuers and one whose country nobody states, two series and an indicator."""
    service = module_service
    kenyan = reports(Filer(1), FY2022, "2023-03-01", revenue=10, net_income=1)
    reports(kenyan, FY2023, "2024-03-01", revenue=12, net_income=2, total_assets=5)
    other = reports(Filer(2), FY2023, "2024-03-01", revenue=7, net_income=1)
    nowhere = reports(Filer(3), FY2022, "2023-03-01", revenue=7)
    service.filers = (kenyan, other, nowhere)
    service.ingest(*(filer.document() for filer in service.filers))
    homes = [
        record(filer.identifier, f"Number {filer.number} PLC", country="KE", day=date(2025, 1, 1))
        for filer in (kenyan, other)
    ]
    service.ingest(document(*homes), source_name=SOURCE)
    service.ingest(
        rates({"2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "20.7"}}), source_name="demo-fx"
    )
    years = {(country, year): year for country in ("KEN", "NGA") for year in (2021, 2022)}
    service.ingest(indicator(years, GDP), source_name="demo-world-bank")
    bought = [
        release("ocds-1", date="2022-01-10T08:00:00Z", tender=tender(category="Roads")),
        release("ocds-2", date="2022-01-20T08:00:00Z", tender=tender(10, category="Water")),
        release("ocds-3", date="2022-04-02T08:00:00Z", tender=tender(category="Roads")),
    ]
    service.ingest(package(*bought), source_name="demo-tenders")
    service.publish()
    return service


@pytest.mark.proves("CAT-1")
def test_signals_and_categories_are_listed_with_the_months_that_there_are(listed):
    found = catalogue(listed, "signals")
    assert set(found) == {"procurement-demand", "tender-value"} < set(PANELS)
    assert (found["tender-value"]["coverage"], found["tender-value"]["first_date"]) == (
        {"ZA": 1},
        "2022-01-01",
    )
    roads, water = catalogue(listed, "categories").values()
    assert (roads["key"], roads["coverage"], roads["first_date"], roads["last_date"]) == (
        "Roads",
        {"ZA": 2},
        "2022-01-01",
        "2022-04-01",
    )
    assert (water["key"], water["coverage"], water["license_class"]) == ("Water", {"ZA": 1}, "synthetic")
    first = listed.get("/v1/catalog/categories", limit="1").json()
    assert ([row["key"] for row in first["data"]], first["truncated"]) == (["Roads"], True)


def catalogue(service, kind, **asked):
    response = service.get(f"/v1/catalog/{kind}", **asked)
    assert response.status_code == 200, response.text
    return {entry["key"]: entry for entry in response.exact["data"]}


@pytest.mark.proves("CAT-1", "ENV-17")
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_listed_by_key_with_every_field(demo, kind):
    response = demo.get(f"/v1/catalog/{kind}")
    assert response.status_code == 200
    rows = response.exact["data"]
    keys = [row["key"] for row in rows]
    assert keys == sorted(set(keys))
    assert all(list(row) == FIELDS for row in rows)
    assert rows


@pytest.mark.proves("CAT-1")
def test_metrics_have_formula_and_coverage(listed):
    found = catalogue(listed, "metrics")
    assert set(found) < {metric.slug for metric in METRICS}
    assert "loan_to_deposit" not in found  # nobody here is a bank
    assert found["net_margin"] == {
        "key": "net_margin",
        "definition": "What is left of revenue after everything.",
        "unit": "pure",
        "formula": "net income / revenue",
        "aliases": [],
        "coverage": {"KE": 2},
        "first_date": "2022-12-31",
        "last_date": "2023-12-31",
        "license_class": "synthetic",
        "mapped_facts": None,
    }


@pytest.mark.proves("CAT-1")
def test_line_items_have_definition_unit_and_coverage_by_country(listed):
    found = catalogue(listed, "line-items")
    definitions = {item.name: item.definition for item in line_items()}
    assert {key: entry["definition"] for key, entry in found.items()} == {
        key: definitions[key] for key in ("net_income", "revenue", "total_assets")
    }
    assert found["revenue"]["coverage"] == {"KE": 2, "none": 1}
    assert found["total_assets"]["coverage"] == {"KE": 1}
    assert (found["revenue"]["first_date"], found["revenue"]["last_date"]) == ("2022-12-31", "2023-12-31")
    assert found["revenue"]["unit"] == "currency"


@pytest.mark.proves("CAT-1")
def test_line_items_have_the_unit_of_their_kind(demo):
    found = catalogue(demo, "line-items", limit=1000)
    assert [found[key]["unit"] for key in ("revenue", "eps_basic", "shares_outstanding")] == [
        "currency",
        "currency/shares",
        "shares",
    ]


@pytest.mark.proves("CAT-1")
def test_indicators_and_series_have_their_dates_and_countries(listed):
    (one,) = catalogue(listed, "indicators").values()
    assert (one["key"], one["definition"]) == GDP
    assert one["coverage"] == {"KE": 1, "NG": 1}
    assert (one["first_date"], one["last_date"]) == ("2021-12-31", "2022-12-31")
    series = catalogue(listed, "series")
    rate = series["FX.EUR.ZAR"]
    assert (rate["coverage"], rate["unit"]) == ({"ZA": 1}, "ZAR")
    assert (rate["first_date"], rate["last_date"]) == ("2024-02-28", "2024-02-29")
    assert {entry["license_class"] for entry in series.values()} == {"synthetic"}


@pytest.mark.proves("CAT-1")
def test_exchanges_count_the_issuers_that_are_listed_there(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2023, "2024-03-01", revenue=10)
    service.ingest(filer.document())
    list_shares(service, ("XNAI", "NYAL", "Example Holdings PLC", "KE"))
    service.publish()
    service.merge(service.id_of("ticker:XNAI:NYAL"), service.id_of(filer.identifier))
    service.publish()
    found = catalogue(service, "exchanges")
    assert set(found) == {"XNAI"}
    assert sum(found["XNAI"]["coverage"].values()) == 1
    assert found["XNAI"]["aliases"] == ["NBO"]


@pytest.mark.proves("CAT-1")
def test_an_issuer_that_was_merged_into_another_is_counted_no_more(make_service):
    """Issuers are counted by the first letters of their ids, and the two need not share them."""
    service = make_service()
    filers = [reports(Filer(number), FY2023, "2024-03-01", revenue=10) for number in range(1, 9)]
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    one, *others = (service.id_of(filer.identifier) for filer in filers)
    service.merge(one, next(other for other in others if other[:3] != one[:3]))
    service.await_edition(service.publish().edition)
    assert catalogue(service, "line-items")["revenue"]["coverage"] == {"none": 7}


@pytest.mark.proves("CAT-1")
def test_sources_are_those_that_the_edition_rests_on_and_never_a_closed_one(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2023, "2024-03-01", revenue=10, net_income=1)
    filer.says(3, filed="2024-03-01", concept="ifrs-full:ThatNoLineItemIsMadeOf")
    service.ingest(filer.document())
    service.ingest(rates({"2024-02-28": {"ZAR": "20.8"}}), source_name="demo-fx")
    service.publish()
    found = catalogue(service, "sources")
    assert {key: entry["mapped_facts"] for key, entry in found.items()} == {
        "demo-companyfacts": Decimal("0.6666666667"),
        "demo-fx": None,
    }
    assert set(found) == {"demo-companyfacts", "demo-fx"}
    assert found["demo-companyfacts"]["coverage"] == {"none": 1}
    assert found["demo-companyfacts"]["license_class"] == "synthetic"
    assert found["demo-companyfacts"]["first_date"] == "2026-01-05"
    service.closed_sources = (*service.closed_sources, "demo-fx")
    edition = service.publish().edition
    service.await_edition(edition)
    assert set(catalogue(service, "sources")) == {"demo-companyfacts"}
    assert set(catalogue(service, "sources", edition=1)) == {"demo-companyfacts", "demo-fx"}


@pytest.mark.proves("CAT-1", "EDN-2", "ENV-11")
def test_the_catalogue_follows_editions_and_each_one_keeps_its_own(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=10)
    service.ingest(filer.document())
    service.publish()
    first = service.get("/v1/catalog/line-items")
    assert (
        service.get("/v1/catalog/line-items", headers={"If-None-Match": first.headers["etag"]}).status_code
        == 304
    )
    reports(filer, FY2023, "2024-03-01", revenue=12, net_income=2)
    service.ingest(filer.document(), reports(Filer(2), FY2023, "2024-03-01", revenue=1).document())
    service.await_edition(service.publish().edition)
    now = catalogue(service, "line-items")
    assert (now["revenue"]["coverage"], now["net_income"]["coverage"]) == ({"none": 2}, {"none": 1})
    assert now["revenue"]["last_date"] == "2023-12-31"
    assert service.get("/v1/catalog/line-items", edition=1).content == first.content
    service.take_down(service.id_of("cik:0000000002"))
    service.await_edition(service.publish().edition)
    assert catalogue(service, "line-items")["revenue"]["coverage"] == {"none": 1}


@pytest.mark.proves("CAT-1", "ENV-13")
@pytest.mark.parametrize("kind", ["metrics", "line-items", "series", "sources"])
def test_pages_of_the_catalogue_make_the_whole_of_it(listed, kind):
    whole = list(catalogue(listed, kind))
    found, cursor = [], {}
    while True:
        body = listed.get(f"/v1/catalog/{kind}", limit=2, **cursor).exact
        found += [row["key"] for row in body["data"]]
        if not body["next_cursor"]:
            break
        cursor = {"cursor": body["next_cursor"]}
    assert found == whole


@pytest.mark.proves("CAT-1", "ERR-9")
def test_an_unknown_kind_is_refused(listed):
    response = listed.get("/v1/catalog/everything")
    assert (response.status_code, response.exact["parameter"]) == (400, "kind")
