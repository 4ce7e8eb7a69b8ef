"""Random questions over REST and as tools: the same values, sources, licences, counts and limits spent."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections import Counter
from decimal import Decimal
from http.client import HTTPConnection
from urllib.parse import quote, urlencode

import pytest

from demo import companyfacts
from sankofa.metrics.formulas import BY_SLUG
from sankofa.surfaces.tools import TOOLS
from support.mcp_client import GENERATIONS, LEGACY, MODERN, Agent

# By tier: how many pairs of keys take turns, so that none meets the limit of its minute.
PAIRS = {"sample": 150, "starter": 30, "professional": 10}
PATHS = {
    "get_entity": "/v1/entities/{service_id}",
    "get_fundamentals": "/v1/fundamentals/{service_id}",
    "search_tenders": "/v1/tenders",
    "get_macro": "/v1/macro",
    "get_resolved_parties": "/v1/tender-parties",
    "screen_issuers": "/v1/screen",
}
DAYS = [
    f"{year}-{month:02}-{day:02}"
    for year in range(2016, 2026)
    for month in range(1, 13)
    for day in (1, 15, 28)
]
WRONG = ["", "2024-02-30", "0", "-1", "x", "2999-01-01", "Ω", "%00", "a b&c=d"]


@pytest.fixture(scope="module")
def issuers(demo):
    return [demo.id_of(f"cik:{companyfacts.cik(number):010d}") for number in range(20)]


def questions(rng, issuers):
    """Yield random questions: a tool and its arguments, some of them wrong."""
    values = {
        "service_id": lambda: rng.choice([*issuers, "DC0000000000000", "x"]),
        "as_of": lambda: rng.choice(DAYS),
        "from": lambda: rng.choice(DAYS),
        "to": lambda: rng.choice(DAYS),
        "period_type": lambda: rng.choice(["FY", "fy", "H1", "Q2", "9M"]),
        "vintages": lambda: rng.choice(["latest", "as_reported", "all"]),
        "country": lambda: rng.choice(["ZA", "ke", "NG", "KE", "US", "KEN"]),
        "limit": lambda: rng.choice([1, 2, 7, 10, 25, 26, 100, 1_001]),
        "edition": lambda: rng.choice([1, 1, 1, 2]),
        "series": lambda: rng.choice(["CPI.KEN", "FX.EUR.ZAR", "FX.EUR.USD", "none"]),
        "series_type": lambda: rng.choice(["fx", "cpi"]),
        "frequency": lambda: rng.choice(["daily", "monthly"]),
        "indicator": lambda: rng.choice(["NY.GDP.MKTP.CD", "SP.POP.TOTL"]),
        "role": lambda: rng.choice(["buyer", "supplier", "tenderer"]),
        "metric": lambda: rng.choice([*BY_SLUG, "nothing"]),
        "order": lambda: rng.choice(["asc", "desc"]),
        "absent": lambda: rng.choice(["true", "false"]),
    }
    tools = [tool for tool in TOOLS if tool.name in PATHS]
    while True:
        tool = rng.choice(tools)
        needed = {"service_id", "metric"} if tool.name != "get_resolved_parties" else {"metric"}
        asked = {
            name: values[name]()
            for name in tool.takes
            if name in values and (name in needed or rng.random() < 0.35)
        }
        if tool.cuts_pages:
            asked.pop("limit", None)
        if rng.random() < 0.1:
            asked[rng.choice([*(set(asked) - {"service_id"}), "asof"])] = rng.choice(WRONG)
        yield tool, asked


class Rest:
    """REST on one connection."""

    def __init__(self, service):
        self.connection = HTTPConnection("127.0.0.1", service.api.port, timeout=30)

    def ask(self, tool, asked, key):
        """Return status, headers and body."""
        path = PATHS[tool.name]
        if "{service_id}" in path:
            path = path.format(service_id=quote(asked["service_id"], safe=""))
            asked = {name: value for name, value in asked.items() if name != "service_id"}
        address = f"{path}?{urlencode(asked)}" if asked else path
        self.connection.request("GET", address, headers={"X-API-Key": key})
        response = self.connection.getresponse()
        return response.status, response.headers, json.loads(response.read(), parse_float=Decimal)

    def close(self):
        self.connection.close()


class Meter:
    """What each key has left of its month, so that the price of a request is seen."""

    def __init__(self):
        self._left = {}

    def price(self, key, headers):
        """Return how many requests one was counted as; 1 is taken for granted of a key's first."""
        left = int(re.search(r'"month";r=(\d+)', headers["RateLimit"])[1])
        before, self._left[key] = self._left.get(key, left + 1), left
        return before - left


def differences(tool, asked, rest, reply):
    """Say in what two answers to one question differ."""
    status, _, body = rest
    if status != 200:
        problem = reply.problem
        same = ("status", "code", "detail", "parameter", "parameters", "limit", "upgrade_url")
        return [name for name in same if problem.get(name) != body.get(name)]
    answer = reply.answer
    if "limit" in asked or not tool.endpoint.takes_cursor:
        return [name for name in {*answer, *body} if answer.get(name) != body.get(name)]
    # A default answer is the beginning of what REST gives, or a page of it.
    rows = body["data"]
    wrong = [] if answer["data"] == rows[: answer["count"]] else ["data"]
    wrong += [] if answer["count"] == len(answer["data"]) <= 10 else ["count"]
    more = body["truncated"] or len(rows) > answer["count"]
    wrong += [] if answer["truncated"] is more is bool(answer["next_cursor"]) else ["truncated"]
    wrong += [name for name in ("edition", "as_of", "_license") if answer[name] != body[name]]
    return wrong


@pytest.mark.timeout(3600)
def test_rest_and_tools_agree(demo, issuers, rng, seed, size):
    keys = {
        tier: itertools.cycle([(demo.issue(tier).key, demo.issue(tier).key) for _ in range(count)])
        for tier, count in PAIRS.items()
    }
    agents = [Agent(demo, generation=generation) for generation in GENERATIONS]
    rest, meter, statuses, wrong = Rest(demo), Meter(), Counter(), []
    rows = largest = late = 0
    for tool, asked in itertools.islice(questions(rng, issuers), size.tool_questions):
        here, there = next(keys[rng.choice(list(PAIRS))])
        agent = rng.choice(agents)
        agent.key = there
        # The usage store has 0.2 s and a second chance: on a busy machine it may count a request twice.
        # What differs by nature differs again.
        for attempt in range(2):
            told = rest.ask(tool, asked, here)
            reply = agent.send("tools/call", {"name": tool.name, "arguments": {**asked, "full": True}})
            prices = (meter.price(here, told[1]), meter.price(there, reply.headers))
            if prices == (1, 1):
                break
            late += attempt == 0
        statuses[told[0]] += 1
        assert told[0] != 429, "too few keys"
        found = differences(tool, asked, told, reply)
        if prices != (1, 1):
            found.append(f"limits spent: {prices}")
        wrong += [(tool.name, asked, found)] if found else []
        if "limit" not in asked:
            largest = max(largest, len(reply.body))
        rows += len(told[2].get("data", ()))
    for one in (rest, *agents):
        one.close()
    print(
        f"{size.tool_questions:,} questions, seed {seed}: {dict(statuses)}, {rows:,} rows of REST, "
        f"{len(wrong)} answers differ; the largest default answer has {largest:,} bytes; "
        f"{late} asked again because a count was late"
    )
    assert wrong == []
    assert largest < 8 << 10
    assert min(statuses[status] for status in (200, 400, 402, 404)) > 0


def test_what_a_call_costs_beside_a_request(demo, issuers, size):
    """Print the ratio: the same rows, from the cache of bodies, over one connection each."""
    keys = itertools.cycle([demo.issue().key for _ in range(30)])
    asked = {"service_id": issuers[0]}
    rest, agents = Rest(demo), {generation: Agent(demo, generation=generation) for generation in GENERATIONS}
    tool = next(tool for tool in TOOLS if tool.name == "get_entity")

    def by_rest():
        return rest.ask(tool, asked, next(keys))[0] == 200

    def by_tool(generation):
        agent = agents[generation]
        agent.key = next(keys)
        return not agent.call(tool.name, **asked).is_error

    ways = {"REST": by_rest, LEGACY: lambda: by_tool(LEGACY), MODERN: lambda: by_tool(MODERN)}
    rates = {}
    for name, ask in ways.items():
        assert ask()
        began = time.perf_counter()
        assert all(ask() for _ in range(size.tool_rounds))
        rates[name] = size.tool_rounds / (time.perf_counter() - began)
    print(", ".join(f"{name} {rate:,.0f}/s ({rate / rates['REST']:.2f})" for name, rate in rates.items()))
    for one in (rest, *agents.values()):
        one.close()
    assert rates[MODERN] > rates["REST"] / 10
