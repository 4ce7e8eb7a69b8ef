"""OPS-26: what the service does for an edge. Here the test sends what nginx and the cache would send.

`tests/faults/test_edge.py` and `tests/audit/test_edge.py` run the real nginx and Varnish.
"""

from __future__ import annotations

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from contract.keyed import furnish
from support.service import Service
from support.waiting import until

GONE_SECONDS = 5


class PurgeOrders:
    """Records the orders that an edge gets, and refuses the first ones."""

    def __init__(self, refused):
        self.numbers = []
        orders = self

        class Handler(BaseHTTPRequestHandler):
            def do_BAN(self):
                orders.numbers.append(self.headers["Edge-Takedown"])
                self.send_response(503 if len(orders.numbers) <= refused else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture(scope="module")
def orders():
    orders = PurgeOrders(refused=1)
    yield orders
    orders.server.shutdown()
    orders.server.server_close()


@pytest.fixture(scope="module")
def edged(stack, orders, tmp_path_factory):
    log = tmp_path_factory.mktemp("edge") / "access.log"
    service = furnish(
        Service(
            stack,
            "test_edge",
            SANKOFA_ACCESS_LOG=str(log),
            SANKOFA_EDGES=f'["{orders.url}"]',
            SANKOFA_PROXIES='["127.0.0.1"]',
        )
    )
    service.access_log = log
    yield service
    service.close()


def send(service, path, tier=None, **headers):
    key = {"X-API-Key": service.tiers[tier].key} if tier else {}
    return service.client.get(
        path, headers={**key, **{name.replace("_", "-"): text for name, text in headers.items()}}
    )


def led(service, path, tier, **headers):
    """Send requests as nginx does until the response names a body at the edge; the second one does."""
    first = send(service, path, tier, Edge_Cache="yes", **headers)
    assert first.status_code == 200
    second = send(service, path, tier, Edge_Cache="yes", **headers)
    assert (second.status_code, second.headers.get("X-Accel-Redirect")) == (200, "@kept")
    assert second.content == b""
    return second


def fetched(service, path, lead, **headers):
    """Fetch a body as the cache does, without a key."""
    return send(service, path, Edge_Ticket=lead.headers["Edge-Ticket"], **headers)


def logged(service, key_id):
    lines = map(json.loads, service.access_log.read_text().splitlines())
    return [line for line in lines if line.get("key") == key_id]


def left(response):
    return {
        name: int(number) for name, number in re.findall(r'"(\w+)";r=(\d+)', response.headers["RateLimit"])
    }


@pytest.mark.proves("OPS-26")
@pytest.mark.parametrize("accept", ["application/json", "text/csv", "application/x-ndjson"])
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_the_edge_gets_the_same_body_and_fields_as_a_caller(edged, accept, coding):
    path, form = f"/v1/fundamentals/{edged.large}", {"Accept": accept, "Accept_Encoding": coding}
    lead = led(edged, path, "starter", **form)
    direct, kept = send(edged, path, "starter", **form), fetched(edged, path, lead, **form)
    assert kept.content == direct.content
    assert lead.headers["Edge-Answer"] == direct.headers["ETag"].strip('"')
    own = {"surrogate-control", "edge-takedown"}
    of_a_request = {"x-request-id", "ratelimit", "ratelimit-policy", "date"}
    assert set(kept.headers) - own == set(direct.headers) - of_a_request | {"x-request-id", "date"}
    for name in set(kept.headers) - own - of_a_request:
        assert kept.headers[name] == direct.headers[name], name


@pytest.mark.proves("OPS-26")
def test_a_request_and_its_rows_are_counted_once(edged):
    edged.tiers["starter"] = edged.issue("starter")
    path = f"/v1/fundamentals/{edged.large}?period_type=FY"
    lead = led(edged, path, "starter")
    rows = send(edged, path, "starter").json()["count"]
    for _ in range(3):
        assert fetched(edged, path, lead).status_code == 200
    last = send(edged, path, "starter")  # the fifth request: its own rows are counted by the next one
    assert left(last) == {"burst": 300 - 4, "month": 250_000 - 4, "rows": 120_000 - 3 * rows}
    key_id = edged.tiers["starter"].key_id
    until(lambda: len(logged(edged, key_id)) == 4 + 3)
    charged = [line["endpoint"] for line in logged(edged, key_id) if line.get("charged")]
    assert charged == ["fundamentals"] * 4


@pytest.mark.proves("OPS-26")
def test_tiers_have_answers_of_their_own(edged):
    path = f"/v1/fundamentals/{edged.large}"
    preview, whole = led(edged, path, "sample"), led(edged, path, "professional")
    assert preview.headers["Edge-Answer"] != whole.headers["Edge-Answer"]
    assert fetched(edged, path, preview).content == send(edged, path, "sample").content
    assert fetched(edged, path, whole).content == send(edged, path, "professional").content


@pytest.mark.proves("OPS-26")
def test_a_ticket_opens_nothing_but_its_own_request(edged, make_service):
    path = f"/v1/fundamentals/{edged.large}"
    lead = led(edged, path, "starter", Accept="text/csv")
    ticket = lead.headers["Edge-Ticket"]
    assert fetched(edged, path, lead, Accept="text/csv").status_code == 200
    assert fetched(edged, path, lead, Accept="application/json").status_code == 401
    assert fetched(edged, f"{path}?vintages=all", lead, Accept="text/csv").status_code == 401
    assert fetched(edged, f"/v1/fundamentals/{edged.small}", lead, Accept="text/csv").status_code == 401
    for altered in ("", "x", ticket[:-4], "A" + ticket[1:], ticket[:-8] + "AAAA" + ticket[-4:]):
        refused = send(edged, path, Accept="text/csv", Edge_Ticket=altered)
        assert refused.status_code == 401
    without = make_service()  # no edge is in its settings
    without.publish()
    assert send(without, path, Accept="text/csv", Edge_Ticket=ticket).status_code == 401


@pytest.mark.proves("OPS-26")
def test_refusals_problems_and_304_are_as_without_an_edge(edged):
    path = f"/v1/fundamentals/{edged.large}"
    etag = led(edged, path, "starter") and send(edged, path, "starter").headers["ETag"]
    cases = [
        (path, None, {}, 401),
        (f"{path}?as_of=", "starter", {}, 400),
        ("/v1/tenders?limit=26", "sample", {}, 402),
        ("/v1/fundamentals/DC0000000000", "starter", {}, 404),
        (path, "starter", {"Accept": "application/json;q=0, image/png"}, 406),
        (path, "starter", {"If_None_Match": etag}, 304),
        (path, "starter", {"If_None_Match": "*"}, 304),
    ]
    for address, tier, headers, status in cases:
        same = {**headers, "X_Request_Id": "same"}
        direct, edge = (
            send(edged, address, tier, **same),
            send(edged, address, tier, **same, Edge_Cache="yes"),
        )
        assert (direct.status_code, edge.status_code) == (status, status), address
        assert direct.content == edge.content
        assert "X-Accel-Redirect" not in edge.headers


@pytest.mark.proves("OPS-26")
def test_without_an_edge_in_the_settings_its_fields_mean_nothing(make_service):
    service = furnish(make_service(SANKOFA_PROXIES='["127.0.0.1"]'))
    path = f"/v1/fundamentals/{service.large}"
    for _ in range(3):
        response = send(service, path, "starter", Edge_Cache="yes")
        assert response.json()["count"] > 0
        assert not {"x-accel-redirect", "edge-ticket", "edge-answer"} & set(response.headers)


@pytest.mark.proves("OPS-26")
def test_a_takedown_renames_every_answer_and_orders_the_edge_until_it_drops_the_old_bodies(edged, orders):
    until(lambda: len(orders.numbers) >= 3)  # at the start: refused, repeated, and once more
    assert set(orders.numbers) == {"0"}
    path = f"/v1/fundamentals/{edged.large}"
    before = led(edged, path, "professional")
    assert fetched(edged, path, before).headers["Edge-Takedown"] == "0"
    [number] = edged.take_down(edged.small)
    until(
        lambda: (
            orders.numbers[-1] == str(number)
            and send(edged, path, "professional", Edge_Cache="yes").headers.get("Edge-Answer")
            != before.headers["Edge-Answer"]
        ),
        GONE_SECONDS,
    )
    late = fetched(edged, path, before)  # a fetch that was on its way: answered, and not kept
    assert late.status_code == 200
    assert "Surrogate-Control" not in late.headers
    after = led(edged, path, "professional")
    assert fetched(edged, path, after).headers["Edge-Takedown"] == str(number)
