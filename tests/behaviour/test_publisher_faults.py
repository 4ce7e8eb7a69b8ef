"""Fetching from a publisher that misbehaves: right documents arrive, or the run fails and names the cause."""

from __future__ import annotations

import random
from email.utils import parsedate_to_datetime

import pytest

from publisher.client import Running
from publisher.faults import FAULTS
from publisher.tables import Indicators, Rates, Tickers
from publisher.tenders import Cursor, Months, Windows, Years
from publisher.world import KINDS
from sankofa.core.errors import Refused, StoreUnavailable
from support.publisher_reader import Reader

# Faults that pass when the file is asked for again, and the cause that is named if they do not.
PASSING = {
    "unavailable": "status 503",
    "truncated": "IncompleteRead",
    "reset": "Connection reset",
    "length_too_large": "IncompleteRead",
    "length_too_small": "more bytes than Content-Length states",
}
HARMLESS = ("slow", "clock")
FINAL = {
    "not_modified": (StoreUnavailable, "status 304"),
    "redirect_private": (Refused, "a redirect to another server"),
    "redirect_elsewhere": (Refused, "a redirect to another server"),
}
BUSY = ("busy_seconds", "busy_date")
WRONG_CONTENT = ("html", "schema")
UNNOTICED = ("truncated_unsized",)  # the body looks whole on the wire
SINGLE = ("half", "duplicate", "late")  # each has a test of its own


@pytest.fixture(scope="module")
def publisher():
    with Running(random.randrange(1 << 32), days=12) as running:
        yield running


@pytest.fixture(scope="module")
def module_reader(publisher, tmp_path_factory):
    return Reader(publisher, tmp_path_factory.mktemp("sources"), retry_seconds=0.001)


@pytest.fixture
def reader(module_reader):
    """Return a reader of day 0, without faults of earlier tests; whoever shares it does not advance."""
    print("publisher seed", module_reader.world.seed)
    module_reader.begin()
    return module_reader


def test_every_fault_has_a_test():
    assert sorted([*PASSING, *HARMLESS, *FINAL, *BUSY, *WRONG_CONTENT, *UNNOTICED, *SINGLE]) == sorted(FAULTS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", [*PASSING, *HARMLESS])
def test_a_fault_that_passes_costs_no_document(reader, kind, fault):
    source, times = reader.world.of_kind(kind), 1 if fault in HARMLESS else 2
    reader.publisher.misbehave(source.name, fault, times)
    assert reader.fetch(source) == reader.expected(source)
    assert [entry["fault"] for entry in reader.log(source)].count(fault) == times
    assert reader.publisher.state()["faults"] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("fault", "cause"), PASSING.items())
def test_a_fault_that_stays_fails_the_run_and_is_named(reader, kind, fault, cause):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, fault, times=100)
    with pytest.raises(StoreUnavailable, match=cause) as failed:
        reader.fetch(source)
    assert source.name in str(failed.value)
    assert reader.received == []
    assert len(reader.log(source)) == 5, "as many as `attempts`"


@pytest.mark.parametrize("kind", [Months, Years, Rates, Indicators, Tickers])
def test_a_truncated_file_is_completed_by_its_rest(reader, kind):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, "truncated", times=2)
    assert reader.fetch(source) == reader.expected(source)
    first, second, third = reader.log(source)[:3]
    assert (first["status"], second["status"], third["status"]) == (200, 206, 206)
    size = len(reader.world.current(source.name, 0)[0].content)
    assert first["bytes"] + second["bytes"] + third["bytes"] == size, "no byte is sent twice"


def test_a_file_that_stays_slow_ends_at_its_deadline(publisher, tmp_path):
    reader = Reader(publisher, tmp_path, document_seconds=0.3, attempts=2)
    source = reader.world.of_kind(Rates)
    publisher.misbehave(source.name, "slow", times=100, value=5)
    with pytest.raises(StoreUnavailable, match="too slow"):
        reader.fetch(source)
    assert reader.received == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("fault", "failure"), FINAL.items())
def test_an_answer_that_cannot_be_right_fails_at_once(reader, kind, fault, failure):
    source, (error, cause) = reader.world.of_kind(kind), failure
    reader.publisher.misbehave(source.name, fault)
    with pytest.raises(error, match=cause) as failed:
        reader.fetch(source)
    assert source.name in str(failed.value)
    assert f"{reader.publisher.hosts[source.name]}/{source.name}/" in str(failed.value), "the address"
    assert reader.received == []
    assert [entry["source"] for entry in reader.every_request()] == [source.name], "no other server is asked"


@pytest.mark.parametrize("fault", BUSY)
def test_a_busy_publisher_is_left_alone_as_long_as_it_asks(reader, fault):
    source = reader.world.of_kind(Tickers)
    reader.publisher.misbehave(source.name, fault)
    assert reader.fetch(source) == reader.expected(source)
    busy, later = reader.log(source)
    stated = busy["answered"]["Retry-After"]
    if fault == "busy_seconds":
        assert later["monotonic"] - busy["monotonic"] >= int(stated)
    else:
        assert later["wall"] >= parsedate_to_datetime(stated).timestamp() - 0.05  # two clocks are read


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", WRONG_CONTENT)
def test_wrong_content_arrives_and_no_parser_reads_anything_in_it(reader, kind, fault):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, fault)
    received, expected = reader.fetch(source), reader.expected(source)
    assert received[0] not in expected
    assert received[1:] == (expected[1:] if kind is Indicators or fault == "schema" else [])
    found, left_out = reader.parsed[0]
    assert found == []
    assert left_out
    assert reader.fetch(source) == expected


@pytest.mark.parametrize("kind", [Windows, Months, Years, Indicators, Tickers])
@pytest.mark.parametrize("fault", UNNOTICED)
def test_a_body_that_was_cut_unnoticed_is_refused_by_its_parser(reader, kind, fault):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, fault)
    assert reader.fetch(source)[0] not in reader.expected(source)
    _, left_out = reader.parsed[0]
    assert left_out
    assert reader.fetch(source) == reader.expected(source)


def test_a_table_that_was_cut_unnoticed_is_fetched_again(reader):
    source = reader.world.of_kind(Rates)
    reader.publisher.misbehave(source.name, "truncated_unsized")
    assert reader.fetch(source) == reader.expected(source)
    reader.publisher.misbehave(source.name, "truncated_unsized", times=100)
    with pytest.raises(StoreUnavailable, match="nothing shows that it is whole"):
        reader.fetch(source)


@pytest.mark.parametrize("cut", [0.94, 0.96, 0.98, 0.99])
def test_a_cut_table_never_states_another_value(reader, cut):
    source = reader.world.of_kind(Rates)
    reader.fetch(source)
    ((whole, _),) = reader.parsed
    reader.publisher.misbehave(source.name, "length_too_small", value=cut)
    try:
        reader.fetch(source)
    except StoreUnavailable:
        return
    ((found, left_out),) = reader.parsed
    stated = {(s.head.key, o.period_start, o.value) for s in whole for o in s.observations}
    read = {(s.head.key, o.period_start, o.value) for s in found for o in s.observations}
    assert left_out or read <= stated


@pytest.mark.parametrize("fault", UNNOTICED)
def test_a_page_that_was_cut_unnoticed_has_no_cursor_and_fails_the_run(reader, fault):
    source = reader.world.of_kind(Cursor)
    reader.publisher.misbehave(source.name, fault)
    with pytest.raises(StoreUnavailable, match="no next page: malformed_json"):
        reader.fetch(source)
    ((_, left_out),) = reader.parsed
    assert left_out == {"malformed_json"}


@pytest.mark.parametrize("kind", [Windows, Cursor])
def test_half_a_crawl_brings_right_pages_and_the_next_one_brings_the_rest(reader, kind):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, "half")
    expected = reader.expected(source)
    assert reader.fetch(source) == expected[:1]
    assert reader.fetch(source) == expected
    assert len(expected) == 3


@pytest.mark.parametrize(("kind", "cause"), [(Windows, "repeats the page before"), (Cursor, "leads back")])
def test_a_duplicate_page_fails_the_run(reader, kind, cause):
    source = reader.world.of_kind(kind)
    reader.publisher.misbehave(source.name, "duplicate")
    with pytest.raises(StoreUnavailable, match=cause):
        reader.fetch(source)
    assert set(reader.received) == set(reader.expected(source)[:1])
    assert reader.fetch(source) == reader.expected(source)


@pytest.mark.parametrize("kind", [Windows, Cursor])
def test_a_late_page_arrives_when_its_days_are_asked_for_again(tmp_path, kind):
    with Running(random.randrange(1 << 32), sources=2) as publisher:
        reader, source = Reader(publisher, tmp_path), publisher.world.of_kind(kind)
        *punctual, late = reader.expected(source)
        publisher.misbehave(source.name, "late", times=2)
        for day in range(3):
            received = reader.fetch(source, 0, day)
            assert received[: len(punctual)] == punctual
            assert (late in received) == (day == 2)
            offered = [row["day"] for row in publisher.offered() if row["sha256"] == late]
            assert offered == ([2] if day == 2 else [])
            publisher.advance()


def test_orders_that_make_no_sense_are_refused(reader):
    for order in [("nobody", "html"), ("made-rates-04", "sulking"), ("made-rates-04", "late")]:
        with pytest.raises(ValueError, match=r"no source|that could be late"):
            reader.publisher.misbehave(*order)
    assert reader.publisher.state()["faults"] == []


def test_a_fault_of_one_source_leaves_the_others_alone(reader):
    broken, *others = reader.world.sources.values()
    reader.publisher.misbehave(broken.name, "unavailable", times=100)
    for source in others:
        assert reader.fetch(source) == reader.expected(source)
    with pytest.raises(StoreUnavailable):
        reader.fetch(broken)
