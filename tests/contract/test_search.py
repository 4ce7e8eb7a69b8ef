"""ENT-7, ENT-8: organisations are found by what they are called, and by nothing that was learnt later."""

from __future__ import annotations

from datetime import date

import pytest

from support.filings import FY2022, Filer
from support.lei_documents import an_lei
from support.lines import reports
from support.organisations import company, id_of_lei, list_shares, person, register
from support.stated_organisations import SOURCE, document, record

PATH = "/v1/search"
RENAMED, RETIRED, PLAIN = 1, 2, 3
OLD, NEW = "Umbolara Shipping Ltd", "Tamakesi Maritime Ltd"
MARKS = ("files_accounts:US-SEC",)
FIELDS = [
    "service_id",
    "legal_name",
    "jurisdiction",
    "lei",
    "kind",
    "matched",
    "matched_text",
    "since",
    "until",
    "source_ref",
    "license_class",
    "observed_at",
    "provenance_id",
]


@pytest.fixture(scope="module")
def named(module_service):
    """A renamed company with a ticker that ended, a retired LEI, an issuer, a namesake and a person."""
    service = module_service
    register(
        service,
        company(RENAMED, OLD, updated="2020-03-02T00:30:00Z"),
        company(RETIRED, "Obireku Mills Ltd", updated="2020-03-02T00:30:00Z"),
        company(PLAIN, "Nolivasu Bank Ltd", country="KE", jurisdiction="KE", updated="2020-03-02T00:30:00Z"),
        person(9, "Sipho Themba Mokoena"),
    )
    register(
        service,
        company(RENAMED, NEW, jurisdiction="KE", updated="2023-05-04T00:30:00Z"),
        company(RETIRED, "Obireku Mills Ltd", registration="RETIRED", updated="2023-05-04T00:30:00Z"),
    )
    filer = reports(Filer(77, "Nolivasu Foods PLC"), FY2022, "2023-03-01", revenue=100, net_income=1)
    service.ingest(filer.document())
    service.ingest(
        document(
            record(filer.identifier, "Nolivasu Foods PLC", country="KE", day=date(2021, 2, 3), marks=MARKS),
            record("cik:0000000088", "Zarimela PLC", country="NG", day=date(2021, 2, 3), marks=MARKS),
            record("cik:0000000088", "Zarimela Group PLC", country="NG", day=date(2022, 2, 3), marks=MARKS),
            record("cik:0000000088", "Zarimela PLC", country="NG", day=date(2023, 2, 3), marks=MARKS),
        ),
        source_name=SOURCE,
    )
    list_shares(service, ("XNAI", "OLDT", "Listed Once PLC", "KE", "", "", "2001-01-02", "2019-06-28"))
    service.publish()
    service.ids = {number: id_of_lei(service, number) for number in (RENAMED, RETIRED, PLAIN)}
    service.filer = service.id_of(filer.identifier)
    return service


def found(service, text, **params):
    """Return what a search finds: id, how it matched, what matched, and the days of that."""
    response = service.get(PATH, q=text, **params)
    assert response.status_code == 200, response.text
    return [
        (row["service_id"], row["matched"], row["matched_text"], row["since"], row["until"])
        for row in response.exact["data"]
    ]


@pytest.mark.proves("ENT-7")
def test_a_row_has_the_fields_of_the_contract(named):
    body = named.get(PATH, q="nolivasu bank").exact
    row = body["data"][0]
    assert list(row) == FIELDS
    assert row["service_id"] == named.ids[PLAIN]
    assert (row["legal_name"], row["jurisdiction"], row["lei"]) == ("Nolivasu Bank Ltd", "KE", an_lei(PLAIN))
    assert (row["kind"], row["matched"]) == ("other", "name")
    assert body["truncated"] is False
    assert body["as_of"] == body["as_of"][:10]


@pytest.mark.proves("ENT-7", "ENT-8")
def test_a_former_name_finds_and_says_that_it_is_former(named):
    (hit,) = found(named, "umbolara shipping")
    assert hit == (named.ids[RENAMED], "former_name", OLD, "2020-03-02", "2023-05-04")
    (row,) = named.get(PATH, q=OLD).exact["data"]
    assert (row["legal_name"], row["jurisdiction"]) == (NEW, "KE")
    assert [hit[1] for hit in found(named, "Umbolara")] == ["former_name"]
    assert [hit[1] for hit in found(named, "Umbolora Shipping")] == ["former_name"]


@pytest.mark.proves("ENT-8")
@pytest.mark.parametrize("text", [NEW, "tamakesi", "Tamakezi Maritime"])
def test_a_name_that_became_known_later_finds_nothing(named, text):
    assert found(named, text, as_of="2023-05-03") == []
    assert [hit[0] for hit in found(named, text, as_of="2023-05-04")] == [named.ids[RENAMED]]


@pytest.mark.proves("ENT-8")
def test_on_a_day_before_a_rename_the_old_name_is_the_name(named):
    (row,) = named.get(PATH, q=OLD, as_of="2023-05-03").exact["data"]
    assert (row["legal_name"], row["matched"], row["until"]) == (OLD, "name", None)
    assert row["jurisdiction"] == "ZA"
    assert found(named, OLD, as_of="2020-03-01") == []
    assert found(named, OLD, as_of="2023-05-03", country="ZA") != []
    assert found(named, OLD, as_of="2023-05-03", country="KE") == []
    assert found(named, OLD, as_of="2023-05-04", country="KE") != []


@pytest.mark.proves("ENT-8")
def test_a_name_that_came_back_is_no_former_one(named):
    zarimela = named.id_of("cik:0000000088")
    assert found(named, "Zarimela", as_of="2021-06-01") == [
        (zarimela, "name", "Zarimela PLC", "2021-02-03", None)
    ]
    assert [hit[1:3] for hit in found(named, "Zarimela PLC", as_of="2022-06-01")] == [
        ("former_name", "Zarimela PLC")
    ]
    assert [hit[1:3] for hit in found(named, "Zarimela PLC")] == [("name", "Zarimela PLC")]


@pytest.mark.proves("ENT-7", "ENT-8")
def test_a_retired_lei_finds_and_says_since_when_it_does_not_hold(named):
    (hit,) = found(named, an_lei(RETIRED))
    assert hit[:3] == (named.ids[RETIRED], "former_identifier", an_lei(RETIRED))
    assert hit[4] is not None
    (row,) = named.get(PATH, q=an_lei(RETIRED)).exact["data"]
    assert row["lei"] is None


@pytest.mark.proves("ENT-8")
def test_before_an_end_was_stated_an_identifier_holds(named):
    """The register stated on 2023-05-04 that the LEI is retired: nobody could know that before."""
    (row,) = named.get(PATH, q=an_lei(RETIRED), as_of="2023-05-03").exact["data"]
    assert (row["matched"], row["until"], row["lei"]) == ("identifier", None, an_lei(RETIRED))
    assert found(named, an_lei(RETIRED), as_of="2020-03-01") == []


@pytest.mark.proves("ENT-7", "ENT-8")
def test_a_delisted_ticker_finds_from_the_day_on_which_its_list_was_known(named):
    for text in ("XNAI:OLDT", "oldt"):
        (hit,) = found(named, text)
        assert hit[1:] == ("former_identifier", "XNAI:OLDT", "2001-01-02", "2019-06-28")
    assert found(named, "XNAI:OLDT", as_of="2018-01-02") == []  # the list was fetched in 2026


@pytest.mark.proves("ENT-7")
def test_kind_tells_who_had_filed_by_the_day(named):
    def who(**params):
        return [row[0] for row in found(named, "nolivasu", **params)]

    assert set(who()) == {named.filer, named.ids[PLAIN]}
    assert who(kind="issuer") == [named.filer]
    assert who(kind="other") == [named.ids[PLAIN]]
    assert who(kind="issuer", country="KE") == [named.filer]
    assert who(kind="issuer", country="ZA") == []
    assert who(kind="issuer", as_of="2023-02-28") == []
    assert who(kind="issuer", as_of="2023-03-01") == [named.filer]
    assert named.filer in who(kind="other", as_of="2023-02-28")
    assert named.get(PATH, q="nolivasu", kind="person").status_code == 400


@pytest.mark.proves("ENT-7", "XWK-1")
def test_a_sample_key_searches_leis_and_tickers_only(named):
    sample = {"X-API-Key": named.issue("sample").key}
    number = f"1999/{PLAIN:06}/07"
    assert named.get(PATH, sample, q=number).exact["data"] == []
    assert [row[1] for row in found(named, number)] == ["identifier"]
    assert len(named.get(PATH, sample, q=an_lei(PLAIN)).exact["data"]) == 1


@pytest.mark.proves("ENT-7", "PAR-2")
@pytest.mark.parametrize("text", ["Sipho Themba Mokoena", "mokoena", "Siphu Themba Mokoena", an_lei(9)])
def test_a_person_is_not_found(named, text):
    assert found(named, text) == []
    assert found(named, text, as_of="2025-01-01") == []


@pytest.mark.proves("ENT-7", "ENV-13")
def test_pages_make_the_whole_answer(named):
    whole = [row["service_id"] for row in named.get(PATH, q="nolivasu").exact["data"]]
    walked, cursor = [], None
    while cursor is not None or not walked:
        assert len(walked) < 10
        page = named.get(PATH, q="nolivasu", limit=1, **({"cursor": cursor} if cursor else {})).exact
        walked += [row["service_id"] for row in page["data"]]
        cursor = page["next_cursor"]
    assert walked == whole
    assert len(whole) == 2


@pytest.mark.proves("ENT-7")
@pytest.mark.parametrize("text", ["ab", "", "x" * 201, "a\x00bc"])
def test_a_text_of_the_wrong_length_is_refused(named, text):
    response = named.get(PATH, q=text)
    assert (response.status_code, response.exact["parameter"]) == (400, "q")
