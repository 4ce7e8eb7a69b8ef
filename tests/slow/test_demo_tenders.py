"""The tenders of the demo world, read back from the documents it writes, and in the service."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from demo import tenders_ke, tenders_ng, tenders_za, write
from demo.tenders_packages import fetched_at
from demo.tenders_processes import MONTHS, opened_in
from demo.tenders_showcase import CANCELLED, CLOSED, JOINT, NAMING, REVERSED, REVISED, SIGNED
from demo.world import World
from sankofa.ingest.sources import source
from support.demo_tenders import PORTALS, WORLD, WRITTEN, documents, every, processes, read, stated, unpacked


def months(written, release_id):
    """The releases of an id with the day on which each was fetched, oldest first."""
    return [
        (document.fetched_at.date(), release)
        for document in documents(written)
        for release in stated(document.content)
        if release["id"] == release_id
    ]


def test_the_same_seed_gives_the_bytes_of_every_other_machine_whatever_the_size():
    """A change here changes documents of the world: say so in the changelog."""
    every_release = hashlib.sha256()
    for written in WRITTEN:
        for one, other in zip(documents(written), documents(written, World(facts=250)), strict=True):
            assert one == other
            every_release.update(json.dumps(unpacked(one.content)).encode())
    assert every_release.hexdigest() == "918be5aebc95d6a61e19631b98e5eee39cef098d2bbf21e54b8a7802204cfbeb"


def test_another_seed_gives_other_tenders_but_the_same_showcase():
    other = World(seed=2)
    for written in WRITTEN:
        mine, theirs = (
            {
                release["id"]: release
                for document in documents(written, world)
                for release in stated(document.content)
            }
            for world in (WORLD, other)
        )
        told = {number for number in mine if int(number.split("-")[2]) < 1_000}
        assert told
        assert {number: theirs[number] for number in told} == {number: mine[number] for number in told}
        assert sum(mine[number] == theirs.get(number) for number in mine.keys() - told) == 0


def test_the_size_is_some_thousand_releases_in_a_few_megabytes():
    made = [document for written in WRITTEN for document in documents(written)]
    assert sum(len(document.content) for document in made) < 6_000_000
    for written in WRITTEN:
        for document in documents(written):
            assert document.facts == len(list(stated(document.content)))


def test_the_counts_are_those_that_the_readme_tells():
    """Contents, releases and processes of each portal."""
    counts = []
    for written in WRITTEN:
        releases = every(written)
        contents = {json.dumps(release) for release in releases}
        counts.append([len(contents), *(len({one[key] for one in releases}) for key in ("id", "ocid"))])
    assert counts == [[1_880, 1_844, 1_093], [1_014, 1_014, 429], [248, 248, 151]]


def test_the_world_is_written_with_its_tenders():
    sources = Counter(name for name, _ in write.made(WORLD))
    assert [sources[written.SOURCE] for written in WRITTEN] == [36, 36, 12]


@pytest.mark.parametrize(
    ("written", "redistributable"), [(tenders_za, True), (tenders_ke, True), (tenders_ng, False)]
)
def test_a_portal_is_a_source_of_its_country(written, redistributable):
    known = source(written.SOURCE)
    assert (known.license_class, known.parser) == ("synthetic", "ocds")
    assert (known.country, known.redistributable) == (PORTALS[written].country, redistributable)


@pytest.mark.parametrize("written", [tenders_za, tenders_ke])
def test_every_month_has_processes_that_open_in_it_and_is_fetched_after_it(written):
    opened = Counter(process.opened.replace(day=1) for process in processes(PORTALS[written]))
    assert min(opened[month] for month in MONTHS) >= 6
    assert [document.fetched_at for document in documents(written)] == list(map(fetched_at, MONTHS))
    assert fetched_at(date(2022, 12, 1)) == datetime(2023, 1, 2, 4, tzinfo=UTC)
    for document in documents(written):
        newest = max(release["date"] for release in stated(document.content))
        assert datetime.fromisoformat(newest).replace(tzinfo=UTC) < document.fetched_at


@pytest.mark.parametrize(
    ("written", "repaired"),
    [
        (tenders_za, {"tenderers_zero", "code_spelling", "amount_zero", "date_zone_assumed", "date_unset"}),
        (tenders_ke, set()),
        (tenders_ng, {"code_spelling", "amount_as_text", "currency_spelling", "object_for_list"}),
    ],
)
def test_every_release_is_read_and_the_repairs_are_those_of_the_portal(written, repaired):
    reasons = set()
    for document in documents(written):
        found, counts = read(document)
        assert [(one.ocid, one.id) for one in found] == [
            (release["ocid"], release["id"]) for release in stated(document.content)
        ]
        reasons |= counts.keys()
    assert reasons == {f"repaired_{reason}" for reason in repaired}


def test_south_africa_has_the_quirks_of_the_real_portal():
    releases = every(tenders_za)
    assert {tuple(release["tag"]) for release in releases} == {("compiled",)}
    for release in releases:
        tender = release["tender"]
        assert set(tender["contactPerson"]) == {"name", "email", "telephoneNumber"}
        assert tender["contractPeriod"] == {}
        assert "classifications" in tender["items"][0]
        assert tender["category"] != tender["mainProcurementCategory"]
    assert 0.4 < sum(release["tender"]["value"]["amount"] == 0 for release in releases) / len(releases) < 0.7
    assert sum(release["date"].startswith("0001-01-01") for release in releases) > 10
    assert sum(release["parties"] == [] for release in releases) > len(releases) / 2
    roles = {role for release in releases for party in release["parties"] for role in party["roles"]}
    assert roles == {"Buyer", "BUYER", "procuringentity", "Procuring Entity", "SUPPLIER", "Supplier"}
    assert {release["tender"]["status"] for release in releases} == {"active", "Active", "complete"}


def test_kenya_has_records_that_grow_from_tender_to_contract():
    grown = {}
    for document in documents(tenders_ke):
        for value in unpacked(document.content):
            for record in value.get("records", [value]):
                tags = [release["tag"][0] for release in record["releases"]]
                assert tags[: len(grown.get(record["ocid"], []))] == grown.get(record["ocid"], [])
                grown[record["ocid"]] = tags
    ways = Counter(" ".join(tags) for tags in grown.values())
    assert ways["tender"] > 50
    assert ways["tender award contract"] > 100
    assert ways["tender award awardCancellation"] > 5
    assert ways["tender tenderAmendment award contract"] > 2
    assert set(" ".join(ways).split()) == {
        "tender",
        "tenderAmendment",
        "award",
        "contract",
        "awardCancellation",
    }


def test_kenya_tells_who_bid_for_how_much_and_when():
    awards = [release for release in every(tenders_ke) if release["tag"] == ["award"]]
    for release in awards:
        [award] = release["awards"]
        assert release["tender"]["numberOfTenderers"] == len(release["tender"]["tenderers"])
        assert award["value"]["amount"] > 0
        assert award["date"] == release["date"]
        assert {one["id"] for one in award["suppliers"]} <= {one["id"] for one in release["parties"]}
    assert sum(len(release["awards"][0]["suppliers"]) == 2 for release in awards) > 5
    assert sum(release["tender"]["numberOfTenderers"] == 1 for release in awards) > 20


def test_documents_come_in_four_wrappings():
    names = [document.name for written in WRITTEN for document in documents(written)]
    assert [name for name in names if not name.endswith(".json")] == [
        "tenders-ke-2022-12.jsonl.gz",
        "tenders-ke-2023-12.zip",
    ]
    assert "releases" in unpacked(tenders_za.part(WORLD, 0).content)[0]
    assert "records" in unpacked(tenders_ke.part(WORLD, 0).content)[0]


def test_values_are_in_four_currencies():
    money = Counter(
        one.tender.value.currency
        for written in WRITTEN
        for document in documents(written)
        for one in read(document)[0]
        if one.tender and one.tender.value
    )
    assert money.keys() == {"ZAR", "KES", "NGN", "USD"}
    assert min(money.values()) > 20


def opening(written, *places):
    """Of the processes that open in some months, how many each category has."""
    portal = PORTALS[written]
    return Counter(one.purchase.category for place in places for one in opened_in(WORLD.seed, portal, place))


def test_what_is_asked_for_changes_and_buyers_differ():
    first, last = opening(tenders_za, *range(6)), opening(tenders_za, *range(30, 36))
    assert last["Solar and electrical equipment"] > 3 * first["Solar and electrical equipment"]
    assert last["Medical supplies"] < first["Medical supplies"]
    asked = processes(tenders_za.ZA)

    def concentration(category):
        buyers = Counter(process.buyer for process in asked if process.purchase.category == category)
        return sum((count / buyers.total()) ** 2 for count in buyers.values())

    assert concentration("Roads and bridges") > 0.4
    assert concentration("Stationery") < 0.2
    march = [opening(tenders_za, place).total() for place in (2, 14, 26)]
    usual = [opening(tenders_za, place).total() for place in (0, 12, 24)]
    assert all(rush > ordinary for rush, ordinary in zip(march, usual, strict=True))


def test_showcase_a_value_is_revised_under_the_same_id():
    told = months(tenders_za, f"{REVISED.ocid}-2023-03-14")
    assert [(day, release["tender"]["value"]["amount"]) for day, release in told] == [
        (date(2023, 4, 2), 12_000_000),
        (date(2023, 5, 2), 15_500_000),
    ]
    [(day, award)] = months(tenders_za, "ocds-demoza-000001-2023-06-12")
    assert day == date(2023, 7, 2)
    assert award["awards"][0]["suppliers"][0]["name"] == "Kwezolira Telecoms Holdings Limited"
    assert award["awards"][0]["value"] == {"amount": 15_000_000, "currency": "ZAR"}


def test_showcase_a_value_goes_and_comes_back():
    told = months(tenders_za, f"{REVERSED.ocid}-2023-06-05")
    assert [(day, release["tender"]["value"]["amount"]) for day, release in told] == [
        (date(2023, 7, 2), 8_000_000),
        (date(2023, 8, 2), 6_400_000),
        (date(2023, 9, 2), 8_000_000),
    ]
    assert told[0][1] == told[2][1]


def test_showcase_an_award_names_a_sole_trader():
    [(_, release)] = months(tenders_za, f"{NAMING.ocid}-2023-10-20")
    assert release["awards"][0]["suppliers"] == [{"name": "Lindiwe Vashonuka"}]
    assert "Lindiwe Vashonuka" in release["awards"][0]["description"]


def test_showcase_kenya_signs_cancels_and_awards_jointly():
    told = defaultdict(dict)
    for release in every(tenders_ke):
        told[release["ocid"]][release["tag"][0]] = release
    signed, cancelled, joint = (told[process.ocid] for process in (SIGNED, CANCELLED, JOINT))
    assert [signed[tag]["date"][:10] for tag in ("tender", "award", "contract")] == [
        "2023-02-06",
        "2023-04-11",
        "2023-05-02",
    ]
    assert signed["award"]["parties"][1]["identifier"]["id"] == "9999DEMO100000000065"
    assert [cancelled[tag]["awards"][0]["status"] for tag in ("award", "awardCancellation")] == [
        "active",
        "cancelled",
    ]
    assert [one["name"] for one in joint["award"]["awards"][0]["suppliers"]] == [
        "Kithulera Steel PLC",
        "Wakideshu Logistics Limited",
    ]
    assert joint["award"]["awards"][0]["value"] == {"amount": 2_350_000, "currency": "USD"}


def test_showcase_nigeria_is_closed():
    [(day, release)] = months(tenders_ng, f"{CLOSED.ocid}-award")
    assert day == date(2024, 1, 2)
    assert Decimal(release["awards"]["value"]["amount"]) == 590_000_000


def test_the_service_takes_every_document_and_keeps_each_content_once(service):
    for written in WRITTEN:
        made = documents(written)
        batches = service.ingest(
            *((document.content, document.fetched_at) for document in made), source_name=written.SOURCE
        )
        assert [batch.outcome for batch in batches] == ["accepted"] * len(made)
        assert [batch.facts_read for batch in batches] == [document.facts for document in made]
        assert {
            reason for batch in batches for reason in batch.rejected if not reason.startswith("repaired_")
        } == set()
        contents = {json.dumps(release, sort_keys=True) for release in every(written)}
        kept = service.rows("SELECT count(*) FROM ledger.release WHERE source = %s", written.SOURCE)
        assert kept == [(len(contents),)]
        assert sum(batch.facts_appended for batch in batches) == len(contents)
