"""PAR-5: the parts that organisations play as known on a day. Expected is a count over the documents."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from datetime import date, timedelta

import pytest

from support.stated_tenders import (
    PERSON,
    SOURCE,
    award,
    fetched,
    id_of_party,
    package,
    portal,
    release,
    tender,
    tenders,
)

PATH = "/v1/tender-parties"
SEED = 730_005
FIRST, DAYS = date(2024, 1, 1), 400
BUYERS = tuple(f"Roads Agency {number} (Pty) Ltd" for number in range(4))
SUPPLIERS = tuple(f"Builders {number} (Pty) Ltd" for number in range(8))
PORTALS = {"ZA": SOURCE, "KE": portal("kenyan-portal", "KE")}


def rows(service, **asked):
    response = service.get(PATH, **asked)
    assert response.status_code == 200, response.text
    return response.exact["data"]


def drawn(chance):
    """Return documents as fetched: (country, day, releases). Portals refill some releases."""
    stated, documents = defaultdict(dict), []
    for turn in range(12):
        day = FIRST + timedelta(30 * turn + chance.randrange(30))
        for country in PORTALS:
            held = stated[country]
            for number in range(len(held), len(held) + chance.randrange(12)):
                dated = day - timedelta(chance.randrange(25))
                held[number] = release(
                    f"o-{country}-{number // 3}", str(number), f"{dated}T{chance.randrange(24):02}:00:00Z"
                ) | content(chance)
            for number in chance.sample(sorted(held), len(held) // 8):
                held[number] = held[number] | content(chance)
            if held:
                documents.append((country, day, [held[number] for number in sorted(held)]))
    return documents


def content(chance):
    """Return what a release states of parties."""
    winners = chance.sample([*SUPPLIERS, PERSON], chance.randrange(3))
    awards = [award("A", 1, *winners)] if winners else []
    return {"buyer": {"name": chance.choice(BUYERS)}, "tender": tender(1), "awards": awards}


def counted(documents, day):
    """Return what the documents state on a day: by name, role and country the days of the releases."""
    histories = defaultdict(list)
    for country, seen, releases in documents:
        for one in releases:
            history = histories[country, one["ocid"], one["id"]]
            if not history or history[-1][1] != one:
                dated = date.fromisoformat(one["date"][:10])
                history.append((max(dated, seen) if history else dated, json.loads(json.dumps(one))))
    found = defaultdict(list)
    for (country, *_), history in histories.items():
        known = [one for available_at, one in history if available_at <= day]
        if known:
            parties = {("buyer", known[-1]["buyer"]["name"])}
            parties |= {
                ("supplier", one["name"]) for each in known[-1]["awards"] for one in each["suppliers"]
            }
            for role, name in parties:
                if name != PERSON:
                    found[name, role, country].append(known[-1]["date"][:10])
    return {part: (min(days), max(days), len(days)) for part, days in found.items()}


def told(found):
    return {
        (row["name"], row["role"], row["country"]): (
            row["first_release"],
            row["last_release"],
            row["releases"],
        )
        for row in found
    }


@pytest.fixture(scope="module")
def known(module_service):
    """A year of two portals in two editions, with the documents of each."""
    documents = drawn(random.Random(SEED))
    print(f"seed {SEED}, {len(documents)} documents")
    editions = [documents[:14], documents]
    for one in (documents[:14], documents[14:]):
        for country, day, releases in one:
            module_service.ingest(fetched(package(*releases), day), source_name=PORTALS[country])
        module_service.publish()
    return module_service, editions


def days():
    chance = random.Random(SEED)
    return sorted({FIRST + timedelta(chance.randrange(-5, DAYS)) for _ in range(60)})


@pytest.mark.proves("PAR-5", "ENV-4")
def test_counts_are_those_of_the_documents_on_each_day_and_in_each_edition(known):
    service, editions = known
    different = set()
    for day in days():
        for number, documents in enumerate(editions, 1):
            expected = counted(documents, day)
            assert told(rows(service, as_of=day, edition=number, limit=1000)) == expected, (SEED, day)
            different.add(str(expected))
        assert rows(service, as_of=day, limit=1000) == rows(service, as_of=day, edition=2, limit=1000)
    print(f"{len(days())} days, {len(different)} different answers")
    assert len(different) > 30
    body = service.get(PATH, as_of="2024-06-30").exact
    assert body["as_of"] == "2024-06-30"
    assert told(rows(service, limit=1000)) == counted(editions[1], date.max)


@pytest.mark.proves("PAR-5", "PAR-4", "ENV-13", "ENV-17")
def test_the_largest_of_a_country_on_a_day_come_first(known):
    service, editions = known
    for day in days()[::6]:
        for asked in ({"country": "ZA", "role": "supplier"}, {"country": "KE"}, {"role": "buyer"}, {}):
            body = service.get(PATH, as_of=day, order="releases", limit=3, **asked).exact
            walked = body["data"]
            while body["next_cursor"]:
                body = service.get(PATH, limit=3, cursor=body["next_cursor"]).exact
                walked += body["data"]
            expected = {
                part: found
                for part, found in counted(editions[1], day).items()
                if asked.get("role", part[1]) == part[1] and asked.get("country", part[2]) == part[2]
            }
            assert told(walked) == expected
            places = [(-row["releases"], row["service_id"], row["role"], row["country"]) for row in walked]
            assert places == sorted(set(places))


@pytest.mark.proves("PAR-5", "TEN-6")
def test_a_part_counts_the_releases_that_tenders_show(known):
    service, _ = known
    for day in days()[::10]:
        for row in rows(service, as_of=day, limit=1000):
            asked = {row["role"]: row["service_id"], "country": row["country"], "as_of": day, "limit": 1000}
            found = tenders(service, **asked)
            assert len(found) == row["releases"]
            newest = max(one["date"] for one in found)
            assert row["source_ref"] in {one["source_ref"] for one in found if one["date"] == newest}


@pytest.mark.proves("PAR-5", "ENT-2")
def test_one_organisation_is_asked_for_as_of_a_day(known):
    service, editions = known
    one = id_of_party(service, SUPPLIERS[0])
    for day in days()[::5]:
        expected = {
            part: found for part, found in counted(editions[1], day).items() if part[0] == SUPPLIERS[0]
        }
        found = told(rows(service, service_id=one, as_of=day))
        assert found == {part: each for part, each in expected.items() if part[2] == "ZA"}
    response = service.get(PATH, as_of="2024-02-30")
    assert (response.status_code, response.exact["parameter"]) == (400, "as_of")


@pytest.mark.proves("PAR-5")
def test_a_name_is_the_one_known_on_the_day(service):
    number = {"scheme": "ZA-CIPC", "id": "2001/000007/07"}
    for turn, name in enumerate(("Umbane Roads Limited", "Umbane Highways Limited"), 1):
        stated = release(
            f"o-{turn}", date=f"2024-0{turn}-10", awards=[award("A", 1, {"name": name, "identifier": number})]
        )
        service.ingest(fetched(package(stated), f"2024-0{turn}-11"), source_name=SOURCE)
    service.publish()
    assert [(row["name"], row["releases"]) for row in rows(service, as_of="2024-01-31")] == [
        ("Umbane Roads Limited", 1)
    ]
    assert [(row["name"], row["releases"]) for row in rows(service)] == [("Umbane Highways Limited", 2)]
