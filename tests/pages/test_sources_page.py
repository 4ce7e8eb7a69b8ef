"""The sources page says of each source its licence, its last fetch and when it is due."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from dev.own_sources import silence
from dev.ports import unused_ports
from support.chromium import Visitor
from support.explorer_pages import Site
from support.portal_server import Portal, package, release
from support.restoring import run as operate

SOURCE = """
publisher = "A portal"
license_class = "operator"
parser = "ocds"
country = "ZA"
[portal]
address = "{address}/?page={{page}}"
pause_seconds = 0
[due]
at = "0 6 * * *"
"""


def test_each_source_of_the_edition_has_its_licence_and_its_day(visit, demo):
    page = visit().go("#/sources")
    cards = page.locator(".source-card").all_inner_texts()
    sources = demo.get("/v1/catalog/sources").exact["data"]
    assert len(cards) == len(sources)
    for row, card in zip(sources, cards, strict=True):
        assert row["definition"] in card
        assert f"Licence: {row['license_class']}" in card
        assert "It has no schedule here." in card
    assert "loaded by hand" in page.inner_text(".health")


@pytest.fixture
def scheduled(site, service, tmp_path):  # noqa: ARG001 - the pages must have been built
    """Return a site whose one source was fetched from a portal and is due every morning."""
    folder = tmp_path / "sources"
    folder.mkdir()
    silence(folder)
    with Portal(lambda asked: package([release(1)] if asked["page"] == "1" else [])) as portal:
        (folder / "zz-daily.toml").write_text(SOURCE.format(address=portal.url))
        own = {"SANKOFA_SOURCES": str(folder), "SANKOFA_CONTACT": "data@example.org"}
        ran = operate(service, "feeds", "run", "zz-daily", **own)
    assert "zz-daily: good" in ran.output, ran.output
    service.publish()
    api = service.installation.api(next(unused_ports()), environment={})
    api.start()
    yield Site(address=api.url, sandbox_key="", own_key=service.issue().key)
    api.stop()


def test_a_scheduled_source_tells_its_last_fetch_and_its_next(scheduled, browser):
    visitor = Visitor(browser, scheduled)
    page = visitor.go("#/sources")
    card = page.inner_text(".source-card:has(code:text-is('zz-daily'))")
    now = datetime.now(UTC)
    assert f"Last fetched in full on {now.day} {now:%B %Y}" in card
    assert "Next due on " in card
    assert ", 06:00 UTC." in card
    assert "On time" in card
    assert "All scheduled sources are on time." in page.inner_text(".health")
    visitor.close()
    visitor.judge()


def test_changes_name_companies_and_not_their_ids(visit, demo):
    page = visit().go("#/editions?reason=restated&dataset=AF-FUND&since=0")
    rows = demo.get("/v1/changes", since="0", dataset="AF-FUND", reason="restated", limit="100").exact["data"]
    shown = page.locator(".scroll[aria-label=Changes] .subject .quiet").all_inner_texts()
    assert len(shown) == len(rows)
    for row, said in zip(rows, shown, strict=True):
        assert said.strip() == demo.get(f"/v1/entities/{row['service_id']}").exact["data"][0]["legal_name"]
