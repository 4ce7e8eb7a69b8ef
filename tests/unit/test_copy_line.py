"""Rows in COPY's text format, as PostgreSQL's manual defines it."""

from __future__ import annotations

import pytest

from sankofa.storage.postgres import copy_line


@pytest.mark.parametrize(
    ("values", "line"),
    [
        (("plain", 5, None, ""), "plain\t5\t\\N\t\n"),
        ((None,), "\\N\n"),
        (("\\N", None), "\\\\N\t\\N\n"),
        (("a\tb", "c\nd\re", "f\\g", 1), "a\\tb\tc\\nd\\re\tf\\\\g\t1\n"),
    ],
)
def test_a_row_is_told_as_copy_reads_it(values, line):
    assert copy_line(*values) == line
