"""Subjects of many sources become one organisation by exact identifiers and names, however they arrive."""

from __future__ import annotations

import dataclasses
import random
from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from oracle.resolution import Stated, survivors
from sankofa.entities.model import Identifier
from support.stated_organisations import SOURCE, document, record

LISTED = ("listed:XNAI",)
SEEDS = range(3)
WORLDS = 4
HEARSAY = ("evidence:third_party",)


def publish(service, *records):
    service.ingest(document(*records), source_name=SOURCE)
    return service.publish()


def answers(service, edition=None):
    """Return which subject answers for which, by what an edition serves."""
    rows = service.rows(
        """
        SELECT mine.identifier, theirs.identifier
        FROM serving.issued_id AS served
        JOIN ops.issued_id AS a ON a.service_id = served.service_id
        JOIN ledger.subject AS mine ON mine.subject_id = a.subject_id
        JOIN ops.issued_id AS b ON b.service_id = served.resolves_to
        JOIN ledger.subject AS theirs ON theirs.subject_id = b.subject_id
        WHERE served.published_in <= %s AND served.superseded_in > %s
        """,
        *(edition or 2147483646,) * 2,
    )
    return dict(rows)


def test_a_registry_number_joins_its_holder_unless_two_organisations_have_it(service):
    number = Identifier("registry", "RA1", "77-1")
    publish(
        service,
        record("lei:A", "Alpha Ltd", number, marks=LISTED),
        record("party:1", "Alpha Limited", Identifier("registry", "RA1", "77 1"), marks=LISTED),
        record("party:2", "Other", Identifier("registry", "RA2", "77-1"), marks=LISTED),
    )
    assert answers(service) == {"lei:A": "lei:A", "party:1": "lei:A", "party:2": "party:2"}
    publish(service, record("lei:B", "Beta Ltd", number, marks=LISTED))
    assert answers(service) == {one: one for one in ("lei:A", "lei:B", "party:1", "party:2")}
    assert answers(service, 1)["party:1"] == "lei:A"


def test_a_name_joins_within_a_country_and_never_by_likeness(service):
    publish(
        service,
        record("lei:A", "Kilimo Bora Limited", country="KE", marks=LISTED),
        record("party:1", "KILIMO BORA LTD.", country="KE", marks=LISTED),
        record("party:2", "Kilimo Bora Limited", country="UG", marks=LISTED),
        record("party:3", "Kilimo Bora PLC", country="KE", marks=LISTED),
        record("party:4", "Kilimo Boraa Limited", country="KE", marks=LISTED),
    )
    joined = {one for one, root in answers(service).items() if root == "lei:A"}
    assert joined == {"lei:A", "party:1"}


def test_one_name_and_different_numbers_in_one_register_stay_apart(service):
    publish(
        service,
        record("lei:A", "Acme Ltd", Identifier("registry", "RA1", "1"), country="ZA", marks=LISTED),
        record("party:1", "Acme Ltd", Identifier("registry", "RA1", "2"), country="ZA", marks=LISTED),
        record("party:2", "Acme Ltd", country="ZA", marks=LISTED),
    )
    # Two organisations of that name: the name alone says nothing of which one the third is.
    assert answers(service) == {"lei:A": "lei:A", "party:1": "party:1", "party:2": "party:2"}


SECURITY, FILER = Identifier("isin", "", "US1"), Identifier("registry", "US-SEC", "1")


@pytest.mark.parametrize(
    ("stronger", "joins"),
    [
        (record("ticker:XJSE:SOL:US1", "Sasol Limited", SECURITY, country="GG", marks=LISTED), True),
        (
            record("ticker:XJSE:SRE:US1", "Sirius Real Estate Ltd", SECURITY, country="ZA", marks=LISTED),
            False,
        ),
        (record("lei:A", "Sasol PLC", SECURITY, country="GB", marks=LISTED), True),
        (record("lei:A", "Sasol PLC", SECURITY, FILER._replace(value="2"), marks=LISTED), False),
    ],
)
def test_what_a_third_party_says_joins_only_who_has_the_same_name_and_no_other_number(
    service, stronger, joins
):
    publish(service, record("cik:1", "SASOL LTD", FILER, country="ZA", marks=LISTED), stronger)
    assert answers(service) == {one: one for one in ("cik:1", stronger.subject)}
    table = dataclasses.replace(SOURCE, name="a third party's table")
    service.ingest(document(record("cik:1", "", FILER, SECURITY, marks=HEARSAY)), source_name=table)
    service.publish()
    assert (len(set(answers(service).values())) == 1) is joins


def test_a_duplicate_is_merged_and_a_succession_is_not(service):
    publish(
        service,
        record("lei:A", "Alpha Ltd", marks=("lei_status:DUPLICATE", *LISTED), duplicate_of="lei:B"),
        record("lei:B", "Alpha Ltd", marks=LISTED),
        record("lei:C", "Gamma Ltd", marks=("lei_status:MERGED", "successor:B", *LISTED)),
    )
    assert answers(service) == {"lei:A": "lei:B", "lei:B": "lei:B", "lei:C": "lei:C"}


def test_what_a_duplicate_and_its_survivor_share_still_joins_others(service):
    number = Identifier("registry", "RA1", "7")
    publish(
        service,
        record("lei:A", "ALPHA LTD", number, country="GH", marks=LISTED),
        record("lei:B", "Alpha Limited", number, country="GH", marks=LISTED),
        record("party:name", "Alpha Ltd", country="GH", marks=LISTED),
        record("party:number", "Another name", number, country="GH", marks=LISTED),
    )
    apart = {one: one for one in ("lei:A", "lei:B", "party:name", "party:number")}
    assert answers(service) == apart
    duplicate = record(
        "lei:A", "ALPHA LTD", number, country="GH", marks=LISTED, day=date(2024, 2, 1), duplicate_of="lei:B"
    )
    publish(service, duplicate)
    assert answers(service) == dict.fromkeys(apart, "lei:B")
    service.merge(service.id_of("lei:A"), service.id_of("lei:A"), reason="not the same after all")
    service.publish()
    assert answers(service) == apart


def test_a_retired_identifier_joins_nobody_and_is_kept_with_its_end(service):
    ticker = ("ticker", "XNAI", "ABC")
    publish(
        service,
        record("ticker:XNAI:ABC-old", "First", Identifier(*ticker, None, date(2019, 1, 1)), marks=LISTED),
        record("ticker:XNAI:ABC", "Second", Identifier(*ticker), marks=LISTED),
    )
    assert len(set(answers(service).values())) == 2
    held = service.rows("SELECT id_value, valid_to FROM serving.identifier ORDER BY valid_to NULLS LAST")
    assert held == [("ABC", date(2019, 1, 1)), ("ABC", None)]


def test_an_identifier_that_newer_vintages_do_not_claim_ended_with_the_first_of_them(service):
    kept, dropped = Identifier("registry", "RA1", "1"), Identifier("isin", "", "KE1")
    publish(service, record("lei:A", "A Ltd", kept, dropped, day=date(2020, 1, 1), marks=LISTED))
    publish(service, record("lei:A", "A Ltd", kept, day=date(2021, 5, 5), marks=LISTED))
    publish(service, record("lei:A", "A Ltd", kept, day=date(2022, 6, 6), marks=LISTED))
    held = service.rows("SELECT id_value, valid_to FROM serving.identifier WHERE superseded_in = 2147483647")
    assert sorted(held) == [("1", None), ("KE1", date(2021, 5, 5))]


@pytest.mark.parametrize("seed", SEEDS)
def test_resolution_agrees_with_the_oracle_however_the_records_arrive(service, seed):
    print(f"seed {seed}")
    rng = random.Random(seed)
    world = [_stated(rng, number) for number in range(120)]
    expected = survivors([_claims(one) for one in _newest(world)], {})
    rng.shuffle(world)
    seen = 0
    for cut in [*sorted(rng.sample(range(1, len(world)), WORLDS)), len(world)]:
        publish(service, *world[seen:cut])
        seen = cut
    assert answers(service) == expected
    some, into = rng.sample(sorted(expected), 2)
    if expected[some] != expected[into]:
        service.merge(service.id_of(some), service.id_of(into))
        service.publish()
        assert answers(service) == survivors([_claims(one) for one in _newest(world)], {some: into})


def _stated(rng, number):
    """Return a record whose claims collide with others' now and then; subjects have one or two vintages."""
    subject = (
        f"{rng.choice(('lei', 'cik', 'ticker', 'party'))}:{number // 2 if rng.random() < 0.3 else number}"
    )
    pool = {"registry": ("RA1", "RA2"), "isin": ("",), "figi": ("",), "ticker": ("XNAI",), "lei": ("",)}
    identifiers = [
        Identifier(
            kind,
            rng.choice(issuers),
            str(rng.randrange(12)),
            None,
            rng.choice((None, None, date(2000, 1, 1))),
        )
        for kind, issuers in pool.items()
        if rng.random() < (0.1 if kind == "lei" else 0.3)
    ]
    survivor = f"lei:{rng.randrange(120)}" if subject.startswith("lei:") and rng.random() < 0.1 else None
    return record(
        subject,
        f"company {rng.randrange(30)}" if rng.random() < 0.8 else "",
        *identifiers,
        day=date(2020, 1, 1) + timedelta(days=number),
        country=rng.choice(("KE", "ZA", None)),
        marks=(*LISTED, *HEARSAY) if rng.random() < 0.3 else LISTED,
        duplicate_of=survivor,
    )


def _newest(world):
    return {one.subject: one for one in sorted(world, key=lambda one: one.available_at)}.values()


def _claims(one):
    stated = {
        (kind, f"{kind}:{issuer}:{value}" if issuer else f"{kind}:{value}")
        for kind, issuer, value, _since, until in one.identifiers
        if until is None and not (kind == "lei" and one.subject.startswith("lei:"))
    }
    is_hearsay = HEARSAY[0] in one.marks
    claims = {claim for claim in stated if claim[0] == "registry" or not is_hearsay}
    if one.subject.startswith("lei:"):
        claims.add(("lei", one.subject))
    if one.legal_name and one.jurisdiction:
        claims.add(("name", f"name:{one.jurisdiction}:{one.legal_name}"))
    said, names = {key for _, key in stated - claims}, {one.legal_name} - {""}
    return Stated(one.subject, claims, one.duplicate_of, said, names)


def test_what_a_closed_source_says_is_kept_and_never_served(service):
    service.closed_sources = (SOURCE.name,)
    publish(service, record("lei:A", "Alpha Ltd", Identifier("registry", "RA1", "1"), marks=LISTED))
    assert service.rows("SELECT count(*) FROM ledger.organisation_record") == [(1,)]
    assert answers(service) == {}
    service.closed_sources = ()
    service.publish()
    assert answers(service) == {"lei:A": "lei:A"}
    service.closed_sources = (SOURCE.name,)
    service.publish()
    assert answers(service) == {}


def test_a_claim_given_up_lets_the_one_who_still_has_it_be_followed(service):
    number = Identifier("registry", "RA1", "1")
    publish(
        service,
        record("lei:A", "Alpha Ltd", number, marks=LISTED),
        record("lei:B", "Beta Ltd", number, marks=LISTED),
        record("party:1", "Gamma Ltd", number, marks=LISTED),
    )
    assert answers(service)["party:1"] == "party:1"
    publish(service, record("lei:A", "Alpha Ltd", day=date(2024, 6, 1), marks=LISTED))
    assert answers(service)["party:1"] == "lei:B"


def test_whoever_a_closed_source_stood_against_is_looked_at_too(service):
    number = Identifier("registry", "RA1", "1")
    closing = dataclasses.replace(SOURCE, name="another register")
    service.ingest(document(record("lei:A", "Alpha Ltd", number, marks=LISTED)), source_name=closing)
    publish(
        service,
        record("lei:B", "Beta Ltd", number, marks=LISTED),
        record("party:1", "Gamma Ltd", number, marks=LISTED),
    )
    assert answers(service)["party:1"] == "party:1"
    service.closed_sources = (closing.name,)
    service.publish()
    assert answers(service) == {"lei:B": "lei:B", "party:1": "lei:B"}


def test_mentions_stand_beside_each_other_and_all_of_them_count(service):
    mentioned = [
        replace(record("party:1", "Kilimo Bora", country="KE", marks=marks), is_mention=True)
        for marks in (("role:supplier",), LISTED)
    ]
    publish(service, *mentioned)
    assert answers(service) == {"party:1": "party:1"}
    service.ingest(document(*mentioned[:1]), source_name=SOURCE)
    assert service.rows("SELECT count(*) FROM ledger.organisation_record") == [(2,)]


def test_a_merge_moves_identifiers_and_says_so(service):
    publish(
        service,
        record("lei:A", "Alpha Ltd", Identifier("registry", "RA1", "1"), marks=LISTED),
        record("lei:B", "Beta Ltd", Identifier("registry", "RA1", "2"), marks=LISTED),
    )
    service.merge(service.id_of("lei:A"), service.id_of("lei:B"))
    told = service.publish().changes["entities"].counts()
    assert told == {"put": {"merged": 1}, "removed": {"merged": 2}}
    service.merge(service.id_of("lei:A"), service.id_of("lei:A"))
    told = service.publish().changes["entities"].counts()
    assert told == {"put": {"merged": 1, "added": 1}, "removed": {"merged": 1}}
