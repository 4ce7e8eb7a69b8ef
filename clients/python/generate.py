"""Write the typed parts of the client anew from the service's own description of itself.

    python clients/python/generate.py http://127.0.0.1:8080

Row types, endpoint declarations and the signatures of both clients come from /openapi.json, so that no word
of the service is typed twice. A test compares the files with what the running service says.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

Json = dict[str, Any]

PACKAGE = Path(__file__).parent / "src" / "sankofa_client"
MADE = '"""{says}\n\nMade by `generate.py` from the service\'s OpenAPI page: do not edit.\n"""\n\n'
# Where the method has a shorter name than the operation.
METHODS = {"crosswalk_lookup": "lookup", "quality_metrics": "quality"}
# Operations that answer without an envelope; their methods are written by hand.
BY_HAND = frozenset({"export_file", "export_open_file", "health", "status", "freshness", "openapi"})
# Documents that feed readers, search engines and loaders request themselves: no methods are made for them.
DOCUMENTS = frozenset({"editions_feed", "dataset_schema", "dataset_croissant"})
RELEASES = ("ServedRelease", "ServedProcess")  # tenders nest deeply: they have a module of their own
SIGNALS = "observations"  # and so have the rows of signals
# What there is, how good it is and what changed: about the data, not the data itself.
ABOUT = frozenset({"catalog", "quality_metrics", "editions", "changes", "diff", "export", "proof"})
# Who there is.
WHO = frozenset({"entity", "crosswalk", "crosswalk_lookup", "search", "issuers"})
ENVELOPE = frozenset({"data", "observations"})


@dataclass(frozen=True)
class Operation:
    """One endpoint as the page describes it."""

    name: str
    path: str
    summary: str
    parameters: list[Json]
    rows_key: str
    rows: list[str]

    @property
    def method(self) -> str:
        """The name of the method that asks it."""
        return METHODS.get(self.name, self.name)

    @property
    def constant(self) -> str:
        """The name of its declaration."""
        return self.method.upper()


def operations(page: Json) -> list[Operation]:
    """Return all endpoints that answer with rows."""
    found = []
    for path, item in page["paths"].items():
        operation = item["get"]
        if operation["operationId"] in BY_HAND | DOCUMENTS:
            continue
        content = operation["responses"]["200"]["content"]["application/json"]["schema"]
        properties = page["components"]["schemas"][_name(content)]["properties"]
        (key,) = ENVELOPE & set(properties)
        lists = properties[key].get("anyOf", [properties[key]])
        parameters = [each for each in operation["parameters"] if "$ref" not in each]
        rows = list(dict.fromkeys(_name(each["items"]) for each in lists))
        found.append(Operation(operation["operationId"], path, operation["summary"], parameters, key, rows))
    return found


def sources(page: Json) -> dict[str, str]:
    """Return the generated files by name, formatted."""
    asked = operations(page)
    schemas = page["components"]["schemas"]
    modules = row_modules(schemas, asked)
    files = {
        "_release_rows.py": _structs(
            "Releases of tenders, as OCDS nests them.", schemas, modules["_release_rows"]
        ),
        "_signal_rows.py": _structs("The rows of signals.", schemas, modules["_signal_rows"]),
        "_about_rows.py": _structs("The rows that tell of the data.", schemas, modules["_about_rows"]),
        "_fact_rows.py": _structs("The rows of all other endpoints.", schemas, modules["_fact_rows"]),
        "rows.py": _public_rows(modules),
        "_words.py": _words(page),
        "_endpoints.py": _declarations(asked),
    }
    for client, result in (("", "Rows"), ("Async", "AsyncRows")):
        place = "_async" if client else ""
        files |= {
            f"{place}_methods.py": _methods(
                [one for one in asked if one.name not in ABOUT | WHO], result, f"{client}Methods", place
            ),
            f"{place}_about_methods.py": _methods(
                [one for one in asked if one.name in ABOUT | WHO], result, f"{client}AboutMethods"
            ),
        }
    return {name: _formatted(text) for name, text in files.items()}


def row_modules(schemas: Json, asked: list[Operation]) -> dict[str, list[str]]:
    """Return the row types by module: one each for releases, signals, rows about the data, and all others."""
    release = dict.fromkeys(name for one in RELEASES for name in _nested(schemas, one))
    signals = dict.fromkeys(row for one in asked if one.rows_key == SIGNALS for row in one.rows)
    about = _structs_of(schemas, [one for one in asked if one.name in ABOUT])
    every = _structs_of(schemas, asked)
    return {
        "_release_rows": list(release),
        "_signal_rows": list(signals),
        "_about_rows": list(about),
        "_fact_rows": [name for name in every if name not in release | signals | about],
    }


def _name(schema: Json) -> str:
    name: str = schema["$ref"].rpartition("/")[2]
    return name


def _nested(schemas: Json, name: str) -> Iterator[str]:
    """Yield the structs that a struct is made of, those first that others need."""
    for field in schemas[name]["properties"].values():
        for inner in (field, field.get("items", {})):
            if "$ref" in inner:
                yield from _nested(schemas, _name(inner))
    yield name


def _structs_of(schemas: Json, asked: list[Operation]) -> dict[str, None]:
    """Return the structs that the rows of endpoints are made of, in order."""
    return dict.fromkeys(each for one in asked for row in one.rows for each in _nested(schemas, row))


def _structs(says: str, schemas: Json, names: list[str]) -> str:
    classes = "\n\n".join(_struct(name, schemas[name]) for name in dict.fromkeys(names))
    imports = "import datetime as dt\n"
    imports += "from decimal import Decimal\n" if "Decimal" in classes else ""
    imports += "from typing import Any\n" if "Any" in classes else ""
    measured = (
        "\nfrom sankofa_client._measured import Measured, WithMeasured\n" if "Measured" in classes else ""
    )
    return (
        MADE.format(says=says)
        + f"from __future__ import annotations\n\n{imports}\nimport msgspec\n{measured}\n\n{classes}\n"
    )


def _struct(name: str, schema: Json) -> str:
    required = set(schema["required"])
    lines = []
    for field, described in schema["properties"].items():
        kind = _row_type(described)
        if field in required:
            lines.append(f"    {field}: {kind}")
        else:
            lines.append(f"    {field}: {kind.removesuffix(' | None')} | None = None")
    base = "WithMeasured" if any(": Measured" in line for line in lines) else "msgspec.Struct"
    head = f"class {name}({base}, frozen=True, kw_only=True):\n"
    return head + f'    """{schema["description"]}"""\n\n' + "\n".join(lines) + "\n"


def _row_type(schema: Json) -> str:
    """Return the type of a field. Closed sets are plain text here: an older client reads newer words."""
    if "$ref" in schema:
        return _name(schema)
    if "anyOf" in schema:
        return "Measured"  # a number, or a word in its place
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    (kind,) = (each for each in kinds if each != "null")
    formats = {"date": "dt.date", "date-time": "dt.datetime"}
    if kind == "array":
        text = f"list[{_row_type(schema['items'])}]"
    elif kind == "string":
        text = formats.get(schema.get("format", ""), "str")
    else:
        text = {"number": "Decimal", "integer": "int", "boolean": "bool", "object": "dict[str, Any]"}[kind]
    return f"{text} | None" if "null" in kinds else text


def _public_rows(modules: dict[str, list[str]]) -> str:
    names = sorted(name for module in modules.values() for name in module)
    parts = [MADE.format(says="The types of rows, by the names that the service gives them.")]
    parts += [
        f"from sankofa_client.{module} import {', '.join(sorted(held))}\n" for module, held in modules.items()
    ]
    return "".join([*parts, f"\n__all__ = [{', '.join(repr(name) for name in names)},]\n"])


def _words(page: Json) -> str:
    (metric,) = (
        each for each in page["paths"]["/v1/screen"]["get"]["parameters"] if each.get("name") == "metric"
    )
    slugs = ", ".join(repr(value) for value in metric["schema"]["enum"])
    made = MADE.format(says="Closed sets of words that are too long for a signature.")
    return f"{made}from typing import Literal\n\nMetric = Literal[{slugs}]\n"


def _declarations(asked: list[Operation]) -> str:
    lines = [
        MADE.format(says="Every endpoint that answers with rows, declared once for both clients."),
        "from __future__ import annotations\n\n",
        "from sankofa_client import rows\nfrom sankofa_client._question import Endpoint\n\n",
    ]
    for one in asked:
        wire = ", ".join(f"{each['name']!r}" for each in one.parameters)
        types = ", ".join(f"rows.{row}" for row in one.rows)
        lines.append(
            f"{one.constant}: Endpoint[{_union(one)}] = Endpoint(name={one.name!r}, path={one.path!r}, "
            f"takes=({wire}{',' * (len(one.parameters) == 1)}), rows=({types},), rows_key={one.rows_key!r})\n"
        )
    return "".join(lines)


def _union(one: Operation) -> str:
    return " | ".join(f"rows.{row}" for row in one.rows)


def _methods(asked: list[Operation], result: str, holder: str, place: str | None = None) -> str:
    """Return a class with a method for each endpoint; `place`: beside the module of the other endpoints."""
    methods = "\n".join(_method(one, result) for one in asked)
    client = result.replace("Rows", "Client")
    what = "the data" if place is not None else "who there is, what there is and what changed"
    base = "" if place is None else holder.replace("Methods", "AboutMethods")
    return (
        MADE.format(says=f"The methods of `{client}` that ask for {what}, one per endpoint.")
        + "from __future__ import annotations\n\nfrom typing import Any, Literal, TypeVar\n\n"
        + "from sankofa_client import _endpoints as ask, rows\n"
        + (f"from sankofa_client.{place}_about_methods import {base}\n" if base else "")
        + f"from sankofa_client.{'_rows' if result == 'Rows' else '_async_rows'} import {result}\n"
        + "from sankofa_client._question import Day, Endpoint\n"
        + ("from sankofa_client._words import Metric\n\n" if ": Metric" in methods else "\n")
        + "T = TypeVar('T')\n\n\n"
        + f"class {holder}{f'({base})' if base else ''}:\n"
        + '    """What can be asked; every answer is lazy, and follows its pages."""\n\n'
        + f"    def _ask(self, endpoint: Endpoint[T], **asked: Any) -> {result}[T]:\n"
        + f"        raise NotImplementedError\n\n{methods}"
    )


def _method(one: Operation, result: str) -> str:
    paths = [each for each in one.parameters if each["in"] == "path"]
    needed = [each for each in one.parameters if each["in"] == "query" and each["required"]]
    optional = [each for each in one.parameters if each["in"] == "query" and not each["required"]]
    signature = ["self", *(f"{_python(each)}: {_asked_type(each)}" for each in paths)]
    signature.append("*")
    signature += [f"{_python(each)}: {_asked_type(each)}" for each in needed]
    signature += [f"{_python(each)}: {_asked_type(each)} | None = None" for each in optional]
    passed = ", ".join(f"{_python(each)}={_python(each)}" for each in one.parameters)
    return (
        f"    def {one.method}({', '.join(signature)},) -> {result}[{_union(one)}]:\n"
        f'        """{one.summary}."""\n'
        f"        return self._ask(ask.{one.constant}, {passed})\n"
    )


def _python(parameter: Json) -> str:
    name: str = parameter["name"]
    return "from_" if name == "from" else name


def _asked_type(parameter: Json) -> str:
    schema = parameter["schema"]
    if parameter["name"] == "metric":
        return "Metric"
    if schema.get("enum") == ["true", "false"]:
        return "bool"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
    if schema.get("format") == "date":
        return "Day"
    if schema.get("pattern", "").startswith("^[0-9]{4}("):
        return "Day | int"  # a date, or a year
    return "int" if schema["type"] == "integer" else "str"


def _formatted(text: str) -> str:
    for arguments in (["check", "--select", "I", "--fix"], ["format"]):
        command = [sys.executable, "-m", "ruff", *arguments, "--quiet", "--stdin-filename"]
        place = str(PACKAGE / "_made.py")
        text = subprocess.run(
            [*command, place, "-"], input=text, capture_output=True, text=True, check=True
        ).stdout
    return text


def main() -> None:
    """Ask a service what it is, and write what follows from that."""
    page = httpx.get(f"{sys.argv[1].rstrip('/')}/openapi.json").raise_for_status().json()
    for name, text in sources(page).items():
        (PACKAGE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
