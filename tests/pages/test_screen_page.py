"""The screen: several metrics beside each other, by country, basis and age, with a link to each company."""

from __future__ import annotations

from decimal import Decimal

DAY = "2024-03-14"


def column(page, head):
    """Return the exact values of a column by company; None where there is none."""
    at = page.locator(".result thead th").all_inner_texts().index(head)
    read = (
        "(all, at) => all.map(row => [row.querySelector('.company a').textContent,"
        " row.cells[at].querySelector('data')?.value ?? null])"
    )
    return dict(page.locator(".result tbody tr").evaluate_all(read, at))


def test_a_second_metric_stands_beside_the_first(visit, demo):
    page = visit().go(f"#/screen?metric=net_margin,return_on_equity&as_of={DAY}")
    for metric, head in (("net_margin", "Net margin"), ("return_on_equity", "Return on equity")):
        rows = demo.get("/v1/screen", metric=metric, as_of=DAY, basis="as_known", limit="100").exact["data"]
        values = {row["legal_name"]: str(row["value"]) for row in rows}
        shown = column(page, head)
        assert shown
        assert {name: value for name, value in shown.items() if value is not None}.items() <= values.items()
        assert all(values.get(name) == value for name, value in shown.items())


def test_numbers_are_for_people_and_exact_on_hover(visit, demo):
    page = visit().go(f"#/screen?metric=net_margin&as_of={DAY}")
    row = demo.get("/v1/screen", metric="net_margin", as_of=DAY, basis="as_known", limit="1").exact["data"][0]
    shown = page.locator(".result data.exact").first
    percent = Decimal(str(row["value"])) * 100
    assert shown.inner_text() == f"{percent.quantize(Decimal('0.1')).normalize():f}\u00a0%"
    assert Decimal(shown.get_attribute("title").removesuffix("\u00a0%")) == percent


def test_country_basis_and_age_are_those_of_rest(visit, demo):
    asked = {"metric": "net_margin", "country": "KE", "basis": "exact", "max_age_days": "548", "as_of": DAY}
    page = visit().go(f"#/screen?metric=net_margin&country=KE&basis=exact&age=548&as_of={DAY}")
    rows = demo.get("/v1/screen", **asked, limit="100").exact["data"]
    assert page.locator(".result .company > a").all_inner_texts() == [row["legal_name"] for row in rows]
    links = page.locator(".result .company > a").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    assert links == [f"#/company/{row['service_id']}?as_of={DAY}" for row in rows]


def test_metrics_are_added_and_removed_by_hand(visit):
    page = visit(sandbox=True).go("#/screen")
    page.get_by_role("button", name="Add a metric").click()
    offered = page.locator("dialog[open]")
    offered.get_by_label("Search in the list").fill("revenue growth")
    offered.get_by_role("button", name="Revenue growth").click()
    page.wait_for_url("**metric=net_margin*revenue_growth*")
    page.wait_for_selector("th:text('Revenue growth')")
    page.get_by_role("button", name="Remove Net margin").click()
    page.wait_for_selector("th:text('Net margin')", state="detached")
