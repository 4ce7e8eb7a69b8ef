"""What is bought: codes of items, and the portal's own category."""

from __future__ import annotations

from sankofa.tenders.model import Classification
from unit.test_ocds import one, tender


def test_items_give_their_distinct_classifications():
    items = [
        {"classification": {"scheme": "CPV", "id": 45000000, "description": "Works"}},
        {"classification": {"scheme": "CPV", "id": 45000000, "description": "Works"}},
        {"classifications": {"description": "Civil engineering"}},
        {"classification": {}},
        {"id": 1},
    ]
    taken, _ = one(tender={"items": items})
    assert taken.texts == ("Works", "Civil engineering")
    assert taken.tender.classifications == (
        Classification(scheme="CPV", id="45000000", description=0),
        Classification(scheme=None, id=None, description=1),
    )


def test_codes_that_colombia_writes_as_ids_of_items_are_codes():
    items = [
        {"id": 801116, "classification": {"scheme": "UNSPSC"}},
        {"id": 5, "classification": {"scheme": "X"}},
    ]
    for ocid, codes in (("ocds-k50g02-16-1", ["801116", None]), ("ocds-9t57fa-1", [None, None])):
        taken, _ = one(ocid=ocid, tender={"items": items})
        assert [found.id for found in taken.tender.classifications] == codes


def test_items_of_awards_give_codes_and_no_text():
    item = {"classification": {"scheme": "CPV", "id": "50720000-8", "description": "Repair"}}
    taken, _ = one(awards=[{"id": "1", "items": [item, item]}])
    assert taken.awards[0].classifications == (
        Classification(scheme="CPV", id="50720000-8", description=None),
    )
    assert taken.texts == ()


def test_details_of_the_main_category_are_the_portal_s_own_category():
    assert tender(mainProcurementCategoryDetails="Bienes - Equipos")[0].portal_category == "Bienes - Equipos"
    both = tender(category="Sewerage", mainProcurementCategoryDetails="Bienes - Equipos")
    assert both[0].portal_category == "Sewerage"
