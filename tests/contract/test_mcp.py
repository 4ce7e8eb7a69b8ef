"""MCP-1 to MCP-5: the tools over streamable HTTP, in both generations of the protocol."""

from __future__ import annotations

import asyncio
import json
import re
from decimal import Decimal
from pathlib import Path

import httpx2
import jsonschema_rs
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from dev.node import program
from dev.ports import unused_ports
from sankofa.surfaces.tools import TOOLS
from support.filings import Filer
from support.mcp_client import GENERATIONS, LEGACY, MODERN, Agent

NAMES = {
    "search_entities",
    "get_entity",
    "get_fundamentals",
    "get_panel",
    "list_issuers",
    "list_filings",
    "get_fact",
    "compare_days",
    "get_signal",
    "list_catalogue",
    "search_tenders",
    "get_macro",
    "get_resolved_parties",
    "get_quality_metrics",
    "verify_figure",
    "screen_issuers",
}
REST = {
    "get_entity": "/v1/entities/{service_id}",
    "get_fundamentals": "/v1/fundamentals/{service_id}",
    "get_panel": "/v1/panel",
    "list_issuers": "/v1/issuers",
    "list_filings": "/v1/filings",
    "get_fact": "/v1/facts/{fact_id}",
    "compare_days": "/v1/diff/{service_id}",
    "get_signal": "/v1/signals/{signal_key}",
    "list_catalogue": "/v1/catalog/{kind}",
    "search_tenders": "/v1/tenders",
    "get_macro": "/v1/macro",
    "get_resolved_parties": "/v1/tender-parties",
    "get_quality_metrics": "/v1/quality-metrics/{sku}",
    "screen_issuers": "/v1/screen",
}
ONLY_IN_FULL = {  # as MCP-1 lists them
    "accepted_at",
    "available_at_basis",
    "concept",
    "currency_reported",
    "days_rounded",
    "decimals",
    "extraction_confidence",
    "filing_id",
    "first_filing_held",
    "initiationType",
    "language",
    "method",
    "methodology_ref",
    "observed_at",
    "provenance_id",
    "rule_version",
}
STATEMENTS = ("not a regulated benchmark", "not ratings", "some real firms are withheld")
INSPECTOR = Path(__file__).parents[1] / "mcp-tools"
EXAMPLES = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
BOTH = pytest.mark.parametrize("generation", GENERATIONS)
MODES = {LEGACY: "legacy", MODERN: "auto"}


@pytest.fixture
def agent(demo):
    agent = Agent(demo)
    yield agent
    agent.close()


def with_sdk(service, generation, work):
    """Do something with the SDK's own client, which checks every answer against the tool's schema."""

    async def run():
        headers = {"x-api-key": service.issue().key}
        async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
            transport = streamable_http_client(f"{service.api.url}/mcp", http_client=http)
            async with Client(transport, mode=MODES[generation]) as client:
                assert client.protocol_version == generation
                return await work(client)

    return asyncio.run(run())


@pytest.mark.proves("MCP-1", "MCP-2")
@BOTH
def test_the_sdk_s_own_client_lists_and_calls_every_tool(demo, generation):
    async def work(client):
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == NAMES
        for tool in TOOLS:
            called = await client.call_tool(tool.name, dict(tool.example))
            assert not called.is_error, called
            assert called.structured_content["count"] > 0, tool.name
            assert json.loads(called.content[0].text) == called.structured_content
        (guide,) = (await client.list_resources()).resources
        (read,) = (await client.read_resource(guide.uri)).contents
        assert "as_of" in read.text
        return client.instructions

    said = with_sdk(demo, generation, work)
    assert all(statement in said for statement in STATEMENTS)


@pytest.mark.proves("ENV-16")
@BOTH
def test_the_instructions_say_what_the_data_is_not(demo, generation):
    async def work(client):
        return client.instructions

    assert all(statement in with_sdk(demo, generation, work) for statement in STATEMENTS)


@pytest.mark.proves("MCP-1")
def test_the_inspector_s_command_line_lists_and_calls(demo):
    asked = ["--cli", f"{demo.api.url}/mcp", "--transport", "http"]
    asked += ["--header", f"x-api-key: {demo.issue().key}"]

    def inspected(*call):
        _, said = program(INSPECTOR, "mcp-inspector", *asked, *call)
        return json.JSONDecoder().raw_decode(said)[0]  # warnings may follow

    assert {tool["name"] for tool in inspected("--method", "tools/list")["tools"]} == NAMES
    call = ["--method", "tools/call", "--tool-name", "search_entities", "--tool-arg", "query=XNAI:NYAL"]
    (row,) = inspected(*call)["structuredContent"]["data"]
    assert row["legal_name"] == "Nyalumera Foods Holdings PLC"


@pytest.mark.proves("MCP-1", "KEY-1", "KEY-2")
@BOTH
def test_without_a_key_there_is_nothing(demo, generation):
    issued = demo.issue().key
    never_issued = issued[:-1] + ("y" if issued[-1] == "x" else "x")
    agent = Agent(demo, generation=generation)
    for method in ("tools/list", "tools/call", "initialize", "server/discover", "resources/list"):
        for key in (None, "", "Bearer x", never_issued):
            reply = agent.send(method, {"name": "get_entity", "arguments": {}}, **{"X-API-Key": key})
            assert reply.status == 401
            assert reply.headers["WWW-Authenticate"].startswith("ApiKey")
            assert reply.message["code"] == "invalid-key"
    agent.close()


@pytest.mark.proves("MCP-1", "MCP-2")
@EXAMPLES
def test_a_tool_answers_what_rest_answers(demo, agent, tool):
    if tool.name not in REST:
        return
    asked = dict(tool.example)
    sized = {"limit": 7} if tool.endpoint.takes_limit else {}
    path = REST[tool.name].format(**asked)
    query = {name: value for name, value in asked.items() if f"{{{name}}}" not in REST[tool.name]}
    rest = demo.get(path, **query, **sized).exact

    def answered(**more):
        return agent.send("tools/call", {"name": tool.name, "arguments": {**asked, **sized, **more}}).answer

    answer = answered(full=True)
    rows = tool.endpoint.rows_key
    for short, whole in zip(answered()[rows], rest[rows], strict=False):
        assert short == {name: value for name, value in whole.items() if name not in ONLY_IN_FULL}
    if tool.cuts_pages:  # REST gives such an answer whole, a tool a part of it
        assert answer[rows] == rest[rows][: answer["count"]]
        assert (answer["truncated"], answer["edition"]) == (True, rest["edition"])
    else:
        assert answer == rest


@pytest.mark.proves("MCP-4")
@BOTH
def test_lists_and_default_answers_are_small(demo, generation):
    agent = Agent(demo, generation=generation)
    listed = agent.send("tools/list")
    sizes = {"tools/list": len(listed.body)}
    for tool in TOOLS:
        reply = agent.send("tools/call", {"name": tool.name, "arguments": dict(tool.example)})
        assert 0 < reply.answer["count"] <= 10
        sizes[tool.name] = len(reply.body)
    for tool, asked in (
        ("get_fundamentals", {"service_id": TOOLS[1].example["service_id"], "vintages": "all"}),
        ("search_tenders", {}),
        ("search_tenders", {"country": "KE"}),
        ("get_macro", {}),
        ("get_macro", {"country": "KE"}),
        ("get_resolved_parties", {}),
        ("screen_issuers", {"metric": "current_ratio", "absent": "true"}),
    ):
        reply = agent.call(tool, **asked)
        assert reply.answer["next_cursor"], f"there is more than this holds: {tool} {asked}"
        sizes[tool] = max(sizes[tool], len(reply.body))
    agent.close()
    print(generation, sizes)
    assert sizes.pop("tools/list") < 16_000
    assert max(sizes.values()) < 8_000


@pytest.mark.proves("MCP-4")
def test_lists_and_the_guide_may_be_cached_and_answers_may_not(demo):
    agent = Agent(demo, generation=MODERN)
    for method, params in (
        ("server/discover", {}),
        ("tools/list", {}),
        ("resources/list", {}),
        ("resources/read", {"uri": "sankofa://guide"}),
    ):
        result = agent.send(method, params).result
        assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "public"), method
    called = agent.call(TOOLS[0].name, **TOOLS[0].example)
    assert "ttlMs" not in called.result
    agent.close()


@pytest.mark.proves("MCP-2", "MCP-4")
def test_names_schemas_and_marks_are_as_clients_need_them(agent):
    listed = agent.send("tools/list").result["tools"]
    for tool in listed:
        assert re.fullmatch(r"[a-z_]{1,64}", tool["name"])
        assert tool["annotations"]["readOnlyHint"] is True
        assert all(re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name) for name in tool["inputSchema"]["properties"])
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            jsonschema_rs.Draft202012Validator(schema)
            assert schema["type"] == "object"
    declared = {tool["name"]: tool for tool in listed}
    for tool in TOOLS:
        jsonschema_rs.validate(declared[tool.name]["inputSchema"], dict(tool.example))
        rows = tool.endpoint.rows_key
        row = declared[tool.name]["outputSchema"]["properties"][rows]["items"]
        sourced = {"license_class"} if tool.name == "list_catalogue" else {"source_ref", "license_class"}
        assert sourced <= set(row["required"])
        reply = agent.send("tools/call", {"name": tool.name, "arguments": dict(tool.example)})
        held = json.loads(reply.body)["result"]["structuredContent"]
        jsonschema_rs.validate(declared[tool.name]["outputSchema"], held)
        assert held[rows], "a schema of no rows is kept by everything"


@pytest.mark.proves("MCP-4", "KEY-11")
def test_a_strange_host_or_origin_is_refused_before_anything_else(demo, agent):
    message, headers = agent.message("tools/list", {})
    body = json.dumps(message).encode()
    assert agent.post(body, **headers, Host="evil.example").status == 421
    for origin in ("https://evil.example", "null", "http://127.0.0.1", demo.api.url, ""):
        reply = agent.post(body, **headers, Origin=origin)
        assert (reply.status, reply.message["code"]) == (403, "origin-not-allowed")
    api = demo.installation.api(
        next(unused_ports()), environment={"SANKOFA_ORIGINS": '["https://app.example"]'}
    )
    api.start()
    trusting = Agent(demo, port=api.port)
    assert trusting.post(body, **headers, Origin="https://app.example").status == 200
    assert trusting.post(body, **headers, Origin="https://app.example.evil.example").status == 403
    preflight = trusting.post(b"", method="OPTIONS", Origin="https://app.example", **{"X-API-Key": None})
    assert preflight.status == 204
    assert "POST" in preflight.headers["Access-Control-Allow-Methods"]
    assert "Mcp-Method" in preflight.headers["Access-Control-Allow-Headers"]
    trusting.close()
    api.stop()


@pytest.mark.proves("MCP-3")
def test_search_overlooks_what_does_not_matter_and_puts_identifiers_first(agent):
    def found(query, **more):
        rows = agent.answer("search_entities", query=query, **more)["data"]
        return [(row["legal_name"], row["matched"]) for row in rows]

    name = "Nyalumera Foods Holdings PLC"
    assert found("9999DEMO100000000065") == found("xnai:nyal") == [(name, "identifier")]
    for text in ("NYALUMERA FOODS HOLDINGS", "foods holdings nyaluméra", "Nyalumera Foods Holdings Limited"):
        assert found(text)[0] == (name, "name")
    assert found("nyalumera foods", country="ZA") == []
    assert agent.call("search_entities", query="ny").problem["parameter"] == "query"
    walked, cursor = [], None
    while cursor is not None or not walked:
        assert agent.calls < 50
        more = {"cursor": cursor} if cursor else {}
        page = agent.answer("search_entities", query="textiles", limit=1, **more)
        walked += [row["service_id"] for row in page["data"]]
        cursor = page["next_cursor"]
    whole = agent.answer("search_entities", query="textiles", limit=200)
    assert walked == [row["service_id"] for row in whole["data"]]
    assert len(walked) == len(set(walked)) > 3


@pytest.mark.proves("MCP-1", "ENV-6")
def test_values_are_exact_on_the_wire(service):
    filer = Filer(1).says("12345678901234567.89", filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    issuer = service.id_of(filer.identifier)
    asked = {"service_id": issuer, "line_item": "revenue", "fiscal_year": 2023}
    for generation in GENERATIONS:
        agent = Agent(service, generation=generation)
        reply = agent.call("get_fundamentals", service_id=issuer)
        assert reply.answer["data"][0]["value_reported"] == Decimal("12345678901234567.89")
        assert reply.body.count(b"12345678901234567.89") == 2
        for value, verdict in (("12345678901234567.89", "matches"), ("12345678901234567.88", "contradicted")):
            assert agent.answer("verify_figure", **asked, value=value)["verdict"] == verdict
        agent.close()
