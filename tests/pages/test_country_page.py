"""A country on a day: each of its parts is what REST says for that day."""

from __future__ import annotations

import pytest

CARD = ".view-country .card:has(h2:text-is('{}'))"


def card(page, title):
    return page.locator(CARD.format(title))


@pytest.mark.parametrize(("code", "day"), [("KE", "2025-06-30"), ("ZA", "2023-06-30")])
def test_a_country_is_shown_as_it_was_known(visit, demo, code, day):
    page = visit().go(f"#/country/{code}?as_of={day}")
    issuers = demo.get("/v1/issuers", country=code, as_of=day, limit="100").exact["data"]
    assert f"{len(issuers)} had filed" in card(page, "Companies that report").inner_text()
    for row in issuers[:8]:
        assert row["legal_name"] in card(page, "Companies that report").inner_text()
    series = demo.get("/v1/macro", country=code, frequency="annual", as_of=day, limit="100").exact["data"]
    newest = {row["series"]: str(row["value"]) for row in reversed(series)}
    shown = card(page, "Macro").locator("data.exact").evaluate_all("all => all.map(one => one.value)")
    assert sorted(shown) == sorted(newest.values())
    releases = demo.get("/v1/tenders", country=code, as_of=day, limit="100").exact["data"]
    known = {release["ocid"] for release in releases}
    assert f"newest {len(known)} contracting processes" in card(page, "What it buys").inner_text()
    winners = {
        supplier["name"]
        for release in releases
        for award in release.get("awards", [])
        for supplier in award.get("suppliers", [])
    }
    named = set(card(page, "Who wins").locator(".buyer-name").all_inner_texts())
    assert named
    assert named <= winners


def test_a_country_leads_to_its_companies_tenders_and_series(visit):
    page = visit().go("#/country/KE")
    hrefs = page.locator("main a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    for begins in (
        "#/company/DC",
        "#/tender/",
        "#/tenders?country=KE",
        "#/macro?series=WB.",
        "#/screen?country=KE",
    ):
        assert any(href.startswith(begins) for href in hrefs), begins


def test_another_country_is_chosen_from_those_that_are_covered(visit, demo):
    page = visit().go("#/country/KE")
    choice = page.get_by_label("Another country")
    choice.focus()
    page.locator(".view-country select option").nth(1).wait_for(state="attached")
    covered = {code for row in demo.get("/v1/catalog/indicators").exact["data"] for code in row["coverage"]}
    assert choice.locator("option").count() == len(covered - {"none"})
    choice.select_option("ZA")
    page.wait_for_selector("h1:text('South Africa')")
