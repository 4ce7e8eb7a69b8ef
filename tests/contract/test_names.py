"""ENT-3: on a day, an organisation has the name that was known by then, wherever it is named."""

from __future__ import annotations

from datetime import date

import pytest

from support.filings import FY2022, FY2023, Filer
from support.lei_documents import an_lei
from support.lines import reports, screen
from support.mcp_client import Agent
from support.organisations import company, id_of_lei, person, register
from support.sec_submissions import SOURCE as SUBMISSIONS
from support.sec_submissions import submissions
from support.stated_organisations import SOURCE, document, record
from support.stated_tenders import CITY, award, fetched, holder, package, release, tender, tenders
from support.stated_tenders import SOURCE as PORTAL
from support.waiting import until

FACTS = "/v1/shared/facts"
RENAMED, UNDATED, UNNAMED, STALE, TRADER = 1, 2, 3, 4, 5
BUYER, SUPPLIER = 21, 22
OLD, NEW = "OLDANA FOODS CO", "Newana PLC"
LAST_DAY, FIRST_DAY = "2023-07-04", "2023-07-05"  # of the old name, of the new one


def filer(number, name):
    """Return an issuer with two years: one known from March 2023, one from March 2024."""
    told = reports(Filer(number, name), FY2022, "2023-03-01", revenue=100, net_income=number)
    return reports(told, FY2023, "2024-03-01", revenue=200, net_income=number)


@pytest.fixture(scope="module")
def renamed(module_service):
    """Issuers whose names are dated in various ways, and a buyer and a supplier that were renamed in 2024."""
    service = module_service
    names = {RENAMED: NEW, UNDATED: "Undated PLC", UNNAMED: "", STALE: "Stale PLC", TRADER: "Trader PLC"}
    service.ingest(*(filer(number, name).document() for number, name in names.items()))
    service.ingest(
        submissions(RENAMED, NEW, (OLD, "2011-02-01", "2023-06-29"), filed=["2024-03-01", FIRST_DAY]),
        submissions(TRADER, "Trader PLC", ("MOKOENA THABO", "2011-02-01", "2023-06-29"), filed=[FIRST_DAY]),
        source_name=SUBMISSIONS,
    )
    days = date(2024, 6, 1), date(2022, 1, 3)
    service.ingest(
        document(
            record(f"cik:{UNNAMED:010}", "Lately Named PLC", country="KE", day=days[0]),
            record(f"cik:{STALE:010}", "Stale Old PLC", country="NG", day=days[1]),
            record(f"cik:{RENAMED:010}", "", country="KE", day=days[1]),
        ),
        source_name=SOURCE,
    )
    before = [
        company(BUYER, "Old Buyer Ltd", updated="2024-01-10T00:30:00Z"),
        company(SUPPLIER, "Old Supplier Ltd", updated="2024-01-10T00:30:00Z"),
    ]
    after = [
        company(BUYER, "New Buyer Ltd", updated="2024-04-10T00:30:00Z"),
        company(SUPPLIER, "New Supplier Ltd", jurisdiction="KE", updated="2024-04-10T00:30:00Z"),
    ]
    register(service, *before)
    register(service, *after)
    service.ingest(
        package(
            release(
                "o-1",
                buyer=holder("Buyer as written", BUYER),
                tender=tender(100),
                awards=[award("A", 90, holder("Supplier as written", SUPPLIER))],
            )
        ),
        source_name=PORTAL,
    )
    service.publish()
    service.ids = {number: service.id_of(f"cik:{number:010}") for number in names}
    service.buyer, service.supplier = id_of_lei(service, BUYER), id_of_lei(service, SUPPLIER)
    return service


def shown_by_screen(service, number, as_of):
    rows = screen(service, "net_margin", as_of=as_of)["data"]
    (row,) = [row for row in rows if row["service_id"] == service.ids[number]]
    return row


def shown_by_metrics(service, number, as_of):
    (row,) = service.get(f"/v1/metrics/{service.ids[number]}", metric="net_margin", as_of=as_of).exact["data"]
    return row


def shown_by_facts(service, number, as_of):
    rows = service.get(FACTS, entity_id=service.ids[number], as_of=as_of).exact["data"]
    names = {(row["entity_name"], row["name_as_of"], row["country_iso3"]) for row in rows}
    ((name, name_as_of, country),) = names
    return {"legal_name": name, "name_as_of": name_as_of, "country": country and country[:2]}


def shown_by_tool(service, number, as_of):
    agent = Agent(service)
    rows = agent.answer("screen_issuers", metric="net_margin", as_of=as_of, limit=20)["data"]
    agent.close()
    (row,) = [row for row in rows if row["service_id"] == service.ids[number]]
    return row


EVERYWHERE = pytest.mark.parametrize(
    "shown", [shown_by_screen, shown_by_metrics, shown_by_facts, shown_by_tool]
)


@pytest.mark.proves("ENT-3", "MET-4", "SHF-1")
@EVERYWHERE
@pytest.mark.parametrize(
    ("as_of", "name", "known_from"), [(LAST_DAY, OLD, "2011-02-01"), (FIRST_DAY, NEW, FIRST_DAY)]
)
def test_an_issuer_has_the_name_of_the_day_on_both_sides_of_a_rename(renamed, shown, as_of, name, known_from):
    row = shown(renamed, RENAMED, as_of)
    assert (row["legal_name"], row["name_as_of"]) == (name, known_from)
    assert row["country"] == "KE"  # which another record states, without a name


@pytest.mark.proves("ENT-3")
@EVERYWHERE
@pytest.mark.parametrize("as_of", ["2023-03-01", "2025-01-01"])
def test_a_name_that_nothing_dates_stands_in_for_every_day_and_says_so(renamed, shown, as_of):
    row = shown(renamed, UNDATED, as_of)
    assert (row["legal_name"], row["name_as_of"]) == ("Undated PLC", None)


@pytest.mark.proves("ENT-3")
@EVERYWHERE
def test_before_the_only_name_was_known_there_is_none_and_no_country(renamed, shown):
    before, after = shown(renamed, UNNAMED, "2024-05-31"), shown(renamed, UNNAMED, "2024-06-01")
    assert (before["legal_name"], before["name_as_of"], before["country"]) == (None, None, None)
    assert (after["legal_name"], after["name_as_of"]) == ("Lately Named PLC", "2024-06-01")
    assert after["country"] == "KE"


@pytest.mark.proves("ENT-3")
@EVERYWHERE
def test_a_dated_name_goes_before_one_that_was_fetched_later(renamed, shown):
    """The undated name was fetched in 2026: until then the dated one is the last that was known."""
    row = shown(renamed, STALE, "2024-12-31")
    assert (row["legal_name"], row["name_as_of"], row["country"]) == ("Stale Old PLC", "2022-01-03", "NG")


@pytest.mark.proves("ENT-3", "PAR-2")
@EVERYWHERE
def test_a_former_name_that_may_be_a_person_s_is_not_shown(renamed, shown):
    before, after = shown(renamed, TRADER, LAST_DAY), shown(renamed, TRADER, FIRST_DAY)
    assert (before["legal_name"], before["name_as_of"]) == (None, None)
    assert (after["legal_name"], after["name_as_of"]) == ("Trader PLC", FIRST_DAY)
    assert renamed.rows("SELECT 1 FROM serving.organisation_name WHERE legal_name ~ 'MOKOENA'") == []


def parties_of(row):
    return {party["service_id"]: (party["name"], party["name_as_of"]) for party in row["parties"]}


@pytest.mark.proves("ENT-3", "TEN-4")
@pytest.mark.parametrize(
    ("as_of", "age", "day"), [("2024-04-09", "Old", "2024-01-10"), ("2024-04-10", "New", "2024-04-10")]
)
def test_a_release_names_its_parties_as_they_were_known(renamed, as_of, age, day):
    agent = Agent(renamed)
    (told,) = agent.answer("search_tenders", as_of=as_of)["data"]
    agent.close()
    for row in (*tenders(renamed, as_of=as_of), told):
        assert parties_of(row) == {
            renamed.buyer: (f"{age} Buyer Ltd", day),
            renamed.supplier: (f"{age} Supplier Ltd", day),
        }
        assert row["buyer"]["name"] == f"{age} Buyer Ltd"
        assert row["awards"][0]["suppliers"][0]["name"] == f"{age} Supplier Ltd"


def numbered(name):
    return {"name": name, "identifier": {"scheme": "ZA-CIPC", "id": "2001/000009/07"}}


@pytest.mark.proves("ENT-3", "TEN-4")
def test_a_party_that_only_releases_name_has_the_name_of_the_releases_known_by_then(service):
    """A release of 2022 and one of 2024 are fetched in 2025; then the first one with another name."""
    told = [
        release(
            "o-1", date="2022-03-01T12:00:00Z", buyer={"name": CITY}, awards=[award("A", 90, numbered(name))]
        )
        for name in ("Zulu Roads Ltd", "Respelled Roads Ltd")
    ]
    later = release(
        "o-2",
        date="2024-03-01T12:00:00Z",
        buyer={"name": CITY},
        awards=[award("A", 90, numbered("Alpha Roads Ltd"))],
    )
    refilled = fetched(package(told[1]), "2025-02-02")
    for document_of in (refilled, fetched(package(later, told[0]), "2025-01-01")):
        service.ingest(document_of, source_name=PORTAL)
    service.await_edition(service.publish().edition)

    def names(as_of):
        return {
            row["ocid"]: row["awards"][0]["suppliers"][0]["name"] for row in tenders(service, as_of=as_of)
        }

    assert names("2022-03-01") == names("2024-02-29") == {"o-1": "Zulu Roads Ltd"}
    assert names("2024-03-01") == names("2025-02-01")
    assert set(names("2025-02-01").values()) < {"Zulu Roads Ltd", "Alpha Roads Ltd"}


@pytest.mark.proves("ENT-3", "SHF-1")
@pytest.mark.parametrize(
    ("as_of", "age", "day", "country"),
    [("2024-04-09", "Old", "2024-01-10", "ZAF"), ("2024-04-10", "New", "2024-04-10", "KEN")],
)
def test_values_of_tenders_and_awards_name_buyer_and_supplier_as_known(renamed, as_of, age, day, country):
    (value,) = renamed.get(FACTS, country="ZAF", dataset="AF-TENDER", as_of=as_of).exact["data"]
    assert (value["entity_name"], value["name_as_of"]) == (f"{age} Buyer Ltd", day)
    asked = {"entity_id": renamed.supplier, "dataset": "AF-TENDER", "as_of": as_of}
    (won,) = renamed.get(FACTS, **asked).exact["data"]
    assert (won["entity_name"], won["name_as_of"]) == (f"{age} Supplier Ltd", day)
    assert won["country_iso3"] == country


@pytest.mark.proves("ENT-3", "ENT-1")
def test_the_record_of_an_organisation_has_its_current_name_and_lists_the_others_with_their_days(renamed):
    (row,) = renamed.get(f"/v1/entities/{renamed.ids[RENAMED]}").exact["data"]
    (former,) = row["former_names"]
    assert (row["legal_name"], row["name_as_of"]) == (NEW, FIRST_DAY)
    assert (former["name"], former["since"], former["until"]) == (OLD, "2011-02-01", FIRST_DAY)
    assert former["source_ref"].endswith(f"#cik:{RENAMED:010}")
    (row,) = renamed.get(f"/v1/entities/{renamed.ids[TRADER]}").exact["data"]
    assert (row["legal_name"], row["former_names"]) == ("Trader PLC", [])
    (row,) = renamed.get(f"/v1/entities/{renamed.ids[STALE]}").exact["data"]
    (former,) = row["former_names"]
    assert (row["legal_name"], row["name_as_of"]) == ("Stale PLC", None)  # fetched on 5 January 2026
    assert (former["name"], former["since"], former["until"]) == ("Stale Old PLC", "2022-01-03", "2026-01-05")


@pytest.mark.proves("ENT-3", "EDN-7")
def test_a_takedown_removes_every_name_from_every_edition(service):
    register(service, company(1, "Qondisa First Ltd", updated="2023-05-04T00:30:00Z"))
    service.publish()
    register(service, company(1, "Qondisa Second Ltd", updated="2024-05-04T00:30:00Z"))
    service.await_edition(service.publish().edition)
    gone = id_of_lei(service, 1)
    (row,) = service.get(f"/v1/entities/{gone}").exact["data"]
    assert [former["name"] for former in row["former_names"]] == ["Qondisa First Ltd"]
    service.take_down(gone)
    until(lambda: service.get(f"/v1/entities/{gone}").status_code == 404)
    assert service.rows("SELECT 1 FROM serving.organisation_version WHERE legal_name ~ 'Qondisa'") == []
    register(service, company(2, "Another Ltd"))
    service.publish()
    assert service.rows("SELECT 1 FROM serving.organisation_version WHERE legal_name ~ 'Qondisa'") == []


@pytest.mark.proves("ENT-3", "PAR-2")
def test_the_name_of_a_sole_trader_who_became_a_company_is_never_served(service):
    register(service, person(1, "Thabo Qhobela Stores", updated="2023-05-04T00:30:00Z"))
    register(service, company(1, "Qhobela Stores Ltd", updated="2024-05-04T00:30:00Z"))
    service.publish()
    (row,) = service.get(f"/v1/entities/{id_of_lei(service, 1)}").exact["data"]
    assert (row["legal_name"], row["former_names"]) == ("Qhobela Stores Ltd", [])
    assert service.rows("SELECT 1 FROM serving.organisation_name WHERE legal_name ~ 'Thabo'") == []


@pytest.mark.proves("ENT-3", "EDN-7", "PAR-2")
def test_a_name_that_turns_out_to_be_a_person_s_is_gone_from_every_edition(service):
    register(service, company(1, "Thabo Qhobela Stores Ltd", updated="2023-05-04T00:30:00Z"))
    service.publish()
    register(service, company(1, "Umoya Stores Ltd", updated="2024-05-04T00:30:00Z"))
    service.publish()
    one = id_of_lei(service, 1)
    (row,) = service.get(f"/v1/entities/{one}", edition=2).exact["data"]
    assert [former["name"] for former in row["former_names"]] == ["Thabo Qhobela Stores Ltd"]
    # An older record arrives late: under that name, it was a person who traded.
    register(service, person(1, "Thabo Qhobela Stores Ltd", updated="2022-05-04T00:30:00Z"))
    service.await_edition(service.publish().edition)
    assert service.rows("SELECT 1 FROM serving.organisation_version WHERE legal_name ~ 'Qhobela'") == []
    (row,) = service.get(f"/v1/entities/{one}").exact["data"]
    assert (row["legal_name"], row["former_names"]) == ("Umoya Stores Ltd", [])
    assert row["lei"] == an_lei(1)
