"""The API reference: pages made from the OpenAPI page.

Each operation has an example call and its real answer.
"""

from collections.abc import Iterator
from http import HTTPStatus
from textwrap import indent
from typing import Any

from dev.api_calls import EXAMPLES, SERVICE, Call, calls_of, document
from dev.stack import ROOT
from sankofa.web.openapi_answers import Json

FOLDER = ROOT / "docs" / "api"

_INDEX = """\
# API reference

The API is read-only: every call is a `GET`. The base address in all examples is `{service}`, the address
of a [local stack](../quickstart.md). This reference is made from `/openapi.json`. A test runs every example.

| page | calls | purpose |
|---|---|---|
{pages}

## Authentication

Send your key in the header `X-API-Key`, or as `Authorization: Bearer`. `make up` writes two keys to files:
`.local/key` (professional tier) and `.local/sandbox-key` (sample tier, 25 rows a page). Calls that need no
key are marked.

## Common parameters

| parameter | meaning |
|---|---|
| `as_of` | Return what was public on this day. Default: the day on which the edition was published. |
| `edition` | Answer from this edition. With `as_of` and `edition`, a call always returns the same bytes. |
| `limit` | The number of rows on a page. The maximum depends on your [tier](../reference/limits.md). |
| `cursor` | The `next_cursor` of the page before. It pins the query and the edition. |

An unknown parameter is an error (400), and the error names the nearest parameter.

## The envelope

Every JSON answer with rows has the same outer fields:

| field | meaning |
|---|---|
| `data` | The rows. Signals call this field `observations`. |
| `count` | The number of rows on this page. |
| `truncated` | True if more rows match than this page holds. |
| `next_cursor` | Pass it back as `cursor` to get the next page; null on the last page. |
| `edition` | The edition that the rows come from. |
| `as_of` | The day that was applied; null for calls without a day. |
| `_license` | The terms of use. Each row also has its own `license_class`. |

`Accept` selects another [form](../reference/forms.md): CSV, NDJSON or an Arrow stream.

## Numbers, nulls and order

- Numbers are exact decimals. Parse them into a decimal type, not into a float.
- A value that is not known is null, never zero.
- Every list has a total order, documented with its endpoint.

## Errors

An error is a [problem document](../problems/index.md) with a stable `code`, a `detail` that explains what to
do, and a `request_id`. The pages of this reference link each status to its explanation.

## Set-up of the examples

=== "curl"

    The commands read the key from the file that `make up` wrote.

=== "Python"

{python}

=== "TypeScript"

{typescript}

=== "MCP"

    Each example is one message to `POST {service}/mcp`, with the key in `X-API-Key`. An MCP client writes
    these messages for you: [connect one](../guides/agent.md).

This reference is made by `.venv/bin/python -m dev api`. `.venv/bin/python -m dev answers` also updates the
answers from the stack of `make up`.
"""
_PYTHON = """\
```python
from pathlib import Path

from sankofa_client import Client

client = Client("http://127.0.0.1:8080", key=Path(".local/key").read_text().strip())
```"""
_TYPESCRIPT = """\
```typescript
import { readFileSync } from "node:fs";
import { Client } from "sankofa-client";

const client = new Client("http://127.0.0.1:8080", { key: readFileSync(".local/key", "utf8").trim() });
```"""
_PAGE = """\
# {title}

{about} [Set-up, common parameters and errors](index.md) are the same for all calls.

??? info "Set-up of the Python and TypeScript examples"

    === "Python"

{python}

    === "TypeScript"

{typescript}

{calls}"""
_CALL = """\
## {summary} {{ #{name} }}

`GET {path}`{key}

{description}

{tabs}
{answer}{parameters}{fields}{statuses}"""
_STATUSES = {
    400: "invalid-parameter",
    401: "invalid-key",
    402: "tier-limit",
    404: "not-found",
    406: "not-acceptable",
    429: "limit-reached",
    503: "unavailable",
}


def pages(answers: dict[str, str]) -> dict[str, str]:
    """Return each page by its name within the folder."""
    return {"index.md": _index()} | {f"{page['file']}.md": _page(page, answers) for page in EXAMPLES}


def _index() -> str:
    rows = [
        f"| [{page['title']}]({page['file']}.md) | "
        + ", ".join(f"[`{call.path}`]({page['file']}.md#{call.name})" for call in calls_of(page))
        + f" | {page['about']} |"
        for page in EXAMPLES
    ]
    return _INDEX.format(
        service=SERVICE,
        pages="\n".join(rows),
        python=indent(_PYTHON, "    "),
        typescript=indent(_TYPESCRIPT, "    "),
    )


def _page(page: dict[str, Any], answers: dict[str, str]) -> str:
    return _PAGE.format(
        title=page["title"],
        about=page["about"],
        python=indent(_PYTHON, " " * 8),
        typescript=indent(_TYPESCRIPT, " " * 8),
        calls="\n".join(_call(call, answers) for call in calls_of(page)),
    )


def _call(call: Call, answers: dict[str, str]) -> str:
    answer = f"Answer, shortened:\n\n```json5\n{answers[call.name]}\n```\n\n" if call.is_shown else ""
    return _CALL.format(
        summary=call.operation["summary"],
        name=call.name,
        path=call.path,
        key=" · needs no key" if call.is_open else "",
        description=call.operation["description"],
        tabs="\n".join(_tabs(call)),
        answer=f"{_try(call)}{answer}",
        parameters=_parameters(call.operation),
        fields="".join(_fields(call.operation)),
        statuses=_statuses(call.operation),
    )


def _tabs(call: Call) -> Iterator[str]:
    curl = call.curl()
    examples = {
        "curl": curl and f"```console\n$ {curl}\n```",
        "Python": _fenced("python", call.python()),
        "TypeScript": _fenced("typescript", call.typescript()),
        "MCP": _fenced("json", call.mcp()),
    }
    for name, block in examples.items():
        if block:
            yield f'=== "{name}"\n\n{indent(block, "    ")}\n'


def _fenced(language: str, text: str | None) -> str | None:
    return text and f"```{language}\n{text}\n```"


def _try(call: Call) -> str:
    """Return the place where a script puts a form that sends the call."""
    return (
        f'<div class="try" data-path="{call.address}"></div>\n\n'.replace("&", "&amp;")
        if call.is_shown
        else ""
    )


def _parameters(operation: Json) -> str:
    declared = [each for each in operation.get("parameters", ()) if "name" in each]
    rows = [
        f"| `{each['name']}`{' (required)' if each['required'] else ''} | {_type(each['schema'])} | "
        f"{_cell(each['description'])} |"
        for each in declared
    ]
    head = "| parameter | type | meaning |\n|---|---|---|\n"
    return f"{head}{chr(10).join(rows)}\n\n" if rows else ""


def _fields(operation: Json) -> Iterator[str]:
    """Yield one table for each kind of row, and for each kind of object inside it."""
    content = operation["responses"].get("200", {}).get("content", {}).get("application/json")
    if content is None:
        return
    schemas = document()["components"]["schemas"]
    envelope = _named(content["schema"])
    if envelope is None or not {"data", "observations"} & set(schemas[envelope]["properties"]):
        return
    properties = schemas[envelope]["properties"]
    lists = properties.get("data", properties.get("observations"))
    kinds: list[str] = []
    for kind in lists.get("anyOf", [lists]):
        _reach(_named(kind["items"]), kinds)
    for kind in kinds:
        rows = [
            f"    | `{name}` | {_type(field)} | {_cell(field.get('description', ''))} |"
            for name, field in schemas[kind]["properties"].items()
        ]
        head = "    | field | type | meaning |\n    |---|---|---|\n"
        yield f'??? note "Fields of {kind}"\n\n{head}{chr(10).join(rows)}\n\n'


def _reach(kind: str | None, found: list[str]) -> None:
    """Append a kind of object and all that it contains, each once."""
    if kind is None or kind in found:
        return
    found.append(kind)
    for field in document()["components"]["schemas"][kind]["properties"].values():
        for part in (field, field.get("items", {}), *field.get("anyOf", ())):
            _reach(_named(part), found)


def _named(schema: Json) -> str | None:
    return schema["$ref"].rpartition("/")[2] if "$ref" in schema else None


def _type(schema: Json) -> str:
    """Return a schema's type in words."""
    if name := _named(schema):
        return name
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    if "enum" in schema:
        return ", ".join("null" if value is None else f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return "text"
    kinds = schema.get("type", "any value")
    words = [
        schema.get("format", kind) if kind == "string" else kind
        for kind in ([kinds] if isinstance(kinds, str) else kinds)
    ]
    if "items" in schema:
        words = ["list of " + _type(schema["items"]) if word == "array" else word for word in words]
    return " or ".join(words)


def _statuses(operation: Json) -> str:
    problems = [
        f"[{code} {HTTPStatus(code).phrase}](../problems/{page}.md)"
        for code, page in _STATUSES.items()
        if str(code) in operation["responses"]
    ]
    return f"Errors: {', '.join(problems)}\n" if problems else ""


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")
