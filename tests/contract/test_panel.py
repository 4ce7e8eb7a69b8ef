"""FUN-13: line items of many issuers as of one day, the same rows as on fundamentals."""

from __future__ import annotations

from datetime import date

import pytest

from support.filings import FY2022, FY2023, Filer
from support.lines import reports
from support.stated_organisations import SOURCE, document, record

PATH = "/v1/panel"
FY2021 = ("2021-01-01", "2021-12-31")
NAMES = ("legal_name", "name_as_of", "country")


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with four issuers: restated, moved to another country, in two units, without a home."""
    service = module_service
    restated = reports(Filer(1), FY2022, "2023-03-01", revenue=100, net_income=7, total_assets=90)
    reports(restated, FY2023, "2024-03-01", revenue=120, net_income=12)
    reports(restated, FY2023, "2024-08-01", revenue=110)
    moved = reports(Filer(2), FY2021, "2022-03-01", revenue=80)
    reports(moved, FY2022, "2023-03-02", revenue=85)
    twice = reports(Filer(3), FY2023, "2024-02-02", revenue=50)
    reports(twice, FY2023, "2024-02-02", unit="USD", revenue=5)
    homeless = reports(Filer(4), FY2023, "2024-05-01", net_income=1)
    filers = (restated, moved, twice, homeless)
    service.ingest(*(filer.document() for filer in filers))
    for filer, country, day in (
        (restated, "KE", date(2023, 1, 1)),
        (moved, "KE", date(2022, 1, 1)),
        (moved, "NG", date(2023, 6, 1)),
        (twice, "KE", date(2023, 1, 1)),
    ):
        stated = record(filer.identifier, f"Number {filer.number} PLC", country=country, day=day)
        service.ingest(document(stated), source_name=SOURCE)
    service.publish()
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in filers}
    service.numbers = {service_id: number for number, service_id in service.ids.items()}
    return service


def panel(service, **asked):
    answer = service.get(PATH, **asked)
    assert answer.status_code == 200, answer.text
    return answer.exact["data"]


def told(service, **asked):
    return sorted(
        (service.numbers[row["service_id"]], row["line_item"], row["fiscal_year"], row["value_reported"])
        for row in panel(service, **asked)
    )


@pytest.mark.proves("FUN-13")
def test_one_call_gives_line_items_of_a_country_in_a_year_as_of_a_day(shown):
    asked = {"line_item": "revenue,net_income", "country": "KE", "fiscal_year": "2023"}
    assert told(shown, **asked, as_of="2024-06-30") == [
        (1, "net_income", 2023, 12),
        (1, "revenue", 2023, 120),
        (3, "revenue", 2023, 5),
        (3, "revenue", 2023, 50),
    ]
    assert (1, "revenue", 2023, 110) in told(shown, **asked)
    assert told(shown, **asked, as_of="2024-02-29") == [(3, "revenue", 2023, 5), (3, "revenue", 2023, 50)]
    assert told(shown, **asked, vintages="all")[1:3] == [(1, "revenue", 2023, 110), (1, "revenue", 2023, 120)]


@pytest.mark.proves("FUN-13")
def test_a_country_is_that_of_the_day(shown):
    asked = {"line_item": "revenue", "fiscal_year": "2022"}
    assert told(shown, **asked, country="KEN", as_of="2023-05-31") == [
        (1, "revenue", 2022, 100),
        (2, "revenue", 2022, 85),
    ]
    assert told(shown, **asked, country="ke", as_of="2023-06-01") == [(1, "revenue", 2022, 100)]
    (row,) = panel(shown, **asked, country="NG", as_of="2023-06-01")
    assert (row["legal_name"], row["name_as_of"], row["country"]) == ("Number 2 PLC", "2022-01-01", "NG")
    assert panel(shown, **asked, country="ZA") == []


@pytest.mark.proves("FUN-13")
def test_latest_is_each_issuers_last_year_that_was_stated_by_the_day(shown):
    asked = {"line_item": "revenue,total_assets"}
    assert told(shown, **asked, as_of="2024-02-29") == [
        (1, "revenue", 2022, 100),
        (1, "total_assets", 2022, 90),
        (2, "revenue", 2022, 85),
        (3, "revenue", 2023, 5),
        (3, "revenue", 2023, 50),
    ]
    # Of the first issuer's last year, only revenue was stated.
    assert [row for row in told(shown, **asked) if row[0] == 1] == [(1, "revenue", 2023, 110)]
    assert told(shown, **asked, as_of="2023-02-28") == [(2, "revenue", 2021, 80)]
    assert panel(shown, **asked) == panel(shown, **asked, fiscal_year="latest")


@pytest.mark.proves("FUN-13")
@pytest.mark.parametrize("vintages", ["latest", "as_reported", "all"])
@pytest.mark.parametrize("as_of", ["2022-03-01", "2023-06-01", "2024-03-01", "2024-08-01", "2025-01-01"])
def test_a_cell_is_a_row_of_fundamentals(shown, as_of, vintages):
    common = {"as_of": as_of, "vintages": vintages, "line_item": "revenue,net_income,total_assets"}
    rows = panel(shown, **common, fiscal_year="2021,2022,2023")
    of_issuers = [
        row
        for service_id in sorted(shown.ids.values())
        for row in shown.facts(service_id, **common, fiscal_year="2021,2022,2023", period_type="FY")
    ]
    bare = [{name: value for name, value in row.items() if name not in NAMES} for row in rows]
    place = ("service_id", "line_item", "period_start", "unit", "vintage")
    of_issuers.sort(key=lambda row: tuple(str(row[name] or "") for name in place))
    of_issuers.sort(key=lambda row: row["period_end"], reverse=True)
    of_issuers.sort(key=lambda row: (row["service_id"], row["line_item"]))
    assert bare == of_issuers


@pytest.mark.proves("FUN-13", "ENV-10", "ENV-13")
@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_pages_join_without_gap_or_repetition(shown, limit):
    asked = {"line_item": "revenue,net_income", "fiscal_year": "2021,2022,2023", "vintages": "all"}
    whole = panel(shown, **asked)
    body = shown.get(PATH, limit=limit, **asked).exact
    walked = body["data"]
    while body["next_cursor"]:
        body = shown.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
        walked += body["data"]
    assert len(whole) > 7
    assert walked == whole


@pytest.mark.proves("FUN-13")
def test_ids_are_listed_and_unknown_ones_have_no_rows(shown):
    ids = f"{shown.ids[4]},{shown.ids[1]},DCUNKNOWN"
    assert told(shown, line_item="net_income", service_id=ids) == [
        (1, "net_income", 2023, 12),
        (4, "net_income", 2023, 1),
    ]


@pytest.mark.proves("FUN-13")
def test_a_merged_id_stands_for_the_surviving_one(service):
    first, second = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(50, filed="2024-03-01")
    service.ingest(first.document(), second.document())
    service.publish()
    gone, stays = service.id_of(second.identifier), service.id_of(first.identifier)
    service.merge(gone, stays)
    service.await_edition(service.publish().edition)
    for asked in (gone, stays, f"{gone},{stays}"):
        rows = panel(service, line_item="revenue", service_id=asked, vintages="all")
        assert [(row["service_id"], row["value_reported"]) for row in rows] == [(stays, 100), (stays, 50)]
    assert {row["service_id"] for row in panel(service, line_item="revenue")} == {stays}


@pytest.mark.proves("FUN-13")
def test_an_exchange_is_where_an_issuer_had_a_ticker_on_the_day(demo):
    ((service_id, mic, known, until),) = demo.rows(
        "SELECT i.service_id, i.issuer, greatest(i.available_at, i.valid_from, min(f.available_at))::text,"
        " coalesce(i.valid_to, '2026-01-04')::text"
        " FROM serving.identifier AS i JOIN serving.fundamentals_fact AS f USING (service_id)"
        " WHERE i.id_type = 'ticker' AND f.line_item = 'revenue' AND f.period_type = 'FY'"
        " GROUP BY i.service_id, i.issuer, i.available_at, i.valid_from, i.valid_to ORDER BY 1 LIMIT 1"
    )
    day = max(known, min(until, "2025-12-31"))
    listed = {row["service_id"] for row in panel(demo, line_item="revenue", exchange=mic.lower(), as_of=day)}
    assert service_id in listed
    on_it = {
        row[0]
        for row in demo.rows(
            "SELECT service_id FROM serving.identifier WHERE id_type = 'ticker' AND issuer = %s"
            " AND available_at <= %s AND coalesce(valid_from, '-infinity') <= %s"
            " AND coalesce(valid_to, 'infinity') > %s AND superseded_in > 2000000000",
            *(mic, day, day, day),
        )
    }
    every = {row["service_id"] for row in panel(demo, line_item="revenue", as_of=day)}
    assert listed == every & on_it
    assert panel(demo, line_item="revenue", exchange="KE") == []


@pytest.mark.proves("FUN-13", "ERR-2")
@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["line_item"]),
        ({"line_item": "revenu"}, ["line_item"]),
        ({"line_item": "us-gaap:Revenues"}, ["line_item"]),
        ({"line_item": "revenue", "fiscal_year": "latest,2023"}, ["fiscal_year"]),
        ({"line_item": "revenue", "fiscal_year": ",".join(map(str, range(2000, 2011)))}, ["fiscal_year"]),
        ({"line_item": "revenue", "period_type": "M1"}, ["period_type"]),
        ({"line_item": "revenue", "country": "KE", "exchange": "XNAI"}, ["country", "exchange"]),
        ({"line_item": "revenue", "exchange": "NSE"}, ["exchange"]),
        ({"line_item": "revenue", "service_id": "DC1,"}, ["service_id"]),
    ],
)
def test_what_is_malformed_is_named(shown, asked, names):
    answer = shown.get(PATH, **asked)
    body = answer.json()
    assert answer.status_code == 400
    assert body.get("parameters", [body["parameter"]]) == names
