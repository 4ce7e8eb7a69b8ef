"""OPS-24, OPS-25: what happens to statements and callers when there is more work than can be done."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import httpx
import pytest

from audit.tender_documents import release
from dev.ports import unused_ports
from dev.service import wait_until
from sankofa.core.errors import StoreUnavailable
from sankofa.storage.postgres import connect
from sankofa.storage.reading import Reader, ReadOptions

SLOW = "SELECT count(*) AS slow FROM generate_series(1, 1000000000)"
RUNNING = """
SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT count(*) AS slow%'
"""
CLIENTS = 40
FLOODING = 80


@pytest.fixture(scope="module")
def service(module_service):
    package = {"releases": [release(number, 50) for number in range(50)]}
    module_service.ingest(json.dumps(package).encode(), source_name="demo-tenders")
    module_service.publish()
    return module_service


@pytest.mark.proves("OPS-24")
def test_statements_that_nobody_waits_for_end(service):
    async def act():
        reader = Reader(ReadOptions(dsn=service.settings.read_dsn))
        await reader.open()
        try:
            outcomes = await asyncio.gather(
                *(reader.fetch_outside_editions(SLOW) for _ in range(4)), return_exceptions=True
            )
        finally:
            await reader.close()
        return outcomes

    with connect(service.installation.dsn("admin")) as admin:

        def running():
            return admin.execute(RUNNING).fetchone()[0]

        start = time.monotonic()
        outcomes = asyncio.run(act())
        assert all(isinstance(outcome, StoreUnavailable) for outcome in outcomes)
        assert wait_until(lambda: not running(), 5)
        took = time.monotonic() - start
    print(f"no statement runs {took:.2f} s after its begin; its caller waited for 1 s")
    assert took < 1.5


@pytest.mark.proves("OPS-25")
def test_clients_of_the_public_key_that_wait_do_not_delay_a_paying_caller(service):
    public, paying = service.issue("sample", public=True).key, service.issue("professional").key
    environment = {"SANKOFA_PROXIES": '["127.0.0.1"]'}
    api = service.installation.api(next(unused_ports()), environment=environment)
    api.start()
    answers, begun = [], threading.Barrier(CLIENTS + 1)

    def ask(client):
        headers = {"X-API-Key": public, "X-Forwarded-For": f"203.0.113.{client}"}
        begun.wait()
        path = f"/v1/tenders?country=ZA&as_of=2024-{client // 28 + 1:02}-{client % 28 + 1:02}"
        answers.append(httpx.get(api.url + path, headers=headers, timeout=30))

    threads = [threading.Thread(target=ask, args=(client,)) for client in range(CLIENTS)]
    try:
        with connect(service.installation.stack.postgres_dsn(dbname=service.installation.database)) as admin:
            with admin.transaction():
                admin.execute(
                    "LOCK TABLE serving.tender_release"
                )  # answers about tenders take 1.2 s, then fail
                for thread in threads:
                    thread.start()
                begun.wait()
                assert wait_until(lambda: len(answers) > 1, 10)
                start = time.monotonic()
                statuses = {
                    httpx.get(
                        f"{api.url}/v1/editions?limit={limit}", headers={"X-API-Key": paying}
                    ).status_code
                    for limit in range(1, 6)
                }
                took = time.monotonic() - start
            for thread in threads:
                thread.join()
    finally:
        api.stop()
    refused = [answer for answer in answers if answer.status_code == 503]
    print(f"five paid answers took {took:.2f} s; {len(refused)} of {CLIENTS} public ones were refused")
    assert {answer.status_code for answer in answers} <= {200, 503}
    assert statuses == {200}
    assert took < 5
    assert refused
    assert all(1 <= int(answer.headers["Retry-After"]) <= 30 for answer in refused)
    assert all(answer.elapsed.total_seconds() < 8 for answer in answers)


@pytest.mark.proves("OPS-25")
def test_what_needs_no_turn_is_answered_while_new_questions_are_refused(service):
    public = service.issue("sample", public=True).key
    environment = {"SANKOFA_PROXIES": '["127.0.0.1"]'}
    api = service.installation.api(next(unused_ports()), environment=environment)
    api.start()
    is_over = threading.Event()

    def ask(client, path, **headers):
        named = {"X-API-Key": public, "X-Forwarded-For": f"198.51.100.{client}", **headers}
        return httpx.get(api.url + path, headers=named, timeout=30)

    def flood(client):
        while not is_over.is_set():
            ask(client, f"/v1/tenders?country=ZA&as_of=2023-{client // 28 + 1:02}-{client % 28 + 1:02}")

    def is_refused():
        answer = ask(250, "/v1/tenders?country=ZA&as_of=2022-01-01")
        # Not at the deadline of a statement, and not after a wait for a turn.
        return answer.status_code == 503 and answer.elapsed.total_seconds() < 1

    threads = [threading.Thread(target=flood, args=(client,)) for client in range(FLOODING)]
    kept = ask(251, "/v1/editions?limit=1")
    api.stop()
    api.start()  # the client has that answer, the process no longer
    known = ask(251, "/v1/editions?limit=2")
    cached, unchanged = [], []
    try:
        with (
            connect(service.installation.stack.postgres_dsn(dbname=service.installation.database)) as admin,
            admin.transaction(),
        ):
            admin.execute("LOCK TABLE serving.tender_release")
            for thread in threads:
                thread.start()
            assert wait_until(is_refused, 10)
            # Some of many come just when a turn would be free.
            for client in range(200, 220):
                validator = {"If-None-Match": kept.headers["ETag"]}
                unchanged.append(ask(client, "/v1/editions?limit=1", **validator).status_code)
                cached.append(ask(client, "/v1/editions?limit=2").content)
            is_over.set()
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        api.stop()
    assert (kept.status_code, known.status_code) == (200, 200)
    assert set(unchanged) == {304}
    assert set(cached) == {known.content}
