"""A stranger at the door: requests made from the page and requests made to break parsers.

No 5xx, no status that the page does not list, every error a whole problem document, every 400 with the name
of what is wrong, no value sent back, and no statement run for a request that is refused.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse

import hypothesis
import jsonschema_rs
import pytest
import schemathesis
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as conformance

from audit.traps import ANY_NAME, CANARY, HOST, Trap, corpus, mutated
from demo import companyfacts
from sankofa.surfaces.rest import ENDPOINTS
from support.service import Service
from support.waiting import until

MOST_SECONDS = 2.0  # for one request
# By tier: how many keys, and how often each has its turn. Limits stay as configured, and are seldom met.
KEYS = {"professional": (60, 10), "starter": (20, 3), "sample": (20, 1)}
SELDOM = 0.05
REJECTIONS = 200
REFUSED_KEYS = 90  # below the refused keys a minute from which on the answer is 429 (KEY-2)
CHECKS = [
    not_a_server_error,
    conformance.status_code_conformance,
    conformance.content_type_conformance,
    conformance.response_headers_conformance,
    conformance.response_schema_conformance,
    conformance.negative_data_rejection,
]
REJECTED = {"negative_data_rejection": {"expected-statuses": [400, 402, 404, 414, 431]}}
CONFIG = schemathesis.Config.from_dict({"checks": REJECTED})


@dataclass(frozen=True)
class Door:
    """What a stranger meets: the demo world served, its page, some ids, and keys that take turns."""

    service: Service
    page: dict
    ids: dict[str, str]  # by the name that they have in paths
    keys: Iterator[bytes]


@pytest.fixture(scope="module")
def door(demo):
    service = demo
    keys = []
    for tier, (count, turns) in KEYS.items():
        keys += [service.issue(tier).key.encode() for _ in range(count)] * turns
    random.Random(1).shuffle(keys)
    page = service.client.get("/openapi.json").json()
    issuer = service.id_of(f"cik:{companyfacts.cik(0):010d}")
    [[fact]] = service.rows("SELECT min(fact_id::text) FROM serving.fundamentals_fact")
    [[process]] = service.rows("SELECT min(ocid) FROM serving.tender_release")
    ids = {"service_id": issuer, "fact_id": fact, "ocid": process}
    return Door(service, page, ids, itertools.cycle(keys))


class Wire:
    """A connection that sends bytes as they are, and is opened anew whenever the server has closed it."""

    def __init__(self, port):
        self._port = port
        self._socket = None

    def ask(self, request, method):
        """Return the response and its body, or None where the server just hung up."""
        for _ in range(2):
            self._socket = self._socket or socket.create_connection(("127.0.0.1", self._port), timeout=30)
            try:
                self._socket.sendall(request)
                response = HTTPResponse(self._socket, method=method.decode("latin-1"))
                response.begin()
                body = response.read()
                if response.will_close:
                    self.close()
                response.close()
            except (OSError, HTTPException):
                self.close()
            else:
                return response, body
        return None

    def close(self):
        if self._socket:
            self._socket.close()
        self._socket = None


@pytest.fixture
def wire(door):
    wire = Wire(door.service.api.port)
    yield wire
    wire.close()


@functools.cache
def problem_schema(name, page_text):
    schemas = json.loads(page_text)["components"]["schemas"]
    root = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": schemas}}
    return jsonschema_rs.Draft202012Validator(root)


SCHEMAS = {400: "InvalidParameter", 402: "PaymentRequired", 429: "LimitReached", 503: "Unavailable"}


def faults(trap, answered, page_text):
    """Say what is wrong with an answer to a trap."""
    if answered is None:
        return [] if not trap.is_http else ["hung up"]
    response, body = answered
    if response.getheader("X-Service-API-Version") != "1.0.0":
        fine = not trap.is_http and response.status in trap.statuses and not body
        return [] if fine else [f"{response.status} without our headers"]
    wrong = [] if response.status in {*trap.statuses, 429} else [f"status {response.status}"]
    if CANARY.encode() in body:
        wrong.append("a value came back")
    if not response.getheader("X-Request-Id"):
        wrong.append("no request id")
    if response.status >= 400 and trap.method != b"HEAD":
        wrong += problem_faults(trap, response, body, page_text)
    return wrong


def problem_faults(trap, response, body, page_text):
    """Say in what a body is no whole problem document, or not the one for this trap."""
    if response.getheader("Content-Type") != "application/problem+json":
        return [f"an error as {response.getheader('Content-Type')}"]
    problem = json.loads(body)
    validator = problem_schema(SCHEMAS.get(response.status, "Problem"), page_text)
    wrong = [error.message for error in validator.iter_errors(problem)]
    if (problem["status"], problem["request_id"]) != (response.status, response.getheader("X-Request-Id")):
        wrong.append("the document is not about this response")
    if response.status == 400 and trap.parameter not in {None, ANY_NAME, problem["parameter"]}:
        wrong.append(f"names {problem['parameter']}, not {trap.parameter}")
    if response.status == 405 and response.getheader("Allow") != "GET, HEAD, OPTIONS":
        wrong.append("does not say what is allowed")
    return wrong


def chosen_traps(rng, ids, count):
    """Yield known traps in random order, then altered ones."""
    known = corpus(ENDPOINTS, ids)
    rng.shuffle(known)
    yield from known[:count]
    addresses = [trap for trap in known if trap.target.startswith(b"/")]
    for _ in range(count - len(known)):
        yield mutated(rng, rng.choice(addresses))


@pytest.mark.timeout(7200)
def test_no_trap_catches_the_service(door, wire, rng, seed, size):
    page_text, statuses, caught, slowest = json.dumps(door.page), Counter(), {}, 0.0
    for trap in chosen_traps(rng, door.ids, size.traps):
        began = time.monotonic()
        answered = wire.ask(trap.request(next(door.keys)), trap.method)
        slowest = max(slowest, time.monotonic() - began)
        statuses[answered[0].status if answered else "hung up"] += 1
        for fault in faults(trap, answered, page_text):
            caught.setdefault((trap.kind, fault), trap.target[:120])
    print(f"{size.traps:,} traps, seed {seed}: {dict(statuses)}; the slowest took {slowest:.2f} s")
    assert caught == {}
    assert statuses[429] < SELDOM * size.traps
    assert slowest < MOST_SECONDS


def without_security(page):
    """Return the page as it is for somebody whose key is always sent."""
    return {name: part for name, part in page.items() if name != "security"}


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", schemathesis.GenerationMode)
@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_requests_made_from_the_page_get_what_the_page_says(door, seed, size, endpoint, mode):
    schema = schemathesis.openapi.from_dict(without_security(door.page), config=CONFIG)
    statuses = Counter()

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=size.generated // (len(ENDPOINTS) * len(schemathesis.GenerationMode)),
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase.generate],
    )
    @hypothesis.given(schema[endpoint.path]["GET"].as_strategy(generation_mode=mode), st.booleans())
    def ask(case, is_known):
        # Made-up ids are all unknown; behind a real one there is more to break.
        if is_known and mode.is_positive:
            case.path_parameters.update(
                {name: door.ids[name] for name in door.ids.keys() & case.path_parameters}
            )
        response = case.call(base_url=door.service.api.url, headers={"X-API-Key": next(door.keys).decode()})
        statuses[response.status_code] += 1
        if response.status_code != 429:
            case.validate_response(response, checks=CHECKS)

    ask()
    print(f"{sum(statuses.values()):,} {mode.value} requests for {endpoint.name}: {dict(statuses)}")
    assert statuses[429] < SELDOM * sum(statuses.values())


SCANS = """
SELECT coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0)
FROM pg_stat_user_tables
WHERE schemaname = 'serving' AND relname NOT IN ('edition', 'takedown', 'touched')
"""
READERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'sankofa_api' AND datname = current_database()"
)


def scans(service):
    """Return how often the tables of data were scanned; stopping the API first makes its backends tell."""
    service.api.stop()
    until(lambda: service.rows(READERS) == [(0,)])
    return service.rows(SCANS)[0][0]


def test_a_request_that_is_refused_reads_nothing(door):
    demo, path = door.service, f"/v1/fundamentals/{door.ids['service_id']}"
    key, sample = (
        itertools.cycle([demo.issue(tier).key.encode() for _ in range(4)])
        for tier in ("professional", "sample")
    )
    kinds = {
        400: Trap("", f"{path}?as_of=2024-02-30".encode(), frozenset({400})),
        401: Trap("", path.encode(), frozenset({401}), key=b"none"),
        402: Trap("", b"/v1/editions?limit=26", frozenset({402})),
        404: Trap("", f"{path}/more".encode(), frozenset({404})),
        405: Trap("", path.encode(), frozenset({405}), method=b"POST"),
        421: Trap("", path.encode(), frozenset({421}), host=b"evil.example"),
    }
    before = scans(demo)
    demo.api.start()
    wire = Wire(demo.api.port)
    for status, trap in kinds.items():
        for _ in range(REFUSED_KEYS if status == 401 else REJECTIONS):
            response, _ = wire.ask(trap.request(next(sample if status == 402 else key)), trap.method)
            assert response.status == status
    wire.close()
    after = scans(demo)
    demo.api.start()
    asked = Trap("", path.encode(), frozenset({200}), host=HOST)
    assert wire.ask(asked.request(next(key)), asked.method)[0].status == 200
    wire.close()
    counted = scans(demo)
    demo.api.start()
    print(f"{REJECTIONS:,} refused requests a kind: {after - before} scans; one answer: {counted - after}")
    assert after == before
    assert counted > after, "an answer must be seen, or the count proves nothing"
