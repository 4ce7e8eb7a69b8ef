"""The frame of every page: wrong addresses, limits, the banner on invented data, titles."""

from __future__ import annotations

import httpx
import pytest

from support.explorer_pages import NYALUMERA, VIEWS
from support.waiting import until

COMPANY = f"#/company/{NYALUMERA}"
COUNTDOWN = "() => parseInt(document.querySelector('.waiting strong')?.textContent ?? '0')"


@pytest.mark.parametrize(
    ("place", "told", "mended"),
    [
        (f"{COMPANY}?as_of=banana", "as_of=banana is not a date", "Open without as_of"),
        (f"{COMPANY}?as_of=2023-13-45", "as_of=2023-13-45 is not a date", "Open without as_of"),
        (f"{COMPANY}?as_of=2010-01-01", "is before the first day of this page", "Show 30 January 2018"),
        (f"{COMPANY}?as_of=2199-01-01", "is after", "Show "),
        (f"{COMPANY}?asof=2024-03-14", "no parameter asof", "Open without asof"),
        (f"{COMPANY}?item=bogus", "item=bogus is unknown here", "Open without item"),
        (f"{COMPANY}?period=1066", "period=1066 is unknown here", "Open without period"),
        (f"{COMPANY}?tab=bogus", "tab=bogus is unknown here", "Open without tab"),
        ("#/banana", "There is no page “banana”", "Go to the companies"),
    ],
)
def test_a_wrong_address_says_what_is_wrong_and_how_to_mend_it(visit, place, told, mended):
    visitor = visit()
    page = visitor.go(place)
    alert = page.get_by_role("alert")
    assert told in alert.inner_text()
    assert page.url.endswith(place.replace("“", ""))  # nothing is silently changed
    assert visitor.barriers() == []
    alert.get_by_role("link", name=mended).click()
    page.wait_for_selector(f"h1:text('{'Companies' if mended.endswith('companies') else 'Nyalumera'}')")
    assert page.get_by_role("alert").count() == 0


def test_an_address_of_a_former_menu_still_leads_to_the_company(visit):
    page = visit().go(f"#/issuer/{NYALUMERA}?item=revenue&as_of=2024-03-14")
    assert "1,150,000,000" in page.inner_text(".figure")
    assert page.url.split("#")[1].startswith(f"/company/{NYALUMERA}")


def test_a_limit_is_waited_for_with_a_countdown(visit, site, demo):
    visitor = visit(sandbox=True)
    visitor.forgive("429")
    page = visitor.go("#/editions")
    key = demo.issue("sample").key
    page.evaluate("key => sessionStorage.setItem('sankofa-key', key)", key)
    while httpx.get(f"{site.address}/v1/editions", headers={"X-API-Key": key}).status_code == 200:
        pass
    page.reload()
    strip = page.locator(".waiting")
    strip.get_by_text("The request limit of this key is reached.").wait_for()
    left = int(strip.locator("strong").inner_text().removesuffix(" s"))
    assert 0 < left <= 60
    until(lambda: page.evaluate(COUNTDOWN) < left)
    page.wait_for_selector("main:not([aria-busy]) h1", timeout=70_000)
    assert page.get_by_role("alert").count() == 0
    assert strip.inner_text() == ""


def test_invented_data_is_announced_where_it_is_shown(visit):
    page = visit().go(COMPANY)
    assert "Fictional demo data" in page.inner_text(".banner")


def test_each_page_has_a_title_of_its_own(visit):
    visitor = visit()
    titles = [visitor.go(place).title() for place in VIEWS.values()]
    assert titles[0] == "Nyalumera Foods Holdings PLC · Sankofa"
    assert len(set(titles)) == len(titles)


def test_the_docs_are_one_click_away(visit):
    page = visit().go(COMPANY)
    assert page.locator("header nav").get_by_role("link", name="Docs").get_attribute("href") == "/docs/"


def test_the_dialog_names_the_key_in_use(visit):
    page = visit().go(COMPANY)
    page.get_by_role("button", name="Your key").click()
    assert "In use: your own key" in page.inner_text("#key-dialog")
    page.get_by_role("button", name="Use the sandbox key").click()
    page.get_by_role("button", name="Sandbox key").click()
    assert "In use: the public sandbox key" in page.inner_text("#key-dialog")
