"""FUN-14: what was filed, the newest first."""

from __future__ import annotations

from datetime import date

import pytest

from support.filings import FY2022, FY2023, Filer
from support.stated_organisations import SOURCE, document, record
from support.waiting import until

PATH = "/v1/filings"
ASSETS = "ifrs-full:Assets"


@pytest.fixture(scope="module")
def shown(module_service):
    """A service with two filers: one restates and confirms, the other amends and takes back."""
    service = module_service
    one = Filer(1, name="One PLC")
    one.says(100, filed="2024-02-01").says(
        40, filed="2024-02-01", concept=ASSETS, period=(None, "2023-12-31")
    )
    one.says(90, filed="2024-06-01", form="20-F/A")
    one.says(90, filed="2024-09-01", form="6-K")
    two = Filer(2, name="Two PLC")
    two.says(12345678, filed="2023-02-01", period=FY2022)
    two.says(12346000, filed="2024-06-01", period=FY2022).says(7, filed="2024-06-01", period=FY2023)
    two.says(None, filed="2024-12-01", period=FY2023, form="20-F/A")
    service.ingest(one.document(), two.document())
    homes = (
        record(one.identifier, "One PLC", country="KE", day=date(2024, 3, 1)),
        record(two.identifier, "Two PLC", country="NG", day=date(2023, 1, 1)),
    )
    service.ingest(document(*homes), source_name=SOURCE)
    service.publish()
    service.ids = {filer.number: service.id_of(filer.identifier) for filer in (one, two)}
    service.numbers = {service_id: number for number, service_id in service.ids.items()}
    return service


def filings(service, **asked):
    answer = service.get(PATH, **asked)
    assert answer.status_code == 200, answer.text
    return answer.exact["data"]


def told(service, **asked):
    return [
        (service.numbers[row["service_id"]], row["available_at"], row["facts"], row["changed_values"])
        for row in filings(service, **asked)
    ]


EVERY = [
    (2, "2024-12-01", 0, 0),  # states that the value is nil
    (1, "2024-09-01", 1, 0),  # confirms
    (1, "2024-06-01", 1, 1),  # restates
    (2, "2024-06-01", 2, 0),  # only rounds, and states a value for the first time
    (1, "2024-02-01", 2, 0),
    (2, "2023-02-01", 1, 0),
]


@pytest.mark.proves("FUN-14")
def test_every_filing_is_there_the_newest_first(shown):
    assert told(shown) == EVERY


@pytest.mark.proves("FUN-14")
@pytest.mark.parametrize("as_of", ["2023-01-31", "2023-02-01", "2024-05-31", "2024-06-01", "2024-11-30"])
def test_as_of_shows_what_was_public_by_then(shown, as_of):
    assert told(shown, as_of=as_of) == [row for row in EVERY if row[1] <= as_of]


@pytest.mark.proves("FUN-14", "ERR-5")
def test_days_form_country_and_issuer_choose(shown):
    assert told(shown, since="2024-02-01", until="2024-06-01") == EVERY[2:5]
    assert told(shown, form="20-F/A") == [EVERY[0], EVERY[2]]
    assert told(shown, service_id=shown.ids[2]) == [EVERY[0], EVERY[3], EVERY[5]]
    assert told(shown, service_id=shown.ids[2], form="20-F") == [EVERY[3], EVERY[5]]
    assert told(shown, country="NGA") == [EVERY[0], EVERY[3], EVERY[5]]
    assert told(shown, country="NG", since="2024-07-01") == [EVERY[0]]
    assert told(shown, form="10-K") == told(shown, country="ZA") == told(shown, service_id="DCNOBODY") == []
    answer = shown.get(PATH, since="2024-02-02", until="2024-02-01")
    assert (answer.status_code, answer.json()["parameters"]) == (400, ["since", "until"])


@pytest.mark.proves("FUN-14", "ENV-4")
def test_a_row_has_every_field_and_its_provenance(shown):
    (row,) = filings(shown, since="2024-06-01", until="2024-06-01", service_id=shown.ids[1])
    (fact,) = shown.facts(shown.ids[1], line_item="revenue")
    assert row == {
        "service_id": shown.ids[1],
        "legal_name": "One PLC",
        "name_as_of": row["name_as_of"],
        "country": "KE",
        "filing_id": "0000000001-24-000601",
        "form": "20-F/A",
        "accepted_at": None,
        "available_at": "2024-06-01",
        "available_at_basis": "filing",
        "facts": 1,
        "changed_values": 1,
        "source_url": None,
        "source_ref": fact["source_ref"].partition("#")[0],
        "license_class": "synthetic",
        "observed_at": "2026-01-05T06:00:00Z",
        "provenance_id": fact["provenance_id"],
    }


@pytest.mark.proves("FUN-14")
def test_the_country_is_that_of_the_day_of_the_filing(service):
    filer = Filer(1).says(1, filed="2023-02-01", period=FY2022).says(2, filed="2024-02-01")
    service.ingest(filer.document())
    for country, day in (("KE", date(2023, 1, 1)), ("NG", date(2023, 6, 1))):
        stated = record(filer.identifier, "Moving PLC", country=country, day=day)
        service.ingest(document(stated), source_name=SOURCE)
    service.publish()
    assert [(row["available_at"], row["country"]) for row in filings(service)] == [
        ("2024-02-01", "NG"),
        ("2023-02-01", "KE"),
    ]
    assert [row["available_at"] for row in filings(service, country="KE")] == ["2023-02-01"]


@pytest.mark.proves("FUN-14", "ENV-10", "ENV-13")
@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("asked", [{}, {"form": "20-F"}, {"country": "NG"}])
def test_pages_join_without_gap_or_repetition(shown, limit, asked):
    body = shown.get(PATH, limit=limit, **asked).exact
    walked = body["data"]
    while body["next_cursor"]:
        body = shown.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
        walked += body["data"]
    assert walked == filings(shown, **asked)


@pytest.mark.proves("FUN-14", "EDN-7")
def test_a_confirming_filing_makes_an_edition_and_goes_with_its_issuer(service):
    filer, other = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(5, filed="2024-02-01")
    service.ingest(filer.document(), other.document())
    service.publish()
    service.ingest(filer.says(1, filed="2024-03-01").document())
    service.await_edition(service.publish().edition)
    gone, stays = service.id_of(filer.identifier), service.id_of(other.identifier)
    assert [row["available_at"] for row in filings(service, service_id=gone)] == ["2024-03-01", "2024-02-01"]
    assert [row["available_at"] for row in filings(service, edition=1, service_id=gone)] == ["2024-02-01"]
    service.take_down(gone)
    until(lambda: {row["service_id"] for row in filings(service)} == {stays})
    service.await_edition(service.publish().edition)
    for edition in (1, 2, 3):
        assert {row["service_id"] for row in filings(service, edition=edition)} == {stays}
    assert service.rows("SELECT 1 FROM serving.provenance WHERE filing_id LIKE '0000000001-%%'") == []
    assert service.rows("SELECT 1 FROM serving.issuer_place WHERE service_id = %s", gone) == []


@pytest.mark.proves("FUN-14")
def test_the_page_at_the_publisher_is_told_where_it_is_known(service):
    filer = Filer(320193).says(1, filed="2024-02-01", filing="0000320193-24-000001")
    service.closed_sources = frozenset(service.closed_sources) - {"sec-companyfacts"}
    service.ingest(filer.document(), source_name="sec-companyfacts")
    service.publish()
    (row,) = filings(service)
    assert row["source_url"] == (
        "https://www.sec.gov/Archives/edgar/data/320193/000032019324000001/0000320193-24-000001-index.htm"
    )
