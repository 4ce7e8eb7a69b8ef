"""Which files hold a table: ranges side by side, each in whole parts."""

from __future__ import annotations

from sankofa.export.ranges import WINDOW, File, last_edition, newest, ranges, windows


def file(
    first, last, *, rows=10, part=0, parts=1, after=0, until=100, number=1, standing="pending", live=False
):
    return File(
        name=f"{first}-{last}-{part}-{number}",
        artifact_id=number,
        first=first,
        last=last,
        part=part,
        parts=parts,
        after=after,
        until=until,
        rows=rows,
        standing=standing,
        is_live=live,
        object_key="",
        license_class="synthetic",
    )


def held(*files):
    return [(one.first, one.last) for one in ranges(files) if one.usable]


def test_a_range_counts_once_all_its_parts_are_there_in_a_row():
    first, second = file(1, 2, parts=2, until=50), file(1, 2, part=1, parts=2, after=50)
    assert held(first) == []
    assert held(first, second) == [(1, 2)]
    assert held(first, file(1, 2, part=1, parts=2, after=60)) == []


def test_what_a_takedown_left_of_a_listed_range_stays():
    left = file(1, 2, parts=2, until=50, standing="listed", live=True)
    taken = file(1, 2, part=1, parts=2, after=50, standing="void")
    (one,) = ranges([left, taken])
    assert one.usable == [left]
    again = file(1, 2, part=1, parts=2, after=50, number=9)
    (one,) = ranges([left, taken, again])
    assert one.usable == [left, again]


def test_a_range_of_which_nothing_is_left_is_none():
    assert held(file(1, 3, standing="void"), file(4, 4)) == [(4, 4)]


def test_new_rows_begin_after_the_last_range_even_if_that_was_taken_down():
    assert last_edition(ranges([file(1, 3), file(4, 6, standing="void")])) == 6
    assert last_edition([]) == 0


def test_the_newest_file_is_one_that_may_be_listed():
    kept, gone = file(1, 1, number=1), file(1, 2, number=2, standing="void")
    assert newest([kept, gone]) == kept
    assert newest([gone]) is None


def test_windows_cover_all_row_ids_once_and_the_first_begins_at_nothing():
    assert windows(0, 0) == [(0, 0)]
    assert windows(0, WINDOW) == [(0, WINDOW)]
    assert windows(0, WINDOW + 1) == [(0, WINDOW), (WINDOW, WINDOW + 1)]
    assert windows(WINDOW - 1, WINDOW + 1) == [(0, WINDOW), (WINDOW, WINDOW + 1)]
    assert windows(WINDOW + 5, WINDOW + 9) == [(0, WINDOW + 9)]
