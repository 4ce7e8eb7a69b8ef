"""What is chosen before anything is asked: the smallest delta without a gap, and ids that are only ids."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.portals.deltas import Delta, smallest
from sankofa.ingest.portals.index import Index, ids
from sankofa.ingest.portals.turns import OwnTurns

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
DELTAS = [Delta(days=days, address=f"https://portal.test/?delta={days}") for days in (7, 1, 31)]
INDEX = Index(
    address="https://portal.test/index",
    header=r"CIK\|Company Name\|Form Type",
    pattern=r"(?P<id>[^|]*)\|[^|]*\|(?:10-K|8-K)(?:/A)?",
    id="[1-9][0-9]{0,9}",
)
HEADER = "CIK|Company Name|Form Type"


@pytest.mark.parametrize(
    ("hours", "days"),
    [
        (0, 1),
        (12, 1),
        (13, 7),
        (24, 7),
        (6.5 * 24, 7),
        (6.6 * 24, 31),
        (30.5 * 24, 31),
        (31 * 24, None),
        (9_999, None),
    ],
)
def test_the_smallest_delta_that_reaches_half_a_day_beyond_the_last_fetch_is_chosen(hours, days):
    chosen = smallest(DELTAS, NOW - timedelta(hours=hours), NOW)
    assert (chosen.days if chosen else None) == days


def test_without_a_last_fetch_or_with_one_in_the_future_there_is_no_delta():
    assert smallest(DELTAS, None, NOW) is None
    assert smallest(DELTAS, NOW + timedelta(seconds=1), NOW) is None
    assert smallest([], NOW, NOW) is None


def listed(tmp_path, *lines, index=INDEX, end="\n"):
    file = tmp_path / "index"
    file.write_bytes(end.join(lines).encode("latin-1"))
    return ids(index, file)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_ids_come_once_in_order_of_first_appearance(tmp_path, end):
    lines = [
        "Daily Index",
        "7|before the header|10-K",
        HEADER,
        "-----",
        "30|Ä|10-K",
        "4|B|8-K/A",
        "30|A|8-K",
        "5|C|4",
    ]
    assert listed(tmp_path, *lines, end=end) == ["30", "4"]


@pytest.mark.parametrize(
    "lines", [[], ["<html>Down for maintenance</html>"], ["1|A|10-K"], ["CIK|Name", "1|A|10-K"]]
)
def test_a_document_without_the_header_is_no_index(tmp_path, lines):
    with pytest.raises(UnreadableDocument, match="no_index"):
        listed(tmp_path, *lines)


@pytest.mark.parametrize("found", ["", "0", "x", "1x", "12345678901", "1/..", "²", " 1"])
def test_an_id_of_another_shape_refuses_the_index(tmp_path, found):
    with pytest.raises(UnreadableDocument, match="id_unfit"):
        listed(tmp_path, HEADER, "1|A|10-K", f"{found}|A|10-K")


@pytest.mark.parametrize(
    "found",
    [
        "..",
        ".",
        "../x",
        "a/b",
        "a?b=c",
        "a#b",
        "a%2eb",
        "a b",
        "https://x.test/",
        "@x",
        "a\\b",
        "a\x00",
        "é",
        "a" * 129,
    ],
)
def test_no_declared_shape_makes_an_address_an_id(tmp_path, found):
    lenient = msgspec.structs.replace(INDEX, id="(?s).*")
    with pytest.raises(UnreadableDocument, match="id_unfit"):
        listed(tmp_path, HEADER, f"{found}|A|10-K", index=lenient)


def test_a_line_without_an_end_is_refused(tmp_path):
    with pytest.raises(UnreadableDocument, match="line_too_long"):
        listed(tmp_path, HEADER, "1" * 70_000)


def test_turns_of_one_host_are_apart_whoever_takes_them():
    turns = OwnTurns()
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: turns.take("a.test", 100), range(40)))
    gaps = [later - earlier for earlier, later in itertools.pairwise(sorted(waits))]
    assert all(99 < gap < 100.001 for gap in gaps)
    assert turns.take("b.test", 100) == 0


def test_a_host_that_asks_us_to_stay_away_gives_no_turn_before():
    turns = OwnTurns()
    turns.rest("a.test", 500)
    turns.rest("a.test", 5)
    assert 499 < turns.take("a.test", 1) <= 500
    assert turns.take("b.test", 1) == 0
