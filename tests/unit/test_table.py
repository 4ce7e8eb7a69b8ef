"""Tables: preambles, line ends and torn rows, within bounds."""

from __future__ import annotations

import pytest

from sankofa.core.errors import UnreadableDocument
from sankofa.ingest.bytes.bounds import Limits
from sankofa.ingest.bytes.table import read_export
from sankofa.ingest.series.builder import LIMITS


def read(data, columns=("a", "b"), limits=LIMITS):
    table = read_export(data, columns, limits)
    return table.header, list(table.rows)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", [True, False])
def test_line_ends_and_a_byte_order_mark_make_no_difference(end, mark, last):
    data = mark + end.join([b"a,b", b"1,2", b"", b'"3","4"']) + (end if last else b"")
    assert read(data) == (["a", "b"], [["1", "2"], ["3", "4"]])


def test_line_ends_may_be_mixed():
    assert read(b"a,b\r1,2\r\n3,4\n5,6\r7,8") == (
        ["a", "b"],
        [["1", "2"], ["3", "4"], ["5", "6"], ["7", "8"]],
    )


@pytest.mark.parametrize("lines", range(5))
def test_a_preamble_may_have_any_length(lines):
    preamble = b'"Data Source","x",\n' * lines
    table = read_export(preamble + b"\na,b\n1,2\n", ("a", "b"), LIMITS)
    assert (table.preamble, list(table.rows)) == ([["Data Source", "x", ""]] * lines, [["1", "2"]])


def test_a_comma_after_the_last_column_is_no_column():
    assert read(b"a,b,\n1,2,\n3,4\n5,6,,,\n") == (["a", "b"], [["1", "2"], ["3", "4"], ["5", "6"]])


def test_a_last_row_without_the_comma_and_the_line_end_of_the_others_is_torn():
    assert read(b"a,b,\n1,2,\n3,4")[1] == [["1", "2"], []]
    assert read(b"a,b,\n1,2,\n3,4,")[1] == [["1", "2"], ["3", "4"]]
    assert read(b"a,b\n1,2\n3,4")[1] == [["1", "2"], ["3", "4"]]


def test_a_torn_row_is_empty_and_costs_no_other():
    assert read(b'a,b\n1\n1,2,3\n"1,2\n"1"x,2\n5,6\n')[1] == [[], [], [], [], ["5", "6"]]


def test_space_around_fields_is_dropped():
    assert read(b"a, b\n 1 , 2\n") == (["a", "b"], [["1", "2"]])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "missing_column"),
        (b"a\n1\n", "missing_column"),
        (b"x\n" * 100 + b"a,b\n", "missing_column"),
        (b"a,b,b\n", "duplicate_column"),
        (b"a,b\n1,\0\n", "nul_character"),
        (b"a,b\n1,\xff\n", "not_utf8"),
        (b"a,b\n" + b"," * 100, "line_too_long"),
    ],
)
def test_what_is_no_such_table_is_refused(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read(data, limits=Limits(line_bytes=64))
