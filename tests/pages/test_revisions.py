"""A series with its revisions: each vintage is a line, and moving the slider sends no request."""

from __future__ import annotations

import random

from support.explorer_pages import as_of

SERIES = "CPI.KEN"
SEED = 20240901
DAYS = 12


def vintages(demo):
    return demo.get("/v1/macro", series=SERIES, vintages="all", limit="1000").exact["data"]


def test_every_day_shows_what_rest_says_for_it_without_a_request(visit, demo):
    visitor = visit()
    page = visitor.go(f"#/macro?series={SERIES}")
    asked = len(visitor.calls())
    chance = random.Random(SEED)
    for day in chance.sample(sorted({row["available_at"] for row in vintages(demo)}), DAYS):
        page.locator(".as-of input[type=date]").fill(day)
        page.locator(".as-of input[type=date]").dispatch_event("change")
        rows = demo.get("/v1/macro", series=SERIES, as_of=day, limit="1000").exact["data"]
        assert page.get_attribute(".latest", "data-value") == str(rows[0]["value"]), (SEED, day)
        column = "all => all.map(row => row.querySelector('data.exact').value)"
        shown = page.locator("main tbody tr").evaluate_all(column)
        assert shown == [str(row["value"]) for row in rows], (SEED, day)
    assert len(visitor.calls()) == asked


def test_each_vintage_is_a_line(visit, demo):
    page = visit().go(f"#/macro?series={SERIES}")
    assert page.locator(".curve.faint").count() == 0
    page.get_by_role("button", name="Every vintage", exact=True).click()
    published = {row["available_at"] for row in vintages(demo)}
    assert page.locator(".curve.faint").count() == min(40, len(published))
    page.wait_for_url("**vintages=all*")


def test_an_observation_has_a_path_from_its_first_value_to_its_last(visit, demo):
    revised = [row for row in vintages(demo) if row["date"] == "2024-06-30"]
    assert len(revised) > 1
    page = visit().go(f"#/macro?series={SERIES}")
    page.get_by_role("button", name="30 Jun 2024").click()
    path = page.inner_text(".opened p")
    for row in revised:
        assert str(row["value"]) in path
    assert page.locator(".opened .dot.chosen").count() == len(revised)
    assert page.locator(".opened .vintages li").count() == len(revised)


def test_the_next_change_is_one_step_away(visit):
    page = visit().go(f"#/macro?series={SERIES}&as_of=2022-03-19")
    page.get_by_role("button", name="Change after").click()
    assert as_of(page) == "2022-03-20"


def test_another_series_is_found_in_the_catalogue(visit):
    visitor = visit(sandbox=True)
    page = visitor.go(f"#/macro?series={SERIES}")
    page.get_by_role("button", name="Choose another series").click()
    page.get_by_label("Search in the list").fill("population zambia")
    page.get_by_role("button", name="Population, total, Zambia").click()
    page.wait_for_selector("h1:text('Population, total, Zambia')")
