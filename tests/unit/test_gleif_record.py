"""LEI records, invented and written in all three forms: what is taken, what is counted, and why."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sankofa.entities.model import Identifier, OrganisationRecord
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.registers import gleif_csv, gleif_json, gleif_xml
from support.lei_documents import an_lei, as_csv, as_json, as_xml, stated

FETCHED = datetime(2024, 5, 5, 12, tzinfo=UTC)
OWN = Identifier("lei", "", an_lei(1))
REGISTERED = Identifier("registry", "RA000526", "1999/000001/07")
FORMS = [(gleif_csv, as_csv), (gleif_json, as_json), (gleif_xml, as_xml)]

pytestmark = pytest.mark.parametrize(("parser", "written"), FORMS, ids=["csv", "json", "xml"])


def read(parser, document):
    rejections = Rejections()
    return list(parser.parse(document, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def test_all_forms_of_a_record_say_the_same(parser, written):
    records, rejected = read(parser, written(stated()))
    assert rejected == {}
    assert records == [
        OrganisationRecord(
            subject=f"lei:{an_lei(1)}",
            legal_name="Acmé Holdings Ltd",
            jurisdiction="ZA",
            status="active",
            identifiers=(OWN, REGISTERED),
            marks=("lei_record:GENERAL", "lei_status:ISSUED", "legal_form:R4KK"),
            duplicate_of=None,
            stated_at=datetime(2024, 5, 3, 22, 30, tzinfo=UTC),
            available_at=date(2024, 5, 4),
            available_at_basis="publisher",
        )
    ]


def test_records_come_in_their_order(parser, written):
    records, _ = read(parser, written(*[stated(lei=an_lei(number)) for number in (3, 1, 2)]))
    assert [record.subject for record in records] == [f"lei:{an_lei(number)}" for number in (3, 1, 2)]


@pytest.mark.parametrize(
    ("moment", "utc", "day"),
    [
        ("2024-05-03T23:30:00Z", datetime(2024, 5, 3, 23, 30, tzinfo=UTC), date(2024, 5, 3)),
        ("2024-05-03T23:30:00.125-05:00", datetime(2024, 5, 4, 4, 30, 0, 125_000, UTC), date(2024, 5, 4)),
        ("2024-05-04T00:30:00+05:30", datetime(2024, 5, 3, 19, 0, tzinfo=UTC), date(2024, 5, 4)),
    ],
)
def test_a_record_is_available_when_its_day_has_come_everywhere(parser, written, moment, utc, day):
    [record], _ = read(parser, written(stated(updated=moment)))
    assert (record.stated_at, record.available_at) == (utc, day)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"lei": "99990000000000000001AA"}, "bad_lei"),
        ({"lei": an_lei(1)[:-1] + str((int(an_lei(1)[-1]) + 1) % 10)}, "bad_lei"),
        ({"lei": ""}, "bad_lei"),
        ({"name": ""}, "missing_name"),
        ({"name": " "}, "missing_name"),
        ({"name": "Acme \u202eLtd"}, "bad_name"),
        ({"name": "x" * 1_001}, "bad_name"),
        ({"updated": ""}, "bad_moment"),
        ({"updated": "2024-05-04"}, "bad_moment"),
        ({"updated": "2024-05-04T00:30:00"}, "bad_moment"),
        ({"updated": "2024-13-04T00:30:00Z"}, "bad_moment"),
        ({"updated": "0001-01-01T00:00:00+14:00"}, "bad_moment"),
        ({"updated": "1999-01-01T00:00:00Z"}, "bad_moment"),
        ({"updated": "2024-05-06T12:00:01Z"}, "stated_after_fetch"),
        ({"registration": ""}, "bad_status"),
        ({"registration": "ISSUED,LAPSED"}, "bad_status"),
        ({"category": "sole proprietor"}, "bad_status"),
        ({"deleted": "2024-05-04T00:00:00Z"}, "deleted"),
    ],
)
def test_a_record_that_is_not_taken_is_counted_and_the_others_stay(parser, written, changed, reason):
    records, rejected = read(parser, written(stated(**changed), stated(lei=an_lei(2))))
    assert [record.subject for record in records] == [f"lei:{an_lei(2)}"]
    assert rejected == {reason: 1}


@pytest.mark.parametrize(
    ("changed", "code", "counted"),
    [
        ({"jurisdiction": "US-DE"}, "US-DE", {}),
        ({"jurisdiction": ""}, "KE", {}),
        ({"jurisdiction": "", "country": ""}, None, {}),
        ({"jurisdiction": "US-XX"}, "US", {"repaired_jurisdiction": 1}),
        ({"jurisdiction": "Kenya"}, "KE", {"repaired_jurisdiction": 1}),
        ({"jurisdiction": "XX", "country": "XX"}, None, {"repaired_jurisdiction": 1}),
    ],
)
def test_the_jurisdiction_is_a_known_code_or_the_country_or_none(parser, written, changed, code, counted):
    [record], rejected = read(parser, written(stated(**changed)))
    assert (record.jurisdiction, rejected) == (code, counted)


@pytest.mark.parametrize(
    ("stated_status", "status"),
    [("ACTIVE", "active"), ("INACTIVE", "inactive"), ("NULL", "unknown"), ("", "unknown")],
)
def test_the_status_is_that_of_the_entity(parser, written, stated_status, status):
    [record], _ = read(parser, written(stated(status=stated_status)))
    assert record.status == status


@pytest.mark.parametrize("category", ["SOLE_PROPRIETOR", "FUND", ""])
def test_the_category_is_a_mark_even_where_it_is_empty(parser, written, category):
    [record], _ = read(parser, written(stated(category=category, form="")))
    assert record.marks == (f"lei_record:{category}", "lei_status:ISSUED")


@pytest.mark.parametrize("ended", ["RETIRED", "DUPLICATE", "MERGED", "ANNULLED", "CANCELLED"])
def test_an_ended_identifier_has_its_last_day(parser, written, ended):
    [record], _ = read(parser, written(stated(registration=ended)))
    assert record.identifiers[0] == OWN._replace(valid_to=date(2024, 5, 4))
    assert f"lei_status:{ended}" in record.marks


@pytest.mark.parametrize("holding", ["ISSUED", "LAPSED", "PENDING_TRANSFER"])
def test_an_unpaid_identifier_still_holds(parser, written, holding):
    [record], _ = read(parser, written(stated(registration=holding)))
    assert record.identifiers[0] == OWN


@pytest.mark.parametrize(
    ("changed", "registries", "counted"),
    [
        ({"validated_at": "RA000469", "validated_as": "RC1"}, [REGISTERED, ("RA000469", "RC1")], {}),
        ({"registered_at": "RA888888", "registered_as": "7"}, [REGISTERED], {}),
        ({"registered_as": "", "validated_at": "RA999999", "validated_as": ""}, [], {}),
        ({"registered_as": "N/A", "validated_as": "N/A"}, [], {"repaired_registry_number": 1}),
        ({"registered_at": "CIPC", "validated_at": "CIPC"}, [], {"repaired_registry_number": 1}),
        (
            {"registered_as": "1\u202e2", "validated_at": "", "validated_as": ""},
            [],
            {"repaired_registry_number": 1},
        ),
    ],
)
def test_registry_numbers_come_from_known_authorities(parser, written, changed, registries, counted):
    [record], rejected = read(parser, written(stated(**changed)))
    expected = [
        found if isinstance(found, Identifier) else Identifier("registry", *found) for found in registries
    ]
    assert (list(record.identifiers[1:]), rejected) == (expected, counted)


@pytest.mark.parametrize(
    ("registration", "successors", "expected"),
    [
        ("DUPLICATE", [an_lei(2)], (f"lei:{an_lei(2)}", [an_lei(2)], {})),
        ("MERGED", [an_lei(2)], (None, [an_lei(2)], {})),
        ("RETIRED", [an_lei(2), an_lei(3)], (None, [an_lei(2), an_lei(3)], {})),
        ("DUPLICATE", [an_lei(2), an_lei(3)], (None, [an_lei(2), an_lei(3)], {})),
        ("DUPLICATE", [], (None, [], {})),
        ("DUPLICATE", ["99990000000000000002"], (None, [], {"repaired_successor": 1})),
        ("DUPLICATE", [an_lei(2), "99990000000000000002"], (None, [an_lei(2)], {"repaired_successor": 1})),
        ("DUPLICATE", [an_lei(1)], (None, [], {"repaired_successor": 1})),
    ],
)
def test_only_a_stated_duplicate_with_one_survivor_is_one(
    parser, written, registration, successors, expected
):
    [record], rejected = read(parser, written(stated(registration=registration, successors=successors)))
    marked = [mark.partition(":")[2] for mark in record.marks if mark.startswith("successor:")]
    assert (record.duplicate_of, marked, rejected) == expected


def test_no_address_is_taken(parser, written):
    [record], _ = read(parser, written(stated()))
    assert "Secret" not in repr(record)
