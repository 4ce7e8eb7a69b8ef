"""EDN-10: proofs that a fact is part of a signed edition. EDN-4: signatures in the list of editions."""

from __future__ import annotations

import base64
import random
from dataclasses import replace
from decimal import Decimal

import pytest

from sankofa.editions.publish import publish
from sankofa.editions.signing import SigningKey
from support.filings import FY2022, Filer
from support.proofs import is_proven, values
from support.verifying import untouched

EARLIER, LATER = (SigningKey(bytes([number]) * 32) for number in (1, 2))


def signed(service, key):
    return publish(replace(service.publisher(), signing_key=key))


def public(key):
    return base64.b64encode(key.public).decode()


@pytest.fixture(scope="module")
def proven(module_service):
    """Three editions: hundreds of facts, more of them under another key, and one without a signature."""
    service = module_service
    many = Filer(1)
    for year in range(1900, 2020):
        for value in range(5):
            concept = ("Revenue", "CostOfSales", "GrossProfit", "ProfitLoss", "Assets")[value]
            period = (None if concept == "Assets" else f"{year}-01-01", f"{year}-12-31")
            many.says(year * 10 + value, filed="2023-02-01", concept=f"ifrs-full:{concept}", period=period)
    service.ingest(many.document())
    signed(service, EARLIER)
    service.ingest(*(Filer(number).says(number, filed="2024-02-01").document() for number in range(2, 9)))
    signed(service, LATER)
    service.ingest(Filer(9).says(9, filed="2024-03-01", period=FY2022).document())
    signed(service, None)
    service.many = service.id_of(many.identifier)
    return service


def facts_of(service, number):
    return service.facts(service.id_of(Filer(number).identifier), vintages="all", items="all")


def proofs(service, fact_id, **asked):
    answer = service.get(f"/v1/facts/{fact_id}/proof", **asked)
    assert answer.status_code == 200, answer.text
    return answer.exact["data"]


@pytest.mark.proves("EDN-10")
def test_every_fact_has_a_proof_that_a_reader_checks_without_our_code(proven):
    facts = facts_of(proven, 1)
    assert len(facts) > 512  # several blocks
    by_edition = {1: EARLIER, 2: LATER}
    for fact in [*facts[::7], facts[-1], *facts_of(proven, 5)]:
        found = proofs(proven, fact["fact_id"])
        assert [proof["table"] for proof in found[-1:]] == ["serving.provenance"]
        for proof in found:
            assert is_proven(proof, public(by_edition[proof["edition"]]))
        row, source = values(found[0]), values(found[-1])
        assert row["fact_id"] == fact["fact_id"]
        assert Decimal(row["value"]) == fact["value_reported"]
        for name in ("period_end", "available_at", "line_item", "concept", "unit", "service_id"):
            assert row[name] == str(fact[name])
        assert fact["source_ref"].startswith(source["document_ref"])
        assert (source["license_class"], source["method"]) == (fact["license_class"], fact["method"])


@pytest.mark.proves("EDN-10")
def test_whatever_is_altered_does_not_verify(proven, record_property):
    seed = random.randrange(10**6)
    record_property("seed", seed)
    print(f"seed {seed}")
    chance = random.Random(seed)
    (proof, *_) = proofs(proven, facts_of(proven, 1)[0]["fact_id"])
    assert is_proven(proof, public(EARLIER))
    assert not is_proven(proof, public(LATER))

    def altered(text):
        place = chance.randrange(len(text))
        return text[:place] + chance.choice(sorted(set("0a1LRx=") - {text[place]})) + text[place + 1 :]

    for _ in range(50):
        for name in ("row", "line", "root"):
            assert not is_proven(proof | {name: altered(proof[name])}, public(EARLIER))
        for name in ("path", "line_path"):
            place = chance.randrange(len(proof[name]))
            steps = proof[name].copy()
            other = bytearray(base64.b64decode(steps[place][1:]))
            other[chance.randrange(32)] ^= 1 << chance.randrange(8)
            steps[place] = steps[place][0] + base64.b64encode(bytes(other)).decode()
            assert not is_proven(proof | {name: steps}, public(EARLIER))
        signature = bytearray(base64.b64decode(proof["signature"]))
        signature[chance.randrange(64)] ^= 1 << chance.randrange(8)
        forged = base64.b64encode(bytes(signature)).decode()
        assert not is_proven(proof | {"signature": forged}, public(EARLIER))
    assert not is_proven(proof | {"edition": proof["edition"] + 1}, public(EARLIER))


@pytest.mark.proves("EDN-4", "EDN-10")
def test_roots_and_signatures_are_those_of_the_list_of_editions(proven):
    editions = {row["edition"]: row for row in proven.get("/v1/editions").exact["data"]}
    assert [editions[number]["public_key"] for number in (1, 2, 3)] == [public(EARLIER), public(LATER), None]
    assert editions[3]["signature"] is None
    for number, edition in ((1, 1), (4, 2), (9, 3)):
        for proof in proofs(proven, facts_of(proven, number)[0]["fact_id"]):
            listed = editions[proof["edition"]]
            assert proof["edition"] == edition
            assert (proof["root"], proof["signature"]) == (listed["digest"], listed["signature"])


@pytest.mark.proves("EDN-10")
def test_an_edition_without_the_fact_has_no_proof_of_it(proven):
    fact_id = facts_of(proven, 4)[0]["fact_id"]
    assert proven.get(f"/v1/facts/{fact_id}/proof", edition=1).status_code == 404
    assert proofs(proven, fact_id, edition=2) == proofs(proven, fact_id)
    assert proven.get("/v1/facts/00000000-0000-0000-0000-000000000000/proof").status_code == 404


@pytest.mark.proves("EDN-10")
def test_after_a_takedown_the_others_still_verify_and_nothing_is_left(make_service):
    service = make_service()
    service.ingest(*(Filer(number).says(number, filed="2024-02-01").document() for number in range(1, 9)))
    signed(service, EARLIER)
    gone, emptied, stays = (facts_of(service, number)[0] for number in (2, 3, 4))
    service.take_down(gone["service_id"])
    service.take_down(emptied["service_id"], emptied["fact_id"])
    for fact in (gone, emptied):
        assert service.get(f"/v1/facts/{fact['fact_id']}/proof", edition=1).status_code == 404
    for proof in proofs(service, stays["fact_id"], edition=1):
        assert is_proven(proof, public(EARLIER))
        assert gone["fact_id"] not in str(proof)
    assert untouched(service)
