"""When ESEF reports count as known: by the index of their repository, or from the day they were seen."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings.esef import parse
from support.esef_reports import YEAR_2022, entry, fact, index, packed, path_of, report
from support.lei_documents import an_lei

FETCHED = datetime(2024, 5, 2, 10, tzinfo=UTC)


def read(data, fetched_at=FETCHED):
    rejections = Rejections()
    return list(parse(data, rejections, fetched_at=fetched_at)), dict(rejections.counts)


def test_a_report_alone_counts_from_the_day_it_was_seen():
    [filing], _ = read(report(fact(), fact("90", period=YEAR_2022)))
    assert (filing.filed, filing.basis) == (date(2024, 5, 2), "first_seen")
    # 21:30 in UTC is the next day already for an issuer in Helsinki.
    [late], _ = read(report(fact()), fetched_at=datetime(2024, 5, 2, 21, 30, tzinfo=UTC))
    assert late.filed == date(2024, 5, 3)


def test_reports_seen_on_one_day_are_in_the_order_of_their_years():
    [older], _ = read(report(fact(period=YEAR_2022)))
    [newer], _ = read(report(fact(period=YEAR_2022), fact()))
    assert older.number.startswith(f"{an_lei(1)}-2022-12-31-")
    assert newer.number.startswith(f"{an_lei(1)}-2023-12-31-")
    [other], _ = read(report(fact(period=YEAR_2022), fact("101")))
    assert len({older.number, newer.number, other.number}) == 3


def test_an_index_gives_the_day_and_the_number():
    page = index(entry("2024-03-14 09:12:31.000001"), entry("2023-04-04 21:49:41", period="2022-12-31"))
    older = report(fact(period=YEAR_2022))
    files = {path_of(): report(fact()), path_of(period="2022-12-31"): older, "filings.json": page}
    filings, rejected = read(packed(files))
    assert rejected == {}
    assert [(filing.number, filing.filed, filing.basis) for filing in filings] == [
        (f"{an_lei(1)}-2023-12-31-ESEF-FI-0", date(2024, 3, 14), "publisher"),
        (f"{an_lei(1)}-2022-12-31-ESEF-FI-0", date(2023, 4, 5), "publisher"),  # past midnight in Helsinki
    ]


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (index(entry("2020-12-30 00:00:00")), "bad_index_entry"),
        (index(entry("2024-02-30 00:00:00")), "bad_index_entry"),
        (index(entry("2024-03-14")), "bad_index_entry"),
        (index(entry("9999-12-31 23:59:59")), "bad_index_entry"),
        (index(entry("2024-03-14 00:00:00", fxo_id="")), "bad_index_entry"),
        (index(entry("2024-03-14 00:00:00", fxo_id="a b")), "bad_index_entry"),
        (index(entry("2024-03-14 00:00:00"), entry("2024-03-15 00:00:00")), "index_conflict"),
        (index(entry("2024-03-14 00:00:00", json_url=None)), None),
        (index(entry("2024-03-14 00:00:00", json_url="/elsewhere.json")), None),
        (index(), None),
    ],
)
def test_where_the_index_is_no_evidence_the_report_counts_from_the_day_it_was_seen(page, reason):
    [filing], rejected = read(packed({"filings-1.json": page, path_of(): report(fact())}))
    assert (filing.filed, filing.basis) == (date(2024, 5, 2), "first_seen")
    assert rejected == ({reason: 1} if reason else {})


def test_a_report_about_another_than_the_index_says_is_left_out():
    files = {"filings.json": index(entry("2024-03-14 00:00:00")), path_of(): report(fact(issuer=2))}
    assert read(packed(files)) == ([], {"entity_conflict": 1})


def test_a_member_that_cannot_be_read_stops_no_other():
    files = {"a.json": b"{", "b.xhtml": b"<html/>", "c.json": report(fact()), "d.json": b"[]"}
    [filing], rejected = read(packed(files))
    assert filing.basis == "first_seen"
    assert rejected == {"malformed_json": 1, "unexpected_member": 1, "unexpected_shape": 1}


def test_an_index_that_cannot_be_read_refuses_the_archive():
    with pytest.raises(UnreadableDocument, match="unexpected_shape"):
        read(packed({"filings.json": b'{"data":[{}]}', "a.json": report(fact())}))
