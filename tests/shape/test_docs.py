"""The docs agree with the code and with each other."""

from __future__ import annotations

import re

from dev.reference import METRICS_PAGE, SETTINGS_PAGE, settings_page
from repository import ROOT, files, told
from sankofa.metrics.pages import methodology_page

LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def pages():
    return [path for path in files() if path.suffix == ".md"]


def anchors(page):
    """Return what a heading is called in an address: lower case, without punctuation, spaces as dashes."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page):
    for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            yield f"{told(page)}: {name}#{anchor}"


def test_relative_links_resolve():
    assert [link for page in pages() for link in broken(page)] == []


def test_the_page_on_settings_is_in_step_with_the_settings():
    assert SETTINGS_PAGE.read_text(encoding="utf-8") == settings_page(), "run: python -m dev settings"


def test_the_page_on_metrics_is_in_step_with_the_formulas():
    assert METRICS_PAGE.read_text(encoding="utf-8") == methodology_page(), "run: python -m dev metrics"


def test_the_changelog_has_room_for_what_comes():
    assert re.search(
        r"^## \[Unreleased\]$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
