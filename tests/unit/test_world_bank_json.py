"""Pages of the World Bank's API: what becomes a value, and what is counted and why."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series.world_bank_json import parse
from sankofa.macro.model import Observation

FETCHED = datetime(2024, 4, 18, 12, tzinfo=UTC)
PAGE = {"page": 1, "pages": 1, "per_page": 50, "total": 1, "sourceid": "2", "lastupdated": "2024-03-28"}


def row(**changed):
    """Return the JSON text of one row; a value of ... leaves the key out, `value` is placed as it is."""
    stated = {
        "indicator": {"id": "NY.GDP.MKTP.CD", "value": "GDP (current US$)"},
        "country": {"id": "KE", "value": "Kenya"},
        "countryiso3code": "KEN",
        "date": "2022",
        "value": "113420008179.102",
        "unit": "",
        "obs_status": "",
        "decimal": 0,
    } | changed
    return ",".join(
        f'"{key}":{value if key == "value" else json.dumps(value)}'
        for key, value in stated.items()
        if value is not ...
    ).join("{}")


def document(*rows, **page):
    return f"[{json.dumps(PAGE | page)},[{','.join(rows)}]]".encode()


def read(data):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=FETCHED)), dict(rejections.counts)


def test_a_row_becomes_an_observation_of_its_series():
    [snapshot], rejected = read(document(row()))
    assert rejected == {}
    head = snapshot.head
    assert (head.key, head.series_type, head.frequency) == ("WB.NY.GDP.MKTP.CD.KEN", "indicator", "A")
    assert (head.country_iso3, head.unit) == ("KEN", "USD")
    assert (head.indicator, head.indicator_name) == ("NY.GDP.MKTP.CD", "GDP (current US$)")
    assert (snapshot.available_at, snapshot.available_at_basis) == (date(2024, 3, 28), "publisher")
    assert snapshot.observations == [
        Observation(date(2022, 1, 1), date(2022, 12, 31), Decimal("113420008179.102"))
    ]


def test_a_page_is_never_whole():
    [snapshot], _ = read(document(row()))
    assert (snapshot.is_whole, snapshot.covers) == (False, None)


def test_a_null_is_a_value_that_is_stated_to_be_missing():
    [snapshot], rejected = read(document(row(value="null")))
    assert (snapshot.observations[0].value, rejected) == (None, {})


@pytest.mark.parametrize("stated", [{"lastupdated": None}, {"lastupdated": ""}])
def test_without_the_day_of_an_update_the_day_of_the_fetch_counts(stated):
    [snapshot], _ = read(document(row(), **stated))
    assert (snapshot.available_at, snapshot.available_at_basis) == (date(2024, 4, 18), "first_seen")


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ({"lastupdated": "March 2024"}, "bad_date"),
        ({"lastupdated": 20240328}, "bad_date"),
        ({"lastupdated": "2024-04-20"}, "released_after_fetch"),
    ],
)
def test_a_day_of_update_that_cannot_be_refuses_the_page(stated, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(document(row(), **stated))


def test_counts_of_the_page_may_be_strings():
    assert read(document(row(), per_page="50", page="1")) == read(document(row()))


@pytest.mark.parametrize(
    ("country", "iso3", "area", "of_country"),
    [
        ("KE", "", "KEN", "KEN"),
        ("KE", None, "KEN", "KEN"),
        ("KE", ..., "KEN", "KEN"),
        ("ZWE", "", "ZWE", "ZWE"),
        ("CD", "ZAR", "COD", "COD"),
        ("1A", "ARB", "ARB", None),
        ("XD", "", "HIC", None),
        ("AME", "", "AME", None),
    ],
)
def test_an_area_is_a_country_or_an_aggregate_under_its_own_code(country, iso3, area, of_country):
    [snapshot], rejected = read(document(row(country={"id": country, "value": "x"}, countryiso3code=iso3)))
    assert snapshot.head.key == f"WB.NY.GDP.MKTP.CD.{area}"
    assert (snapshot.head.country_iso3, rejected) == (of_country, {})


def test_quarters_and_months_of_an_indicator_are_series_of_their_own():
    snapshots, _ = read(document(row(), row(date="2022Q1"), row(date="2022M01"), row(date="2021")))
    assert [(s.head.key[-6:], s.head.frequency, len(s.observations)) for s in snapshots] == [
        ("CD.KEN", "A", 2),
        (".KEN.Q", "Q", 1),
        (".KEN.M", "M", 1),
    ]


def test_a_unit_that_a_row_states_goes_before_the_name():
    [snapshot], _ = read(document(row(unit="KES")))
    assert snapshot.head.unit == "KES"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"countryiso3code": "", "country": {"id": "", "value": "World"}}, "bad_country"),
        ({"countryiso3code": "kenya"}, "bad_country"),
        ({"countryiso3code": 5}, "bad_country"),
        ({"indicator": {"id": "", "value": "x"}}, "bad_indicator"),
        ({"indicator": {"id": "A..B", "value": "x"}}, "bad_indicator"),
        ({"date": "2022Q5"}, "bad_date"),
        ({"date": "YR2022"}, "bad_date"),
        ({"value": '"5"'}, "bad_value"),
        ({"value": '"NaN"'}, "bad_value"),
        ({"value": "true"}, "bad_value"),
        ({"value": "1e26"}, "value_out_of_range"),
        ({"value": "1e999999999"}, "value_out_of_range"),
        ({"scale": "thousands"}, "scaled_value"),
    ],
)
def test_a_row_that_is_no_value_is_counted_and_the_others_stay(changed, reason):
    [snapshot], rejected = read(document(row(**changed), row(date="2021")))
    assert [one.period_start.year for one in snapshot.observations] == [2021]
    assert rejected == {reason: 1}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_json_has_not_refuses_the_page(value):
    with pytest.raises(UnreadableDocument, match="malformed_json"):
        read(document(row(value=value)))


def test_rows_that_agree_are_one_and_rows_that_do_not_are_none():
    snapshots, rejected = read(document(row(), row(), row(date="2021"), row(date="2021", value="1")))
    assert [one.period_start.year for one in snapshots[0].observations] == [2022]
    assert rejected == {"duplicate_conflict": 2}


def test_an_error_with_status_200_refuses_the_document_by_its_number():
    body = b'[{"message":[{"id":"120","key":"Invalid value","value":"The parameter is not valid"}]}]'
    with pytest.raises(UnreadableDocument, match="world_bank_error: 120 Invalid value"):
        read(body)
    with pytest.raises(UnreadableDocument, match="world_bank_error"):
        read(b'[{"message":"no"}]')


def test_a_page_without_rows_states_nothing():
    assert read(b'[{"page":0,"pages":0,"per_page":50,"total":0,"lastupdated":null},null]') == ([], {})
    assert read(document()) == ([], {})


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b"[null]",
        b"[[]]",
        b'[{"page":1}]',
        b'[{"page":1},[],[]]',
        b'[{"page":1,"pages":1,"per_page":"2","total":2},[{"id":"ABW","iso2Code":"AW","name":"Aruba"}]]',
    ],
)
def test_another_shape_refuses_the_document(data):
    with pytest.raises(UnreadableDocument, match="unexpected_shape"):
        read(data)


def test_a_repeated_key_refuses_the_document():
    with pytest.raises(UnreadableDocument, match="duplicate_key"):
        read(document(row()[:-1] + ',"value":1}'))


def test_a_document_may_be_packed():
    assert read(gzip.compress(document(row()))) == read(document(row()))
