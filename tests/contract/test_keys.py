"""KEY: who may ask, how much, and in which order that is decided."""

from __future__ import annotations

import subprocess

import pytest

from contract.keyed import address, furnish, key, path_of
from dev import pages
from dev.installation import command
from sankofa.access.keys import generate
from sankofa.surfaces.rest import ENDPOINTS
from support.waiting import until


@pytest.fixture(scope="module")
def api(module_service):
    pages.build()
    return furnish(module_service)


@pytest.fixture
def facts(api):
    return f"/v1/fundamentals/{api.large}"


@pytest.mark.proves("KEY-1")
def test_every_endpoint_needs_a_key_in_its_header_and_three_pages_do_not(api):
    for endpoint in ENDPOINTS:
        path = address(api, endpoint)
        # What only lists open files is open itself (EXP-3).
        assert api.client.get(path).status_code == (200 if endpoint.name == "export_open" else 401)
        for name in ("X-API-Key", "x-api-key", "X-Api-KEY"):
            headers = {name: api.tiers["starter"].key}
            assert api.client.get(path, headers=headers).status_code == 200
        for scheme in ("Bearer", "bearer", "BEARER"):
            headers = {"Authorization": f"{scheme} {api.tiers['starter'].key}"}
            assert api.client.get(path, headers=headers).status_code == 200
    for path in ("/health", "/v1/status", "/v1/freshness", "/openapi.json", "/v1/editions.atom"):
        assert api.client.get(path).status_code == 200


@pytest.mark.proves("KEY-2")
def test_missing_malformed_unknown_and_revoked_keys_get_one_body(api, facts):
    revoked = api.issue("starter")
    with api.installation.registry() as registry:
        registry.revoke(revoked.key_id)
    bodies = set()
    malformed = ({"X-API-Key": "nonsense"}, {"Authorization": revoked.key}, {"Authorization": "Bearer"})
    unknown = ({"X-API-Key": generate()}, {"Authorization": f"Bearer {generate()}"})
    gone = ({"X-API-Key": revoked.key}, {"Authorization": f"Bearer {revoked.key}"})
    for sent in ({}, {"Authorization": f"Basic {revoked.key}"}, *malformed, *unknown, *gone):
        response = api.client.get(facts, headers={**sent, "X-Request-Id": "one"})
        assert response.status_code == 401
        assert response.headers["www-authenticate"].startswith("ApiKey")
        bodies.add(response.content)
    assert len(bodies) == 1


@pytest.mark.proves("KEY-2")
def test_several_keys_are_no_key(api):
    valid, other = api.tiers["starter"].key, api.tiers["professional"].key
    missing = api.client.get("/v1/editions", headers={"X-Request-Id": "one"})
    for keys in ((valid, other), (valid, valid), (valid, "nonsense"), ("nonsense", valid)):
        for other_field in (("x-api-key", keys[1]), ("Authorization", f"Bearer {keys[1]}")):
            sent = [("X-API-Key", keys[0]), other_field, ("X-Request-Id", "one")]
            for response in (
                api.client.get("/v1/editions", headers=sent),
                api.client.post(
                    "/mcp", headers=sent, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
                ),
            ):
                assert (response.status_code, response.content) == (401, missing.content)


@pytest.mark.proves("KEY-1", "MCP-1")
def test_a_bearer_token_is_the_same_key_and_another_scheme_is_none(api):
    caller = api.issue("starter")
    bearer = {"Authorization": f"Bearer {caller.key}"}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert api.client.post("/mcp", headers=bearer, json=asked).status_code == 200
    first = api.client.get("/v1/editions", headers=bearer)
    second = api.client.get("/v1/editions", headers={"X-API-Key": caller.key, "Authorization": "Basic eDp5"})
    assert (first.status_code, first.content) == (second.status_code, second.content)
    left = [int(response.headers["ratelimit"].split(";r=")[1].split(";")[0]) for response in (first, second)]
    assert left[0] - left[1] == 1  # counted as one key


@pytest.mark.proves("KEY-3")
def test_tiers_have_the_contract_s_numbers(api):
    expected = {
        "sample": (25, 60, 5_000),
        "starter": (1_000, 300, 250_000),
        "professional": (10_000, 1_200, 5_000_000),
    }
    for tier, (rows, minute, month) in expected.items():
        response = api.get("/v1/editions", headers={"X-API-Key": api.issue(tier).key}, limit=rows)
        assert response.status_code == 200
        policies = response.headers["ratelimit-policy"]
        assert policies.startswith(f'"burst";q={minute};w=60, "month";q={month}, "rows"')
        over = api.get("/v1/editions", headers=key(api, tier), limit=rows + 1)
        assert over.status_code == (402 if tier == "sample" else 400)


@pytest.mark.proves("KEY-3")
def test_the_numbers_are_configuration(make_service):
    service = make_service(SANKOFA_TIERS='{"sample": {"rows": 3, "per_minute": 7}}')
    furnish(service)
    response = service.get(f"/v1/fundamentals/{service.large}", headers=key(service, "sample"))
    assert response.exact["count"] == 3
    assert response.headers["ratelimit-policy"].startswith('"burst";q=7;')


@pytest.mark.proves("KEY-4")
@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.0/24"])
def test_a_public_key_is_counted_per_client(make_service, proxy):
    service = make_service(SANKOFA_PROXIES=f'["{proxy}"]')
    furnish(service)
    public = {"X-API-Key": service.issue("sample", public=True).key}

    def ask(address):
        return service.client.get("/v1/editions", headers={**public, "X-Forwarded-For": address})

    statuses = [ask("203.0.113.1").status_code for _ in range(61)]
    assert statuses == [200] * 60 + [429]
    assert ask("203.0.113.2").status_code == 200
    assert [ask(f"2001:db8::{n:x}").status_code for n in range(61)] == [200] * 60 + [429]
    assert ask("2001:db8:0:1::1").status_code == 200
    assert (
        service.get(
            f"/v1/fundamentals/{service.large}", headers={**public, "X-Forwarded-For": "203.0.113.3"}
        ).exact["count"]
        == 25
    )


@pytest.mark.proves("KEY-4")
def test_forwarded_addresses_count_only_from_configured_proxies(api):
    public = {"X-API-Key": api.issue("sample", public=True).key}
    statuses = [
        api.client.get("/v1/editions", headers={**public, "X-Forwarded-For": f"203.0.113.{n}"}).status_code
        for n in range(61)
    ]
    assert statuses[-1] == 429


@pytest.mark.proves("KEY-5")
def test_keys_are_stored_only_as_a_hash_and_a_typo_needs_no_store(api):
    issued = api.issue("starter")
    dump = str(api.rows("SELECT * FROM ops.key_event"))
    assert issued.key not in dump
    assert issued.key[4:] not in dump
    assert issued.key.startswith("snk_")
    wrong = issued.key[:-1] + ("a" if issued.key[-1] != "a" else "b")
    assert api.client.get("/v1/editions", headers={"X-API-Key": wrong}).status_code == 401


@pytest.mark.proves("KEY-6")
def test_the_minute_limit_refuses_and_says_when_to_come_back(api):
    headers = {"X-API-Key": api.issue("sample").key}
    responses = [api.client.get("/v1/editions", headers=headers) for _ in range(61)]
    assert [response.status_code for response in responses] == [200] * 60 + [429]
    assert [int(r.headers["ratelimit"].split("r=")[1].split(";")[0]) for r in responses[:60]] == list(
        range(59, -1, -1)
    )
    refused = responses[-1]
    assert 1 <= int(refused.headers["retry-after"]) <= 61
    assert refused.headers["ratelimit"].startswith('"burst";r=0;t=')
    body = refused.json()
    assert (body["policy"], body["limit"]) == ("burst", 60)
    assert body["retry_after"] == int(refused.headers["retry-after"])


@pytest.mark.proves("KEY-6")
def test_what_counts_and_what_does_not(api, facts):
    headers = {"X-API-Key": api.issue("sample").key}

    def left():
        return int(
            api.client.get("/v1/editions", headers=headers).headers["ratelimit"].split("r=")[1].split(";")[0]
        )

    before = left()
    etag = api.client.get(facts, headers=headers).headers["etag"]
    for path, extra, status in (
        (facts, {"If-None-Match": etag}, 304),
        (facts + "?nonsense=1", {}, 400),
        ("/v1/editions?limit=26", {}, 402),
        ("/v1/fundamentals/DC0", {}, 404),
    ):
        assert api.client.get(path, headers={**headers, **extra}).status_code == status
    for method, path in (("OPTIONS", facts), ("GET", "/nowhere"), ("POST", facts)):
        api.client.request(method, path, headers=headers)
    assert left() == before - 1 - 5


@pytest.mark.proves("KEY-6")
def test_the_month_is_capped(make_service):
    service = make_service(SANKOFA_TIERS='{"sample": {"per_month": 3}}')
    furnish(service)
    headers = {"X-API-Key": service.issue("sample").key}
    statuses = [service.client.get("/v1/editions", headers=headers).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert service.client.get("/v1/editions", headers=headers).json()["policy"] == "month"


@pytest.mark.proves("KEY-14")
def test_the_rows_of_a_minute_are_limited_and_heavy_ones_count_several_times(make_service):
    service = make_service(SANKOFA_TIERS='{"sample": {"rows_per_minute": 50}}')
    furnish(service)
    headers = {"X-API-Key": service.issue("sample").key}
    first = service.get(f"/v1/fundamentals/{service.large}", headers=headers)
    assert '"rows";r=50' in first.headers["ratelimit"]
    assert first.exact["count"] == 25
    second = service.get(f"/v1/fundamentals/{service.large}", headers=headers)
    assert (second.status_code, '"rows";r=25' in second.headers["ratelimit"]) == (200, True)
    refused = service.get("/v1/editions", headers=headers)
    assert (refused.status_code, refused.exact["policy"], refused.exact["limit"]) == (429, "rows", 50)
    assert 0 < int(refused.headers["retry-after"]) <= 61
    assert service.get("/v1/editions", headers=key(service, "sample")).status_code == 200


@pytest.mark.proves("KEY-14")
@pytest.mark.parametrize(
    ("tier", "rows"), [("sample", 30_000), ("starter", 120_000), ("professional", 1_200_000)]
)
def test_each_tier_has_its_rows_a_minute(api, tier, rows):
    response = api.get("/v1/tenders", headers={"X-API-Key": (issued := api.issue(tier)).key}, limit=2)
    assert f'"rows";q={rows};w=60' in response.headers["ratelimit-policy"]
    after = api.get("/v1/editions", headers={"X-API-Key": issued.key})
    assert f'"rows";r={rows - 20 * len(response.exact["data"])};' in after.headers["ratelimit"]


@pytest.mark.proves("KEY-7")
def test_a_sample_key_that_asks_for_more_gets_402_with_the_way_up(api):
    response = api.get("/v1/editions", headers=key(api, "sample"), limit=26)
    assert response.status_code == 402
    assert response.exact["limit"] == 25
    assert response.exact["upgrade_url"] == response.headers["x-upgrade-url"]
    assert response.exact["upgrade_url"] == f"{api.api.url}/upgrade?from=limit"
    assert api.get("/v1/editions", headers=key(api, "sample")).status_code == 200


@pytest.mark.proves("KEY-7")
def test_the_upgrade_link_leads_to_a_page_and_keeps_what_it_is_from(api):
    link = api.get("/v1/editions", headers=key(api, "sample"), limit=26).headers["x-upgrade-url"]
    page = api.client.get(link, follow_redirects=True)
    assert (page.status_code, page.url.query) == (200, b"from=limit")
    assert "professional" in page.text


@pytest.mark.proves("KEY-7", "KEY-8", "KEY-12")
@pytest.mark.parametrize("digits", [11, 23, 500])
def test_a_limit_of_any_length_is_more_than_the_tier_serves(api, digits):
    refused = {
        tier: api.get("/v1/editions", headers=key(api, tier), limit="9" * digits) for tier in api.tiers
    }
    assert {tier: response.status_code for tier, response in refused.items()} == {
        "sample": 402,
        "starter": 400,
        "professional": 400,
    }
    assert refused["sample"].exact["limit"] == 25
    for tier in ("starter", "professional"):
        assert refused[tier].exact["parameter"] == "limit"
        assert "at most" in refused[tier].exact["detail"]


@pytest.mark.proves("KEY-7", "KEY-8")
def test_the_preview_is_the_first_rows_and_cursors_go_on(api, facts):
    body = api.get(facts, headers=key(api, "sample")).exact
    assert (body["count"], body["truncated"]) == (25, True)
    assert body["data"] == api.get(facts).exact["data"][:25]
    following = api.get(facts, headers=key(api, "sample"), cursor=body["next_cursor"]).exact
    assert following["data"] == api.get(facts).exact["data"][25:50]


@pytest.mark.proves("KEY-8")
def test_a_paid_key_above_its_ceiling_is_told_the_maximum(api, facts):
    response = api.get("/v1/editions", headers=key(api, "starter"), limit=1001)
    assert (response.status_code, response.exact["parameter"]) == (400, "limit")
    assert "at most 1000 " in response.exact["detail"]
    assert "professional tier serves up to 10000" in response.exact["detail"]
    highest = api.get("/v1/editions", headers=key(api, "professional"), limit=10001).exact["detail"]
    assert "at most 10000 " in highest
    assert "tier" not in highest
    assert api.get(facts, headers=key(api, "starter")).exact["count"] == 60
    response = api.get(facts, limit=5)
    assert (response.status_code, response.exact["parameter"]) == (400, "limit")


@pytest.mark.proves("KEY-10")
def test_the_order_of_checks(api, facts):
    bad = facts + "?as_of=nonsense"
    over = {"X-API-Key": api.issue("sample").key}
    for _ in range(60):
        api.client.get("/v1/editions", headers=over)
    for headers, path, method, status in (
        ({"Host": "evil.example"}, "/nowhere", "GET", 421),
        ({}, "/nowhere", "GET", 404),
        ({}, facts, "POST", 405),
        ({}, bad, "GET", 401),
        ({"X-API-Key": generate()}, bad, "GET", 401),
        (over, bad, "GET", 429),
        (key(api, "sample"), "/v1/editions?limit=26&edition=x", "GET", 400),
        (key(api, "sample"), "/v1/editions?limit=26", "GET", 402),
        (key(api, "sample"), "/v1/fundamentals/DC0", "GET", 404),
    ):
        response = api.client.request(method, path, headers=headers)
        assert response.status_code == status, (path, headers)
        if status == 401:
            assert "parameter" not in response.json()


@pytest.mark.proves("KEY-11")
def test_hosts_are_configuration_and_no_other_host_is_named(make_service):
    service = make_service(SANKOFA_HOSTS='["data.customer.example", "127.0.0.1"]')
    furnish(service)
    for host, status in (
        ("data.customer.example", 200),
        ("DATA.customer.example:443", 200),
        ("other.example", 421),
        ("data.customer.example.evil.example", 421),
        ("", 421),
    ):
        response = service.client.get("/v1/editions", headers={**service.headers, "Host": host})
        assert response.status_code == status, host
    assert service.client.get("/health", headers={"Host": "other.example"}).status_code == 200
    response = service.client.get(
        f"/v1/fundamentals/{service.large}", headers={**service.headers, "Host": "data.customer.example"}
    )
    told = str(response.headers) + response.text
    assert "127.0.0.1" not in told
    assert response.headers["content-location"].startswith("/v1/")


@pytest.mark.proves("KEY-7", "KEY-11")
def test_the_upgrade_link_names_the_host_that_was_asked_and_no_other(make_service):
    hosts = ("data.customer.example", "other.example")
    service = make_service(SANKOFA_HOSTS='["data.customer.example", "other.example", "127.0.0.1"]')
    furnish(service)
    for host in hosts:
        sent = {**key(service, "sample"), "Host": host, "X-Forwarded-Proto": "https"}
        response = service.client.get("/v1/editions?limit=26", headers=sent)
        # Nobody listed 127.0.0.1 as a proxy, so its word on the scheme does not count.
        assert response.json()["upgrade_url"] == f"http://{host}/upgrade?from=limit"
        told = str(response.headers) + response.text
        assert not any(other in told for other in ({*hosts, "127.0.0.1"} - {host}))


@pytest.mark.proves("KEY-7", "KEY-11")
def test_behind_a_configured_proxy_the_upgrade_link_has_the_scheme_of_the_caller(make_service):
    service = make_service(
        SANKOFA_HOSTS='["data.customer.example", "127.0.0.1"]', SANKOFA_PROXIES='["127.0.0.1"]'
    )
    furnish(service)
    for forwarded, scheme in (("https", "https"), ("http, HTTPS", "https"), ("gopher", "http"), ("", "http")):
        sent = {**key(service, "sample"), "Host": "data.customer.example", "X-Forwarded-Proto": forwarded}
        link = service.client.get("/v1/editions?limit=26", headers=sent).headers["x-upgrade-url"]
        assert link == f"{scheme}://data.customer.example/upgrade?from=limit"


@pytest.mark.proves("KEY-12")
@pytest.mark.parametrize(
    "limit", ["0", "-1", "+1", "1.0", "", "\u0663", " 1", "1 ", "0x1", "1e2", "01", "99999999999999999999"]
)
def test_a_limit_is_a_plain_number_of_at_least_one(api, limit):
    response = api.get("/v1/editions", limit=limit)
    assert (response.status_code, response.exact["parameter"]) == (400, "limit")


@pytest.mark.proves("KEY-12")
def test_limit_is_unknown_where_it_is_not_declared(api):
    for endpoint in ENDPOINTS:
        if not endpoint.takes_limit:
            response = api.get(path_of(api, endpoint), limit="1")
            assert (response.status_code, response.exact["parameter"]) == (400, "limit")


@pytest.mark.proves("KEY-5")
def test_the_operator_issues_lists_rotates_and_revokes_by_command(api):
    def run(*arguments):
        line, environment = command(api.installation, "keys", *arguments)
        return subprocess.run(
            line, env=environment, capture_output=True, text=True, check=True
        ).stdout.strip()

    issued = run("issue", "starter", "Example Ltd")
    assert api.client.get("/v1/editions", headers={"X-API-Key": issued}).status_code == 200
    listed = run("list")
    assert issued not in listed
    (line,) = (line for line in listed.splitlines() if line.endswith("Example Ltd"))
    replacement = run("rotate", line.split()[0], "--grace-hours", "0")
    assert api.client.get("/v1/editions", headers={"X-API-Key": replacement}).status_code == 200
    until(lambda: api.client.get("/v1/editions", headers={"X-API-Key": issued}).status_code == 401)
    run("sync")
    assert api.client.get("/v1/editions", headers={"X-API-Key": replacement}).status_code == 200
