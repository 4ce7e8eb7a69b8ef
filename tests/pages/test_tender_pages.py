"""Tenders: the chart counts the rows that are listed, and each row leads to the page of its process."""

from __future__ import annotations

import pytest

from support.explorer_pages import as_of

OCID = "ocds-demoke-004502"
BARS = "all => all.map(one => +one.getAttribute('height'))"


@pytest.mark.parametrize("place", ["#/tenders?country=ZA&category=Sewerage", "#/tenders?country=KE"])
@pytest.mark.parametrize("sandbox", [True, False])
def test_each_month_has_as_many_rows_as_its_bar_says(visit, place, sandbox):
    page = visit(sandbox=sandbox).go(place)
    rows = page.locator(".scroll[aria-label=Processes] tbody tr")
    everything = rows.count()
    assert page.inner_text(".listed").startswith(f"{everything} process")
    bars = page.locator(".bar-mark").count()
    counted = 0
    for at in range(bars):
        chart = page.locator(".chart")
        chart.focus()
        page.keyboard.press("Home")
        for _ in range(at):
            page.keyboard.press("ArrowRight")
        month, _, count = chart.locator("[aria-live]").inner_text().partition(": ")
        page.keyboard.press("Enter")
        assert rows.count() == int(count), month
        assert page.inner_text(".listed") == f"{count} process{'' if count == '1' else 'es'} in {month}"
        counted += int(count)
        page.get_by_role("button", name="Show all months").click()
    assert counted == everything


def test_the_filters_are_those_of_rest(visit, demo):
    asked = {"country": "ZA", "category": "Catering", "as_of": "2024-06-30", "limit": "100"}
    page = visit().go("#/tenders?country=ZA&category=Catering&as_of=2024-06-30")
    rows = demo.get("/v1/tenders", **asked).exact["data"]
    shown = page.locator("td a[href^='#/tender/']").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    ocids = list(dict.fromkeys(row["ocid"] for row in rows))
    assert [link.removeprefix("#/tender/").split("?")[0] for link in shown][: len(ocids)] == ocids
    assert all("as_of=2024-06-30" in link for link in shown)


def test_rows_are_titled_by_their_process_and_lead_to_it(visit, demo):
    page = visit().go("#/tenders?country=KE&category=works")
    links = page.locator("td a[href^='#/tender/']")
    for at in range(0, links.count(), 9):
        ocid = links.nth(at).get_attribute("href").removeprefix("#/tender/")
        record = demo.get(f"/v1/tenders/{ocid}").exact["data"][0]
        title = links.nth(at).inner_text()
        assert title == record["tender"].get("title") or title.startswith("Tender "), ocid
    first = links.first.inner_text()
    links.first.click()
    page.wait_for_selector(".timeline")
    assert page.inner_text("h1") == first
    assert page.title() == f"{first} · Sankofa"


@pytest.mark.parametrize("day", ["2024-12-03", "2024-12-30", "2024-12-31"])
def test_a_process_is_shown_as_it_was_known(visit, demo, day):
    page = visit().go(f"#/tender/{OCID}?as_of={day}")
    record = demo.get(f"/v1/tenders/{OCID}", as_of=day).exact["data"][0]
    body = page.inner_text(".process")
    for party in record["parties"]:
        assert party["name"] in body
    values = page.locator(".process data.exact").evaluate_all("all => all.map(one => one.value)")
    awards = [str(award["value"]["amount"]) for award in record.get("awards", [])]
    assert values == [str(record["tender"]["value"]["amount"]), *awards]
    whole = demo.get(f"/v1/tenders/{OCID}").exact["data"][0]["timeline"]
    assert page.locator(".timeline li").count() == len(whole)
    later = [release for release in whole if release["available_at"] > day]
    assert page.locator(".timeline li.future").count() == len(later)
    for release in whole:
        assert release["source_ref"] in page.inner_text(".timeline")


def test_a_day_before_the_process_says_when_it_became_public(visit):
    visitor = visit()
    visitor.forgive("404")
    page = visitor.go(f"#/tender/{OCID}?as_of=2024-12-02")
    assert "became public on 3 December 2024" in page.inner_text(".state.empty")
    page.get_by_role("button", name="Change after").click()
    assert as_of(page) == "2024-12-03"
    page.wait_for_selector(".facts")


def test_a_bar_of_a_signal_leads_to_the_tenders_known_then(visit, demo):
    page = visit().go("#/signals?country=ZA&category=Sewerage")
    row = demo.get("/v1/signals/procurement-demand", country="ZA", category="Sewerage", limit="1").exact[
        "observations"
    ][0]
    page.locator(".chart").focus()
    page.keyboard.press("End")
    assert page.inner_text(".chart [aria-live]").endswith(f": {row['releases']}")
    page.keyboard.press("Enter")
    page.wait_for_url("**#/tenders?country=ZA&category=Sewerage&as_of=2025-01-31*")
