"""When there is nothing to show, the page says why and what to do next."""

from __future__ import annotations

from support.explorer_pages import NYALUMERA, figure

WRONG = "snk_this_is_no_key"


def test_a_wrong_key_is_told_with_the_way_out(visit):
    visitor = visit(sandbox=True, width=390)
    visitor.forgive("401")
    page = visitor.go()
    page.get_by_role("button", name="Sandbox key").click()
    page.get_by_label("API key").fill(WRONG)
    page.get_by_role("button", name="Use this key").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    told = alert.inner_text()
    assert "Missing or invalid API key" in told
    assert "Send one valid key" in told
    assert "Request " in told
    assert visitor.barriers() == []
    assert not visitor.is_too_wide()
    visitor.shoot("wrong-key-390-light")
    assert page.evaluate("[localStorage.length, document.cookie, location.href]")[:2] == [0, ""]
    assert WRONG not in page.url
    alert.get_by_role("button", name="Change the key").click()
    page.get_by_role("button", name="Use the sandbox key").click()
    assert figure(page) == "1100000000"


def test_an_unknown_issuer_is_told_with_the_way_out(visit):
    visitor = visit()
    visitor.forgive("404")
    page = visitor.go("#/company/DC000000000000X")
    assert "No record with that identifier" in page.get_by_role("alert").inner_text()
    page.get_by_role("link", name="Go to the start").click()
    assert figure(page) == "1100000000"


def test_an_empty_ranking_says_why(visit):
    visitor = visit()
    page = visitor.go("#/screen?metric=claims_ratio&country=KE&as_of=2018-01-02")
    assert "Nobody can be ranked on this day" in page.inner_text(".state.empty")
    assert "Choose a later day" in page.inner_text(".state.empty")
    assert visitor.barriers() == []
    visitor.shoot("empty-1440-light")


def test_absences_have_reasons(visit, demo):
    page = visit().go("#/screen?metric=net_margin&as_of=2024-03-14&basis=exact")
    absent = demo.get("/v1/screen", metric="net_margin", as_of="2024-03-14", absent="true").exact["absent"]
    told = page.inner_text(".absent")
    for reason, count in absent.items():
        assert (reason in told) == (count > 0)


def test_a_ranking_shows_the_figures_of_the_day_and_marks_those_that_were_revised(visit, demo):
    page = visit().go("#/screen?metric=net_margin&as_of=2023-06-30")
    page.wait_for_selector("th:text('Revised later')")
    rows = demo.get("/v1/screen", metric="net_margin", as_of="2023-06-30", basis="as_known").exact["data"]
    assert any(row["revised_later"] for row in rows)
    shown = page.locator(".result data.exact").evaluate_all("all => all.map(one => one.value)")
    assert shown == [str(row["value"]) for row in rows]
    page.get_by_label("Figures").select_option("exact")
    page.wait_for_selector("th:text('Revised later')", state="detached")
    assert "revised_after_as_of" in page.inner_text(".absent")


def test_identifiers_of_paid_tiers_are_named(visit):
    page = visit(sandbox=True).go(f"#/company/{NYALUMERA}?tab=about")
    assert "ISIN" in page.inner_text(".cut")


def test_what_the_sandbox_cuts_is_said(visit):
    page = visit(sandbox=True).go("#/coverage?kind=line-items")
    assert "25 rows a page" in page.inner_text(".cut")
    page.get_by_role("button", name="Show more").click()
    page.locator("main tbody tr").nth(25).wait_for()


def test_whoever_uses_keys_stays_where_they_are(visit):
    page = visit().go(f"#/company/{NYALUMERA}?item=revenue")
    cell = page.locator("button.cell").nth(3)
    cell.focus()
    page.keyboard.press("Enter")
    assert cell.get_attribute("aria-pressed") == "true"
    assert cell.evaluate("one => one === document.activeElement")
    page.goto(page.url.split("#")[0] + "#/tenders?country=ZA")
    page.wait_for_selector(".listed")
    category = page.get_by_label("Category")
    category.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**category=*")
    page.wait_for_selector("main:not([aria-busy]) .listed")
    assert category.evaluate("one => one === document.activeElement")
