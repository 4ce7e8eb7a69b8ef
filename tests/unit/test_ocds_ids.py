"""Ids of releases: portals make some of them from names, and those say nothing any more once taken."""

from __future__ import annotations

import json
import re

import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.ocds import release as ocds
from unit.test_ocds import FETCHED, PRIVATE, one, release


@pytest.mark.parametrize("field", ["ocid", "id"])
@pytest.mark.parametrize("number", ["ocds-zanele-xaba-1", "zanele@example.org"])
def test_a_release_numbered_by_a_person_is_left_out_and_not_shown(field, number):
    rejections = Rejections()
    data = json.dumps(release(**{field: number}, buyer={"name": "Acme", "contactPoint": PRIVATE})).encode()
    assert list(ocds.parse(data, rejections, fetched_at=FETCHED)) == []
    assert rejections.counts[f"missing_{field}"] == 1
    assert "zanele" not in json.dumps(rejections.samples)


@pytest.mark.parametrize("field", ["ocid", "id"])
@pytest.mark.parametrize(
    "number",
    [
        "zanele-xaba-1",
        "9-acme-s-a",
        "284745-ana-maria-alfonso-riveros-1-contract",
        "JUAN_PEREZ/7",
        "Лариса Петренко 3",
    ],
)
def test_an_id_that_may_hold_a_name_is_replaced_by_one_that_says_nothing(field, number):
    taken, repaired = one(**{field: number}, buyer={"name": "Acme", "contactPoint": PRIVATE})
    said = getattr(taken, field)
    assert re.fullmatch("h-[0-9a-f]{24}", said)
    assert repaired["id_replaced"] == 1
    assert getattr(one(**{field: number})[0], field) == said  # it stays the same, so a release stays itself


@pytest.mark.parametrize(
    "number",
    [
        "ocds-9t57fa-142067",
        "ocds-gyl66f-borbda-mt3rse-award",
        "ocds-b3wdp1-MD-1580",
        "CO1.BDOS.12",
        "RF 7/2024",
    ],
)
def test_an_id_of_codes_and_numbers_stays(number):
    assert one(id=number)[0].id == number
