"""The heart: on whatever day the slider is, the figure is what REST says for that day."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from support.explorer_pages import FY2022, NYALUMERA, as_of, figure, in_rest

START = f"#/company/{NYALUMERA}?item=revenue&period={FY2022}"
SEED = 20240315
FIGURES = 8


def test_dragging_shows_what_was_known_that_day(visit, demo):
    page = visit().go(START)
    assert figure(page) == "1100000000"
    slider = page.locator(".time")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 13, middle)
    page.mouse.down()
    seen = set()
    for share in (0.95, 0.75, 0.65, 0.6, 0.5, 0.3):
        page.mouse.move(box["x"] + box["width"] * share, middle, steps=3)
        shown, day = figure(page), as_of(page)
        seen.add(shown)
        assert (shown and Decimal(shown)) == in_rest(demo, NYALUMERA, "revenue", FY2022, day)
    page.mouse.up()
    assert seen == {"1100000000", "1150000000", None}


def test_keys_do_the_same(visit, demo):
    page = visit().go(f"{START}&as_of=2024-03-15")
    assert figure(page) == "1100000000"
    page.locator(".time").focus()
    page.keyboard.press("ArrowLeft")
    assert as_of(page) == "2024-03-14"
    assert figure(page) == "1150000000" == str(in_rest(demo, NYALUMERA, "revenue", FY2022, "2024-03-14"))
    page.keyboard.press("PageDown")
    assert as_of(page) == "2024-02-13"
    page.keyboard.press("Shift+PageDown")
    assert as_of(page) == "2023-02-13"
    assert figure(page) is None
    page.get_by_role("button", name="Change after").click()
    assert as_of(page) == "2023-03-16"
    assert figure(page) == "1150000000"
    assert "As known on 16 March 2023" in page.inner_text("[aria-live=polite].said")


def test_the_state_is_an_address(visit):
    visitor = visit()
    page = visitor.go(f"{START}&as_of=2024-03-15")
    page.get_by_role("button", name="Go to the day before").click()
    figure(page)
    page.wait_for_url("**as_of=2024-03-14*")
    again = visit()
    again.open(page.url)
    assert (as_of(again.page), figure(again.page)) == ("2024-03-14", "1150000000")


@pytest.mark.parametrize("day", ["2022-03-20", "2022-03-21", "2023-03-20", "2023-03-21", "2025-06-01"])
def test_a_withdrawn_value_is_gone_from_the_day_of_its_withdrawal(visit, demo, day):
    bank = demo.id_of("cik:9000000002")
    period = "2021-01-01..2021-12-31~NGN"
    page = visit().go(f"#/company/{bank}?item=dividends_paid&period={period}&as_of={day}")
    shown = figure(page)
    assert (shown and Decimal(shown)) == in_rest(demo, bank, "dividends_paid", period, day)
    assert (shown is not None) == ("2022-03-21" <= day < "2023-03-21")


def test_figures_chosen_by_chance_are_those_of_rest_to_the_last_digit(visit, demo):
    chance = random.Random(SEED)
    ranked = demo.get("/v1/screen", metric="liabilities_to_assets", limit="100").exact["data"]
    visitor = visit()
    for issuer in chance.sample([row["service_id"] for row in ranked], FIGURES):
        rows = demo.facts(issuer, vintages="all")
        row = chance.choice([one for one in rows if one["vintage"] > 1] or rows)
        period = f"{row['period_start'] or ''}..{row['period_end']}~{row['unit']}"
        day = chance.choice([row["available_at"], *(one["available_at"] for one in rows)])
        page = visitor.go(f"#/company/{issuer}?item={row['line_item']}&period={period}&as_of={day}")
        shown = figure(page)
        expected = in_rest(demo, issuer, row["line_item"], period, day)
        assert shown == (None if expected is None else str(expected)), (SEED, issuer, row["line_item"], day)


def test_each_vintage_tells_its_source_its_licence_and_a_link_that_lasts(visit, demo):
    page = visit().go(START)
    figure(page)
    page.locator(".vintages summary").first.click()
    (first, _) = [
        row
        for row in demo.facts(NYALUMERA, vintages="all", period_type="FY")
        if row["line_item"] == "revenue" and row["fiscal_year"] == 2022
    ]
    opened = page.locator(".vintages details[open]").inner_text()
    for said in (first["source_ref"], first["license_class"], first["fact_id"], "stamped by a regulator"):
        assert said in opened
    page.locator("details[open] .permanent").click()
    page.wait_for_url("**edition=*")
    assert (as_of(page), figure(page)) == (first["available_at"], str(first["value_reported"]))


def test_a_point_of_the_chart_opens_its_vintage(visit):
    page = visit().go(START)
    figure(page)
    # The points of a chart are read with the arrow keys; Enter opens what is read.
    chart = page.locator(".chart")
    chart.focus()
    while "16 Mar 2023" not in chart.locator("[aria-live]").inner_text():
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "16 March 2023" in page.inner_text(".vintages details[open]")
