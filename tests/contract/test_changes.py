"""EDN-5: who follows the feed from any edition misses nothing, sees nothing twice, holds what is served."""

from __future__ import annotations

import pytest

from sankofa.fundamentals.line_items import MapEntry
from support.filings import FY2022, Filer
from support.following import changes, follow, held
from support.stated_macro import GDP, indicator
from support.stated_tenders import CITY, ROADS, SOURCE, WORKS, award, id_of_party, package, release, tender
from support.waiting import until

PATH = "/v1/changes"


def told(service, since=0, **asked):
    """Return the changes in short: what happened, why, to which value."""
    return [
        (row["edition"], row["change"], row["reason"], row["value"])
        for row in changes(service, since, **asked)
    ]


@pytest.fixture(scope="module")
def changed(module_service):
    """A service whose editions change rows for every reason there is."""
    service = module_service
    one, two = Filer(1).says(100, filed="2024-02-01"), Filer(2).says(70, filed="2023-02-01", period=FY2022)
    service.ingest(one.document(), two.document())
    service.publish()  # 1: two added
    service.ingest(one.says(90, filed="2024-06-01").document())
    service.publish()  # 2: one restated
    service.ingest(Filer(1).says(80, filed="2023-12-01").document())
    service.publish()  # 3: a late filing is the first one; two are renumbered
    service.ingest(one.says(None, filed="2024-07-01").document())
    service.publish()  # 4: the newest is withdrawn
    service.ids = [service.id_of(filer.identifier) for filer in (one, two)]
    service.merge(service.ids[1], service.ids[0])
    service.publish()  # 5: the second issuer is the first
    service.ingest(indicator({("KEN", 2021): 5, ("KEN", 2022): 6}, GDP), source_name="demo-world-bank")
    service.ingest(
        package(release("o-1", buyer={"name": CITY}, tender=tender(7), awards=[award("A", 8, WORKS)])),
        source_name=SOURCE,
    )
    service.await_edition(service.publish().edition)  # 6: four values of other datasets
    return service


@pytest.mark.proves("EDN-5")
def test_each_put_and_remove_has_its_reason_oldest_first_and_removes_before_puts(changed):
    assert sorted(told(changed, edition=5), key=repr) == [
        (1, "put", "added", 100),
        (1, "put", "added", 70),
        (2, "put", "restated", 90),
        (3, "put", "added", 80),
        (3, "put", "renumbered", 100),
        (3, "put", "renumbered", 90),
        (3, "remove", "renumbered", None),
        (3, "remove", "renumbered", None),
        (4, "put", "withdrawn", 90),
        (4, "remove", "withdrawn", None),
        (5, "put", "merged", 70),
        (5, "remove", "merged", None),
    ]
    places = [
        (row["edition"], row["change"] == "put", row["dataset"], row["row_id"]) for row in changes(changed)
    ]
    assert places == sorted(set(places))


@pytest.mark.proves("EDN-5")
@pytest.mark.parametrize("limit", [1, 2, 5, 1000])
def test_a_follower_from_any_edition_holds_exactly_the_current_rows(changed, limit):
    for since in range(7):
        rows = held(changed, since)
        follow(changed, rows, since, limit=limit)
        assert rows == held(changed, 6)
    assert {dataset for dataset, _ in rows} == {"AF-FUND", "AF-TENDER", "AF-MACRO"}


@pytest.mark.proves("EDN-5", "EDN-2")
def test_an_edition_pins_where_the_feed_ends(changed):
    for edition in range(1, 7):
        rows = {}
        follow(changed, rows, edition=edition)
        assert rows == held(changed, edition)
        assert changes(changed, edition, edition=edition) == []


@pytest.mark.proves("EDN-5")
def test_filters_choose_among_the_same_changes(changed):
    everything = changes(changed)
    for name, values in {
        "dataset": ["AF-FUND", "AF-TENDER", "AF-MACRO"],
        "reason": ["added", "restated", "renumbered", "corrected", "merged", "withdrawn"],
    }.items():
        for value in values:
            expected = [row for row in everything if row[name] == value]
            for limit in (1, 3, 1000):
                assert changes(changed, limit=limit, **{name: value}) == expected
    for service_id in changed.ids:
        expected = [row for row in everything if row["service_id"] == service_id]
        assert expected
        for limit in (1, 3, 1000):
            assert changes(changed, limit=limit, service_id=service_id) == expected
    assert changes(changed, service_id="DC0") == []
    merged = changes(changed, service_id=changed.ids[1], reason="merged")
    assert [(row["change"], row["edition"]) for row in merged] == [("remove", 5)]


@pytest.mark.proves("EDN-5", "ENV-4")
def test_a_put_says_all_of_its_row_and_a_remove_only_which_it_is(changed):
    by_place = {}
    for row in changes(changed):
        place = row["dataset"], row["row_id"]
        if row["change"] == "put":
            assert row["source_ref"]
            assert row["license_class"]
            assert row["observed_at"]
            by_place[place] = row
        else:
            stated = {name for name, value in row.items() if value is not None}
            assert stated == {"edition", "change", "reason", "dataset", "row_id", "fact_id", "service_id"}
            assert row["fact_id"] == by_place[place]["fact_id"]
    live = {row["fact_id"]: row for row in changed.facts(changed.ids[0], vintages="all")}
    rows = {}
    follow(changed, rows, dataset="AF-FUND")
    assert {row["fact_id"] for row in rows.values()} == set(live)
    for row in rows.values():
        fact = live[row["fact_id"]]
        assert row["value"] == fact["value_reported"]
        for name in ("unit", "scope", "period_start", "period_end", "period_type", "fiscal_year", "vintage"):
            assert row[name] == fact[name]
        for name in ("available_at", "reported_as", "source_ref", "license_class"):
            assert row[name] == fact[name]


@pytest.mark.proves("EDN-5", "EDN-7")
def test_what_is_taken_down_leaves_the_feed_and_whoever_followed_it(service):
    gone, stays = Filer(1).says(4711, filed="2024-02-01"), Filer(2).says(5, filed="2024-02-01")
    part = Filer(3).says(100, filed="2024-02-01").says(4712, filed="2024-06-01")
    service.ingest(gone.document(), stays.document(), part.document())
    service.publish()
    service.ingest(gone.says(4713, filed="2023-11-01").document())
    service.publish()
    issuer, other = service.id_of(gone.identifier), service.id_of(part.identifier)
    followers = {0: {}, 1: held(service, 1), 2: held(service, 2)}
    own = {place: row for place, row in followers[1].items() if row["service_id"] == issuer}
    (fact,) = service.facts(other)
    service.take_down(issuer)
    service.take_down(other, fact["fact_id"])
    until(lambda: not service.facts(other))
    (emptied,) = (row for row in changes(service, service_id=other) if row["value"] is None)
    assert (emptied["change"], emptied["vintage"], emptied["measure"]) == ("put", 2, "revenue")
    assert {emptied[name] for name in ("value", "fact_id", "source_ref", "provenance_id")} == {None}
    assert changes(service, service_id=issuer, edition=1) == []
    service.await_edition(service.publish().edition)
    for since, rows in followers.items():
        follow(service, rows, since, limit=1)
        assert rows == held(service, 3)
        assert sorted(row["value"] for row in rows.values()) == [5, 100]
    follow(service, own, 1, service_id=issuer)
    assert own == {}
    everything = changes(service)
    assert not {4711, 4712, 4713} & {row["value"] for row in everything}
    assert fact["fact_id"] not in {row["fact_id"] for row in everything}
    removes = [row for row in everything if row["change"] == "remove"]
    assert {(row["edition"], row["reason"]) for row in removes if row["service_id"] is None} == {
        (2, "renumbered"),
        (3, "withdrawn"),
    }
    service.take_down(other)  # who was taken down in part can be taken down as a whole
    service.await_edition(service.publish().edition)
    follow(service, rows, 3)
    assert rows == held(service, 4)
    assert [row["value"] for row in rows.values()] == [5]


@pytest.mark.proves("EDN-5")
def test_other_rules_other_units_and_skipped_numbers_are_followed_like_anything_else(service):
    concept, prices = "ifrs-full:RevenueFromInterest", ("AU.DIT", "Prices (annual %)")
    filer = Filer(1).says(7, filed="2024-02-01", concept=concept).says(5, filed="2024-02-01")
    service.ingest(filer.document())
    service.ingest(indicator({("KEN", 2021): 5}, prices), source_name="demo-world-bank")
    service.publish()
    rows = held(service, 1)
    assert {row["unit"] for row in rows.values()} == {"KES", "percent"}
    service.line_items = tuple(entry for entry in service.line_items if entry.concept != concept)
    service.line_items += (MapEntry("demo_line", 1, concept, "monetary"),)
    dollars = ("AU.DIT", "GDP (current US$)")
    later = indicator({("KEN", 2021): 6}, dollars, updated="2025-06-01")
    service.ingest(later, source_name="demo-world-bank")
    # After a restore, numbers go on above the highest ever issued; those in between are of another past.
    ((instance,),) = service.rows("SELECT instance_id FROM ops.instance")
    service.objects.replace(f"instances/{instance}/highest-edition", b"4")
    assert service.publish().edition == 5
    follow(service, rows, 1)
    assert rows == held(service, 5)
    assert sorted(row["measure"] for row in rows.values()) == ["AU.DIT", "AU.DIT", "demo_line", "revenue"]
    assert {row["unit"] for row in rows.values()} == {"KES", "percent", "USD"}
    response = service.get(PATH, since=3)
    assert (response.status_code, response.exact["parameter"]) == (400, "since")


@pytest.mark.proves("EDN-4", "EDN-5")
def test_parts_in_tenders_that_move_with_a_merged_id_are_told_as_merged(service):
    stated = [
        release("o-1", awards=[award("A", 1, WORKS)]),
        release("o-2", awards=[award("A", 2, ROADS)]),
        release("o-3", buyer={"name": WORKS}, awards=[award("A", 3, CITY)]),
    ]
    service.ingest(package(*stated), source_name=SOURCE)
    service.publish()
    one, two = id_of_party(service, WORKS), id_of_party(service, ROADS)
    service.merge(one, two)
    service.publish()  # the buyer's part of the first moves, the suppliers' parts become one
    service.merge(one, one, "they are two after all")
    service.publish()
    service.take_down(one)
    service.await_edition(service.publish().edition)
    told = {row["edition"]: row["datasets"]["AF-TENDER"] for row in service.get("/v1/editions").exact["data"]}
    assert told[2] == {"put": {"merged": 2}, "removed": {"merged": 3}}
    assert told[3] == {"put": {"merged": 3}, "removed": {"merged": 2}}
    assert "merged" not in told[4]["put"] | told[4]["removed"]
    # Values name parties by the ids that they had at first: a merge changes none of them.
    assert [row["edition"] for row in changes(service, 1, edition=3)] == []


@pytest.mark.proves("EDN-5")
@pytest.mark.parametrize(
    ("asked", "parameter"),
    [
        ({"since": "-1"}, "since"),
        ({"since": "01"}, "since"),
        ({"since": "7"}, "since"),
        ({"since": "3", "edition": "2"}, "since"),
        ({"dataset": "AF-FX"}, "dataset"),
        ({"reason": "Added"}, "reason"),
        ({"service_id": "DC-1"}, "service_id"),
        ({"service_id": "DC1", "dataset": "AF-MACRO"}, "dataset"),
        ({"edition": "7"}, "edition"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(changed, asked, parameter):
    response = changed.get(PATH, **asked)
    assert (response.status_code, response.exact["parameter"]) == (400, parameter)


@pytest.mark.proves("EDN-5", "KEY-7", "KEY-8", "TEN-2", "TEN-3")
def test_limits_and_cursors_hold_here_too(changed):
    sample = {"X-API-Key": changed.issue("sample").key}
    assert changed.get(PATH, sample, limit=26).status_code == 402
    assert changed.get(PATH, {"X-API-Key": changed.issue("starter").key}, limit=1001).status_code == 400
    cursor = changed.get(PATH, limit=2, since=1).exact["next_cursor"]
    assert changed.get(PATH, cursor=cursor).exact["data"] == changes(changed, 1)[2:]
    for other in ({"since": 2}, {"dataset": "AF-FUND"}, {"reason": "added"}, {"edition": 2}):
        response = changed.get(PATH, cursor=cursor, **other)
        assert (response.status_code, response.exact["parameter"]) == (400, "cursor")
