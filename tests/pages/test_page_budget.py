"""What every page keeps to: three calls, a purpose and the slider at first sight, a title of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from support.chromium import Visitor
from support.explorer_pages import VIEWS

OWN = ["screen", "tenders", "tender", "signals", "macro", "country", "sources", "coverage", "editions"]
WITH_SLIDER = {"screen", "tenders", "tender", "macro", "country"}
HEIGHTS = {1440: 900, 390: 844}


@pytest.fixture
def frugal(site, demo, browser):
    """Return a visitor with a sample key of its own: other tests spend the limits of the sandbox key."""

    def come(**options):
        return Visitor(browser, replace(site, own_key=demo.issue("sample").key), **options)

    return come


@pytest.mark.parametrize("width", [1440, 390])
def test_purpose_and_slider_are_seen_without_scrolling(frugal, width):
    visitor = frugal(width=width)
    for view in OWN:
        page = visitor.go(VIEWS[view])
        lead = page.locator(".lead").bounding_box()
        assert lead["y"] + lead["height"] < HEIGHTS[width], view
        if view in WITH_SLIDER:
            slider = page.locator(".time").bounding_box()
            assert slider["y"] + slider["height"] < HEIGHTS[width], view


def test_a_page_costs_at_most_three_calls(frugal):
    for view in OWN:
        visitor = frugal()
        visitor.go(VIEWS[view])
        assert 1 <= len(visitor.calls()) <= 3, (view, visitor.calls())
        visitor.close()


def test_each_page_has_a_title_of_its_own(visit):
    visitor = visit()
    titles = {view: visitor.go(VIEWS[view]).title() for view in OWN}
    assert len(set(titles.values())) == len(OWN), titles
    assert all(title.endswith(" · Sankofa") for title in titles.values())


def test_sixty_views_in_a_minute_meet_no_limit(frugal):
    """As people do, who look around and come back: answers are kept while the page is open."""
    visitor = frugal()
    refused = []
    visitor.page.on("response", lambda answer: refused.append(answer.url) if answer.status == 429 else None)
    places = list(VIEWS.values())
    for number in range(60):
        visitor.open(f"{visitor.site.address}/{places[number % len(places)]}")
    assert refused == []
    assert len(visitor.calls()) <= 60
    visitor.close()
