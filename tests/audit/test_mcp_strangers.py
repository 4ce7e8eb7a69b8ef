"""Strangers at `/mcp`: wrong hosts and origins are refused, and no message breaks anything."""

from __future__ import annotations

import copy
import itertools
import json
import string
import tomllib
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path

import pytest

from sankofa.surfaces.tools import TOOLS
from support.mcp_client import GENERATIONS, Agent

TEXTS = tomllib.loads(Path(__file__).with_name("mcp_strangers.toml").read_text(encoding="utf-8"))
STRANGE = [
    *(None, True, False, 0, -1, 1.5, 1e308, 10**30, [], {}, [[]], {"a": {"b": []}}, ["x"] * 50, {"": ""}),
    *("", "\x00", "\u202e", "\ufffe", "😀", "a" * 5_000, "2024-02-30", "' OR 1=1 --", "../../etc/passwd"),
]


@pytest.fixture(scope="module")
def keys(demo):
    return itertools.cycle([demo.issue().key for _ in range(60)])


def test_fifty_strange_hosts_and_origins_are_refused(demo, keys):
    agent = Agent(demo)
    message, headers = agent.message("tools/list", {})
    agent.close()
    body = json.dumps(message).encode()
    statuses = Counter()
    tries = [("Host", host, 421) for host in TEXTS["hosts"]] + [
        ("Origin", origin, 403) for origin in TEXTS["origins"]
    ]
    for name, value, status in tries:
        connection = HTTPConnection("127.0.0.1", demo.api.port, timeout=30)
        connection.putrequest("POST", "/mcp", skip_host=name == "Host")
        usual = {
            **headers,
            "X-API-Key": next(keys),
            "Accept": "application/json",
            "Content-Type": "application/json",
        }
        for field, text in {**usual, "Content-Length": str(len(body)), name: value}.items():
            connection.putheader(field, text)
        connection.endheaders(body)
        response = connection.getresponse()
        said = response.read()
        connection.close()
        statuses[response.status] += 1
        # What is no HTTP at all, the server refuses by itself.
        assert response.status in {status, 400}, (name, value, response.status, said)
        assert b"tools" not in said
    print(f"{len(tries)} variants: {dict(statuses)}")
    assert len(tries) >= 50


def mutated(rng, agent):
    """Return bytes and headers of a message that is right, or nearly so, or not at all."""
    tool = rng.choice(TOOLS)
    params = {"name": tool.name, "arguments": dict(tool.example)}
    message, headers = agent.message("tools/call", params)
    message = copy.deepcopy(message)
    for _ in range(rng.randrange(1, 4)):
        mutate(rng, message, headers)
    body = json.dumps(message, allow_nan=True).encode()
    if rng.random() < 0.25:
        body = broken(rng, body)
    return body, headers


def mutate(rng, message, headers):
    """Change one thing about a message or its headers."""
    strange = copy.deepcopy(STRANGE)  # what is put in may be changed by the next turn
    params = message.get("params")
    arguments = params.get("arguments") if isinstance(params, dict) else None
    match rng.randrange(8):
        case 0:
            message["method"] = rng.choice([*TEXTS["methods"], *strange])
        case 1:
            message[rng.choice(["id", "jsonrpc", "params", "result", "error"])] = rng.choice(strange)
        case 2 if isinstance(params, dict):
            params[rng.choice(["name", "arguments", "_meta", "cursor", "uri", "task", "x"])] = rng.choice(
                strange
            )
        case 3 | 4 if isinstance(arguments, dict):
            names = [*arguments, "as_of", "limit", "cursor", "edition", rng.choice(string.printable)]
            arguments[rng.choice(names)] = rng.choice(strange)
        case 5:
            headers["MCP-Protocol-Version"] = rng.choice([*TEXTS["versions"], None])
        case 6:
            name = rng.choice(
                ["Mcp-Method", "Mcp-Name", "Accept", "Content-Type", "Mcp-Session-Id", "Last-Event-ID"]
            )
            headers[name] = rng.choice(
                ["", "x", "*/*", "text/event-stream", "application/json", "a" * 300, None]
            )
        case _:
            message.pop(rng.choice(list(message)), None)


def broken(rng, body):
    """Return bytes with something cut, put in or turned over."""
    octets, place = bytearray(body), rng.randrange(len(body))
    match rng.randrange(5):
        case 0:
            return body[:place]
        case 1:
            octets[place] = rng.randrange(256)
        case 2:
            octets[place:place] = rng.choice(
                [b"\\ud800", b"\\u0000", b"\xff\xfe", b"[" * 2_000, b"NaN", b'","', b"}"]
            )
        case 3:
            return b"[" + body + b"," + body + b"]"
        case _:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(200)))
    return bytes(octets)


@pytest.mark.timeout(3600)
def test_no_message_breaks_anything(demo, keys, rng, seed, size):
    agents = [Agent(demo, generation=generation) for generation in GENERATIONS]
    statuses, errors, wrong = Counter(), Counter(), []
    for _ in range(size.messages):
        agent = rng.choice(agents)
        agent.key = next(keys)
        body, headers = mutated(rng, agent)
        reply = agent.post(body, **headers)
        statuses[reply.status] += 1
        said = json.loads(reply.body) if reply.body.startswith(b"{") else {}
        code = said.get("error", {}).get("code") if isinstance(said.get("error"), dict) else None
        errors[code] += code is not None
        text = json.dumps(said)
        if reply.status >= 500 or code == -32603 or '\\"code\\":\\"fault\\"' in text or "Traceback" in text:
            wrong.append((reply.status, code, body[:300], headers))
        if reply.headers["X-Service-API-Version"] != "1.0.0":
            wrong.append(("no version", reply.status, body[:300], headers))
    for agent in agents:
        agent.close()
    print(
        f"{size.messages:,} messages, seed {seed}: {dict(statuses)}; protocol errors {dict(errors)}; "
        f"{len(wrong)} wrong"
    )
    assert wrong == []
    healthy = Agent(demo)
    assert healthy.answer("get_entity", **TOOLS[1].example)["count"] == 1
    healthy.close()
