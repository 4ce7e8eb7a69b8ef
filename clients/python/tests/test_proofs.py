"""`verify`: a fact that was signed is proven, and one that was altered is not."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import msgspec
import pytest

from sankofa_client import AsyncClient
from sankofa_client.proofs import NotProven, proven


@pytest.fixture
def public_key(client):
    return next(iter(client.editions())).public_key


def test_facts_of_an_issuer_are_proven_by_both_clients(demo, client, issuer, key, public_key):
    facts = list(client.fundamentals(issuer, vintages="all"))[:5]
    found = [client.verify(fact, public_key=public_key) for fact in facts]
    assert [one.fact_id for one in found] == [fact.fact_id for fact in facts]
    assert all(one.editions == [1] for one in found)

    async def other():
        async with AsyncClient(demo.api.url, key=key) as there:
            return [await there.verify(fact, public_key=public_key) for fact in facts]

    assert asyncio.run(other()) == found


def test_a_fact_that_differs_is_not_proven(client, issuer, public_key):
    fact = next(iter(client.fundamentals(issuer)))
    proofs = client.verify(fact, public_key=public_key).proofs
    for change in (
        {"value_reported": fact.value_reported + Decimal("0.01")},
        {"line_item": "gross_profit_of_another"},
        {"available_at": fact.available_at.replace(year=1999)},
        {"source_ref": "another"},
    ):
        with pytest.raises(NotProven):
            proven(msgspec.structs.replace(fact, **change), proofs, public_key)
    with pytest.raises(NotProven, match="not one of"):
        proven(fact, [msgspec.structs.replace(proofs[0], row=proofs[0].row + " ")], public_key)
    with pytest.raises(NotProven, match="not signed with"):
        proven(fact, proofs, "A" * 43 + "=")
    with pytest.raises(NotProven, match="is not signed"):
        proven(fact, [msgspec.structs.replace(one, signature=None) for one in proofs], public_key)
