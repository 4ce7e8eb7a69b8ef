"""The page on the bench has the figures of the last whole run."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from bench import page
from bench.cells import CELLS
from bench.section import replaced


def test_the_page_and_its_picture_are_in_step_with_the_figures():
    text = page.PAGE.read_text(encoding="utf-8")
    assert text == replaced(text, page.section(page.kept())), "run: python -m bench --write"
    assert page.PICTURE.read_text(encoding="utf-8") == page.picture(page.kept().cells)


def test_every_cell_has_figures():
    assert [one.cell for one in page.kept().cells] == [cell.name for cell in CELLS]


def test_the_picture_is_well_formed_and_has_a_bar_for_each_cell():
    root = ET.fromstring(page.PICTURE.read_text(encoding="utf-8"))
    bars = [part for part in root.iter() if part.get("class") == "bar"]
    assert len(bars) == len(CELLS)
