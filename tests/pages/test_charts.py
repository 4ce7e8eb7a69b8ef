"""Charts can be read off: by mouse, touch and keys, with exact values, on titled axes, and taken away."""

from __future__ import annotations

import csv
import struct

import pytest

SERIES = "#/macro?series=CPI.KEN"
DAY = "2024-03-01"
LINE = "document.querySelector('.as-of-line').getBoundingClientRect()"


def newest(demo, day):
    return demo.get("/v1/macro", series="CPI.KEN", as_of=day, limit="1").exact["data"][0]


def test_the_keyboard_reads_each_value_to_the_last_digit(visit, demo):
    page = visit().go(SERIES)
    rows = demo.get("/v1/macro", series="CPI.KEN", limit="3").exact["data"]
    page.locator(".chart").first.focus()
    for row in rows:
        page.keyboard.press("ArrowLeft")
        read = page.inner_text(".chart [aria-live]")
        assert read.endswith(f": {row['value']}"), (read, row)
    page.keyboard.press("Home")
    assert page.inner_text(".chart [aria-live]").startswith("31 Jan 2021: ")
    page.keyboard.press("Escape")
    assert page.locator(".tip.on").count() == 0


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_a_pointer_reads_the_value_below_it(visit, demo, kind):
    page = visit(touch=kind == "touch").go(SERIES)
    dot = page.locator(".chart .dot.now").last.bounding_box()
    place = (dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    if kind == "mouse":
        page.mouse.move(*place)
    else:
        page.locator(".chart svg").scroll_into_view_if_needed()
        page.touchscreen.tap(*place)
    value = newest(demo, "2026-01-01")["value"]
    assert page.inner_text(".tip.on") == f"31 Dec 2024: {value}"


@pytest.mark.parametrize("width", [1440, 390])
def test_the_slider_stands_on_the_scale_of_the_chart(visit, width):
    page = visit(width=width).go(SERIES)
    slider = page.locator(".time")
    for day in ("2021-06-30", "2023-01-15", "2025-10-01"):
        page.locator(".as-of input[type=date]").fill(day)
        page.locator(".as-of input[type=date]").dispatch_event("change")
        box = slider.bounding_box()
        first, last, now = slider.evaluate("one => [+one.min, +one.max, +one.value]")
        thumb = 26
        centre = box["x"] + thumb / 2 + (now - first) / (last - first) * (box["width"] - thumb)
        line = page.evaluate(f"{LINE}.x + {LINE}.width / 2")
        assert abs(centre - line) < 2, day


def test_axes_have_titles(visit):
    visitor = visit()
    places = [SERIES, "#/tenders?country=KE", "#/signals?country=KE", f"{SERIES}&date=2024-06-30"]
    for place in places:
        page = visitor.go(place)
        titles = page.locator(".chart .axis-title").all_text_contents()
        assert len(titles) == 2 * page.locator(".chart").count(), place
        assert all(titles), place


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chart_is_taken_as_a_picture(visit, scheme, tmp_path):
    page = visit(scheme=scheme).go(f"{SERIES}&as_of={DAY}")
    size = page.locator(".chart svg").first.bounding_box()
    with page.expect_download() as taken:
        page.get_by_role("button", name="PNG", exact=True).click()
    assert taken.value.suggested_filename == "consumer-prices-kenya-as-known-on-1-march-2024.png"
    file = tmp_path / "chart.png"
    taken.value.save_as(file)
    content = file.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == ((size["width"] + 32) * 2, (size["height"] + 84) * 2)
    # An empty sheet of this size is some kilobytes; lines, dots and words are more.
    assert len(content) > 20_000


def test_a_table_is_taken_as_csv_with_exact_values(visit, demo, tmp_path):
    page = visit().go(f"{SERIES}&as_of={DAY}")
    with page.expect_download() as taken:
        page.get_by_role("button", name="CSV", exact=True).click()
    taken.value.save_as(tmp_path / "series.csv")
    with (tmp_path / "series.csv").open(newline="", encoding="utf-8") as file:
        rows = [(row["date"], row["value"], row["available_at"]) for row in csv.DictReader(file)]
    known = demo.get("/v1/macro", series="CPI.KEN", as_of=DAY, limit="1000").exact["data"]
    assert rows == [(row["date"], str(row["value"]), row["available_at"]) for row in known]
