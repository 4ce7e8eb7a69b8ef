"""Fixtures: one private stack for the whole run, and installations on it as tests need them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, settings

from demo.world import World
from dev.stack import Stack
from support.demo_world import load
from support.service import Service

_numbers = itertools.count(1)

# What a test says must hold on a machine that does other things too: no example is judged by the clock.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
settings.register_profile("quick", settings.get_profile("unhurried"), max_examples=10)  # for `make quick`


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


@pytest.fixture(scope="session")
def demo(stack):
    """Return a service that holds the demo world; whoever shares it only reads."""
    service = Service(stack, "test_demo")
    load(service, World())
    service.publish()
    service.export()
    service.publish()
    yield service
    service.close()
