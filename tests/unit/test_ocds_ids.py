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


@pytest.mark.parametrize(
    "number",
    [
        "AM-PPS-cd59b69d149e811de21d582805b28efa",
        "OCDS-87SD3T-SEFIN-DRM-A-001-2016",
        "OCDS-87SD3T-AD-SF-DRM-063-2015",
        "ocds-gyl66f-borbda-mkksbm",
        "ocds-gyl66f-borbda-mkksbm-award",
    ],
)
@pytest.mark.parametrize("field", ["ocid", "id"])
def test_an_id_of_its_publisher_s_pattern_stays(field, number):
    taken, repaired = one(**{field: number})
    assert getattr(taken, field) == number
    assert "id_replaced" not in repaired


@pytest.mark.parametrize(
    "number",
    [
        "AM-PPS-zanele-xaba",
        "AM-PPS-cd59b69d149e811de21d582805b28efa-zanele-xaba",
        "OCDS-87SD3T-SEFIN-DRM-XABA-001-2016",
        "OCDS-87SD3T-ZANELE-DRM-A-001-2016",
        "ocds-gyl66f-zanele-mkksbm",
        "ocds-gyl66f-borbda-mkksbm-zanele",
        "ocds-9t57fa-borbda-mkksbm",
    ],
)
@pytest.mark.parametrize("field", ["ocid", "id"])
def test_an_id_with_a_known_prefix_and_another_word_is_replaced(field, number):
    assert getattr(one(**{field: number})[0], field).startswith("h-")


TITLE = "Adquisición de productos químicos y medicinales"
SLUG = "155220-adquisicion-productos-quimicos-medicinales"


@pytest.mark.parametrize("number", [SLUG, f"{SLUG}-1-tender", "155220-adquisicion-productos-quim-planning"])
def test_the_id_of_a_release_that_repeats_a_title_stays(number):
    assert one(id=number, tender={"title": TITLE})[0].id == number
    assert one(id=number, tender={"id": number, "title": TITLE})[0].tender.id == number
    assert one(id=number, planning={"budget": {"description": TITLE}})[0].id == number
    assert one(id=number, awards=[{"id": "1", "title": TITLE}])[0].id == number


@pytest.mark.parametrize(
    ("number", "changed"),
    [
        (SLUG, {}),
        ("155220-adquisicion-productos-zanele-xaba", {"tender": {"title": TITLE}}),
        ("155220-medicinales-quimicos", {"tender": {"title": TITLE}}),
        ("155220-adq-productos", {"tender": {"title": TITLE}}),
        (SLUG, {"tender": {"title": f"{TITLE}, tel. 021 555 0182 44"}}),
        ("1-zanele-xaba", {"tender": {"title": "Zanele de Xaba"}, "buyer": {"name": "Zanele de Xaba"}}),
        ("1-obra-zanele-xaba", {"tender": {"title": "Obra Zanele Xaba", "contactPerson": "Xaba, Zanele"}}),
        (
            "1-obra-zanele-xaba",
            {"tender": {"title": "Obra Zanele Xaba"}, "parties": [{"id": "1", "name": "Zanele N. Xaba"}]},
        ),
    ],
)
def test_an_id_with_other_words_than_a_title_or_with_part_of_a_name_is_replaced(number, changed):
    assert one(id=number, **changed)[0].id.startswith("h-")


def test_an_award_with_a_title_in_its_id_is_hashed_so_that_all_releases_name_it_alike():
    taken, _ = one(awards=[{"id": SLUG, "title": TITLE}], contracts=[{"id": "1", "awardID": SLUG}])
    assert taken.awards[0].id == taken.contracts[0].award_id == one(awards=[{"id": SLUG}])[0].awards[0].id
    assert taken.awards[0].id.startswith("h-")
