"""TEN-9: a release has the title of its process, as known on the day: the one of the compiled process."""

from __future__ import annotations

import random
import time
from datetime import date, timedelta

import pytest

from support.stated_tenders import (
    PERSON,
    SOURCE,
    WORKS,
    award,
    fetched,
    id_of_party,
    package,
    portal,
    release,
    strings,
    tender,
    tenders,
)

SEED = 20_261_118
FORMS = ("text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")


def titles(service, **asked):
    """Return the titles of processes by release."""
    return {row["id"]: row["process_title"] for row in tenders(service, **asked)}


def compiled(service, ocid, **asked):
    """Return the titles of a process by portal, as its compiled records have them."""
    response = service.get(f"/v1/tenders/{ocid}", **asked)
    records = response.exact["data"] if response.status_code == 200 else []
    return {portal_of(row): row.get("tender", {}).get("title") for row in records}


def portal_of(row):
    return row["source_ref"].partition("@")[0]


@pytest.fixture(scope="module")
def titled(module_service):
    """A process with an award that states no title, a new title, and one that is withheld."""
    service = module_service
    first = release("o-1", "1", "2024-01-10T00:00:00Z", tender=tender(1, title="Fence"))
    service.ingest(
        fetched(
            package(
                first,
                release(
                    "o-1", "2", "2024-02-10T00:00:00Z", awards=[award("A", 1, WORKS, title="To the best")]
                ),
                release("o-1", "3", "2024-03-10T00:00:00Z", tender=tender(1, title="Fence and gate")),
                release(
                    "o-1",
                    "4",
                    "2024-04-10T00:00:00Z",
                    buyer={"name": PERSON},
                    tender=tender(1, title=f"Gate of {PERSON}"),
                ),
                release("o-2", "5", "2024-04-10T00:00:00Z", tender=tender(1)),
            ),
            "2024-04-11",
        ),
        source_name=SOURCE,
    )
    service.publish()
    # Seen later: the first release has another title, a day of its own and its old date.
    changed = first | {"tender": tender(1, title="Wall")}
    service.ingest(fetched(package(changed), "2024-05-01"), source_name=SOURCE)
    other = release("o-1", "9", "2024-02-20T00:00:00Z", tender=tender(1, title="Elsewhere"))
    service.ingest(fetched(package(other), "2024-05-01"), source_name=portal("another-portal"))
    service.publish()
    return service


@pytest.mark.proves("TEN-9")
@pytest.mark.parametrize(
    ("day", "title"),
    [
        ("2024-01-10", "Fence"),
        ("2024-02-19", "Fence"),
        ("2024-03-09", "Fence"),
        ("2024-03-10", "Fence and gate"),
        ("2024-04-09", "Fence and gate"),
    ],
)
def test_a_release_has_the_last_title_of_its_process_that_was_known(titled, day, title):
    found = {number: one for number, one in titles(titled, as_of=day).items() if number != "9"}
    assert set(found.values()) == {title}
    assert len(found) == 1 + (day >= "2024-02-10") + (day >= "2024-03-10")


@pytest.mark.proves("TEN-9", "TEN-4")
def test_a_title_that_is_withheld_is_not_replaced_by_an_older_one(titled):
    rows = {row["id"]: row for row in tenders(titled)}
    assert {rows[number]["process_title"] for number in "1234"} == {None}
    assert rows["1"]["tender"]["title"] == "Wall"
    assert rows["5"]["process_title"] is None
    assert rows["9"]["process_title"] == "Elsewhere"
    assert not any(PERSON in one for one in strings(list(rows.values())))


@pytest.mark.proves("TEN-9")
def test_a_page_has_titles_that_are_stated_elsewhere(titled):
    (row,) = tenders(titled, as_of="2024-03-31", supplier=id_of_party(titled, WORKS))
    assert (row["id"], "tender" in row, row["process_title"]) == ("2", False, "Fence and gate")
    body = titled.get("/v1/tenders", as_of="2024-03-31", limit=1).exact
    walked = body["data"]
    while body["next_cursor"]:
        body = titled.get("/v1/tenders", limit=1, cursor=body["next_cursor"]).exact
        walked += body["data"]
    assert walked == tenders(titled, as_of="2024-03-31")


@pytest.mark.proves("TEN-9", "EDN-1")
def test_an_edition_keeps_its_titles(titled):
    asked = {"as_of": "2024-04-09", "edition": 1}
    assert titles(titled, **asked) == dict.fromkeys("123", "Fence and gate")
    assert "9" in titles(titled, as_of="2024-04-09")


@pytest.mark.proves("TEN-9", "ENV-14")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_title(titled, form):
    response = titled.get("/v1/tenders", {"Accept": form, "Accept-Encoding": "identity"}, as_of="2024-03-31")
    assert response.headers["content-type"].startswith(form)
    assert b"process_title" in response.content
    assert b"Fence and gate" in response.content


@pytest.mark.proves("TEN-9", "TEN-8")
def test_rows_and_compiled_processes_agree_on_random_days(titled, demo):
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    stated = 0
    for service, first, days in ((titled, date(2024, 1, 1), 140), (demo, date(2023, 1, 1), 1_200)):
        for _ in range(12):
            day = (first + timedelta(chance.randrange(days))).isoformat()
            country = chance.choice(("ZA", "KE", "NG"))
            rows = tenders(service, as_of=day, country=country, limit=200)
            for row in chance.sample(rows, min(15, len(rows))):
                expected = compiled(service, row["ocid"], as_of=day)
                assert row["process_title"] == expected[portal_of(row)], (day, row["ocid"])
                stated += row["process_title"] is not None and "title" not in row.get("tender", {})
    print(f"{stated} rows have a title that only another release states")
    assert stated


@pytest.mark.proves("TEN-9", "TEN-4")
def test_a_takedown_takes_the_title_that_names_the_organisation(service):
    service.ingest(
        package(
            release(
                "o-1",
                "1",
                "2024-01-10",
                tender=tender(1, title=f"Fence by {WORKS}"),
                awards=[award("A", 1, WORKS)],
            ),
            release("o-1", "2", "2024-02-10", tender={"id": "T", "status": "complete"}),
        ),
        source_name=SOURCE,
    )
    service.publish()
    assert set(titles(service).values()) == {f"Fence by {WORKS}"}
    service.take_down(id_of_party(service, WORKS))
    started = time.monotonic()
    while set(titles(service, edition=1).values()) != {None}:  # the process polls for takedowns
        assert time.monotonic() - started < 60
