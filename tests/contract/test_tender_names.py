"""TEN-4, PAR-2 and EDN-7: what names somebody who is withheld goes with them, from text and from ids."""

from __future__ import annotations

import time

import pytest

from support.lei_documents import an_lei
from support.organisations import company, id_of_lei, person, register
from support.stated_tenders import (
    CITY,
    PERSON,
    ROADS,
    SOURCE,
    award,
    holder,
    id_of_party,
    package,
    release,
    strings,
    tender,
    tenders,
)

FORMS = ("application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")
FACTS = "/v1/shared/facts"
PARTIES = "/v1/tender-parties"
TEXTS = {"title", "description", "procurementMethodDetails"}
ASKED = {"country": "ZAF", "dataset": "AF-TENDER"}
# Names that an id can hold: one that is made of plain words is replaced.
UMOYA, NOMSA, ZONKE = "Umoya7 Ltd", "Nomsa7 Ltd", "Zonke7"


def told(ocid, title="A fence", award_id="A-1", supplier=PERSON, **sections):
    """Return a release with text in every place, bought by the city, won by a supplier."""
    return release(
        ocid,
        buyer={"name": CITY},
        tender=tender(
            100,
            title=title,
            description="Of steel",
            procurementMethodDetails="By quotation",
            items=[{"id": "1", "classification": {"scheme": "CPV", "id": "45", "description": "Building"}}],
        ),
        awards=[award(award_id, 90, supplier, title="To one", description="In full")],
        contracts=[{"id": "C", "awardID": award_id, "title": "Signed", "description": "By both"}],
        **sections,
    )


def texts(value):
    """Return the free text of a row, wherever it stands."""
    if isinstance(value, list):
        return [text for item in value for text in texts(item)]
    if not isinstance(value, dict):
        return []
    return [text for key, item in value.items() for text in ([item] if key in TEXTS else texts(item))]


ALL = ["A fence", "Of steel", "By quotation", "Building", "To one", "In full", "Signed", "By both"]
CONTACT = {"contactPoint": {"name": "Ann Botha", "email": "ann@example.org", "telephone": "021 555 0123"}}
UNSERVABLE = {
    "a withheld party": "A fence by Sipho Qhobela",
    "a withheld party, shouted": "Fence (SIPHO QHOBELA)",
    "a withheld party, accented": "Fence of Sípho Qhobéla.",
    "a contact": "Enquiries to Ann Botha",
    "an e-mail address": "Write to fences@example.org",
    "a telephone number": "Call 021 555 0100",
    "an identity number": "For ID 8001015009087",
}


@pytest.fixture(scope="module")
def named(module_service):
    service = module_service
    cases = [
        told(f"o-{number}", title, parties=[{"name": CITY} | CONTACT])
        for number, title in enumerate(UNSERVABLE.values())
    ]
    cases += [told("ofine"), told("ofirm", f"A fence by {ROADS}", supplier=ROADS), release("obare")]
    service.ingest(package(*cases), source_name=SOURCE)
    service.publish()
    return service


@pytest.mark.proves("TEN-4")
@pytest.mark.parametrize("kind", UNSERVABLE)
def test_text_that_points_at_a_person_takes_all_free_text_with_it(named, kind):
    row = next(row for row in tenders(named) if row["ocid"] == f"o-{list(UNSERVABLE).index(kind)}")
    assert row["text_withheld"] is True
    assert texts(row) == []
    assert row["awards"][0]["value"]["amount"] == 90  # what is not text stays


@pytest.mark.proves("TEN-4")
def test_other_text_is_served(named):
    found = {row["ocid"]: row for row in tenders(named)}
    assert sorted(texts(found["ofine"])) == sorted(ALL)
    assert f"A fence by {ROADS}" in texts(found["ofirm"])
    assert {found[ocid]["text_withheld"] for ocid in ("ofine", "ofirm", "obare")} == {False}


@pytest.mark.proves("TEN-4")
@pytest.mark.parametrize("place", ["award", "contract", "method", "classification"])
def test_one_text_in_any_place_is_enough(service, place):
    sections = told("o-1")
    spoilt = "For Sipho Qhobela"
    {
        "award": sections["awards"][0],
        "contract": sections["contracts"][0],
        "method": sections["tender"],
        "classification": sections["tender"]["items"][0]["classification"],
    }[place].update({"procurementMethodDetails" if place == "method" else "description": spoilt})
    service.ingest(package(sections), source_name=SOURCE)
    service.publish()
    (row,) = tenders(service)
    assert (row["text_withheld"], texts(row)) == (True, [])
    assert not [text for text in strings(row) if "Sipho" in text]


def nowhere(service, *canaries, editions=(None,)):
    """Assert that no form of any answer about tenders holds any of some texts."""
    for path in ("/v1/tenders", PARTIES, f"{FACTS}?country=ZAF&dataset=AF-TENDER"):
        for form in FORMS:
            for edition in editions:
                pinned = {"edition": edition} if edition else {}
                headers = {"Accept": form, "Accept-Encoding": "identity"}
                body = service.get(path, headers, **pinned).content.lower()
                assert not [text for text in canaries if text.lower().encode() in body], (path, form, edition)


def naming(name):
    """Return releases with a name in each of the ids that a row has."""
    apart = [name, f"{name}/2", f"1-{name.upper().replace(' ', '_')}"]
    for number, text in enumerate(apart):
        yield told(f"o-{number}a", award_id=text, supplier=name)
        yield told(f"o-{number}b", supplier=name) | {"id": text}
        yield told(f"ocds-{text}", supplier=name)
        yield told(f"o-{number}c", supplier=name) | {"tender": tender(5, id=text)}
        yield told(f"o-{number}d", supplier=name) | {"contracts": [{"id": text, "awardID": "A-1"}]}
        yield told(f"o-{number}e", supplier=name) | {"contracts": [{"id": "C", "awardID": text}]}


@pytest.mark.proves("TEN-4", "PAR-2")
@pytest.mark.parametrize("name", [PERSON, "Qhobela"])
def test_no_id_names_a_withheld_party(service, name):
    """An id that holds one word of a name cannot be told from others, so its release is not served."""
    other = told("oother", supplier=name) | {"tender": tender(7)}
    service.ingest(package(*naming(name), other), source_name=SOURCE)
    service.publish()
    nowhere(service, "qhobela")
    found = [row["ocid"] for row in tenders(service)]
    assert len(found) == (1 if name == "Qhobela" else 19)
    assert "oother" in found
    values = [row["value"] for row in service.get(FACTS, **ASKED).exact["data"]]
    assert sorted(values) == ([7] if name == "Qhobela" else sorted([7, *[5] * 3, *[100] * 15]))
    (part,) = service.get(PARTIES).exact["data"]
    assert (part["name"], part["releases"]) == (CITY, len(found))


@pytest.mark.proves("TEN-4", "PAR-2")
def test_a_word_that_names_a_party_is_no_category_and_no_code(service):
    item = {"id": "1", "classification": {"scheme": f"List of {PERSON}", "id": "45"}}
    other = {"id": "2", "classification": {"scheme": "CPV", "id": f"{PERSON}/1"}}
    words = {"category": f"For {PERSON}", "mainProcurementCategory": PERSON.upper()}
    stated = tender(5, items=[item, other], additionalProcurementCategories=[PERSON, "goods"], **words)
    service.ingest(package(told("o-1") | {"tender": stated}), source_name=SOURCE)
    service.publish()
    nowhere(service, "qhobela")
    (row,) = tenders(service)
    assert row["tender"]["additionalProcurementCategories"] == ["goods"]
    first, second = (bought["classification"] for bought in row["tender"]["items"])
    assert (first, second["scheme"]) == ({"id": "45"}, "CPV")
    assert row["tender"].keys().isdisjoint({"category", "mainProcurementCategory"})


def furnished(service, supplier):
    """Publish two editions with releases that name a supplier in text, in ids, as a party, and not at all."""
    name = supplier if isinstance(supplier, str) else supplier["name"]
    service.ingest(
        package(
            told("otext", f"A fence by {name}", supplier=supplier),
            told("oid", award_id=f"A1-{name.replace(' ', '-')}", supplier=supplier),
            told("oparty", supplier=supplier),
            told("oapart", supplier=ROADS),
        ),
        source_name=SOURCE,
    )
    service.publish()
    service.ingest(package(told("olater", supplier=supplier, date="2024-03-09")), source_name=SOURCE)
    service.await_edition(service.publish().edition)
    return name


def by_ocid(service, **asked):
    return {row["ocid"]: row for row in tenders(service, **asked)}


def assert_gone(service, name, service_id, before, editions):
    """Assert that a party left every edition with its text and ids, and that nothing else changed."""
    nowhere(service, name, name.replace(" ", "-"), service_id, editions=editions)
    for edition in editions:
        rows = by_ocid(service, edition=edition)
        assert "oid" not in rows
        assert rows["oapart"] == before[edition]["oapart"]
        assert (rows["otext"]["text_withheld"], texts(rows["otext"])) == (True, [])
        assert sorted(texts(rows["oparty"])) == sorted(ALL)
        for ocid in ("otext", "oparty"):
            assert rows[ocid]["withheld_parties"] == 1
            assert [party["name"] for party in rows[ocid]["parties"]] == [CITY]
        sources = {row["source_ref"] for row in service.get(FACTS, edition=edition, **ASKED).exact["data"]}
        assert not [ref for ref in sources if "oid" in ref]
        asked = {"entity_id": service_id, "dataset": "AF-TENDER", "edition": edition}
        assert service.get(FACTS, **asked).exact["data"] == []
        assert service.get(PARTIES, service_id=service_id, edition=edition).exact["data"] == []


def await_gone(service):
    """Wait until the process knows of the takedown, which takes what its ids name with it."""
    started = time.monotonic()
    while "oid" in by_ocid(service, edition=1):
        assert time.monotonic() - started < 60


@pytest.mark.proves("TEN-4", "EDN-7", "PAR-2")
def test_a_takedown_takes_text_and_ids_that_name_the_party_from_every_edition(service):
    name = furnished(service, UMOYA)
    gone = id_of_party(service, UMOYA)
    before = {edition: by_ocid(service, edition=edition) for edition in (1, 2)}
    assert f"A fence by {UMOYA}" in texts(before[1]["otext"])
    roads = {"entity_id": id_of_party(service, ROADS), "dataset": "AF-TENDER", "edition": 1}
    won = service.get(FACTS, **roads).content
    etag = service.get("/v1/tenders", edition=1).headers["etag"]
    service.take_down(gone)
    await_gone(service)
    assert_gone(service, name, gone, before, (1, 2))
    assert service.get("/v1/tenders", {"If-None-Match": etag}, edition=1).status_code == 200
    assert service.get(FACTS, **roads).content == won
    service.await_edition(service.publish().edition)
    assert_gone(service, name, gone, before | {3: before[2]}, (1, 2, 3))


@pytest.mark.proves("TEN-4", "EDN-7", "PAR-2")
def test_who_turns_out_to_be_a_person_leaves_text_and_ids_of_every_edition(service):
    name = furnished(service, holder(NOMSA, 5))
    gone = service.id_of(f"party:XI-LEI:{an_lei(5).lower()}")
    before = {edition: by_ocid(service, edition=edition) for edition in (1, 2)}
    assert f"A fence by {NOMSA}" in texts(before[1]["otext"])
    register(service, person(5, NOMSA))
    service.await_edition(service.publish().edition)
    await_gone(service)
    assert_gone(service, name, gone, before | {3: before[2]}, (1, 2, 3))


@pytest.mark.proves("TEN-4", "EDN-2")
def test_who_is_established_later_is_shown_from_the_next_edition_on(service):
    name = furnished(service, holder(ZONKE, 6))
    before = {edition: service.get("/v1/tenders", edition=edition).content for edition in (1, 2)}
    nowhere(service, name, "zonke", editions=(1, 2))
    assert by_ocid(service)["otext"]["text_withheld"] is True
    assert sorted(by_ocid(service)) == ["oapart", "olater", "oparty", "otext"]
    register(service, company(6, name))
    service.await_edition(service.publish().edition)
    found = by_ocid(service)
    assert sorted(found) == ["oapart", "oid", "olater", "oparty", "otext"]
    assert f"A fence by {name}" in texts(found["otext"])
    shown = id_of_lei(service, 6)
    for ocid in ("oid", "olater", "oparty", "otext"):
        assert (found[ocid]["withheld_parties"], found[ocid]["text_withheld"]) == (0, False)
        assert [row["name"] for row in found[ocid]["awards"][0]["suppliers"]] == [name]
    survivors = {row["service_id"] for row in found["oparty"]["awards"][0]["suppliers"]}
    won = service.get(FACTS, entity_id=shown, dataset="AF-TENDER").exact["data"]
    assert {row["entity_id"] for row in won} == survivors
    assert [row["value"] for row in won] == [90] * 4
    # What was published before stays as it was.
    assert {edition: service.get("/v1/tenders", edition=edition).content for edition in (1, 2)} == before
