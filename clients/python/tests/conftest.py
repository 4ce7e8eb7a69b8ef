"""Fixtures: a client of the real service, and the issuer of the examples."""

from __future__ import annotations

import pytest

from sankofa_client import Client


@pytest.fixture(scope="session")
def client(demo, key):
    with Client(demo.api.url, key=key) as client:
        yield client


@pytest.fixture(scope="session")
def issuer(client):
    """The first issuer of the demo world, which restated its revenue of 2022 on 15 March 2024."""
    return client.lookup(id_type="ticker", id_value="XNAI:NYAL").one().service_id
