"""Fixtures: one private stack for the whole run, and installations on it as tests need them."""

from __future__ import annotations

import itertools

import pytest

from dev.stack import Stack
from service import Service

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def stack():
    with Stack.throwaway() as running:
        yield running


@pytest.fixture
def make_service(stack):
    """Return a maker of empty services, each with its own database; all are stopped afterwards."""
    made = []

    def make(**options):
        made.append(Service(stack, f"test_{next(_numbers)}", **options))
        return made[-1]

    yield make
    for service in made:
        service.close()


@pytest.fixture
def service(make_service):
    """Return an empty service."""
    return make_service()


@pytest.fixture(scope="module")
def module_service(stack):
    """Return a service that a module's tests share."""
    service = Service(stack, f"test_{next(_numbers)}")
    yield service
    service.close()
