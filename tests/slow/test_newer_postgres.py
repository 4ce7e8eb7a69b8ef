"""A newer PostgreSQL, which comes as a package, answers as the one does that all other tests run."""

from __future__ import annotations

import pytest

from demo.world import World
from sankofa.surfaces.rest import ENDPOINTS
from support.demo_world import load
from support.newer_postgres import newer_stack
from support.openapi_page import examples
from support.service import Service
from support.verifying import untouched

pytestmark = pytest.mark.heavy
# What two installations never share: when they published, and so the root that they signed, and their files.
OWN = {"published_at", "digest", "mark", "next_cursor", "url", "sha256", "bytes", "measured_at"}
OWN |= {"root", "line_path", "signature"}


@pytest.fixture(scope="module")
def newer():
    with newer_stack() as stack:
        yield from served(stack)


@pytest.fixture(scope="module")
def usual(stack):
    yield from served(stack)


def served(stack):
    service = Service(stack, "test_versions")
    load(service, World(facts=500))
    service.publish()
    service.export()
    service.publish()
    yield service
    service.close()


def shared(answer):
    """Return an answer without what is its installation's own."""
    if isinstance(answer, list):
        return [shared(each) for each in answer]
    if isinstance(answer, dict):
        own = OWN | {"observed_at"} if "measured_at" in answer else OWN
        own = own | {"name"} if "sha256" in answer else own  # of a file, which has a part of its hash
        return {name: shared(each) for name, each in answer.items() if name not in own}
    return answer


def test_every_question_has_the_same_answer(newer, usual):
    page = usual.client.get("/openapi.json").json()
    different = []
    for endpoint in ENDPOINTS:
        operation = page["paths"][endpoint.path]["get"]
        path, query = endpoint.path.format(**examples(operation, "path")), examples(operation, "query")
        answers = [service.get(path, **query) for service in (newer, usual)]
        assert [answer.status_code for answer in answers] == [200, 200], path
        first, second = (shared(answer.exact) for answer in answers)
        assert first["count"] > 0, path
        if first != second:
            different.append((path, first, second))
    assert different == []


def test_what_was_published_is_as_it_was_sealed(newer):
    assert untouched(newer)
