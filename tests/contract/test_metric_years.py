"""MET-2, MET-3, MET-5 and EDN-7 over several publishes: restated, withdrawn and taken down; pages of ties."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest

from support.filings import FY2022, FY2023, Filer
from support.lines import SCREEN, of_issuer, ranked, reports, screen
from support.waiting import until


@pytest.mark.proves("MET-2")
def test_a_restatement_of_an_old_year_never_hides_a_newer_one(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=10)
    reports(filer, FY2023, "2024-03-01", revenue=100, net_income=30)
    service.ingest(filer.document())
    service.publish()
    service.ids, service.numbers = {1: service.id_of(filer.identifier)}, {}
    service.ingest(reports(filer, FY2022, "2024-09-01", net_income=11).document())
    service.await_edition(service.publish().edition)
    for as_of in ("2024-03-01", "2024-08-31", "2024-09-01", "2025-01-01"):
        (row,) = service.get(f"/v1/metrics/{service.ids[1]}", metric="net_margin", as_of=as_of).exact["data"]
        assert (row["fiscal_year"], row["value"]) == (2023, Decimal("0.3"))
    # The old year is left out of the days on which it was the last: it was revised later.
    assert of_issuer(service, 1, metric="net_margin", as_of="2023-06-01") == {}
    assert of_issuer(service, 1, metric="net_margin", as_of="2023-06-01", edition=1) == {
        "net_margin": Decimal("0.1")
    }


@pytest.mark.proves("MET-2", "ENV-5")
def test_a_withdrawn_input_takes_the_value_with_it(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2023, "2024-03-01", revenue=100, net_income=30)
    service.ingest(filer.document())
    service.publish()
    service.ids = {1: service.id_of(filer.identifier)}
    assert of_issuer(service, 1, metric="net_margin") == {"net_margin": Decimal("0.3")}
    service.ingest(reports(filer, FY2023, "2024-06-01", net_income=None).document())
    service.await_edition(service.publish().edition)
    for as_of in ("2024-03-01", "2024-06-01"):
        assert of_issuer(service, 1, metric="net_margin", as_of=as_of) == {}


@pytest.mark.proves("MET-2")
def test_a_full_year_is_350_to_380_days(make_service):
    service = make_service()
    filers = []
    for number, (start, days) in enumerate(
        [("2023-01-02", 349), ("2023-01-01", 350), ("2022-12-02", 380), ("2022-12-01", 381)], 1
    ):
        end = date.fromordinal(date.fromisoformat(start).toordinal() + days - 1).isoformat()
        filers.append(reports(Filer(number), (start, end), "2024-03-01", revenue=10, net_income=number))
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    service.numbers = {service.id_of(filer.identifier): filer.number for filer in filers}
    assert [number for number, _ in ranked(service, "net_margin")] == [3, 2]
    absent = screen(service, "net_margin", absent="true")["absent"]
    assert (absent["not_full_year"], sum(absent.values())) == (2, 2)


@pytest.mark.proves("MET-3", "ENV-17", "TEN-2")
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_equal_values_go_by_id_and_rank_goes_on_over_pages(make_service, order):
    service = make_service()
    # Two thirds, in three spellings, and one that only rounds to the same.
    amounts = [(2, 3), (20, 30), (200, 300), (666666666667, 10**12), (1, 2), (1, 2), (9, 10)]
    filers = [
        reports(Filer(number), FY2023, "2024-03-01", net_income=above, revenue=below)
        for number, (above, below) in enumerate(amounts, 1)
    ]
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    exact = {
        service.id_of(filer.identifier): Fraction(*pair) for filer, pair in zip(filers, amounts, strict=True)
    }
    sign = 1 if order == "asc" else -1
    expected = sorted(exact, key=lambda service_id: (sign * exact[service_id], service_id))
    for limit in (1, 2, 3, 7):
        found, asked = [], {"metric": "net_margin", "order": order}
        while True:
            body = service.get(SCREEN, limit=limit, **asked).exact
            found += [(row["rank"], row["service_id"]) for row in body["data"]]
            if not body["next_cursor"]:
                break
            asked = {"cursor": body["next_cursor"]}  # even the metric, which a question needs, is in it
        assert found == list(enumerate(expected, 1)), limit


@pytest.mark.proves("MET-5")
@pytest.mark.parametrize(("days", "is_shown"), [(358, True), (372, True), (357, False), (373, False)])
def test_the_year_before_is_equally_long_within_seven_days(make_service, days, is_shown):
    service = make_service()
    start = date.fromordinal(date(2023, 1, 1).toordinal() - days).isoformat()
    filer = reports(Filer(1), (start, "2022-12-31"), "2023-03-01", revenue=100)
    service.ingest(reports(filer, FY2023, "2024-03-01", revenue=150).document())
    service.publish()
    service.ids = {1: service.id_of(filer.identifier)}
    assert of_issuer(service, 1, metric="revenue_growth") == (
        {"revenue_growth": Decimal("0.5")} if is_shown else {}
    )


@pytest.mark.proves("EDN-7")
def test_a_fact_that_is_taken_down_takes_what_rests_on_it_with_it(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=10)
    reports(filer, FY2023, "2024-03-01", revenue=100, net_income=30, total_assets=50)
    service.ingest(filer.document())
    service.publish()
    service_id = service.id_of(filer.identifier)
    service.ids = {1: service_id}
    assert of_issuer(service, 1)["net_margin"] == Decimal("0.3")
    (fact,) = [
        fact
        for fact in service.facts(service_id)
        if (fact["line_item"], fact["fiscal_year"]) == ("net_income", 2023)
    ]
    service.take_down(service_id, fact["fact_id"])
    until(lambda: "net_margin" not in of_issuer(service, 1))
    assert set(of_issuer(service, 1)) == {"revenue_growth"}
    service.await_edition(service.publish().edition)
    assert set(of_issuer(service, 1)) == {"revenue_growth"}
    assert "net_margin" not in of_issuer(service, 1, edition=1)
    ((buried,),) = service.rows("SELECT count(*) FROM ops.tombstone WHERE dataset = 'metric_value'")
    assert buried > 0


@pytest.mark.proves("EDN-7")
def test_an_issuer_that_is_taken_down_is_gone_from_every_screen(make_service):
    service = make_service()
    filers = [reports(Filer(n), FY2023, "2024-03-01", revenue=10, net_income=n) for n in (1, 2, 3)]
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    ids = [service.id_of(filer.identifier) for filer in filers]
    service.numbers = {service_id: number for number, service_id in enumerate(ids, 1)}
    assert [number for number, _ in ranked(service, "net_margin")] == [3, 2, 1]
    cursor = screen(service, "net_margin", limit=2)["next_cursor"]
    service.take_down(ids[1])
    until(lambda: len(screen(service, "net_margin")["data"]) != 3)
    assert [number for number, _ in ranked(service, "net_margin")] == [3, 1]
    # A page that ended with the one who is gone is gone on from.
    assert [row["service_id"] for row in screen(service, "net_margin", cursor=cursor)["data"]] == [ids[0]]
    assert screen(service, "net_margin", absent="true")["absent"]["not_published"] == 0
