"""Fixtures: the built pages served with the demo world, and one Chromium that looks at them."""

from __future__ import annotations

import pytest

from dev import pages
from dev.ports import unused_ports
from support.chromium import Visitor, chromium
from support.explorer_pages import Site


@pytest.fixture(scope="session")
def site(demo):
    """Serve the pages as they are now, with a sandbox key, beside whatever else serves the demo world."""
    pages.build()
    sandbox = demo.issue("sample", public=True).key
    api = demo.installation.api(next(unused_ports()), environment={"SANKOFA_SANDBOX_KEY": sandbox})
    api.start()
    yield Site(address=api.url, sandbox_key=sandbox, own_key=demo.issue().key)
    api.stop()


@pytest.fixture(scope="session")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def visit(site, browser):
    """Return a maker of visitors; whatever they asked for or heard is judged at the end."""
    visitors = []

    def come(**options):
        visitors.append(Visitor(browser, site, **options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
    for visitor in visitors:
        visitor.judge()
