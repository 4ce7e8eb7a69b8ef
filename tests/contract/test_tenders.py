"""TEN-1 and TEN-2: which releases there are, in which order, in which content, page by page."""

from __future__ import annotations

import asyncio
import itertools
import json

import httpx
import pytest

from contract.keyed import key
from dev.ports import unused_ports
from sankofa.ask.endpoint import Page
from sankofa.entities.search import search
from sankofa.entities.served import SearchParams
from sankofa.storage.reading import Reader
from support.stated_tenders import (
    CITY,
    SOURCE,
    WORKS,
    award,
    fetched,
    id_of_party,
    package,
    portal,
    release,
    tender,
)
from support.stated_tenders import tenders as rows

PATH = "/v1/tenders"


def ingest(service, *documents, source=SOURCE):
    for batch in service.ingest(*documents, source_name=source):
        assert batch.outcome == "accepted", batch


def ids(found):
    return [(row["ocid"], row["id"]) for row in found]


def source_of(row):
    return row["source_ref"].partition("@")[0]


def parameter_of(response):
    assert response.status_code == 400, response.text
    return response.exact["parameter"]


@pytest.fixture(scope="module")
def ordered(module_service):
    """Releases of two portals of South Africa and one of Kenya, with every kind of tie."""
    service = module_service
    ingest(
        service,
        fetched(
            package(
                release("o-b", date="2024-03-01T12:00:00+02:00"),
                release("o-a", "2", date="2024-03-01T10:00:00Z"),
                release("o-a", "10", date="2024-03-01T05:00:00-05:00"),
                release("ofar", date="2024-03-01T23:30:00-05:00"),
                release("onear", date="2024-03-02T04:29:59Z"),
                release("omidnight", date="2024-02-20T00:00:00Z"),
                release("oeve", date="2024-02-20T01:30:00+02:00"),
                release("oundated", date=None),
            ),
            "2024-03-05",
        ),
        fetched(
            package(
                release("oimpossible", date="2024-02-30T00:00:00Z"),
                release("ofuture", date="2031-01-01T00:00:00Z"),
                release("ounset", date="0001-01-01T00:00:00Z"),
            ),
            "2024-03-04",
        ),
    )
    ingest(
        service, package(release("o-a", "2", date="2024-03-01T10:00:00Z")), source=portal("another-portal")
    )
    ingest(service, package(release("okenya")), source=portal("kenyan-portal", "KE"))
    service.publish()
    service.tiers = {tier: service.issue(tier) for tier in ("sample", "starter", "professional")}
    return service


# As instants, then ocid, id and source: "10" comes before "2".
ORDER = [
    ("oundated", "1", "demo-tenders"),
    ("ofuture", "1", "demo-tenders"),
    ("oimpossible", "1", "demo-tenders"),
    ("ounset", "1", "demo-tenders"),
    ("ofar", "1", "demo-tenders"),
    ("onear", "1", "demo-tenders"),
    ("o-a", "10", "demo-tenders"),
    ("o-a", "2", "another-portal"),
    ("o-a", "2", "demo-tenders"),
    ("o-b", "1", "demo-tenders"),
    ("omidnight", "1", "demo-tenders"),
    ("oeve", "1", "demo-tenders"),
]


@pytest.mark.proves("TEN-1", "ENV-17")
def test_the_newest_comes_first_as_an_instant_then_ocid_id_and_source(ordered):
    found = rows(ordered)
    assert [(row["ocid"], row["id"], source_of(row)) for row in found] == ORDER
    at = {row["ocid"]: row["date"] for row in found}
    assert at["o-b"] == at["o-a"] == "2024-03-01T10:00:00Z"
    assert at["ofar"] == "2024-03-02T04:30:00Z"


@pytest.mark.proves("TEN-1", "ENV-15")
def test_a_date_that_is_missing_or_impossible_gives_way_to_the_day_it_became_available(ordered):
    found = {row["ocid"]: row for row in rows(ordered)}
    expected = {"oundated": "2024-03-05"} | dict.fromkeys(("oimpossible", "ofuture", "ounset"), "2024-03-04")
    for ocid, day in expected.items():
        row = found[ocid]
        assert (row["available_at"], row["available_at_basis"]) == (day, "first_seen")
        assert row["date"] == f"{day}T00:00:00Z"
    # The day as written and the day in UTC differ: the later one counts.
    assert (found["ofar"]["available_at"], found["ofar"]["available_at_basis"]) == (
        "2024-03-02",
        "publisher",
    )
    assert found["oeve"]["available_at"] == "2024-02-20"


@pytest.mark.proves("TEN-1")
def test_from_includes_its_own_day(ordered):
    assert ids(rows(ordered, **{"from": "2024-02-20"}))[-1] == ("omidnight", "1")
    assert [ocid for ocid, _ in ids(rows(ordered, **{"from": "2024-03-04"}))] == [
        "oundated",
        "ofuture",
        "oimpossible",
        "ounset",
    ]
    assert ids(rows(ordered, **{"from": "2024-03-05"})) == [("oundated", "1")]
    assert rows(ordered, **{"from": "2024-03-06"}) == []
    for text in ("2024", "2024-02-30", "20240220", ""):
        assert parameter_of(ordered.get(PATH, **{"from": text})) == "from"


@pytest.mark.proves("TEN-1", "ERR-9")
def test_a_country_is_that_of_the_portal_in_any_case_and_south_africa_by_default(ordered):
    assert rows(ordered, country="za") == rows(ordered, country="Za") == rows(ordered, country="ZA")
    assert rows(ordered) == rows(ordered, country="ZA")
    assert {row["country"] for row in rows(ordered)} == {"ZA"}
    assert [(row["ocid"], row["country"]) for row in rows(ordered, country="ke")] == [("okenya", "KE")]
    for uncovered in ("GH", "xx"):
        body = ordered.get(PATH, country=uncovered).exact
        assert (body["data"], body["next_cursor"], body["truncated"]) == ([], None, False)
    for malformed in ("Z", "ZAF", "Z1", "", "ZA\n", "éé"):
        assert parameter_of(ordered.get(PATH, country=malformed)) == "country"


@pytest.mark.proves("TEN-1")
def test_nothing_is_shown_before_it_was_available(ordered):
    # The day of o-far is 1 March where it was written, and 2 March in UTC.
    assert ids(rows(ordered, as_of="2024-03-01"))[0] == ("o-a", "10")
    assert ids(rows(ordered, as_of="2024-03-02"))[:2] == [("ofar", "1"), ("onear", "1")]
    assert [ocid for ocid, _ in ids(rows(ordered, as_of="2024-03-04"))][:3] == [
        "ofuture",
        "oimpossible",
        "ounset",
    ]
    assert rows(ordered, as_of="2024-02-19") == []


def search_for(service, text):
    """Return the names of organisations that search finds."""

    async def ask():
        reader = Reader(service.settings.reading())
        await reader.open()
        try:
            page = Page(edition=await reader.edition(None), rows=10, is_paid=True)
            return await search(reader, SearchParams(text=text), page)
        finally:
            await reader.close()

    return [row.legal_name for row in asyncio.run(ask()).rows]


@pytest.mark.proves("TEN-1", "PAR-2")
@pytest.mark.parametrize("is_known_as_closed", [True, False], ids=["closed", "closed later"])
def test_a_portal_without_a_licence_is_seen_nowhere(service, is_known_as_closed):
    secret = "Zimbali Quarry (Pty) Ltd"
    awards = [award("A1", 900, WORKS), award("A2", 901, secret)]
    told = package(release("oclosed", buyer={"name": CITY}, tender=tender(500), awards=awards))
    nigerian = portal("nigerian-portal", "NG", is_open=not is_known_as_closed)
    ingest(service, told, source=nigerian)
    ingest(service, told, source=portal("unlicensed-portal", is_open=not is_known_as_closed))
    ingest(service, package(release("oopen", tender=tender(7), awards=[award("A", 100, WORKS)])))
    if not is_known_as_closed:
        service.publish()
        assert ids(rows(service, country="NG")) == [("oclosed", "1")]
        assert search_for(service, "Zimbali Quarry") == [secret, secret]
    service.closed_sources = (*service.closed_sources, "nigerian-portal", "unlicensed-portal")
    service.await_edition(service.publish().edition)
    assert ids(rows(service)) == [("oopen", "1")]
    assert rows(service, country="NG") == []
    works = id_of_party(service, WORKS)
    asked = {"entity_id": works, "dataset": "AF-TENDER"}
    assert [row["value"] for row in service.get("/v1/shared/facts", **asked).exact["data"]] == [100]
    for country, values in (("NGA", []), ("ZAF", [7])):
        asked = {"country": country, "dataset": "AF-TENDER"}
        assert [row["value"] for row in service.get("/v1/shared/facts", **asked).exact["data"]] == values
    (part,) = service.get("/v1/tender-parties").exact["data"]
    assert (part["service_id"], part["country"], part["releases"]) == (works, "ZA", 1)
    assert search_for(service, "Zimbali Quarry") == []
    assert search_for(service, "Umoya Works") == [WORKS]


def versions(**changed):
    """Return three documents in which a release says one thing, then another, then the first again."""
    first = package(release("o-1", tender=tender(title="Fence", **changed)))
    second = package(release("o-1", tender=tender(title="Fence and gate", **changed)))
    third = package(release("o-1", tender=tender(title="Fence", **changed)), release("o-2"))
    return [
        fetched(body, day)
        for body, day in zip((first, second, third), ("2024-03-02", "2024-04-02", "2024-05-02"), strict=True)
    ]


def title(row):
    return row["vintage"], row["tender"]["title"], row["available_at"], row["available_at_basis"]


@pytest.mark.proves("TEN-1", "ENV-5")
def test_a_release_stands_once_in_the_content_that_became_available_last(service):
    ingest(service, *versions())
    service.publish()
    history = {
        "2024-02-29": [],
        "2024-03-01": [(1, "Fence", "2024-03-01", "publisher")],
        "2024-04-01": [(1, "Fence", "2024-03-01", "publisher")],
        "2024-04-02": [(2, "Fence and gate", "2024-04-02", "first_seen")],
        "2024-05-01": [(2, "Fence and gate", "2024-04-02", "first_seen")],
        "2024-05-02": [(3, "Fence", "2024-05-02", "first_seen")],
    }
    found = {day: [title(row) for row in rows(service, as_of=day) if row["ocid"] == "o-1"] for day in history}
    assert found == history
    newest, other = rows(service)
    assert title(newest) == history["2024-05-02"][0]
    assert (other["ocid"], other["vintage"]) == ("o-2", 1)
    # Seen again unchanged, it is the same vintage of the same row.
    again = package(release("o-1", tender=tender(title="Fence")), release("o-3", date="2020-01-01"))
    ingest(service, fetched(again, "2024-06-02"))
    service.await_edition(service.publish().edition)
    assert rows(service)[:2] == [newest, other]


@pytest.mark.proves("TEN-1")
def test_the_order_of_loading_does_not_matter(make_service):
    answers = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        service = make_service()
        documents = versions()
        for place in order:
            ingest(service, documents[place])
            service.publish()
        answers.append(
            [rows(service, as_of=day) for day in ("2024-03-15", "2024-04-15", "2024-05-15")] + [rows(service)]
        )
    assert answers[0] == answers[1] == answers[2]


def many():
    """Return thirty releases, three of each day."""
    days = itertools.product(range(1, 11), "abc")
    return [release(f"o-{day}-{letter}", date=f"2024-03-{day:02}T10:00:00Z") for day, letter in days]


# Newest first, and by ocid on one day.
THIRTY = [(f"o-{day}-{letter}", "1") for day in range(10, 0, -1) for letter in "abc"]


@pytest.mark.proves("TEN-2", "ENV-13", "VER-2")
@pytest.mark.parametrize("limit", [1, 4, 15, 29, 30, 31])
def test_a_walk_yields_each_release_once_while_editions_are_published(service, limit):
    """Between the pages there come releases before, between and after those walked, and other contents."""
    ingest(service, package(*many()))
    service.publish()
    body = service.get(PATH, limit=limit).exact
    walked, pages = ids(body["data"]), 1
    while body["next_cursor"]:
        assert (body["count"], body["truncated"]) == (limit, True)
        if pages <= 2:
            news = [release(f"o-{day}-b{pages}", date=f"2024-03-{day:02}T10:00:00Z") for day in range(1, 12)]
            changed = [told | {"tender": tender(pages)} for told in many()[::3]]
            ingest(service, package(*news, *changed))
            service.await_edition(service.publish().edition)
        body = service.get(PATH, cursor=body["next_cursor"], limit=limit).exact
        assert body["edition"] == 1
        walked += ids(body["data"])
        pages += 1
    assert walked == THIRTY
    assert pages == -(-30 // limit)  # a full last page leads to no empty one
    assert (body["truncated"], body["count"]) == (False, 30 - limit * (pages - 1))


@pytest.fixture(scope="module")
def paged(ordered):
    """The releases of all kinds of ties, with a cursor after the fifth."""
    body = ordered.get(PATH, key(ordered, "starter"), country="za", limit=5).exact
    ordered.cursor = body["next_cursor"]
    return ordered


@pytest.mark.proves("TEN-2")
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_ties_are_kept_apart_by_pages_of_any_size(paged, limit):
    found, cursor = [], None
    while True:
        body = paged.get(PATH, limit=limit, **({"cursor": cursor} if cursor else {})).exact
        found += [(row["ocid"], row["id"], source_of(row)) for row in body["data"]]
        if (cursor := body["next_cursor"]) is None:
            break
    assert found == ORDER


@pytest.mark.proves("TEN-2")
def test_what_is_left_out_comes_from_the_cursor_and_what_is_sent_must_equal_it(paged):
    after = ids(paged.get(PATH, cursor=paged.cursor, limit=100).exact["data"])
    assert after == [place[:2] for place in ORDER[5:]]
    for equal in ({"country": "ZA"}, {"country": "za"}, {"edition": 1}, {"limit": 2}, {"limit": 7}):
        found = paged.get(PATH, **({"cursor": paged.cursor, "limit": 3} | equal))
        assert found.status_code == 200
        assert ids(found.exact["data"]) == after[: equal.get("limit", 3)]
    for other in ({"country": "KE"}, {"from": "2024-01-01"}, {"as_of": "2024-03-03"}, {"edition": 2}):
        assert parameter_of(paged.get(PATH, cursor=paged.cursor, **other)) in ("cursor", "edition")
    for path in ("/v1/tender-parties", "/v1/macro"):
        assert parameter_of(paged.get(path, cursor=paged.cursor)) == "cursor"
    filtered = paged.get(PATH, limit=1, **{"from": "2024-03-04", "as_of": "2024-03-04"}).exact
    rest = paged.get(PATH, cursor=filtered["next_cursor"], limit=9).exact
    assert (rest["as_of"], [ocid for ocid, _ in ids(rest["data"])]) == (
        "2024-03-04",
        ["oimpossible", "ounset"],
    )


@pytest.mark.proves("TEN-2")
def test_a_cursor_of_a_retired_key_goes_on(paged):
    """A second process signs with a new key and knows the old one as retired."""
    retired = json.dumps({paged.settings.cursor_key_id: paged.settings.cursor_secret.get_secret_value()})
    environment = {
        "SANKOFA_CURSOR_SECRET": "another secret of at least 32 bytes",
        "SANKOFA_CURSOR_KEY_ID": "new",
        "SANKOFA_RETIRED_CURSOR_SECRETS": retired,
    }
    api = paged.installation.api(next(unused_ports()), environment=environment)
    api.start()
    try:
        answers = [
            httpx.get(url + PATH, params={"cursor": paged.cursor, "limit": 2}, headers=paged.headers).json()
            for url in (paged.api.url, api.url)
        ]
    finally:
        api.stop()
    assert answers[0]["data"] == answers[1]["data"] != []
    assert answers[0]["next_cursor"] != answers[1]["next_cursor"]
