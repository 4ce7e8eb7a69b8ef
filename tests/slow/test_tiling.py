"""Which files hold a dataset: ranges side by side, compacted when they are many, never with a gap."""

from __future__ import annotations

import random

from sankofa.export.tiling import WINDOW, File, first_edition, tiling, windows


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
    )


def held(*files):
    return [(one.first, one.last) for one in tiling(files)]


def test_a_larger_range_takes_the_place_of_those_it_covers():
    assert held(file(1, 3), file(4, 4), file(1, 4, number=2)) == [(1, 4)]
    assert held(file(1, 3), file(4, 4), file(5, 5)) == [(1, 3), (4, 4), (5, 5)]


def test_a_range_counts_once_all_its_parts_are_there_in_a_row():
    first, second = file(1, 2, parts=2, until=50), file(1, 2, part=1, parts=2, after=50)
    assert held(first) == []
    assert held(first, second) == [(1, 2)]
    assert held(first, file(1, 2, part=1, parts=2, after=60)) == []


def test_what_a_takedown_left_of_a_listed_range_stays():
    left = file(1, 2, parts=2, until=50, standing="listed", live=True)
    taken = file(1, 2, part=1, parts=2, after=50, standing="void")
    (one,) = tiling([left, taken])
    assert [each.is_usable for each in one.files] == [True, False]
    again = file(1, 2, part=1, parts=2, after=50, number=9)
    (one,) = tiling([left, taken, again])
    assert [each.name for each in one.files] == [left.name, again.name]


def test_a_range_of_which_nothing_is_left_is_none():
    assert held(file(1, 3, standing="void"), file(4, 4)) == [(4, 4)]


def test_windows_cover_all_row_ids_once_and_the_first_begins_at_nothing():
    assert windows(0, 0) == [(0, 0)]
    assert windows(0, WINDOW) == [(0, WINDOW)]
    assert windows(0, WINDOW + 1) == [(0, WINDOW), (WINDOW, WINDOW + 1)]
    assert windows(WINDOW - 1, WINDOW + 1) == [(0, WINDOW), (WINDOW, WINDOW + 1)]
    assert windows(WINDOW + 5, WINDOW + 9) == [(0, WINDOW + 9)]


def test_files_stay_few_and_rows_are_written_few_times():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    base, files, written, arrived = 20_000_000, [], 0, 0
    for edition in range(1, 1_001):
        new = base if edition == 1 else rng.choice([10, 500, 20_000])
        first = first_edition(tiling(files), new)
        covered = sum(one.rows for one in tiling(files) if one.first >= first)
        files = [one for one in files if one.last < first] + [file(first, edition, rows=covered + new)]
        arrived += new
        written += covered + new
        (head, *_), ends = tiling(files), [one.last for one in tiling(files)]
        assert head.first == 1
        assert ends[-1] == edition
        assert all(one.first == end + 1 for one, end in zip(tiling(files)[1:], ends, strict=False))
        assert sum(one.rows for one in tiling(files)) == arrived
        assert len(files) < 40
    print(f"{len(files)} files, each row written {written / arrived:.1f} times")
    assert written / arrived < 8
