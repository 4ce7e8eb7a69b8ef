"""Services that hold real SEC filings, loaded once for all tests that only read them."""

from __future__ import annotations

import pytest

from support.real_sec import load, load_companies
from support.service import Service


def pytest_collection_modifyitems(items):
    """Whoever needs the filers of whole archives waits minutes for them."""
    for item in items:
        if {"companies", "filers"}.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.heavy)


@pytest.fixture(scope="session")
def filers(stack):
    """Return a service with the issuers of the first collection."""
    service = Service(stack, "test_filers")
    load(service)
    service.publish()
    yield service
    service.close()


@pytest.fixture(scope="session")
def companies(stack):
    """Return a service with the data sets and every issuer's company facts, one snapshot each."""
    service = Service(stack, "test_companies")
    load_companies(service)
    service.publish()
    yield service
    service.close()
