"""MCP-1 and MCP-5: what a call costs, how a refusal helps, and what a figure is held against."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from sankofa.surfaces.tools import TOOLS
from support.mcp_client import GENERATIONS, Agent

NYALUMERA, KWEZOLIRA, ZUMARELA = "XNAI:NYAL", "XJSE:KWZ", "XNSA:ZUMABANK"
MILLION = 1_000_000
BOTH = pytest.mark.parametrize("generation", GENERATIONS)


@pytest.fixture
def agent(demo):
    agent = Agent(demo)
    yield agent
    agent.close()


@pytest.fixture(scope="module")
def ids(demo):
    """Return the service ids of the showcase by ticker."""
    agent = Agent(demo)
    found = {
        ticker: agent.answer("search_entities", query=ticker)["data"][0]["service_id"]
        for ticker in (NYALUMERA, KWEZOLIRA, ZUMARELA)
    }
    agent.close()
    return found


def left(headers):
    """Return what is left of the minute and of the month."""
    return [int(number) for number in re.findall(r'"(?:burst|month)";r=(\d+)', headers["RateLimit"])]


@pytest.mark.proves("MCP-1", "KEY-6")
@BOTH
def test_a_message_is_one_request_whatever_comes_of_it(demo, generation, ids):
    agent = Agent(demo, demo.issue("sample").key, generation)
    issuer, spent = ids[NYALUMERA], []
    for tool, arguments, code in (
        ("get_entity", {"service_id": issuer}, None),
        ("get_entity", {"service_id": issuer}, None),  # from the cache
        ("get_entity", {"service_id": "DC0"}, "not-found"),
        ("get_fundamentals", {"service_id": issuer, "as_of": "2024-02-30"}, "invalid-parameter"),
        ("search_tenders", {"limit": 26}, "tier-limit"),
        ("no_such_tool", {}, "unknown-tool"),
    ):
        reply = agent.call(tool, **arguments)
        assert reply.status == 200
        assert code == (reply.problem["code"] if reply.is_error else None)
        spent.append(left(reply.headers))
        for method in ("tools/list", "resources/list"):
            reply = agent.send(method)
            assert reply.status == 200
            spent.append(left(reply.headers))
    unreadable = (b"nonsense", b"[]", b"x" * (64 << 10))
    spent += [left(agent.post(body).headers) for body in unreadable]
    rest = demo.get(f"/v1/entities/{issuer}", {"X-API-Key": agent.key})
    spent.append(left(rest.headers))
    assert spent == [[59 - n, 4_999 - n] for n in range(22)]
    agent.close()


@pytest.mark.proves("MCP-1", "KEY-6")
def test_a_limit_that_is_reached_says_when_to_come_back_and_counts_no_more(demo, ids):
    agent = Agent(demo, demo.issue("sample").key)
    for _ in range(30):
        assert not agent.call("get_entity", service_id=ids[NYALUMERA]).is_error
        assert agent.send("tools/list").status == 200
    refused = [agent.call("get_entity", service_id=ids[NYALUMERA])]
    refused += [agent.send(method) for method in ("tools/list", "initialize", "ping", "resources/list")]
    for reply in refused:
        problem = reply.message
        assert (reply.status, problem["code"], problem["policy"]) == (429, "limit-reached", "burst")
        assert 1 <= int(reply.headers["Retry-After"]) == problem["retry_after"] <= 61  # seconds, whole
        assert left(reply.headers)[1] == 4_940
    agent.close()


@pytest.mark.proves("MCP-1")
def test_calls_at_once_get_each_its_own_answer(demo, ids):
    def ask(number):
        agent = Agent(demo, demo.issue("sample").key, GENERATIONS[number % 2])
        answered = [
            (service_id, agent.answer("get_entity", service_id=service_id)["data"][0]["service_id"])
            for service_id in list(ids.values()) * 8
        ]
        agent.close()
        return answered

    with ThreadPoolExecutor(8) as pool:
        for answered in pool.map(ask, range(8)):
            assert all(asked == given for asked, given in answered)


@pytest.mark.proves("MCP-1", "MCP-2", "KEY-7", "KEY-8")
@pytest.mark.parametrize(
    "tool",
    [tool for tool in TOOLS if "limit" in tool.takes and tool.endpoint.most is None],  # others know no tiers
    ids=lambda tool: tool.name,
)
def test_tiers_bound_a_page_as_they_do_in_rest(demo, tool):
    def asked(tier, limit):
        agent = Agent(demo, demo.issue(tier).key)
        reply = agent.send("tools/call", {"name": tool.name, "arguments": {**tool.example, "limit": limit}})
        agent.close()
        return reply

    assert asked("sample", 25).answer["count"] <= 25
    refused = asked("sample", 26).problem
    assert (refused["code"], refused["limit"]) == ("tier-limit", 25)
    assert refused["upgrade_url"] == f"{demo.api.url}/upgrade?from=limit"
    assert asked("sample", refused["example"]["limit"]).answer["count"] > 0
    assert asked("starter", 1_001).problem["parameter"] == "limit"


@pytest.mark.proves("MCP-1", "MCP-2")
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_refusal_names_what_is_wrong_and_shows_arguments_that_work(agent, tool):
    for name, value in (
        ("asof", "2024-01-01"),
        ("edition", 0),
        ("edition", "٣"),
        ("full", "maybe"),
        (next(iter(tool.takes)), ["a", "list"]),
        (next(iter(tool.takes)), {"an": "object"}),
    ):
        arguments = {**tool.example, name: value}
        refused = agent.send("tools/call", {"name": tool.name, "arguments": arguments}).problem
        assert (refused["status"], refused["code"], refused["parameter"]) == (400, "invalid-parameter", name)
        assert refused["detail"]
        assert refused["arguments"] == list(tool.input_schema()["properties"])
        repaired = agent.send("tools/call", {"name": tool.name, "arguments": refused["example"]})
        assert repaired.answer["count"] > 0, refused


@pytest.mark.proves("MCP-1")
def test_null_is_nothing_and_numbers_are_what_they_say(agent, ids):
    plain = agent.answer("get_fundamentals", service_id=ids[NYALUMERA], limit=2)
    again = agent.answer("get_fundamentals", service_id=ids[NYALUMERA], limit="2", as_of=None, cursor=None)
    assert plain == again
    assert agent.answer("get_fundamentals", service_id=ids[NYALUMERA], limit=2.0) == plain
    assert (
        agent.call("get_fundamentals", service_id=ids[NYALUMERA], limit=2.5).problem["parameter"] == "limit"
    )
    assert agent.call("get_fundamentals", service_id=None).problem["parameter"] == "service_id"


@pytest.mark.proves("MCP-1", "MCP-2", "TEN-2")
def test_a_cursor_goes_on_over_mcp_and_rest_alike(demo, agent, ids):
    issuer = ids[NYALUMERA]
    whole = demo.get(f"/v1/fundamentals/{issuer}", vintages="all").exact["data"]
    first = agent.answer("get_fundamentals", service_id=issuer, vintages="all", limit=3, full=True)
    second = agent.answer("get_fundamentals", cursor=first["next_cursor"], service_id=issuer, full=True)
    third = demo.get(f"/v1/fundamentals/{issuer}", cursor=second["next_cursor"]).exact["data"]
    assert first["data"] + second["data"] + third == whole
    assert agent.call("search_tenders", cursor=first["next_cursor"]).problem["parameter"] == "cursor"
    altered = agent.call(
        "get_fundamentals", service_id=issuer, vintages="latest", cursor=first["next_cursor"]
    )
    assert altered.problem["parameter"] == "cursor"


CLAIMS = [
    # Nyalumera's revenue of 2022: 1,150 million as filed on 2023-03-16, 1,100 million since 2024-03-15.
    (NYALUMERA, "revenue", 2022, 1_150, "2023-03-15", "not_held", []),
    (NYALUMERA, "revenue", 2022, 1_150, "2023-03-16", "matches", [1_150]),
    (NYALUMERA, "revenue", 2022, 1_100, "2024-03-14", "contradicted", [1_150]),
    (NYALUMERA, "revenue", 2022, 1_100, "2024-03-15", "matches", [1_100]),
    (NYALUMERA, "revenue", 2022, 1_150, "2024-03-15", "matched_earlier_vintage", [1_150, 1_100]),
    (NYALUMERA, "revenue", 2022, 1_151, "2024-03-15", "contradicted", [1_100]),
    (NYALUMERA, "revenue", 1999, 1_150, "2024-03-15", "not_held", []),
    (NYALUMERA, "goodwill", 2022, 1, "2024-03-15", "not_held", []),
    # Kwezolira's of 2023: 2,000, then 1,800, then 2,000 again.
    (KWEZOLIRA, "revenue", 2023, 1_800, "2023-10-29", "contradicted", [2_000]),
    (KWEZOLIRA, "revenue", 2023, 2_000, "2023-10-30", "matched_earlier_vintage", [2_000, 1_800]),
    (KWEZOLIRA, "revenue", 2023, 2_000, "2024-09-13", "matches", [2_000]),
    (KWEZOLIRA, "revenue", 2023, 1_800, "2024-09-13", "matched_earlier_vintage", [1_800, 2_000]),
    # Zumarela withdrew its dividends of 2021 on 2023-03-21.
    (ZUMARELA, "dividends_paid", 2021, 5_950, "2023-03-20", "matches", [5_950]),
    (ZUMARELA, "dividends_paid", 2021, 5_950, "2023-03-21", "matched_earlier_vintage", [5_950]),
    (ZUMARELA, "dividends_paid", 2021, 6_000, "2023-03-21", "contradicted", [5_950]),
]


@pytest.mark.proves("MCP-5")
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: " ".join(map(str, claim[:6])))
def test_a_figure_is_held_against_what_was_known_that_day(agent, ids, claim):
    ticker, line_item, year, value, as_of, verdict, facts = claim
    found = agent.answer(
        "verify_figure",
        service_id=ids[ticker],
        line_item=line_item,
        fiscal_year=year,
        period_type="FY",
        value=str(value * MILLION),
        as_of=as_of,
    )
    assert (found["verdict"], found["as_of"]) == (verdict, as_of)
    assert [row["value_reported"] for row in found["data"]] == [fact * MILLION for fact in facts]
    assert all(row["source_ref"] and row["license_class"] == "synthetic" for row in found["data"])
    assert all(row["available_at"] <= as_of for row in found["data"])


@pytest.mark.proves("MCP-5")
def test_a_claim_must_say_of_which_period_and_in_what(agent, ids):
    claim = {"service_id": ids[NYALUMERA], "line_item": "revenue", "value": 1_100 * MILLION}
    refused = agent.call("verify_figure", **claim).problem
    assert (refused["parameter"], refused["parameters"]) == ("fiscal_year", ["fiscal_year", "period_end"])
    for period in ({"fiscal_year": 2022}, {"period_end": "2022-12-31"}):
        assert agent.answer("verify_figure", **claim, **period)["verdict"] == "matches"
    assert agent.answer("verify_figure", **claim, fiscal_year=2022, unit="KES")["verdict"] == "matches"
    assert agent.answer("verify_figure", **claim, fiscal_year=2022, unit="USD")["verdict"] == "not_held"
    assert agent.answer("verify_figure", **claim, fiscal_year=2022, period_type="H1")["verdict"] == "not_held"
    for value in ("1.100.000.000", "1e9", "NaN", "", "1,100", True, "٣", "9" * 40):
        assert (
            agent.call("verify_figure", **{**claim, "fiscal_year": 2022, "value": value}).problem["parameter"]
            == "value"
        )


@pytest.mark.proves("MCP-5")
def test_a_screen_ranks_as_it_does_in_rest(demo, agent):
    asked = {"metric": "net_margin", "as_of": "2024-06-30", "order": "asc", "absent": "true", "limit": 5}
    assert agent.answer("screen_issuers", **asked, full=True) == demo.get("/v1/screen", **asked).exact


@pytest.mark.proves("MCP-1", "ENV-7", "ENV-12")
def test_other_methods_bodies_and_shapes_are_refused_as_problems(agent):
    message, headers = agent.message("tools/list", {})
    body = json.dumps(message).encode()
    for method in ("GET", "DELETE", "PUT", "HEAD"):
        reply = agent.post(b"", method=method, **headers)
        assert (reply.status, reply.headers["Allow"]) == (405, "POST, OPTIONS")
        assert reply.headers["X-Service-API-Version"] == "1.0.0"
    large = json.dumps({**message, "params": {"x": "y" * 70_000}}).encode()
    deep = body.replace(b'"params": {', b'"params": {"x": ' + b"[" * 40 + b"]" * 40 + b", ")
    assert agent.post(large, **headers).status == 413
    for wrong in (deep, b"", b"{", b"[]", b"[" + body + b"]", b'{"jsonrpc":"2.0"}', body[:-1], b'"\\ud800"'):
        reply = agent.post(wrong, **headers)
        assert (reply.status, reply.message["code"]) == (400, "unreadable-message")
    assert agent.post(body, **headers).status == 200
