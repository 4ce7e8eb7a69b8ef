"""The file of golden agreement is as the measuring command writes it, and its numbers can be."""

from __future__ import annotations

import pytest

from sankofa.fundamentals.agreement import Agreement, agreement, kept, parsed, written


def test_the_file_is_as_the_command_writes_it():
    assert kept() == written(agreement())


def test_what_is_written_is_read_as_it_was():
    found = Agreement(map_version="0123456789ab", agreed=597, compared=600, command='pytest -k "golden"')
    assert parsed(written(found)) == found
    assert parsed(written(None)) is None


@pytest.mark.parametrize(("agreed", "compared"), [(2, 1), (-1, 1), (0, 0)])
def test_numbers_that_cannot_be_are_refused(agreed, compared):
    with pytest.raises(ValueError, match="cannot agree"):
        Agreement(map_version="x", agreed=agreed, compared=compared, command="x")
