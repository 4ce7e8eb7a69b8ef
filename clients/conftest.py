"""Fixtures shared by the clients' tests: one real service with the demo world."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_spec = importlib.util.spec_from_file_location("service_fixtures", _ROOT / "tests" / "conftest.py")
_fixtures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)

stack = _fixtures.stack
make_service = _fixtures.make_service
demo = _fixtures.demo


@pytest.fixture(scope="session")
def key(demo):
    return demo.issue().key
