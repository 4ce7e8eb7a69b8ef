"""TEN-8: a contracting process as one record, as of any day, with its releases in time."""

from __future__ import annotations

import pytest

from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    WORKS,
    award,
    fetched,
    package,
    portal,
    release,
    strings,
    tender,
)

PATH = "/v1/tenders/o-1"


def record(service, path=PATH, **asked):
    response = service.get(path, **asked)
    assert response.status_code == 200, response.text
    (row,) = response.exact["data"]
    return row


def names(references):
    return [one["name"] for one in references]


@pytest.fixture(scope="module")
def process(module_service):
    """A process of four releases, one of which was changed later, and whose last buyer is a person."""
    service = module_service
    stated = [
        release(
            "o-1",
            "1",
            "2024-01-10T00:00:00Z",
            buyer={"name": CITY},
            tender=tender("1000.15", title="Fence", tenderPeriod={"startDate": "2024-01-10T00:00:00Z"}),
        ),
        release(
            "o-1",
            "2",
            "2024-02-10T00:00:00Z",
            tag=["tenderUpdate"],
            tender={"id": "T", "status": "complete", "tenderPeriod": {"endDate": "2024-02-01T00:00:00Z"}},
        ),
        release(
            "o-1",
            "3",
            "2024-03-10T00:00:00Z",
            tag=["award"],
            awards=[award("A", 250, WORKS, ROADS), award("B", 5, PERSON, title="Gate")],
        ),
        release(
            "o-1",
            "4",
            "2024-04-10T00:00:00Z",
            tag=["awardUpdate"],
            buyer={"name": PERSON},
            tender={"id": "T", "title": f"Fence of {PERSON}"},
            awards=[award("A", 300), {"id": "B", "status": "cancelled"}],
        ),
    ]
    service.ingest(fetched(package(*stated), "2024-04-11"), source_name=SOURCE)
    changed = stated[0] | {"tender": tender("2000", title="Fence", status="planned")}
    service.ingest(fetched(package(changed), "2024-06-01"), source_name=SOURCE)
    service.publish()
    return service


@pytest.mark.proves("TEN-8")
def test_the_last_statement_of_a_field_stands_and_awards_are_merged_by_id(process):
    row = record(process, as_of="2024-03-31")
    assert (row["ocid"], row["id"]) == ("o-1", "o-1-2024-03-10T00:00:00Z")
    assert (row["date"], row["tag"], row["releases"]) == ("2024-03-10T00:00:00Z", ["compiled"], 3)
    assert row["is_complete"] is True
    assert row["buyer"]["name"] == CITY
    assert row["tender"]["status"] == "complete"
    assert row["tender"]["title"] == "Fence"
    assert str(row["tender"]["value"]["amount"]) == "1000.15"
    assert row["tender"]["tenderPeriod"] == {
        "startDate": "2024-01-10T00:00:00Z",
        "endDate": "2024-02-01T00:00:00Z",
    }
    one, other = row["awards"]
    assert (one["id"], names(one["suppliers"]), one["joint"]) == ("A", [WORKS, ROADS], True)
    assert (other["id"], "suppliers" in other, other["joint"]) == ("B", False, False)


@pytest.mark.proves("TEN-8", "TEN-4")
def test_what_the_last_statement_withholds_is_not_replaced_by_an_older_one(process):
    row = record(process)
    assert "buyer" not in row
    assert "title" not in row["tender"]
    assert row["text_withheld"] is True
    assert PERSON not in " ".join(strings(row))
    one, other = row["awards"]
    # The update names no supplier: those who were named still stand, and still share it.
    assert (one["value"]["amount"], names(one["suppliers"]), one["joint"]) == (300, [WORKS, ROADS], True)
    assert (other["status"], other["value"]["amount"]) == ("cancelled", 5)


@pytest.mark.proves("TEN-8")
def test_a_release_counts_with_the_content_known_on_the_day(process):
    before, after = record(process, as_of="2024-05-31"), record(process, as_of="2024-06-01")
    assert str(before["tender"]["value"]["amount"]) == "1000.15"
    assert after["tender"]["value"]["amount"] == 2000
    # Its place is that of its date: a later release has changed the status since.
    assert after["tender"]["status"] == "complete"
    assert [one["vintage"] for one in after["timeline"]] == [2, 1, 1, 1]


@pytest.mark.proves("TEN-8", "ENV-4")
def test_the_timeline_lists_the_releases_with_their_days_and_sources(process):
    row = record(process, as_of="2024-06-01")
    told = [(one["id"], one["date"][:10], one["tag"], one["available_at"]) for one in row["timeline"]]
    assert told == [
        ("1", "2024-01-10", ["tender"], "2024-06-01"),
        ("2", "2024-02-10", ["tenderUpdate"], "2024-02-10"),
        ("3", "2024-03-10", ["award"], "2024-03-10"),
        ("4", "2024-04-10", ["awardUpdate"], "2024-04-10"),
    ]
    served = {
        one["id"]: one for one in process.get("/v1/tenders", ocid="o-1", as_of="2024-06-01").exact["data"]
    }
    for one in row["timeline"]:
        assert one == {name: served[one["id"]][name] for name in one}
    # The record cites what became known last.
    assert (row["available_at"], row["source_ref"]) == ("2024-06-01", row["timeline"][0]["source_ref"])


@pytest.mark.proves("TEN-8")
def test_nothing_is_known_of_a_process_before_its_first_release(process):
    assert process.get(PATH, as_of="2024-01-09").status_code == 404
    assert process.get("/v1/tenders/o-2").status_code == 404
    assert len(record(process, as_of="2024-01-10")["timeline"]) == 1
    response = process.get("/v1/tenders/a%20b")
    assert (response.status_code, response.exact["parameter"]) == (400, "ocid")


@pytest.mark.proves("TEN-8", "TEN-5")
def test_blocks_of_an_award_are_one_and_portals_stay_apart(service):
    blocks = [award("A", 10, WORKS), award("A", 10, ROADS), award("A", 20, ROADS)]
    service.ingest(package(release("o-1", awards=blocks)), source_name=SOURCE)
    service.ingest(package(release("o-1", tender=tender(1))), source_name=portal("another-portal"))
    service.publish()
    other, one = service.get(PATH).exact["data"]
    assert "awards" not in other
    told = [(each["value"]["amount"], names(each["suppliers"]), each["joint"]) for each in one["awards"]]
    assert told == [(10, [WORKS, ROADS], True), (20, [ROADS], False)]


@pytest.mark.proves("TEN-8")
def test_a_record_of_one_release_says_what_the_release_says(demo):
    checked = 0
    for country in ("ZA", "KE", "NG"):
        rows = demo.get("/v1/tenders", country=country, limit=200).exact["data"]
        for row in rows[:25]:
            told = record(demo, f"/v1/tenders/{row['ocid']}")
            assert row["id"] in {one["id"] for one in told["timeline"]}
            if told["releases"] == 1:
                checked += 1
                for name in ("buyer", "tender", "contracts", "country", "withheld_parties", "parties"):
                    assert told.get(name) == row.get(name), (row["ocid"], name)
    print(f"{checked} processes of one release")
    assert checked
