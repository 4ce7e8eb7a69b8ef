"""MET-9: the metrics of an issuer for its last years, as they were known on a day."""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction

import pytest

from oracle.companyfacts import Entry, companyfacts
from oracle.metric_histories import CONCEPTS, history
from oracle.metrics import FORMULAS, Issuer
from support.filings import FY2022, FY2023, Filer
from support.lines import reports

FY2020, FY2021 = ("2020-01-01", "2020-12-31"), ("2021-01-01", "2021-12-31")


def margins(service, service_id, **asked):
    """Return net margins by fiscal year, the newest first, and which of them changed later."""
    response = service.get(f"/v1/metrics/{service_id}", metric="net_margin", **asked)
    assert response.status_code == 200, response.text
    return [(row["fiscal_year"], float(row["value"]), row["revised_later"]) for row in response.exact["data"]]


@pytest.fixture(scope="module")
def restated(module_service):
    """Four years, each filed in March; the third is restated in the report of the fourth and once more."""
    filer = reports(Filer(1), FY2020, "2021-03-01", revenue=100, net_income=10)
    reports(filer, FY2021, "2022-03-01", revenue=100, net_income=20)
    reports(filer, FY2022, "2023-03-01", revenue=100, net_income=30)
    module_service.ingest(filer.document())
    module_service.publish()
    reports(filer, FY2023, "2024-03-01", revenue=100, net_income=40)
    reports(filer, FY2022, "2024-03-01", net_income=31)
    reports(filer, FY2022, "2024-09-01", net_income=32)
    module_service.ingest(filer.document())
    module_service.await_edition(module_service.publish().edition)
    return module_service, module_service.id_of(filer.identifier)


@pytest.mark.proves("MET-9")
def test_each_year_has_the_value_that_it_had_on_the_day(restated):
    service, issuer = restated
    old = [(2022, 0.3), (2021, 0.2), (2020, 0.1)]
    for as_of, expected in (
        ("2022-06-01", old[1:]),
        ("2024-02-29", old),
        ("2024-03-01", [(2023, 0.4), (2022, 0.31), *old[1:]]),
        ("2024-08-31", [(2023, 0.4), (2022, 0.31), *old[1:]]),
        ("2024-09-01", [(2023, 0.4), (2022, 0.32), *old[1:]]),
    ):
        found = margins(service, issuer, as_of=as_of, years=5, basis="as_known")
        assert [row[:2] for row in found] == expected, as_of
        changed = {(2022, 0.3), (2022, 0.31)}
        assert [row[2] for row in found] == [row in changed for row in expected], as_of
        exact = margins(service, issuer, as_of=as_of, years=5)
        assert exact == [row for row in found if not row[2]], as_of


@pytest.mark.proves("MET-9")
def test_what_is_published_later_changes_no_year_as_known_on_a_day(restated):
    service, issuer = restated
    for as_of in ("2021-03-01", "2022-12-31", "2023-03-01", "2024-02-29"):
        asked = {"as_of": as_of, "years": 5, "basis": "as_known"}
        now, before = (margins(service, issuer, edition=edition, **asked) for edition in (2, 1))
        assert [row[:2] for row in now] == [row[:2] for row in before] != [], as_of


@pytest.mark.proves("MET-9")
def test_years_counts_from_the_last_one_and_one_is_the_default(restated):
    service, issuer = restated
    every = margins(service, issuer, as_of="2025-01-01", years=50)
    assert len(every) == 4
    for years in (1, 2, 3, 4, 5):
        assert margins(service, issuer, as_of="2025-01-01", years=years) == every[:years]
    assert margins(service, issuer, as_of="2025-01-01") == every[:1]


@pytest.mark.proves("MET-9", "TEN-2", "ENV-17")
def test_pages_go_on_within_a_metric(restated):
    service, issuer = restated
    asked = {"as_of": "2025-01-01", "years": 4}
    path = f"/v1/metrics/{issuer}"
    whole = [(row["metric"], row["period_end"]) for row in service.get(path, **asked).exact["data"]]
    assert whole == sorted(sorted(whole, key=lambda row: row[1], reverse=True), key=lambda row: row[0])
    assert {metric for metric, _ in whole} >= {"net_margin", "revenue_growth"}
    found, cursor = [], {}
    while True:
        body = service.get(path, **(cursor or asked), limit=3).exact
        found += [(row["metric"], row["period_end"]) for row in body["data"]]
        if not body["next_cursor"]:
            break
        cursor = {"cursor": body["next_cursor"]}
    assert found == whole


@pytest.mark.proves("MET-9", "MET-6", "MET-8")
def test_a_year_without_a_value_is_left_out_and_no_older_one_takes_its_place(make_service):
    service = make_service()
    filer = reports(Filer(1), FY2020, "2021-03-01", revenue=100, net_income=10)
    reports(filer, FY2021, "2022-03-01", revenue=0, net_income=20)
    reports(filer, FY2022, "2023-03-01", revenue=100, net_income=30)
    reports(filer, FY2023, "2024-03-01", revenue=100)
    service.ingest(filer.document())
    service.publish()
    issuer = service.id_of(filer.identifier)
    for years, expected in ((1, []), (2, [2022]), (3, [2022]), (4, [2022, 2020])):
        assert [row[0] for row in margins(service, issuer, years=years, as_of="2024-06-01")] == expected
    asked = {"metric": "net_margin", "years": 4, "as_of": "2024-06-01"}
    body = service.get(f"/v1/metrics/{issuer}", absent="true", **asked).exact
    assert body["absent"] == {"net_margin": "input_missing"}  # of the last year
    assert [row[0] for row in margins(service, issuer, years=4, as_of="2024-06-01", max_age_days=800)] == [
        2022
    ]


@pytest.mark.proves("MET-9")
def test_years_are_a_whole_number_from_1_to_50(restated):
    service, issuer = restated
    for years in ("0", "51", "-1", "1.0", "", "five"):
        response = service.get(f"/v1/metrics/{issuer}", years=years)
        assert response.status_code == 400, years
        assert "years" in response.text


@pytest.mark.proves("MET-9")
def test_random_histories_agree_with_a_replay_of_the_filings(make_service):
    """The replay shares no code with the service: it computes each year from what stood on the day."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    service = make_service()
    models = {}
    for number in range(1, 9):
        filings = history(rng)
        models[number] = Issuer([said for filing in filings for said in filing])
        service.ingest(document(number, filings))
    service.publish()
    compared = 0
    for number, model in models.items():
        issuer = service.id_of(f"cik:{number:010}")
        for day in rng.sample(model.days, min(3, len(model.days))):
            years = rng.randint(2, 6)
            rows = service.get(
                f"/v1/metrics/{issuer}", as_of=day.isoformat(), years=years, basis="as_known", limit=1_000
            ).exact["data"]
            for metric in FORMULAS:
                found = [
                    (date.fromisoformat(row["period_end"]), row["value"], row["revised_later"])
                    for row in rows
                    if row["metric"] == metric
                ]
                expected = model.history(metric, day, years)
                where = (seed, number, metric, day, years)
                assert [(end, later) for end, _, later in found] == [
                    (end, later) for end, _, later in expected
                ], where
                assert all(
                    abs(Fraction(shown) - value) <= Fraction(1, 2 * 10**10)
                    for (_, shown, _), (_, value, _) in zip(found, expected, strict=True)
                ), where
                compared += len(found)
    assert compared


def document(number, filings):
    entries = [
        Entry(
            CONCEPTS[said.line],
            said.start,
            said.end,
            said.unit,
            None if said.value is None else str(said.value),
            f"{number:010}-{said.filed:%y}-{said.filed:%j}000",
            said.filed,
        )
        for filing in filings
        for said in filing
    ]
    return companyfacts(number, f"Restater {number} PLC", entries)
