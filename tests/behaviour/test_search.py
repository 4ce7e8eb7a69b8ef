"""Search by name and identifier: what comes first, what a mistyped letter does, and that indexes are read."""

from __future__ import annotations

import asyncio
import json

import pytest

from demo.identifiers import figi, isin
from sankofa.ask.endpoint import Page
from sankofa.entities.search import place_of_name, search
from sankofa.entities.served import PAID_PLACE, SearchParams
from sankofa.storage.queries import named
from sankofa.storage.reading import Reader
from support.lei_documents import an_lei
from support.organisations import company, id_of_lei, list_shares, person, register

NAMES = {
    1: "Société Générale de Banques au Sénégal SA",
    2: "Standard Bank Group Ltd",
    3: "Standard Bank of South Africa Ltd",
    4: "Standard Chartered Ltd",
    5: "Safaricom Ltd",
    6: "Bank Standard Ltd",
    7: "Kwa Dlamini Ltd",
    10: "AB Standards Bureau Ltd",
}


@pytest.fixture(scope="module")
def known(module_service):
    """A service with a few banks, a listed company and a person."""
    service = module_service
    register(
        service,
        *(company(number, name, jurisdiction="ZA") for number, name in NAMES.items() if number != 5),
        company(5, NAMES[5], jurisdiction="KE", country="KE"),
        person(8, "Standard Sipho Mokoena"),
    )
    list_shares(service, ("XNAI", "SCOM", NAMES[5], "KE", isin("KE", 5), figi(5)))
    service.publish()
    register(service, company(9, "Later Bank Ltd"))
    service.publish()
    return service


def found(service, text, rows=10, edition=None, *, is_paid=True, country=None):
    """Return what a search finds: numbers of the companies, and how each was found."""

    async def ask():
        reader = Reader(service.settings.reading())
        await reader.open()
        try:
            page = Page(edition=await reader.edition(edition), rows=rows, is_paid=is_paid)
            return await search(reader, SearchParams(text=text, country=country), page)
        finally:
            await reader.close()

    numbers = {id_of_lei(service, number): number for number in (*NAMES, 8, 9)}
    return [(numbers[row.service_id], row.matched) for row in asyncio.run(ask()).rows[:rows]]


def test_case_accents_word_order_and_legal_form_do_not_matter(known):
    for text in ("safaricom", "SAFARICOM PLC", "Safaricom Limited"):
        assert found(known, text) == [(5, "name")]
    for text in ("societe generale de banques au senegal", "Sénégal banques, Société Générale"):
        assert [number for number, _ in found(known, text)] == [1]


def test_an_identifier_comes_first_then_the_name_then_the_words(known):
    first, *others = found(known, "bank standard")
    assert first == (6, "name")
    assert sorted(others) == [(2, "words"), (3, "words")]
    assert found(known, an_lei(3)) == [(3, "identifier")]
    assert found(known, "XNAI:SCOM") == found(known, "scom") == [(5, "identifier")]


def test_a_registry_number_finds_only_for_those_who_pay(known):
    assert found(known, "1999/000002/07") == [(2, "identifier")]
    assert found(known, isin("KE", 5)) == [(5, "identifier")]
    assert found(known, "1999/000002/07", is_paid=False) == []
    assert found(known, isin("KE", 5), is_paid=False) == []
    assert found(known, an_lei(2), is_paid=False) == [(2, "identifier")]


@pytest.mark.parametrize(
    "text", ["Safricom", "Safaricon", "safaricom kenya", "Safaricom Nairobi", "Saffaricom"]
)
def test_one_mistyped_letter_or_one_word_too_many_still_finds(known, text):
    assert found(known, text) == [(5, "similar")]


def test_words_are_whole_and_may_be_short(known):
    assert found(known, "standards") == [(10, "words")]
    assert found(known, "bureau ab") == [(10, "words")]
    assert 10 not in [number for number, _ in found(known, "standard")]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("safari", 5),  # the beginning of a word
        ("faricom", 5),  # the end of one
        ("safari com", 5),
        ("bureaustandards", 10),
        ("standard bank sout africa", 3),
        ("dlamni", 7),  # a mistyped word of several
        ("Chratered", 4),
        ("Kwa Dlamini Ltd Durban", 7),  # a word too many after the legal form
    ],
)
def test_parts_of_words_are_similar(known, text, number):
    assert (number, "similar") in found(known, text)[:2]


def test_the_nearest_name_comes_first_and_always_in_the_same_order(known):
    first = found(known, "standard")
    assert [how for _, how in first] == ["words"] * 4
    assert first[0] == (6, "words")
    assert all(found(known, "standard") == first for _ in range(3))
    assert found(known, "standard", rows=2) == first[:2]


def pages(service, text, rows):
    """Return what a walk over the pages of a search finds."""

    async def walk():
        reader = Reader(service.settings.reading())
        await reader.open()
        try:
            edition, after, seen = await reader.edition(None), None, []
            while True:
                page = Page(edition=edition, rows=rows, after=after)
                found = (await search(reader, SearchParams(text=text), page)).rows
                seen += [row.service_id for row in found[:rows]]
                if len(found) <= rows:
                    return seen
                after = place_of_name(found[rows - 1])
        finally:
            await reader.close()

    return asyncio.run(walk())


@pytest.mark.parametrize("text", ["standard", "bank standard", "standrad bank", "bank"])
@pytest.mark.parametrize("rows", [1, 2, 3])
def test_pages_of_any_size_make_the_whole_answer(known, text, rows):
    whole = pages(known, text, 100)
    assert len(whole) > 1
    assert pages(known, text, rows) == whole


def test_only_one_country_if_asked(known):
    assert found(known, "safaricom", country="KE") == [(5, "name")]
    assert found(known, "safaricom", country="ZA") == []
    assert found(known, an_lei(5), country="ZA") == []


def test_an_edition_finds_what_it_holds(known):
    assert found(known, "later bank") == [(9, "name")]
    assert found(known, "later bank", edition=1) == []


@pytest.mark.parametrize("text", ["x", "&", "Ltd", "%", "_", "%%%", "a b c", "\\", "'; --", "é", "🦁", " "])
def test_strange_texts_find_nothing_and_break_nothing(known, text):
    assert isinstance(found(known, text), list)


@pytest.mark.parametrize("text", ["Standard Sipho Mokoena", "sipho mokoena", "mokoena", an_lei(8)])
def test_a_person_is_not_found(known, text):
    assert 8 not in [number for number, _ in found(known, text)]


def plans(node):
    yield node
    for inner in node.get("Plans", ()):
        yield from plans(inner)


def test_every_step_reads_an_index(known):
    """On small tables a scan is cheaper; forbidden to scan, the planner shows that an index can serve."""
    told = {
        "edition": 1,
        "day": "2026-01-05",
        "is_past": True,
        "marks": ["ZA", "issuer"],
        "name": "bank standard",
        "rows": 11,
        "id_value": "scom",
        "issuer": None,
        "filer_number": "0000000007",
        "filer_registers": ["US-SEC"],
        "open_types": ["lei", "ticker"],
        "words": "bank standard",
        "most": 100,
        "most_similar": 100,
        "paid_place": PAID_PLACE,
        "least": 0.3,
        "least_of_words": 0.5,
        "parts": "%bank%standard%",
        "rests": ["bank"],
        "pieces": ["%stan%"],
        "after_place": None,
        "after_nearness": None,
        "after_name": None,
        "after_service_id": None,
    }
    with known.connect("read") as connection:
        connection.execute("SET enable_seqscan = off")
        statements = [
            (name, statement, "parts" in variants and name == "similar")
            for variants in ((), ("issuers",), ("anybody", "others"), ("anybody",), ("parts",))
            for name, statement in named("sankofa.entities", "search.sql", *variants).items()
        ]
        for name, statement, is_of_parts in statements:
            ((plan,),) = connection.execute(f"EXPLAIN (FORMAT JSON) {statement}", told).fetchall()
            tables = [node for node in plans(plan[0]["Plan"]) if "Relation Name" in node]
            assert tables, name
            assert [node["Node Type"] for node in tables if node["Node Type"] == "Seq Scan"] == []
            conditions = "".join(node.get("Index Cond", "") for node in plans(plan[0]["Plan"]))
            assert ("string_to_array" in conditions) != is_of_parts
            for index in ("organisation_by_search_name", "organisation_name_by_search_name"):
                assert index in json.dumps(plan)
