"""The company page: the statements of any day, found by search, in few calls, to take away and to cite."""

from __future__ import annotations

import csv
import random
import re
from datetime import date, timedelta
from decimal import Decimal

import pytest

from support.explorer_pages import NYALUMERA, VIEWS, as_of

PAGE = f"#/company/{NYALUMERA}"
PARTS = ("company", "ratios", "filings", "company-tenders", "identifiers")
SEED = 20221231
DAYS = 6
MOST_CALLS = 3


def calls(visitor):
    return [request.url for request in visitor.requests if "/v1/" in request.url]


def cells(page):
    """Return the table as shown: (line item, period) to digits, "" where nothing is known."""
    return page.evaluate(
        """() => Object.fromEntries(
             [...document.querySelectorAll('.statement tbody tr:not(.section)')].flatMap(
             row => [...row.querySelectorAll('td')].map((cell, at) => [
               row.querySelector('th').firstChild.textContent + '|'
                 + document.querySelectorAll('.statement thead th')[at + 1].firstChild.textContent,
               cell.querySelector('data')?.value ?? ''])))"""
    )


def named(line_item):
    words = line_item.replace("eps", "EPS").replace("capex", "capital expenditure").replace("_", " ")
    return words[0].upper() + words[1:]


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("part", PARTS)
def test_a_page_costs_at_most_three_calls_and_begins_with_purpose_and_slider(visit, part, width):
    visitor = visit(sandbox=True, width=width)
    page = visitor.go(VIEWS[part])
    page.wait_for_load_state("networkidle")
    assert len(calls(visitor)) <= MOST_CALLS, calls(visitor)
    assert page.locator(".lead").is_visible()
    box = page.locator(".time").bounding_box()
    assert box["y"] + box["height"] < page.viewport_size["height"]


def test_the_first_page_costs_at_most_three_calls(visit):
    visitor = visit(sandbox=True)
    page = visitor.go("")
    page.wait_for_load_state("networkidle")
    assert len(calls(visitor)) <= MOST_CALLS
    assert "Nyalumera" in page.inner_text("h1")


def test_the_table_is_what_rest_says_on_days_chosen_by_chance(visit, demo):
    chance = random.Random(SEED)
    visitor = visit()
    page = visitor.go(PAGE)
    asked = len(calls(visitor))
    for _ in range(DAYS):
        day = (date(2018, 2, 1) + timedelta(days=chance.randrange(2_800))).isoformat()
        page.locator(".as-of input[type=date]").fill(day)
        rows = demo.facts(NYALUMERA, as_of=day, period_type="FY")
        expected = {
            f"{named(row['line_item'])}|FY {row['fiscal_year']}": Decimal(row["value_reported"])
            for row in rows
        }
        shown = {cell: Decimal(digits) for cell, digits in cells(page).items() if digits}
        assert shown == expected, (SEED, day)
    assert len(calls(visitor)) == asked  # the slider asks for nothing


def test_a_restatement_is_marked_and_told_as_a_story(visit):
    page = visit().go(f"{PAGE}?as_of=2024-03-15")
    told = page.inner_text(".story").replace("\u00a0", " ")
    assert told.startswith(
        "On 15 March 2024 the company restated revenue for 2022 from 1.15 billion to 1.1 billion KES"
    )
    assert "1.1 billion, restated" in page.locator("button.cell.restated").all_text_contents()
    page.get_by_role("button", name="Go to the day before").click()
    assert as_of(page) == "2024-03-14"
    assert page.locator("button.cell.restated").count() == 0
    assert page.locator("button.cell.later").first.text_content() == "1.15 billion, restated later"
    assert "Not public yet on this day" in page.inner_text(".story")


def test_a_cell_opens_the_history_of_its_value(visit):
    page = visit().go(PAGE)
    row = page.locator(".statement tr", has=page.get_by_role("rowheader", name="Net income", exact=True))
    row.locator("button.cell").nth(2).click()
    page.wait_for_url("**item=net_income*")
    assert page.inner_text(".figure-title").startswith("Net income, FY 2022")
    page.locator(".vintages summary").first.click()
    page.locator(".vintages details[open] .filing:not(:empty)").wait_for()
    assert "20-F 9000000000-23-000006" in page.inner_text(".vintages details[open]")


@pytest.mark.parametrize(
    ("sought", "found"),
    [
        ("nyalum", "Nyalumera Foods Holdings PLC"),
        ("Nyalumera Millers", "Nyalumera Foods Holdings PLC"),
        ("XJSE:KWZ", "Kwezolira Telecoms"),
        ("9999DEMO100000000162", "Kwezolira Telecoms"),
    ],
)
@pytest.mark.parametrize("shortcut", ["/", "Control+k"])
def test_a_company_is_found_as_one_types(visit, sought, found, shortcut):
    page = visit().go("#/editions")
    page.keyboard.press(shortcut)
    box = page.get_by_role("combobox", name="Find a company")
    assert box.evaluate("one => one === document.activeElement")
    page.keyboard.type(sought)
    page.get_by_role("option", name=re.compile(found)).first.wait_for()
    assert box.get_attribute("aria-expanded") == "true"
    chosen = box.get_attribute("aria-activedescendant")
    assert page.locator(f"#{chosen}").get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    page.wait_for_selector(f"h1:text('{found}')")


def test_search_says_when_nothing_matches_and_has_no_barrier(visit):
    visitor = visit()
    page = visitor.go("#/editions")
    page.get_by_role("combobox", name="Find a company").fill("qqqqqqqq")
    page.wait_for_selector(".found-message:text('No company matches')")
    page.get_by_role("combobox", name="Find a company").fill("nyalumera")
    page.locator("#found li").first.wait_for()
    assert visitor.barriers() == []
    page.keyboard.press("Escape")
    assert page.locator("#found li").count() == 0


def test_the_table_is_downloaded_with_exact_values(visit):
    page = visit().go(f"{PAGE}?as_of=2024-03-14")
    with page.expect_download() as started:
        page.get_by_role("button", name="CSV", exact=True).first.click()
    file = started.value
    assert file.suggested_filename.endswith("as-known-on-14-march-2024.csv")
    with open(file.path(), encoding="utf-8", newline="") as text:  # noqa: PTH123 - a path of Playwright
        rows = list(csv.DictReader(text))
    (revenue,) = [row for row in rows if row["line_item"] == "revenue"]
    assert (revenue["FY 2022"], revenue["unit"], revenue["FY 2023"]) == ("1150000000", "KES", "")


def test_the_chart_is_downloaded_as_a_picture(visit):
    page = visit().go(PAGE)
    with page.expect_download() as started:
        page.get_by_role("button", name="PNG", exact=True).last.click()
    with open(started.value.path(), "rb") as picture:  # noqa: PTH123 - a path of Playwright
        assert picture.read(8) == b"\x89PNG\r\n\x1a\n"


def test_a_citation_names_edition_day_and_address(visit, demo):
    page = visit().go(f"{PAGE}?as_of=2024-03-14")
    page.get_by_role("button", name="Cite: copy a citation").first.click()
    page.get_by_role("button", name="Cite: copy a citation").first.get_by_text("Copied").wait_for()
    cited = page.evaluate("navigator.clipboard.readText()")
    assert "Nyalumera Foods Holdings PLC: statements, as known on 14 March 2024. Sankofa, edition " in cited
    address = re.search(r"http\S+(/v1/\S+)", cited)[1]
    assert demo.client.get(address, headers={"X-API-Key": demo.issue().key}).status_code == 200


def test_numbers_are_read_rounded_and_copied_exactly(visit):
    page = visit().go(f"#/company/{NYALUMERA}?tab=ratios&as_of=2024-03-14")
    shown = page.locator("data.exact").first
    assert re.fullmatch(r"[\d,.]+\u00a0%", shown.inner_text())
    exact = shown.get_attribute("value")
    shown.evaluate("one => getSelection().selectAllChildren(one)")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == exact
    assert len(exact) > len("0.123")


def test_a_former_name_is_shown_for_its_days(visit):
    page = visit().go(f"{PAGE}?as_of=2020-06-30")
    assert "Named Nyalumera Millers PLC on this day" in page.inner_text(".lead")


def test_an_organisation_without_accounts_shows_its_tenders(visit, demo):
    parties = demo.get("/v1/tender-parties", role="buyer", country="KE", limit="1").exact["data"]
    visitor = visit(sandbox=True)
    page = visitor.go(f"#/company/{parties[0]['service_id']}")
    assert "No accounts of this organisation are held" in page.inner_text(".lead")
    page.locator("details[open] table").wait_for()
    assert len(calls(visitor)) <= MOST_CALLS
    assert page.locator(".company-tabs a").all_inner_texts() == ["Tenders", "Identifiers"]
