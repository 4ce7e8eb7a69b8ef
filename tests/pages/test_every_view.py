"""Each view, wide and narrow, light and dark: it fits, anybody can use it, and a picture of it is kept."""

from __future__ import annotations

import json

import httpx
import pytest

from support.explorer_pages import LOOKS, VIEWS
from support.mcp_client import Agent


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_each_view_fits_and_has_no_barrier(visit, width, scheme):
    visitor = visit(width=width, scheme=scheme)
    for view, place in VIEWS.items():
        page = visitor.go(place)
        assert page.locator(".state").count() == 0, view
        assert page.locator("#behind pre").count() > 0, view
        assert not visitor.is_too_wide(), view
        assert visitor.barriers() == [], view
        visitor.shoot(f"{view}-{width}-{scheme}")


def test_the_colours_can_be_chosen_against_those_of_the_system(visit):
    page = visit(scheme="light").go()
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    by_system = page.evaluate(paper)
    button = page.get_by_role("button", name="Colours")
    button.click()
    assert page.evaluate(paper) == by_system
    button.click()
    assert page.evaluate(paper) != by_system


def test_the_first_view_is_small_and_needs_no_key_of_ones_own(visit, site):
    visitor = visit(sandbox=True)
    page = visitor.go("")
    page.wait_for_load_state("networkidle")
    sizes = [request.sizes()["responseBodySize"] for request in visitor.requests]
    assert sum(sizes) < 150_000
    keys = {request.headers["x-api-key"] for request in visitor.requests if "/v1/" in request.url}
    assert keys == {site.sandbox_key}
    assert page.locator(".figure .value:not(.none)").count() == 1
    print(f"\nfirst view: {len(sizes)} requests, {sum(sizes):,} bytes")


def test_every_call_that_is_shown_is_answered(visit, site, demo):
    visitor = visit()
    agent = Agent(demo, key=site.own_key)
    shown = dict.fromkeys(("curl", "Python", "MCP"), 0)
    for place in VIEWS.values():
        page = visitor.go(place)
        for form in shown:
            page.get_by_role("button", name=form, exact=True).click()
            calls = page.locator("#behind pre").all_inner_texts()
            shown[form] += len(calls)
            for call in calls:
                _ask(form, call, site, agent)
    agent.close()
    assert min(shown.values()) >= len(VIEWS) - 2  # there are no tools for editions and ratios


def _ask(form, call, site, agent):
    if form == "curl":
        address = call.split("'")[1]
        assert address.startswith(f"{site.address}/v1/")
        assert httpx.get(address, headers={"X-API-Key": site.own_key}).status_code == 200
    elif form == "Python":
        assert f'client = Client("{site.address}", key="YOUR_KEY")' in call
        named = {}
        exec(call.replace("YOUR_KEY", site.own_key), named)
        with named["client"]:
            assert next(iter(named["rows"]), None) is not None
    else:
        assert not agent.send(**json.loads(call)).is_error


def test_the_sandbox_key_stands_in_the_calls_and_ones_own_never_does(visit, site):
    asked = visit(sandbox=True).go(VIEWS["identifiers"]).inner_text("#behind")
    assert site.sandbox_key in asked
    page = visit().go(VIEWS["identifiers"])
    assert site.own_key not in page.content()
