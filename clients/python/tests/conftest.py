"""Fixtures: the service's own, which start a real one with the demo world, and clients of it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from sankofa_client import Client

_ROOT = Path(__file__).parents[3]
_spec = importlib.util.spec_from_file_location("service_fixtures", _ROOT / "tests" / "conftest.py")
_fixtures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)

stack = _fixtures.stack
make_service = _fixtures.make_service
demo = _fixtures.demo


@pytest.fixture(scope="session")
def key(demo):
    return demo.issue().key


@pytest.fixture(scope="session")
def client(demo, key):
    with Client(demo.api.url, key=key) as client:
        yield client


@pytest.fixture(scope="session")
def issuer(client):
    """The first issuer of the demo world, which restated its revenue of 2022 on 15 March 2024."""
    return client.lookup(id_type="ticker", id_value="XNAI:NYAL").one().service_id
