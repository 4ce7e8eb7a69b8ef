"""The example calls of the API reference, as curl, Python, TypeScript and MCP write them."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from sankofa.access.tiers import Tiers
from sankofa.surfaces.rest import DOCUMENTS, ENDPOINTS, REDIRECTIONS
from sankofa.surfaces.tools import TOOLS
from sankofa.web import openapi
from sankofa.web.openapi_answers import Json

EXAMPLES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("api_examples.toml").read_text(encoding="utf-8")
)["page"]
SERVICE = "http://127.0.0.1:8080"
_IN_PATH = re.compile(r"\{(\w+)\}")
_LONGEST_LINE = 110
_KEY = '-H "X-API-Key: $(cat .local/key)"'
# The client names these methods shorter than the operations are, or writes them by hand.
_METHODS = {"crosswalk_lookup": "lookup", "quality_metrics": "quality"}
_DOCUMENTS = frozenset(each.name for each in DOCUMENTS)
_WITHOUT_METHOD = frozenset({"export_file", "export_open_file", "health", "openapi"}) | _DOCUMENTS
# A redirect to a file, a page of 200 KB, and documents of other formats: shown as calls, without an answer.
_WITHOUT_ANSWER = frozenset({"export_file", "export_open_file", "openapi"}) | _DOCUMENTS
_WITHOUT_ROWS = frozenset({"status", "freshness"})
_TOOLS = {tool.endpoint.name: tool for tool in TOOLS}


@dataclass(frozen=True)
class Call:
    """An operation of the OpenAPI page, with the arguments of its example."""

    name: str
    path: str
    operation: Json
    arguments: Mapping[str, Any]

    @property
    def is_open(self) -> bool:
        """Whether it needs no key."""
        ways = self.operation.get("security")
        return ways is not None and (not ways or {} in ways)

    @property
    def needs_name(self) -> bool:
        """Whether its path names something that differs between installations."""
        return "{" in self.address

    @property
    def is_shown(self) -> bool:
        """Whether the reference shows its answer."""
        return self.name not in _WITHOUT_ANSWER

    @property
    def address(self) -> str:
        """The path and query."""
        in_path = _IN_PATH.findall(self.path)
        path = _IN_PATH.sub(lambda found: quote(self.arguments.get(found[1], found[0]), safe="{}"), self.path)
        query = {name: _text(value) for name, value in self.arguments.items() if name not in in_path}
        return f"{path}?{urlencode(query, safe=':,')}" if query else path

    def curl(self) -> str | None:
        """Return the command; None if nobody knows the path beforehand."""
        if self.needs_name:
            return None
        options = "-sL -o file.parquet" if self.name == "export_open_file" else "-s"
        command = f"curl {options} '{SERVICE}{self.address}'"
        return command if self.is_open else f"{command} \\\n    {_KEY}"

    def python(self) -> str | None:
        """Return the statement for the Python client; None if the client has no method for it."""
        if self.name in _WITHOUT_METHOD:
            return None
        arguments = ", ".join(
            json.dumps(value)
            if f"{{{name}}}" in self.path
            else f"{_python_name(name)}={_python_value(value)}"
            for name, value in self.arguments.items()
            if name != "limit"
        )
        method = f"client.{_METHODS.get(self.name, self.name)}"
        if self.name in _WITHOUT_ROWS:
            return f"answer = {method}({arguments})"
        limit = self.arguments.get("limit")
        line = (
            f"rows = {method}({arguments}).head({limit})" if limit else f"rows = list({method}({arguments}))"
        )
        if len(line) <= _LONGEST_LINE:
            return line
        # As the formatter breaks it.
        if limit:
            return f"rows = {method}(\n    {arguments}\n).head({limit})"
        return f"rows = list(\n    {method}({arguments})\n)"

    def typescript(self) -> str | None:
        """Return the statement for the TypeScript client; None if the client has no method for it."""
        if self.name in _WITHOUT_METHOD:
            return None
        in_path = [json.dumps(value) for name, value in self.arguments.items() if f"{{{name}}}" in self.path]
        others = [
            f"{name}: {json.dumps(value)}"
            for name, value in self.arguments.items()
            if f"{{{name}}}" not in self.path
        ]
        arguments = ", ".join([*in_path, f"{{ {', '.join(others)} }}"] if others else in_path)
        first, *rest = _METHODS.get(self.name, self.name).split("_")
        asked = f"client.{first}{''.join(map(str.title, rest))}({arguments})"
        if self.name in _WITHOUT_ROWS:
            return f"const answer = await {asked};"
        if "limit" in self.arguments:
            return f"const {{ rows }} = await {asked}.firstPage();"
        return f"const rows = await {asked}.all();"

    def mcp(self) -> str | None:
        """Return the message that calls the tool; None if no tool asks this operation."""
        tool = _TOOLS.get(self.name) or (_TOOLS["search_entities"] if self.name == "search" else None)
        if tool is None:
            return None
        arguments = {name: value for name, value in self.arguments.items() if name in tool.takes}
        if self.name == "search":
            arguments = {"query": self.arguments["q"]}
        return json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 1,
                "method": "tools/call",
                "params": {"name": tool.name, "arguments": arguments},
            },
            indent=2,
        )


@cache
def document() -> Json:
    """Return the OpenAPI page of a service with default settings."""
    return openapi.document(ENDPOINTS, tiers=Tiers(), redirections=REDIRECTIONS, documents=DOCUMENTS)


def calls() -> list[Call]:
    """Return every call of the reference, in its order."""
    return [call for page in EXAMPLES for call in calls_of(page)]


def calls_of(page: Mapping[str, Any]) -> Iterator[Call]:
    """Yield the calls of one page."""
    operations = {
        item["get"]["operationId"]: (path, item["get"]) for path, item in document()["paths"].items()
    }
    for name, arguments in page["examples"].items():
        path, operation = operations[name]
        yield Call(name, path, operation, arguments)


def _python_name(name: str) -> str:
    return "from_" if name == "from" else name


def _python_value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else json.dumps(value)


def _text(value: str | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
