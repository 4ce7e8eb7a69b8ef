"""Editions of the World Development Indicators: one page of one indicator, dated by the end of its month."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from publisher.protocols import Archives
from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.series.wdi_archive import parse
from support.answering import Asked

FETCHED = datetime(2024, 5, 5, 12, tzinfo=UTC)
EDITION = {"KEN": {2012: 50.5, 2013: None}, "ZAR": {2012: 27}, "SSF": {2012: 1_600}}


def page(edition="201407", values=EDITION):
    target = f"/v2/sources/57/country/all/series/NY.GDP.MKTP.CD/time/all/version/{edition}/data"
    return Archives({"201407": values, "202405": values}).answer(Asked(target, {}, 0.0, 1))


def read(document, fetched_at=FETCHED):
    rejections = Rejections()
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return list(parse(data, rejections, fetched_at=fetched_at)), dict(rejections.counts)


def test_an_edition_is_whole_and_counts_from_the_last_day_of_its_month():
    snapshots, rejected = read(page())
    assert rejected == {}
    assert [(one.head.key, one.head.country_iso3, one.head.unit) for one in snapshots] == [
        ("WB.NY.GDP.MKTP.CD.KEN", "KEN", "USD"),
        ("WB.NY.GDP.MKTP.CD.COD", "COD", "USD"),  # ZAR is Zaire
        ("WB.NY.GDP.MKTP.CD.SSF", None, "USD"),
    ]
    assert {(one.available_at, one.available_at_basis) for one in snapshots} == {
        (date(2014, 7, 31), "publisher")
    }
    assert {(one.is_whole, one.covers) for one in snapshots} == {(True, "WB.NY.GDP.MKTP.CD.")}
    assert [one.value for one in snapshots[0].observations] == [Decimal("50.5")]


def test_an_edition_of_this_month_counts_from_the_fetch():
    snapshots, _ = read(page("202405"))
    assert {(one.available_at, one.available_at_basis) for one in snapshots} == {
        (date(2024, 5, 5), "first_seen")
    }


def test_an_edition_of_a_month_that_has_not_begun_is_refused():
    with pytest.raises(UnreadableDocument, match="released_after_fetch"):
        read(page("202405"), datetime(2024, 4, 20, tzinfo=UTC))


def test_a_part_of_an_edition_withdraws_nothing():
    for part in ({"pages": 2}, {"total": 99}):
        snapshots, _ = read(page() | part)
        assert {(one.is_whole, one.covers) for one in snapshots} == {(False, None)}
        assert [one.value for one in snapshots[0].observations] == [Decimal("50.5"), None]


def test_a_month_without_an_edition_is_counted():
    assert read(page("199912")) == ([], {"no_edition": 1})


def changed(concept, number):
    """Return an edition in which one row has another id of a concept."""
    document = page()
    for variable in document["source"]["data"][0]["variable"]:
        if variable["concept"] == concept:
            variable["id"] = number
    return document


@pytest.mark.parametrize(
    ("concept", "number", "reason"),
    [
        ("Country", "Kenya", "bad_country"),
        ("Time", "2012", "bad_date"),
        ("Time", "YR201212", "bad_date"),
        ("Version", "201413", "bad_date"),
        ("Version", "2014 Jul", "bad_date"),
        ("Series", "no code", "bad_indicator"),
    ],
)
def test_a_row_that_cannot_be_read_is_counted_and_the_edition_is_not_whole(concept, number, reason):
    snapshots, rejected = read(changed(concept, number))
    assert rejected == {reason: 1}
    assert not any(one.is_whole or one.covers for one in snapshots)


@pytest.mark.parametrize(("value", "reason"), [("12", "bad_value"), (True, "bad_value"), (10**90, None)])
def test_a_value_that_is_no_number_is_counted(value, reason):
    document = page()
    document["source"]["data"][0]["value"] = value
    assert read(document)[1] == {reason or "value_out_of_range": 1}


def test_a_row_with_a_concept_twice_or_without_one_is_counted():
    document = page()
    document["source"]["data"][0]["variable"] *= 2
    document["source"]["data"][1]["variable"].pop()
    assert read(document)[1] == {"bad_concepts": 2}


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (b"<!DOCTYPE html><html>We will be back soon</html>", "unexpected_shape"),
        (b'<wb:error><wb:message id="175" key="Invalid format"/></wb:error>', "world_bank_error"),
        (json.dumps([{"message": [{"id": "120"}]}]).encode(), "unexpected_shape"),
        (json.dumps(page()).encode()[:-9], "malformed_json"),
        (json.dumps(page() | {"source": {"id": "2", "data": []}}).encode(), "unexpected_shape"),
        (json.dumps(changed("Version", "201408")).encode(), "unexpected_shape"),
        (json.dumps(changed("Series", "SP.POP.TOTL")).encode(), "unexpected_shape"),
        (b"", "malformed_json"),
    ],
)
def test_a_document_that_is_no_edition_is_refused_with_its_reason(document, reason):
    with pytest.raises(UnreadableDocument) as refused:
        read(document)
    assert refused.value.reason == reason
