"""The docs in a real browser: they render, search and ask, without another host and without an error."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import expect

from support.explorer_pages import LOOKS
from support.waiting import until

SHOWN = {
    "home": "/docs/",
    "concept": "/docs/concepts/as-of/",
    "api": "/docs/api/",
    "calls": "/docs/api/fundamentals/",
    "glossary": "/docs/concepts/glossary/",
}


def opened(visitor, path):
    visitor.page.goto(f"{visitor.site.address}{path}")
    visitor.page.wait_for_load_state("networkidle")
    return visitor.page


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_pages_render_in_their_width(visit, width, scheme):
    visitor = visit(width=width, scheme=scheme, sandbox=True)
    for name, path in SHOWN.items():
        page = opened(visitor, path)
        expect(page.locator("h1, h2.title").first).to_be_visible()
        assert not visitor.is_too_wide(), path
        visitor.shoot(f"docs-{name}-{scheme}-{width}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/docs/", "/docs/api/macro/"])
def test_pages_have_no_serious_barriers(visit, path, scheme):
    visitor = visit(sandbox=True, scheme=scheme)
    opened(visitor, path)
    assert visitor.barriers() == []


def test_search_finds_a_page_and_leads_to_it(visit):
    visitor = visit(sandbox=True)
    page = opened(visitor, "/docs/")
    # Keys, as from a hand: the search reads its field on key-up, which fill() does not send.
    page.locator("[data-md-component=search-query]").press_sequentially("takedown")
    page.locator(".md-search-result__link", has_text="Run a takedown").first.click()
    expect(page.locator("article h1")).to_contain_text("Run a takedown")


def test_examples_name_the_service_that_they_are_read_on(visit):
    page = opened(visit(sandbox=True), "/docs/concepts/as-of/")
    assert "127.0.0.1:8080" not in page.locator("article").inner_text()


def test_the_api_reference_asks_with_the_sandbox_key(visit):
    visitor = visit(sandbox=True)
    page = opened(visitor, "/docs/api/organisations/")
    call = page.locator('.try[data-path^="/v1/entities/"]')
    call.get_by_role("button", name="Run").click()
    expect(call.locator("pre")).to_contain_text("Nyalumera Foods Holdings PLC")
    (asked,) = [one for one in visitor.requests if "/v1/entities/" in one.url]
    assert asked.headers["x-api-key"] == visitor.site.sandbox_key


def test_the_copy_button_copies_commands_without_prompt_and_output(visit):
    page = opened(visit(sandbox=True), "/docs/concepts/as-of/")
    block = page.locator(".language-console").first
    assert "$ curl" in block.inner_text()
    block.hover()
    block.locator("button[data-clipboard-target]").click()
    until(lambda: page.evaluate("navigator.clipboard.readText()").startswith("curl"))
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.count("curl -s ") == 2
    assert "$ curl" not in copied
    assert "1000000000,KES" not in copied


def test_tabs_of_one_language_are_chosen_together(visit):
    page = opened(visit(sandbox=True), "/docs/api/fundamentals/")
    page.locator(".tabbed-labels label", has_text="TypeScript").nth(2).click()
    expect(page.locator("article pre", has_text="await client.panel(").first).to_be_visible()
    expect(page.locator("article pre", has_text="await client.filings(").first).to_be_visible()


def test_a_browser_that_asks_for_no_page_is_shown_where_to_go(visit):
    visitor = visit(sandbox=True)
    visitor.forgive("404")
    page = opened(visitor, "/docs/nothing/")
    expect(page.locator("h1")).to_have_text("Page not found")
    page.get_by_role("link", name="API reference").click()
    expect(page.locator("article h1")).to_contain_text("API reference")


def test_the_address_of_each_problem_type_is_a_page(site, demo):
    answers = [
        demo.get("/v1/fundamentals/DCHFPV9ZRN9Z1AW", asof="2024-03-14"),
        demo.get("/v1/entities/DC0"),
        demo.get("/v1/nothing"),
        demo.client.get("/v1/editions"),
    ]
    for problem in (answer.json() for answer in answers):
        page = httpx.get(f"{site.address}{problem['type']}", follow_redirects=True)
        assert page.status_code == 200, problem["type"]
        assert problem["title"] in page.text


def test_whoever_wants_more_finds_where_to_get_it(site, demo):
    key = demo.issue("sample").key
    answer = httpx.get(f"{site.address}/v1/editions?limit=26", headers={"X-API-Key": key})
    assert answer.status_code == 402
    page = httpx.get(answer.headers["X-Upgrade-URL"], follow_redirects=True)
    assert page.status_code == 200
    assert "professional" in page.text


def test_models_find_where_to_begin(site):
    page = httpx.get(f"{site.address}/llms.txt")
    assert page.headers["content-type"].startswith("text/plain")
    for line in page.text.splitlines():
        for address in (part.split(")")[0] for part in line.split("](")[1:]):
            assert httpx.get(f"{site.address}{address}").status_code == 200, address
