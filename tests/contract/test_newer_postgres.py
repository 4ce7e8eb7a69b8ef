"""PostgreSQL 18: migrations, publish, answers, verification and takedown, as on 15."""

from __future__ import annotations

import pytest

from demo.companyfacts import cik
from demo.world import World
from sankofa.surfaces.rest import ENDPOINTS
from support.demo_world import load
from support.newer_postgres import newer_stack
from support.openapi_page import examples
from support.service import Service
from support.verifying import untouched

pytestmark = pytest.mark.proves("OPS-33")
# A right to vacuum, analyse, reindex and lock tables, new in PostgreSQL 17; in 15 only owners can.
MAINTAINERS = """
SELECT rolname, c.oid::regclass::text
FROM pg_roles, pg_class AS c
WHERE rolname LIKE 'sankofa%%' AND rolcanlogin AND c.relkind IN ('r', 'p')
    AND c.relnamespace::regnamespace::text IN ('ledger', 'serving', 'ops', 'build')
    AND has_table_privilege(rolname, c.oid, 'MAINTAIN')
"""


@pytest.fixture(scope="module")
def newer():
    with newer_stack() as stack:
        service = Service(stack, "test_newer", template=None)
        load(service, World(facts=300))
        service.publish()
        service.export()
        service.publish()
        yield service
        service.close()


def test_every_endpoint_answers_from_the_newer_server(newer):
    assert int(newer.rows("SHOW server_version_num")[0][0]) >= 180_000
    page = newer.client.get("/openapi.json").json()
    for endpoint in ENDPOINTS:
        operation = page["paths"][endpoint.path]["get"]
        path = endpoint.path.format(**examples(operation, "path"))
        answer = newer.get(path, **examples(operation, "query"))
        assert answer.status_code == 200, answer.text
        assert answer.exact["count"] > 0, path


def test_no_login_can_maintain_tables(newer):
    assert {login for login, _ in newer.rows(MAINTAINERS)} <= {"sankofa_migrate"}


def test_editions_verify_and_a_takedown_is_gone_from_all_of_them(newer):
    assert untouched(newer)
    company = newer.id_of(f"cik:{cik(0)}")
    assert newer.facts(company, edition=1)
    newer.take_down(company)
    published = newer.publish()
    newer.await_edition(published.edition)
    for edition in (1, published.edition):
        assert newer.get(f"/v1/fundamentals/{company}", edition=edition).status_code == 404
    assert untouched(newer)
