"""TEN-6 and TEN-7: which releases filters find, alone and together, as of any day."""

from __future__ import annotations

import itertools
import random

import pytest

from support.organisations import company, register
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    fetched,
    holder,
    id_of_party,
    package,
    portal,
    release,
    tender,
    tenders,
)
from support.waiting import until

PATH = "/v1/tenders"


def found(service, **asked):
    return [(row["ocid"], row["id"]) for row in tenders(service, **asked)]


@pytest.fixture(scope="module")
def filtered(module_service):
    """Releases of two countries, with contents that changed, a person, and text that is withheld."""
    service = module_service
    register(service, company(4, "Listed Cables Ltd"))
    first = [
        release(
            "o-1",
            "1",
            "2024-01-10",
            buyer={"name": CITY},
            tender=tender(100, title="Supply of Café tables", mainProcurementCategory="goods"),
        ),
        release(
            "o-1",
            "2",
            "2024-02-10",
            buyer={"name": CITY},
            tender=tender(100, title="Supply of Café tables", status="complete"),
            awards=[award("A", 250, WORKS, title="Tables, second lot")],
        ),
        release(
            "o-2",
            "1",
            "2024-02-10",
            buyer={"name": CITY},
            tender=tender(99_999, "USD", title="Repair of a bridge", category="Roads"),
            awards=[award("A", 5, holder("Cables", 4), PERSON)],
        ),
        release(
            "o-3",
            "1",
            "2024-03-10",
            tender=tender(title=f"Bridge of {PERSON}", status="planned", tenderers=[{"name": PERSON}]),
        ),
        release(
            "o-3", "2", "2024-03-11", awards=[award("A", 7, PERSON)], tender=tender(title="A bridge, too")
        ),
    ]
    service.ingest(fetched(package(*first), "2024-04-01"), source_name=SOURCE)
    again = release(
        "o-1",
        "1",
        "2024-01-10",
        buyer={"name": ROADS},
        tender=tender(300, title="Supply of chairs", status="cancelled", mainProcurementCategory="works"),
    )
    service.ingest(fetched(package(again), "2024-05-01"), source_name=SOURCE)
    kenyan = release(
        "o-4", "1", "2024-04-10", buyer={"name": ROADS}, tender=tender(100, "KES", title="A bridge")
    )
    service.ingest(fetched(package(kenyan), "2024-04-11"), source_name=portal("kenyan-portal", "KE"))
    service.publish()
    return service


EARLY = {"as_of": "2024-04-20"}


@pytest.mark.proves("TEN-6")
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"ocid": "o-1"}, ["o-1/2", "o-1/1"]),
        ({"ocid": "o-4"}, ["o-4/1"]),
        ({"ocid": "o-4", "country": "ZA"}, []),
        ({"ocid": "O-1"}, []),
        ({"ocid": "o-1", "status": "complete"}, ["o-1/2"]),
        ({"status": "active"}, ["o-3/2", "o-2/1"]),
        ({"status": "active"} | EARLY, ["o-3/2", "o-2/1", "o-1/1"]),
        ({"status": "cancelled"}, ["o-1/1"]),
        ({"status": "cancelled"} | EARLY, []),
        ({"category": "goods"}, []),
        ({"category": "goods"} | EARLY, ["o-1/1"]),
        ({"category": "works"}, ["o-1/1"]),
        ({"category": "Roads"}, ["o-2/1"]),
        ({"category": "roads"}, []),
        ({"currency": "ZAR"}, ["o-3/2", "o-1/2", "o-2/1", "o-1/1"]),
        ({"currency": "usd"}, ["o-2/1"]),
        ({"currency": "ZAR", "min_value": "101"}, ["o-1/2", "o-1/1"]),
        ({"currency": "ZAR", "min_value": "100", "max_value": "100.00"}, ["o-1/2"]),
        ({"currency": "ZAR", "max_value": "5"}, ["o-2/1"]),
        ({"currency": "ZAR", "max_value": "4.99"}, []),
        ({"currency": "USD", "min_value": "99999", "max_value": "100000"}, ["o-2/1"]),
        ({"currency": "USD", "min_value": "99999.01"}, []),
        ({"currency": "KES", "max_value": "1000"}, []),
        ({"currency": "KES", "max_value": "1000", "country": "KE"}, ["o-4/1"]),
        ({"from": "2024-02-10", "to": "2024-03-10"}, ["o-3/1", "o-1/2", "o-2/1"]),
        ({"to": "2024-02-10", "status": "active"}, ["o-2/1"]),
        ({"status": "active", "category": "Roads", "currency": "ZAR", "q": "repair"}, ["o-2/1"]),
        ({"status": "complete", "category": "Roads"}, []),
    ],
    ids=str,
)
def test_a_filter_finds_the_contents_of_the_day(filtered, asked, expected):
    assert ["/".join(one) for one in found(filtered, **asked)] == expected


@pytest.mark.proves("TEN-6", "PAR-2")
def test_organisations_are_found_in_their_roles_and_persons_are_not(filtered):
    city, works, roads = (id_of_party(filtered, name) for name in (CITY, WORKS, ROADS))
    of_kenya, person = id_of_party(filtered, ROADS, "KE"), id_of_party(filtered, PERSON)
    assert found(filtered, buyer=city) == [("o-1", "2"), ("o-2", "1")]
    assert found(filtered, buyer=city, **EARLY) == [("o-1", "2"), ("o-2", "1"), ("o-1", "1")]
    assert found(filtered, buyer=roads, country="ZA") == [("o-1", "1")]
    assert ("o-4", "1") in found(filtered, buyer=of_kenya)
    assert found(filtered, supplier=works) == [("o-1", "2")]
    assert found(filtered, supplier=works, buyer=city) == [("o-1", "2")]
    assert found(filtered, supplier=city) == found(filtered, buyer=works) == []
    (row,) = tenders(filtered, supplier=filtered.id_of("lei:" + holder("", 4)["identifier"]["id"]))
    assert row["ocid"] == "o-2"
    unknown = filtered.get(PATH, supplier="DC0000000000000").content
    assert filtered.get(PATH, supplier=person).content == unknown


@pytest.mark.proves("TEN-7", "TEN-4")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cafe", [("o-1", "2")]),
        ("CAFÉ supply", [("o-1", "2")]),
        ("second", [("o-1", "2")]),
        ("chairs", [("o-1", "1")]),
        ("bridge", [("o-3", "2"), ("o-2", "1")]),
        ("bridges", []),
        ("bridge, repair!", [("o-2", "1")]),
        ("supply bridge", []),
        (PERSON, []),
        (PERSON.split()[0], []),
        ("qhobela", []),
    ],
)
def test_words_of_titles_find_releases_and_never_what_is_withheld(filtered, words, expected):
    assert found(filtered, q=words) == expected
    assert all(not row["text_withheld"] for row in tenders(filtered, q=words))


@pytest.mark.proves("TEN-7", "TEN-6")
def test_words_are_those_of_the_content_of_the_day(filtered):
    assert found(filtered, q="tables", **EARLY) == [("o-1", "2"), ("o-1", "1")]
    assert found(filtered, q="chairs", **EARLY) == []


@pytest.mark.proves("TEN-6", "TEN-7")
@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ({"min_value": "1"}, "currency"),
        ({"max_value": "1"}, "currency"),
        ({"currency": "ZAR", "min_value": "2", "max_value": "1"}, "min_value"),
        ({"currency": "ZAR", "min_value": "-1"}, "min_value"),
        ({"currency": "ZAR", "max_value": "1e3"}, "max_value"),
        ({"currency": "rand"}, "currency"),
        ({"from": "2024-02-02", "to": "2024-02-01"}, "from"),
        ({"to": "2024"}, "to"),
        ({"ocid": ""}, "ocid"),
        ({"buyer": "a b"}, "buyer"),
        ({"supplier": ""}, "supplier"),
        ({"status": ""}, "status"),
        ({"category": ""}, "category"),
        ({"q": ""}, "q"),
        ({"q": "- ! &"}, "q"),
        ({"q": "a b c d e f g h i"}, "q"),
        ({"q": "a" * 201}, "q"),
    ],
    ids=str,
)
def test_what_cannot_be_taken_is_named(filtered, asked, name):
    response = filtered.get(PATH, **asked)
    assert (response.status_code, response.exact["parameter"]) == (400, name)


@pytest.mark.proves("TEN-6", "TEN-7")
def test_text_that_a_takedown_removes_finds_nothing_in_any_edition(service):
    told = release("o-1", tender=tender(1, title=f"Fence for {WORKS}"), awards=[award("A", 2, WORKS, ROADS)])
    service.ingest(package(told), source_name=SOURCE)
    service.publish()
    works, roads = id_of_party(service, WORKS), id_of_party(service, ROADS)
    assert found(service, q="umoya fence") == found(service, supplier=works) == [("o-1", "1")]
    service.take_down(works)
    until(lambda: not found(service, supplier=works))  # a kept answer goes with the next poll
    assert found(service, q="fence", edition=1) == found(service, supplier=works, edition=1) == []
    assert found(service, supplier=roads, edition=1) == [("o-1", "1")]
    service.await_edition(service.publish().edition)
    assert found(service, q="fence") == found(service, supplier=works) == []
    assert found(service, supplier=roads) == [("o-1", "1")]


@pytest.mark.proves("TEN-6", "ENT-2")
def test_who_was_merged_is_found_under_either_id(service):
    service.ingest(
        package(
            release("o-1", date="2024-01-10", awards=[award("A", 1, WORKS)]),
            release("o-2", date="2024-02-10", awards=[award("A", 1, ROADS)]),
        ),
        source_name=SOURCE,
    )
    service.publish()
    one, two = id_of_party(service, WORKS), id_of_party(service, ROADS)
    assert found(service, supplier=one) == [("o-1", "1")]
    service.merge(one, two)
    service.await_edition(service.publish().edition)
    assert found(service, supplier=one) == found(service, supplier=two) == [("o-2", "1"), ("o-1", "1")]
    assert found(service, supplier=one, edition=1) == [("o-1", "1")]


@pytest.mark.proves("TEN-6", "TEN-2")
def test_filters_agree_with_the_rows_that_are_served(demo):
    """Every filter, on the demo world: what it finds are the rows of the country that show it, in order."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    rng = random.Random(seed)
    for country in ("ZA", "KE", "NG"):
        whole = walked(demo, country=country)
        for row in rng.sample(whole, min(4, len(whole))):
            for asked in filters(row):
                expected = [one for one in whole if all(shows(one, *each) for each in asked.items())]
                got = walked(demo, country=country, **asked)
                assert got == expected, (seed, country, asked)


def walked(service, limit=1000, **asked):
    body = service.get(PATH, limit=limit, **asked).exact
    rows = body["data"]
    while body["next_cursor"]:
        body = service.get(PATH, limit=limit, cursor=body["next_cursor"]).exact
        rows += body["data"]
    return rows


def filters(row):
    """Yield filters that a row passes, one by one and in pairs."""
    single = [{"ocid": row["ocid"]}, {"to": row["date"][:10]}]
    if status := row.get("tender", {}).get("status"):
        single.append({"status": status})
    if buyer := next((one for one in row["parties"] if "buyer" in one["roles"]), None):
        single.append({"buyer": buyer["service_id"]})
    if currency := row.get("tender", {}).get("value", {}).get("currency"):
        single.append({"currency": currency})
    yield from single
    yield from (one | two for one, two in itertools.combinations(single, 2))


def shows(row, name, value):
    """Whether a row that is served shows what a filter asks for."""
    asked_tender = row.get("tender", {})
    if name == "ocid":
        return row["ocid"] == value
    if name == "to":
        return row["date"][:10] <= value
    if name == "status":
        return asked_tender.get("status") == value
    if name == "buyer":
        return any(one["service_id"] == value and "buyer" in one["roles"] for one in row["parties"])
    values = [asked_tender.get("value"), *(one.get("value") for one in row.get("awards", []))]
    return any(one and one["currency"] == value for one in values)
