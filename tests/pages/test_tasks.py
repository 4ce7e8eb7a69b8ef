"""What a new user comes to do, and in how many steps: a click, a line typed or a call counts as one."""

from __future__ import annotations

import re

import pytest

from support.explorer_pages import NYALUMERA, as_of
from support.tasks import Task

NAME = "Nyalumera Foods Holdings PLC"


@pytest.fixture
def task(request):
    name, most = request.param
    task = Task(name, most)
    yield task
    task.end()


def doing(name, most):
    return pytest.mark.parametrize("task", [(name, most)], indirect=True)


@doing("find a company by half its name", 4)
def test_find_a_company(visit, task):
    page = task.do(visit(sandbox=True).go, "")
    task.do(page.keyboard.press, "/")
    task.do(page.keyboard.type, "nyalum")
    page.get_by_role("option", name=NAME).first.wait_for()
    task.do(page.keyboard.press, "Enter")
    page.wait_for_selector(f"h1:text('{NAME}')")


@doing("see what was known on a day", 2)
def test_what_was_known_on_a_day(visit, task):
    page = task.do(visit(sandbox=True).go, f"#/company/{NYALUMERA}")
    task.do(page.locator(".as-of input[type=date]").fill, "2023-06-30")
    assert as_of(page) == "2023-06-30"
    assert "1.15 billion" in page.inner_text(".statement")


@doing("see who restated recently", 2)
def test_who_restated(visit, task, demo):
    page = task.do(visit(sandbox=True).go, "#/editions")
    task.do(page.get_by_role("link", name="Companies", exact=True).click)
    shown = page.locator("table tbody tr")
    shown.first.wait_for()
    newest = demo.get("/v1/filings").exact["data"][: shown.count()]
    counts = [int(shown.nth(at).locator("td").last.inner_text()) for at in range(shown.count())]
    assert counts == [row["changed_values"] for row in newest]
    assert any(counts)


@doing("see who won a tender", 2)
def test_who_won_a_tender(visit, task, demo):
    page = task.do(visit(sandbox=True).go, "#/tenders?country=KE")
    link = page.locator("td .subject", has_text="awarded to").locator("a[href^='#/tender/']").first
    ocid = re.search(r"#/tender/([^?]+)", link.get_attribute("href"))[1]
    task.do(link.click)
    page.wait_for_selector(".timeline")
    (record,) = demo.get(f"/v1/tenders/{ocid}").exact["data"]
    winners = [one["name"] for award in record.get("awards", ()) for one in award.get("suppliers", ())]
    assert winners
    assert all(name in page.inner_text("main") for name in winners)


@doing("download a table", 2)
def test_download_a_table(visit, task):
    page = task.do(visit(sandbox=True).go, f"#/company/{NYALUMERA}")
    with page.expect_download() as started:
        task.do(page.get_by_role("button", name="CSV", exact=True).first.click)
    with open(started.value.path(), encoding="utf-8") as file:  # noqa: PTH123 - a path of Playwright
        assert "revenue" in file.read()


@doing("cite a number", 2)
def test_cite_a_number(visit, task):
    page = task.do(visit(sandbox=True).go, f"#/company/{NYALUMERA}?as_of=2024-03-14")
    button = page.get_by_role("button", name="Cite: copy a citation").first
    task.do(button.click)
    button.get_by_text("Copied").wait_for()
    assert "as known on 14 March 2024" in page.evaluate("navigator.clipboard.readText()")


@doing("open the source of a value", 3)
def test_open_a_source(visit, task):
    page = task.do(visit(sandbox=True).go, f"#/company/{NYALUMERA}?as_of=2024-03-14")
    task.do(page.locator("button.cell.later").first.click)
    task.do(page.locator(".vintages summary").first.click)
    page.locator(".vintages details[open] .filing:not(:empty)").wait_for()
    assert "9000000000-23-000006" in page.inner_text(".vintages details[open]")
