"""OPS and VER: health, status and deprecation."""

from __future__ import annotations

from datetime import date

import pytest

from sankofa.core.deprecation import DEPRECATED, Deprecated, check
from sankofa.core.errors import Refused
from sankofa.web.deprecation_fields import fields


@pytest.fixture(scope="module")
def api(module_service):
    module_service.issue()  # a key store that never held a key counts as one that lost them
    return module_service


@pytest.mark.proves("OPS-1")
def test_health_is_ok_and_touches_nothing(api):
    response = api.client.get("/health")
    assert (response.status_code, response.content) == (200, b'{"status":"ok"}')


@pytest.mark.proves("OPS-2")
def test_status_reads_each_store_and_says_so(api):
    response = api.client.get("/v1/status")
    body = response.json()
    assert response.status_code == 200
    assert set(body) == {"status", "build", "version", "edition", "checks", "degraded"}
    assert (body["status"], body["version"], body["edition"], body["degraded"]) == ("ok", "1.0.0", None, [])
    assert set(body["checks"]) == {"datastore", "keys", "usage"}
    for health in body["checks"].values():
        assert health["ok"] is True
        assert health["latency_ms"] >= 0


@pytest.mark.proves("OPS-2")
def test_callers_share_one_probe_a_second(api):
    bodies = {api.client.get("/v1/status").content for _ in range(20)}
    assert len(bodies) <= 3


def removal(since, sunset, successor):
    return Deprecated(kind="route", name="/v1/old", since=since, sunset=sunset, successor=successor)


@pytest.mark.proves("VER-1")
def test_a_removal_without_successor_or_notice_stops_the_start():
    assert DEPRECATED == ()
    check(DEPRECATED)
    good = removal(date(2027, 1, 1), date(2027, 12, 31), "/v2/new")
    check((good,))
    named = fields([good])
    assert named["Deprecation"] == "@1798761600"
    assert named["Sunset"] == "Fri, 31 Dec 2027 00:00:00 GMT"
    assert named["Link"] == '</v2/new>; rel="successor-version"'
    for bad in (
        removal(date(2027, 1, 1), date(2027, 6, 29), "/v2/new"),
        removal(date(2027, 1, 1), date(2026, 1, 1), "/v2/new"),
        removal(date(2027, 1, 1), date(2027, 12, 31), ""),
    ):
        with pytest.raises(Refused):
            check((bad,))
