"""OPS-26 with the real nginx and Varnish: the same answers, also while a part of the edge fails."""

from __future__ import annotations

import socket
import subprocess
import time
from contextlib import closing
from http.client import HTTPConnection

import httpx
import pytest

from contract.keyed import furnish
from dev.edge import path_of
from support.edge import behind_edge
from support.repository import ROOT
from support.service import Service
from support.waiting import until

GONE_SECONDS = 5
FORMS = ("application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")
# They differ between two requests, or belong to a connection.
OWN = {"date", "server", "connection", "ratelimit", "x-request-id", "transfer-encoding"}


class OverSocket(HTTPConnection):
    """A connection to the cache's socket, past nginx."""

    def __init__(self, path):
        super().__init__("cache", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.path))


@pytest.fixture(scope="module")
def edged(stack):
    service = furnish(Service(stack, "test_real_edge"))
    with behind_edge(service) as edge:
        service.edge = edge
        with httpx.Client(base_url=edge.nginx.url, timeout=30) as client:
            service.through = client
            yield service
    service.close()


def kept(edged, path, tier="professional", **headers):
    """Repeat a request through the edge until its body comes from the cache; return that response."""
    headers |= {"X-API-Key": edged.tiers[tier].key}

    def has_body():
        answer = edged.through.get(path, headers=headers)
        return is_kept(edged, name_of(answer)) or time.sleep(0.1)  # one key may not ask more often

    until(has_body)
    return edged.through.get(path, headers=headers)


def name_of(answer):
    assert answer.status_code == 200
    return answer.headers["ETag"].strip('"')


def is_kept(edged, name):
    """Request a body from Varnish directly, with a ticket that the service rejects on a miss."""
    with closing(OverSocket(edged.edge.varnish.socket)) as cache:
        words = {"Host": "localhost", "Edge-Answer": name, "Edge-Ticket": "none"}
        cache.request("GET", "/v1/tenders", headers=words)
        response = cache.getresponse()
        response.read()
    assert response.status in (200, 401)
    return response.status == 200


def fields(answer):
    return {name: text for name, text in answer.headers.items() if name not in OWN}


@pytest.mark.parametrize("accept", FORMS)
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_status_fields_and_body_are_those_of_the_service(edged, accept, coding):
    path, form = f"/v1/fundamentals/{edged.large}", {"Accept": accept, "Accept-Encoding": coding}
    answer = kept(edged, path, **form)
    headers = {"X-API-Key": edged.tiers["professional"].key, **form}
    direct = edged.client.get(path, headers=headers)
    assert (answer.status_code, answer.content) == (200, direct.content)
    assert fields(answer) == fields(direct)
    assert {"ratelimit", "x-request-id"} <= set(answer.headers)
    head = edged.through.head(path, headers=headers)
    assert (head.status_code, head.content, fields(head)) == (200, b"", fields(direct))
    again = edged.through.get(path, headers={**headers, "If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_spellings_of_one_question_share_a_body_and_keep_their_addresses(edged):
    plain = kept(edged, "/v1/tenders")
    spelled = edged.through.get(
        "/v1/tenders?limit=100", headers={"X-API-Key": edged.tiers["professional"].key}
    )
    assert name_of(spelled) == name_of(plain)
    assert spelled.content == plain.content
    assert "limit=100" in spelled.headers["Content-Location"]
    assert "limit" not in plain.headers["Content-Location"]


def test_the_request_id_and_the_scheme_are_those_of_the_request(edged):
    kept(edged, f"/v1/entities/{edged.small}")
    answer = edged.through.get(
        f"/v1/entities/{edged.small}",
        headers={"X-API-Key": edged.tiers["professional"].key, "X-Request-Id": "mine"},
    )
    assert answer.headers.get_list("X-Request-Id") == ["mine"]
    assert "Strict-Transport-Security" not in answer.headers


def test_nothing_from_outside_passes_for_a_part_of_the_edge(edged):
    path = f"/v1/fundamentals/{edged.small}"
    kept(edged, path)
    lead = edged.client.get(
        path,
        headers={
            "X-API-Key": edged.tiers["professional"].key,
            "Edge-Cache": "yes",
            "Accept-Encoding": "gzip, deflate",
        },
    )
    stolen = {name: lead.headers[name] for name in ("Edge-Ticket", "Edge-Answer")}
    assert edged.through.get(path, headers=stolen).status_code == 401
    assert edged.through.request("BAN", "/", headers={"Edge-Takedown": "9"}).status_code in (404, 405)
    with closing(OverSocket(edged.edge.varnish.socket)) as cache:
        cache.request("GET", path, headers={"Edge-Answer": stolen["Edge-Answer"]})
        assert cache.getresponse().status == 403
    purges = httpx.get(edged.edge.nginx.purge_url, headers=stolen)
    assert purges.status_code == 405
    for wrong in ("", "1 || req.url ~ .", "-1"):
        assert (
            httpx.request("BAN", edged.edge.nginx.purge_url, headers={"Edge-Takedown": wrong}).status_code
            == 400
        )


def test_pages_probes_problems_and_tools_pass_unchanged(edged):
    for path in (
        "/health",
        "/ready",
        "/v1/status",
        "/openapi.json",
        "/v1/tenders",
        "/nowhere",
        "/v1/tenders?limit=%00",
    ):
        same = {"X-Request-Id": "same"}
        assert (
            edged.through.get(path, headers=same).status_code
            == edged.client.get(path, headers=same).status_code
        )
    refused = edged.through.post("/mcp", content=b"x" * (1 << 20), headers={"X-API-Key": "no"})
    assert (refused.status_code, refused.json()["code"]) == (413, "body-too-large")
    assert edged.through.options("/v1/tenders").status_code == 204
    assert edged.through.delete("/v1/tenders").status_code == 405


def test_without_the_cache_the_service_sends_the_bodies(edged):
    path = f"/v1/fundamentals/{edged.large}?vintages=all"
    expected = kept(edged, path).content
    for fail in (edged.edge.varnish.kill9, edged.edge.varnish.pause):
        fail()
        answer = edged.through.get(path, headers={"X-API-Key": edged.tiers["professional"].key})
        assert (answer.status_code, answer.content) == (200, expected)
        edged.edge.varnish.kill9()  # its parent would end a process that was frozen for so long
        edged.edge.varnish.start()
    assert kept(edged, path).content == expected


def test_without_the_service_nothing_is_answered_from_the_cache(edged):
    path = f"/v1/fundamentals/{edged.large}?vintages=all"
    kept(edged, path)
    edged.api.stop()
    answer = edged.through.get(path, headers={"X-API-Key": edged.tiers["professional"].key})
    edged.api.start()
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert answer.headers["Retry-After"] == "2"
    assert kept(edged, path).status_code == 200


def test_a_revoked_key_ends_at_the_edge_within_five_seconds(edged):
    issued = edged.issue("starter")
    path, headers = f"/v1/fundamentals/{edged.large}", {"X-API-Key": issued.key}
    assert edged.through.get(path, headers=headers).status_code == 200
    with edged.installation.registry() as registry:
        registry.revoke(issued.key_id)
    until(lambda: edged.through.get(path, headers=headers).status_code == 401, GONE_SECONDS)


def test_a_takedown_is_gone_in_five_seconds_also_from_memory_and_also_if_no_purge_arrives(edged):
    path, key = f"/v1/fundamentals/{edged.small}", {"X-API-Key": edged.tiers["professional"].key}
    name = name_of(kept(edged, path))
    start = time.monotonic()
    edged.take_down(edged.small)
    until(lambda: edged.through.get(path, headers=key).status_code == 404, GONE_SECONDS)
    until(lambda: not is_kept(edged, name), GONE_SECONDS - (time.monotonic() - start))
    print(f"gone after {time.monotonic() - start:.1f} s")

    path = f"/v1/fundamentals/{edged.large}"
    name = name_of(kept(edged, path))
    edged.edge.nginx.stop()  # the purge cannot arrive
    edged.take_down(edged.large)
    until(lambda: edged.client.get(path, headers=key).status_code == 404, GONE_SECONDS)
    assert is_kept(edged, name)
    edged.edge.nginx.start()
    assert edged.through.get(path, headers=key).status_code == 404
    until(lambda: not is_kept(edged, name), GONE_SECONDS)


def test_the_files_of_a_deployment_are_accepted_by_nginx(tmp_path):
    for file in (ROOT / "deploy" / "edge").glob("*.conf"):
        text = file.read_text().replace("server api:8080", "server 127.0.0.1:8080")
        (tmp_path / file.name).write_text(text)
    (tmp_path / "tls").mkdir()
    line = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=edge -keyout key.pem -out certificate.pem"
    subprocess.run(line.split(), cwd=tmp_path / "tls", check=True, capture_output=True)
    nginx = [path_of("nginx"), "-t", "-p", f"{tmp_path}/", "-c", tmp_path / "nginx.conf", "-e", "stderr"]
    done = subprocess.run(nginx, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "warn" not in done.stderr
