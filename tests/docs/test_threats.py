"""The page of threats names tests that there are."""

from __future__ import annotations

import re

from support.repository import ROOT

PAGE = ROOT / "docs" / "operations" / "threats.md"
TEST = re.compile(r"`(tests/\w+/test_\w+\.py)`")


def test_every_threat_names_a_test_that_there_is():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    threats = [row for row in rows if not row.startswith("| threat ")]
    assert len(threats) > 20
    named = {row: TEST.findall(row) for row in threats}
    assert [row for row, tests in named.items() if not tests] == []
    assert [test for tests in named.values() for test in tests if not (ROOT / test).is_file()] == []
