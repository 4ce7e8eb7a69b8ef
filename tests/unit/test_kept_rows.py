"""Rows that a process keeps: as many as it may, and none that were dropped while they were read."""

from __future__ import annotations

import tracemalloc

from sankofa.storage.kept_rows import KeptRows


def filled(rows, *subjects):
    for subject in subjects:
        rows.keep(subject, {(subject, number): number for number in range(2)}, rows.cleared)
    return rows


def test_what_was_asked_for_least_recently_is_dropped_first():
    rows = filled(KeptRows(4), "one", "two")
    assert rows.about("one") == {("one", 0): 0, ("one", 1): 1}
    filled(rows, "three")
    assert (len(rows), len(rows.about("one")), rows.about("two")) == (4, 2, {})


def test_rows_that_are_kept_already_are_counted_once():
    rows = filled(KeptRows(4), "one", "two", "one")
    rows.keep("one", {("one", 2): 2}, rows.cleared)
    assert (len(rows), rows.about("two")) == (3, {})


def test_a_subject_with_more_rows_than_may_be_kept_is_not_kept():
    assert len(filled(KeptRows(1), "one")) == 0


def test_subjects_without_rows_take_no_memory():
    rows = KeptRows(4)
    tracemalloc.start()
    try:
        for number in range(1_000):
            rows.keep(str(number), {}, rows.cleared)
        assert tracemalloc.get_traced_memory()[0] < 10_000
    finally:
        tracemalloc.stop()


def test_rows_read_before_all_were_dropped_are_not_kept():
    rows = filled(KeptRows(4), "one")
    before = rows.cleared
    rows.clear()
    rows.keep("two", {("two", 0): 0}, before)
    assert (len(rows), rows.about("one"), rows.about("two")) == (0, {}, {})
