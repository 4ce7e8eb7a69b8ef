"""Messages of MCP as bytes on a connection, in both generations of the protocol, and what comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from http.client import HTTPConnection
from typing import Any

LEGACY, MODERN = "2025-11-25", "2026-07-28"
GENERATIONS = (LEGACY, MODERN)
_META = "io.modelcontextprotocol/"


@dataclass(frozen=True)
class Reply:
    """One response: its status, headers and body, and the result that it holds, numbers exact."""

    status: int
    headers: Any
    body: bytes

    @property
    def message(self):
        return json.loads(self.body, parse_float=Decimal)

    @property
    def result(self):
        return self.message["result"]

    @property
    def is_error(self):
        return bool(self.result.get("isError"))

    @property
    def text(self):
        (content,) = self.result["content"]
        assert content["type"] == "text"
        return content["text"]

    @property
    def answer(self):
        """The answer of a call that succeeded, after seeing that text and structure are the same."""
        assert not self.is_error, self.text
        assert json.loads(self.text, parse_float=Decimal) == self.result["structuredContent"]
        return self.result["structuredContent"]

    @property
    def problem(self):
        """The problem of a call that failed; there is nothing beside it."""
        assert self.is_error, self.text[:200]
        assert "structuredContent" not in self.result
        return json.loads(self.text)


class Agent:
    """Who asks by tool calls alone, and counts them."""

    def __init__(self, service, key=None, generation=MODERN, port=None):
        self.key = key or service.issue().key
        self.generation = generation
        self.calls = 0
        self._connection = HTTPConnection("127.0.0.1", port or service.api.port, timeout=60)

    def call(self, tool, /, **arguments):
        """Call a tool; a word that Python keeps is written with a line after it."""
        self.calls += 1
        arguments = {name.removesuffix("_"): value for name, value in arguments.items()}
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def answer(self, tool, /, **arguments):
        return self.call(tool, **arguments).answer

    def send(self, method, params=None, **headers):
        message, named = self.message(method, params or {})
        return self.post(json.dumps(message).encode(), **{**named, **headers})

    def message(self, method, params):
        """Return a request as its generation writes it, and the headers that belong to it."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        headers = {"MCP-Protocol-Version": self.generation}
        if self.generation == MODERN:
            meta = {f"{_META}protocolVersion": MODERN, f"{_META}clientCapabilities": {}}
            message["params"] = {**params, "_meta": meta}
            headers["Mcp-Method"] = method
            if name := params.get("name") or params.get("uri"):
                headers["Mcp-Name"] = name
        return message, headers

    def post(self, body, method="POST", path="/mcp", **headers):
        """Send bytes as they are."""
        usual = {
            "X-API-Key": self.key,
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        sent = {name: value for name, value in {**usual, **headers}.items() if value is not None}
        self._connection.request(method, path, body, sent)
        response = self._connection.getresponse()
        return Reply(response.status, response.headers, response.read())

    def close(self):
        self._connection.close()
