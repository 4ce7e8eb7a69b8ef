"""OCDS releases: what is taken of one, what is repaired, and what is never taken."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import msgspec
import pytest

from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.ocds import release as ocds
from sankofa.tenders.model import Money, Period, Release

FETCHED = datetime(2024, 3, 15, 12, tzinfo=UTC)


def release(**changed):
    stated = {
        "ocid": "ocds-1",
        "id": "1",
        "date": "2024-03-01T10:00:00Z",
        "tag": ["tender"],
        "initiationType": "tender",
    }
    return {key: value for key, value in (stated | changed).items() if value is not ...}


def read(*stated):
    """Return the releases, what was left out and what was repaired."""
    rejections = Rejections()
    data = json.dumps({"releases": stated}).encode()
    found = list(ocds.parse(data, rejections, fetched_at=FETCHED))
    repaired = {
        name.removeprefix("repaired_"): n for name, n in rejections.counts.items() if "repaired_" in name
    }
    out = {name: n for name, n in rejections.counts.items() if "repaired_" not in name}
    return found, out, repaired


def one(**changed):
    [taken], out, repaired = read(release(**changed))
    assert out == {}
    return taken, repaired


def tender(**stated):
    taken, repaired = one(tender=stated)
    return taken.tender, repaired


def test_a_release_that_does_not_say_what_it_is_is_what_it_holds():
    taken, repaired = one(tag=[], tender={"id": "1"}, contracts=[{"id": "1"}])
    assert (taken.tags, repaired) == (("tender", "contract"), {"tag_missing": 1})


def test_a_text_stands_once_however_often_it_is_written():
    taken, _ = one(
        tender={"title": " Roads ", "description": "Roads"}, awards=[{"id": "1", "title": "Bridge"}]
    )
    assert taken.texts == ("Roads", "Bridge")
    assert (taken.tender.title, taken.tender.description, taken.awards[0].title) == (0, 0, 1)


def test_a_plain_release_is_taken_as_it_is():
    taken, repaired = one(language="en-ZA")
    assert repaired == {}
    assert taken == Release(
        ocid="ocds-1",
        id="1",
        date=datetime(2024, 3, 1, 10, tzinfo=UTC),
        day=date(2024, 3, 1),
        tags=("tender",),
        initiation_type="tender",
        language="en-ZA",
        buyer=None,
        tender=None,
        budget=None,
        awards=(),
        contracts=(),
        parties=(),
        texts=(),
        text_flags=(),
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"ocid": ...}, "missing_ocid"),
        ({"ocid": ""}, "missing_ocid"),
        ({"ocid": ["x"]}, "missing_ocid"),
        ({"id": ...}, "missing_id"),
        ({"id": None}, "missing_id"),
        ({"id": "x" * 501}, "missing_id"),
        ({"id": "a\u202eb"}, "missing_id"),
        ({"id": "someone@example.org"}, "missing_id"),
        (
            {"date": [{"releaseDate": "2024-03-01T10:00:00Z", "releaseID": "1", "value": "x"}]},
            "versioned_release",
        ),
    ],
)
def test_a_release_without_an_identity_is_left_out(changed, reason):
    taken, out, _ = read(release(**changed), release())
    assert (len(taken), out) == (1, {reason: 1})


@pytest.mark.parametrize(
    ("number", "text"), [(7, "7"), (" 7 ", "7"), ("07", "07"), (10**20, "1" + "0" * 20), (7.0, "7")]
)
def test_an_id_is_a_string(number, text):
    assert one(id=number)[0].id == text


@pytest.mark.parametrize(
    ("written", "at", "day"),
    [
        ("2024-03-01T10:00:00Z", "2024-03-01T10:00:00", "2024-03-01"),
        ("2024-03-01T23:30:00-05:00", "2024-03-02T04:30:00", "2024-03-02"),
        ("2024-03-01T01:00:00+04:00", "2024-02-29T21:00:00", "2024-03-01"),
        ("2024-03-01T10:00:00.1234567+0200", "2024-03-01T08:00:00.123456", "2024-03-01"),
        ("2024-03-01T10:00Z", "2024-03-01T10:00:00", "2024-03-01"),
        ("2024-03-16T11:59:59Z", "2024-03-16T11:59:59", "2024-03-16"),
    ],
)
def test_a_date_is_an_instant_and_its_later_day(written, at, day):
    taken, repaired = one(date=written)
    assert (taken.date, taken.day) == (datetime.fromisoformat(at + "+00:00"), date.fromisoformat(day))
    assert repaired == {}


@pytest.mark.parametrize("written", ["2024-03-01", "2024-03-01T00:00:00", "2024-03-01 00:00"])
def test_a_date_without_a_zone_is_taken_as_utc_and_counted(written):
    taken, repaired = one(date=written)
    assert (taken.date, repaired) == (datetime(2024, 3, 1, tzinfo=UTC), {"date_zone_assumed": 1})


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("0001-01-01T00:00:00Z", "date_unset"),
        ("0001-01-01T00:00:00+14:00", "date_unset"),
        ("1970-01-01T00:00:00Z", "date_unset"),
        ("9999-12-31T23:59:59Z", "date_unset"),
        ("2024-02-30T00:00:00Z", "date_impossible"),
        ("2024-03-01T25:00:00Z", "date_impossible"),
        ("01/03/2024", "date_impossible"),
        ("2024-W09-5", "date_impossible"),
        (20240301, "date_impossible"),
        ("2024-03-16T12:00:01Z", "date_in_future"),
    ],
)
def test_a_date_that_cannot_be_true_is_unknown(written, reason):
    taken, repaired = one(date=written)
    assert (taken.date, taken.day, repaired) == (None, None, {reason: 1})


def test_a_missing_date_is_unknown_without_a_repair():
    assert one(date=...)[1] == one(date="")[1] == {}


@pytest.mark.parametrize(
    ("written", "tags", "repaired"),
    [
        (["tender", "award"], ("tender", "award"), {}),
        (["Tender", "TENDER_UPDATE"], ("tender", "tenderUpdate"), {"code_spelling": 2}),
        ("award", ("award",), {}),
        (["awardNotice", "award"], ("award",), {"code_unknown": 1}),
        ([], ("planning",), {"tag_missing": 1}),
        (None, ("planning",), {"tag_missing": 1}),
        ([{"a": 1}], ("planning",), {"code_unknown": 1, "tag_missing": 1}),
    ],
)
def test_tags_are_known_codes(written, tags, repaired):
    taken, counted = one(tag=written)
    assert (taken.tags, counted) == (tags, repaired)


@pytest.mark.parametrize(
    ("written", "repaired"),
    [
        ("tender", {}),
        (..., {"initiation_missing": 1}),
        ("planning", {"code_unknown": 1}),
        ("Tender", {"code_spelling": 1}),
    ],
)
def test_every_process_begins_with_a_tender(written, repaired):
    taken, counted = one(initiationType=written)
    assert (taken.initiation_type, counted) == ("tender", repaired)


@pytest.mark.parametrize(
    ("amount", "known"),
    [("12345678901234567.89", "12345678901234567.89"), ("1e5", "100000"), ("0.10", "0.1"), ("7", "7")],
)
def test_an_amount_is_exact(amount, known):
    data = json.dumps(release(tender={"value": {"amount": "@", "currency": "ZAR"}})).replace('"@"', amount)
    [taken] = ocds.parse(data.encode(), Rejections(), fetched_at=FETCHED)
    assert f"{taken.tender.value.amount:f}" == known
    assert taken.tender.value.currency == "ZAR"


@pytest.mark.parametrize(
    ("value", "money", "repaired"),
    [
        ({"amount": 0, "currency": "ZAR"}, None, {"amount_zero": 1}),
        ({"amount": 0.0}, None, {"amount_zero": 1}),
        ({"amount": -5, "currency": "ZAR"}, None, {"amount_negative": 1}),
        ({"amount": 10**26, "currency": "ZAR"}, None, {"amount_unfit": 1}),
        ({"amount": "1,000", "currency": "ZAR"}, None, {"amount_unfit": 1}),
        ({"amount": True, "currency": "ZAR"}, None, {"amount_unfit": 1}),
        ({"amount": [5], "currency": "ZAR"}, None, {"amount_unfit": 1}),
        ({"amount": "12.50", "currency": "ZAR"}, Money(Decimal("12.5"), "ZAR"), {"amount_as_text": 1}),
        ({"amount": 5, "currency": " zar"}, Money(Decimal(5), "ZAR"), {"currency_spelling": 1}),
        ({"amount": 5, "currency": "ZMK"}, Money(Decimal(5), "ZMK"), {}),
        ({"amount": 5, "currency": "XXX"}, None, {"currency_unknown": 1}),
        ({"amount": 5, "currency": "Rand"}, None, {"currency_unknown": 1}),
        ({"amount": 5}, None, {"currency_missing": 1}),
        ({"amount": None, "currency": "ZAR"}, None, {}),
        ({"currency": "ZAR"}, None, {}),
        ({}, None, {}),
        ([], None, {}),
        ("R5", None, {"object_expected": 1}),
    ],
)
def test_money_is_known_or_there_is_none(value, money, repaired):
    taken, counted = tender(value=value)
    assert (taken.value, counted) == (money, repaired)


@pytest.mark.parametrize(
    ("period", "known", "repaired"),
    [
        (
            {"startDate": "2024-01-01T00:00:00Z", "endDate": "2030-01-01T00:00:00Z"},
            Period(start=datetime(2024, 1, 1, tzinfo=UTC), end=datetime(2030, 1, 1, tzinfo=UTC)),
            {},
        ),
        ({"startDate": "2024-01-01T00:00:00Z"}, Period(start=datetime(2024, 1, 1, tzinfo=UTC), end=None), {}),
        (
            {"startDate": "0001-01-01T00:00:00Z", "endDate": "2024-01-01T00:00:00Z"},
            Period(start=None, end=datetime(2024, 1, 1, tzinfo=UTC)),
            {"date_unset": 1},
        ),
        (
            {"startDate": "2024-01-02T00:00:00Z", "endDate": "2024-01-01T00:00:00Z"},
            None,
            {"period_reversed": 1},
        ),
        ({"durationInDays": 5}, None, {}),
        ({}, None, {}),
    ],
)
def test_a_period_may_lie_ahead_but_not_run_backwards(period, known, repaired):
    taken, counted = tender(tenderPeriod=period)
    assert (taken.tender_period, counted) == (known, repaired)


@pytest.mark.parametrize(
    ("stated", "known", "repaired"),
    [
        ({"numberOfTenderers": 3}, 3, {}),
        ({"numberOfTenderers": "3"}, 3, {}),
        ({"numberOfTenderers": 0}, None, {"tenderers_zero": 1}),
        ({"numberOfTenderers": 0, "status": "unsuccessful"}, 0, {}),
        ({"numberOfTenderers": -1}, None, {"count_unfit": 1}),
        ({"numberOfTenderers": 1.5}, None, {"count_unfit": 1}),
        ({"numberOfTenderers": True}, None, {"count_unfit": 1}),
    ],
)
def test_no_tenderers_are_believed_only_of_a_tender_that_failed(stated, known, repaired):
    taken, counted = tender(**stated)
    assert (taken.number_of_tenderers, counted) == (known, repaired)


def test_a_closed_list_takes_only_its_codes_so_that_no_name_slips_through():
    taken, repaired = one(
        tender={"status": "Active", "procurementMethod": "Licitaţie publică"},
        awards=[{"status": "MARTHA ZULENY TORRES"}],
        contracts=[{"status": "terminated"}],
    )
    assert (taken.tender.status, taken.tender.procurement_method) == ("active", None)
    assert (taken.awards[0].status, taken.contracts[0].status) == (None, "terminated")
    assert repaired == {"code_spelling": 1, "code_unknown": 2}


def test_a_category_is_the_portals_own_word():
    release, _ = one(
        tender={
            "mainProcurementCategory": " Services:  General ",
            "additionalProcurementCategories": ["works", "works", ""],
            "category": "Sewerage",
            "procurementMethodDetails": "Request for Bid",
        }
    )
    taken = release.tender
    assert (taken.main_category, taken.additional_categories) == ("Services: General", ("works",))
    assert taken.portal_category == "Sewerage"
    assert release.texts[taken.procurement_method_details] == "Request for Bid"


@pytest.mark.parametrize("category", ["call 021 930 1134", "x" * 201, 5, "Thandi Mokoena"])
def test_a_category_that_is_more_than_a_word_is_dropped(category):
    taken, repaired = tender(mainProcurementCategory=category, contactPerson={"name": "Thandi Mokoena"})
    assert (taken.main_category, repaired) == (None, {"word_unfit": 1})


def test_awards_and_contracts_keep_what_links_them():
    taken, repaired = one(
        awards={"id": 1, "date": "2030-01-01T00:00:00Z", "value": {"amount": 5, "currency": "KES"}},
        contracts=[{"id": "c", "awardID": 1, "dateSigned": "2024-01-02T00:00:00Z"}, "x"],
        planning={"budget": {"amount": {"amount": 9, "currency": "KES"}}},
    )
    assert (taken.awards[0].id, taken.awards[0].date) == ("1", None)
    assert taken.awards[0].value == Money(Decimal(5), "KES")
    assert (taken.contracts[0].award_id, taken.contracts[0].date_signed) == (
        "1",
        datetime(2024, 1, 2, tzinfo=UTC),
    )
    assert taken.budget == Money(Decimal(9), "KES")
    assert repaired == {"object_for_list": 1, "date_in_future": 1, "object_expected": 1}


SECRET = "Zanele Xaba"
PRIVATE = {"name": SECRET, "email": "zanele@example.org", "telephone": "+27 21 555 0123"}


@pytest.mark.parametrize(
    "stated",
    [
        {
            "parties": [
                {"id": "1", "name": "Acme", "contactPoint": PRIVATE, "address": {"streetAddress": SECRET}}
            ]
        },
        {"parties": [{"id": "1", "name": "Acme", "persones": [PRIVATE], "beneficialOwners": [PRIVATE]}]},
        {"buyer": {"name": "Acme", "contactPoint": PRIVATE, "details": {"owner": SECRET}}},
        {"tender": {"contactPerson": PRIVATE, "documents": [{"title": SECRET, "author": SECRET}]}},
        {"contracts": [{"id": "c-zanele-xaba-1", "signatories": [PRIVATE]}]},
        {"awards": [{"status": SECRET, "id": {"x": SECRET}, "amendments": [{"rationale": SECRET}]}]},
        {"tender": {"mainProcurementCategory": SECRET, "contactPoint": PRIVATE}},
        {"language": SECRET, "initiationType": SECRET, "tag": [SECRET], "date": SECRET},
        {"planning": {"rationale": SECRET, "budget": {"description": SECRET}}, "unknown": PRIVATE},
        {"parties": [{"id": "1", "name": "Acme", "identifier": {"scheme": SECRET, "id": "5"}}]},
    ],
)
def test_no_person_leaves_the_parser_neither_in_a_release_nor_in_a_sample(stated):
    rejections = Rejections()
    data = json.dumps(release(**stated)).encode()
    [taken] = ocds.parse(data, rejections, fetched_at=FETCHED)
    told = msgspec.json.encode(taken).decode() + json.dumps(rejections.samples)
    for part in ("zanele", "xaba", "555", "example.org"):
        assert part not in told.lower()


@pytest.mark.parametrize("secret", [*PRIVATE.values(), "XABA, Zanele", "0215550123", "ID no: 8001015009087"])
@pytest.mark.parametrize("place", ["tender", "awards", "contracts"])
@pytest.mark.parametrize("field", ["title", "description"])
def test_free_text_that_holds_one_is_flagged(secret, place, field):
    said = {field: f"Enquiries to {secret} before noon"}
    stated = {place: said if place == "tender" else [said]}
    assert one(**stated, parties=[{"name": "Acme", "contactPoint": PRIVATE}])[0].text_flags
    assert not one(**{place: {field: "Repair of 12 boreholes"}}, parties=[{"contactPoint": PRIVATE}])[
        0
    ].text_flags
