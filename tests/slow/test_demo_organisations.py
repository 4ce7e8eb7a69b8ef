"""The organisations of the demo world, read back from the documents it writes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import sys
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from stdnum import figi, isin, lei

from demo import cik_lei, gleif, lei_register, listings, remarkable, write
from demo.organisations import lei_of_issuer, withheld
from demo.world import FACTS_PER_ISSUER, World
from sankofa.entities.organisations import Profile, decide
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers import cik_lei as cik_lei_parser
from sankofa.ingest.registers import gleif as gleif_parser
from sankofa.ingest.registers import listings as listings_parser

ROOT = Path(__file__).parents[2]
PARSERS = {
    "demo-gleif": gleif_parser.parse,
    "demo-listings": listings_parser.parse,
    "demo-cik-lei": cik_lei_parser.parse,
}
NAME, NUMBER = "Entity.LegalName", "Entity.RegistrationAuthority.RegistrationAuthorityEntityID"
AUTHORITY = "Entity.RegistrationAuthority.RegistrationAuthorityID"
CATEGORY, STATUS = "Entity.EntityCategory", "Registration.RegistrationStatus"


def world_of(issuers, seed=1):
    return World(seed=seed, facts=issuers * FACTS_PER_ISSUER)


def table(document):
    return list(csv.DictReader(io.StringIO(document.content.decode()), strict=True))


def documents(world):
    return [(source, document) for source, document in write.made(world) if source in PARSERS]


def told(world):
    """What the service's parsers make of the documents, and what they leave out."""
    rejections = Rejections()
    found = [
        (source, record)
        for source, document in documents(world)
        for record in PARSERS[source](
            io.BytesIO(document.content), rejections, fetched_at=document.fetched_at
        )
    ]
    return found, dict(rejections.counts)


def newest(world):
    """The newest record of each LEI."""
    records = {}
    for source, record in told(world)[0]:
        if source == "demo-gleif" and (
            record.subject not in records or records[record.subject].stated_at < record.stated_at
        ):
            records[record.subject] = record
    return records


def is_established(record):
    return decide(
        Profile(
            ((record.legal_name, record.jurisdiction),),
            tuple(identifier[:3] for identifier in record.identifiers),
            frozenset(record.marks),
        )
    ).established


def changes():
    """The delta's records as plain columns."""

    def leaves(tree, path=""):
        for key, value in tree.items():
            if key == "$":
                yield path, value
            elif isinstance(value, list):
                yield from leaves(value[0], f"{path}.{key}")
            elif isinstance(value, dict):
                yield from leaves(value, f"{path}.{key}" if path else key)

    delta = gleif.part(World(), gleif.parts(World()) - 1)
    return [dict(leaves(record)) for record in json.loads(delta.content)["records"]]


def test_the_same_seed_and_size_give_the_bytes_of_every_other_machine():
    """A change here changes documents of the world: say so in the changelog."""
    every = hashlib.sha256()
    for _, document in documents(World(seed=1, facts=5_000)):
        every.update(document.content)
    assert every.hexdigest() == "53d05d91f7b047ca4ec2f851633f7b1ec20bd2ee2c76e5d149b26cf0945b09d1"


def test_the_documents_are_read_without_a_rejection():
    found, rejected = told(world_of(300))
    assert rejected == {}
    assert Counter(source for source, _ in found).keys() == PARSERS.keys()


def test_identifiers_have_the_right_check_digits_and_are_given_once():
    world = world_of(300)
    golden, listed = table(gleif.part(world, 0)), table(listings.part(world, 1))
    assert all(lei.is_valid(row["LEI"]) for row in golden)
    assert all(isin.is_valid(row["isin"]) and figi.is_valid(row["figi"]) for row in listed)
    for rows, column in ((golden, "LEI"), (golden, NAME), (listed, "isin"), (listed, "figi")):
        assert len({row[column] for row in rows}) == len(rows)
    assert len({(row["mic"], row["ticker"]) for row in listed}) == len(listed)


def test_a_smaller_world_is_the_beginning_of_a_larger_one():
    for form in (gleif, listings, cik_lei):
        place = 1 if form is listings else 0
        small, large = (form.part(world_of(issuers), place).content for issuers in (20, 60))
        assert large.startswith(small)


def test_another_seed_gives_others_but_the_same_stories():
    one, two = ({row["LEI"]: row for row in table(gleif.part(world_of(20, seed), 0))} for seed in (1, 2))
    fixed = [record.lei for record in (*remarkable.RECORDS, *withheld(world_of(1)))]
    fixed += [lei_of_issuer(index) for index in range(3)]
    assert [one[number] for number in fixed] == [two[number] for number in fixed]
    assert {row[NAME] for number, row in one.items() if number not in fixed}.isdisjoint(
        row[NAME] for number, row in two.items() if number not in fixed
    )


def test_most_issuers_have_an_lei_and_a_tenth_as_many_organisations_are_no_issuers():
    world = world_of(2_000)
    rows = table(gleif.part(world, 0))
    filers = {row["lei"] for row in table(cik_lei.part(world, 0))}
    assert filers < {row["LEI"] for row in rows}
    assert 0.84 < len(filers) / world.issuers < 0.91
    others = [row for row in rows if row["LEI"] not in filers and row[CATEGORY] == "GENERAL"]
    assert 200 <= len(others) < 230
    assert Counter(row[STATUS] for row in rows)["LAPSED"] > 0.04 * len(rows)


def test_filers_and_lei_records_are_tied_by_pairs_and_bear_the_same_names():
    world = world_of(60)
    names = {row["LEI"]: row[NAME] for row in table(gleif.part(world, 0))}
    pairs = table(cik_lei.part(world, 0))
    assert pairs[0] == {"lei": "9999DEMO100000000065", "cik": "9000000000"}
    for pair in pairs:
        assert names[pair["lei"]] == world.profile(int(pair["cik"]) - 9_000_000_000).name


def test_large_worlds_have_several_tables_and_the_delta_comes_last():
    world = world_of(10_001)
    assert [form.parts(world) for form in (gleif, listings, cik_lei)] == [3, 3, 2]
    delta = gleif.part(world, 2)
    assert (delta.name, delta.fetched_at) == ("gleif-delta.json", datetime(2026, 1, 6, 6, tzinfo=UTC))
    assert cik_lei.part(world, 1).content.count(b"\n") <= 2


def test_the_delta_renames_renews_retires_finds_a_duplicate_and_a_sole_proprietor():
    before = {row["LEI"]: row for row in table(gleif.part(World(), 0))}
    seen = []
    for now in changes():
        was = before[now["LEI"]]
        assert was["Registration.LastUpdateDate"] < now["Registration.LastUpdateDate"]
        changed = {column for column, text in now.items() if was.get(column, text) != text}
        seen.append((was[NAME], changed - {"Registration.LastUpdateDate", "Registration.NextRenewalDate"}))
    assert seen == [
        ("Mbolurado Shipping Ltd", {NAME}),
        ("Tshivasela Cement PLC", {STATUS}),
        (
            "Nkolidira Mining PLC",
            {STATUS, "Entity.EntityStatus", "Entity.EntityExpirationDate", "Entity.EntityExpirationReason"},
        ),
        ("LUKHANOVARI ENERGY LTD", {STATUS}),
        ("Amaka Dovirashu Stores", {CATEGORY}),
    ]
    assert [now[STATUS] for now in changes()] == ["ISSUED", "ISSUED", "RETIRED", "DUPLICATE", "ISSUED"]


def test_a_succession_and_a_duplicate_name_who_comes_after():
    records = newest(World())
    succeeded = records[f"lei:{remarkable.SUCCEEDED.lei}"]
    assert (succeeded.status, succeeded.duplicate_of) == ("inactive", None)
    assert f"successor:{remarkable.SUCCESSOR.lei}" in succeeded.marks
    duplicate = records[f"lei:{remarkable.DUPLICATE.lei}"]
    assert duplicate.duplicate_of == f"lei:{remarkable.SURVIVOR.lei}"


def test_one_registry_number_is_held_by_two_organisations_in_two_registers():
    rows = table(gleif.part(world_of(300), 0))
    holders = [(row[NAME], row[AUTHORITY]) for row in rows if row[NUMBER] == "45120"]
    assert holders == [
        ("Ramosenyu Textiles Limited", "RA900008"),
        ("Wakideshu Logistics Limited", "RA900009"),
    ]
    held = Counter((row[AUTHORITY], row[NUMBER]) for row in rows if row[NUMBER])
    duplicated = (remarkable.DUPLICATE.authority, remarkable.DUPLICATE.number)
    assert [number for number, count in held.items() if count > 1] == [duplicated]


def test_one_company_was_delisted_and_one_ticker_went_to_a_second_company():
    older, current = (table(listings.part(World(), place)) for place in (0, 1))
    ended = [(row["name"], row["listed_to"]) for row in (*older, *current) if row["listed_to"]]
    assert ended == [("Barishemo Breweries PLC", "2019-06-28"), ("Dakolunyi Retail PLC", "2021-03-31")]
    holders = [
        (row["name"], row["listed_from"], row["listed_to"])
        for row in (*older, *current)
        if (row["mic"], row["ticker"]) == ("XNAI", "BRSK")
    ]
    assert holders == [
        ("Barishemo Breweries PLC", "2004-11-15", "2019-06-28"),
        ("Kithulera Steel PLC", "2021-09-01", ""),
    ]
    assert listings.part(World(), 0).fetched_at.date() > date(2019, 6, 28)


def test_no_person_is_established_and_every_organisation_is():
    world = world_of(300)
    persons = {f"lei:{record.lei}" for record in withheld(world)}
    records = newest(world)
    assert persons <= records.keys()
    established = {subject for subject, record in records.items() if is_established(record)}
    assert [records[subject].legal_name for subject in established & persons] == []
    assert [records[subject].legal_name for subject in records.keys() - persons - established] == []


def test_who_turns_into_a_sole_proprietor_was_established_before():
    turned = f"lei:{remarkable.TURNED.lei}"
    records = [record for _, record in told(World())[0] if record.subject == turned]
    assert [is_established(record) for record in records] == [True, False]


def test_every_sole_proprietor_is_planted_and_no_planted_name_stands_in_another():
    world = world_of(300)
    planted = {record.name for record in withheld(world)}
    assert len(planted) == len(withheld(world)) == 29
    records = newest(world).values()
    proprietors = {record.legal_name for record in records if "lei_record:SOLE_PROPRIETOR" in record.marks}
    assert proprietors < planted
    others = {record.legal_name.lower() for _, record in told(world)[0]} - set(map(str.lower, planted))
    assert [(name, other) for name in planted for other in others if name.lower() in other] == []


@pytest.fixture(scope="module")
def register():
    return list(lei_register.rows(2_000, seed=3))


def test_a_register_has_as_many_records_as_asked_for_and_one_in_a_hundred_is_a_person(register):
    rows = list(csv.DictReader(register, strict=True))
    assert len(rows) == 2_000
    assert Counter(row[CATEGORY] for row in rows) == {"GENERAL": 1_980, "SOLE_PROPRIETOR": 20}
    assert all(lei.is_valid(row["LEI"]) for row in rows)
    assert len({row["LEI"] for row in rows}) == len({row[NAME] for row in rows}) == 2_000
    assert len({row["Entity.LegalAddress.Country"] for row in rows}) == 12
    assert {row[STATUS] for row in rows} == {"ISSUED", "LAPSED", "RETIRED"}


def test_a_register_is_read_without_a_rejection_and_shows_no_person(register):
    rejections = Rejections()
    document = io.BytesIO("".join(register).encode())
    records = list(gleif_parser.parse(document, rejections, fetched_at=datetime(2026, 1, 5, tzinfo=UTC)))
    assert (len(records), dict(rejections.counts)) == (2_000, {})
    for record in records:
        assert is_established(record) != ("lei_record:SOLE_PROPRIETOR" in record.marks), record.legal_name


def test_a_register_is_streamed_and_the_same_for_the_same_seed(register):
    assert list(lei_register.rows(2_000, seed=3)) == register
    assert list(lei_register.rows(10, seed=3)) == register[:11]
    assert list(lei_register.rows(10, seed=4))[1:] != register[1:11]
    endless = lei_register.rows(lei_register.MOST, seed=3)
    assert [next(endless) for _ in range(11)] == register[:11]
    with pytest.raises(ValueError, match="records have a number"):
        next(lei_register.rows(lei_register.MOST + 1))


def test_the_command_writes_a_register(tmp_path, register):
    file = tmp_path / "register.csv"
    command = [sys.executable, "-m", "demo.lei_register", "--records", "2000", "--seed", "3", "--out", file]
    subprocess.run(command, cwd=ROOT, check=True)
    assert file.read_text() == "".join(register)
