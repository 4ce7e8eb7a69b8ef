"""Write the typed parts of the TypeScript client from the OpenAPI page of a running service.

    python clients/typescript/generate.py http://127.0.0.1:8080

Row types, parameters and methods are generated, so that they never differ from the service. How endpoints are
found and rows are divided into modules is shared with the generator of the Python client. A test compares the
files with what the running service describes.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import httpx

Json = dict[str, Any]

HERE = Path(__file__).parent
MADE = HERE / "src" / "made"
HEAD = "// {text} Made by `generate.py` from the OpenAPI page: do not edit.\n\n"
TITLES = {
    "release_rows": "Releases of tenders, as OCDS nests them.",
    "signal_rows": "The rows of signals.",
    "about_rows": "Rows that describe the data.",
    "fact_rows": "The rows of all other endpoints.",
}
_DATE_OR_YEAR = "^[0-9]{4}("


def _python_generator() -> Any:  # noqa: ANN401 - a module
    spec = importlib.util.spec_from_file_location("python_generator", HERE.parent / "python" / "generate.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError("clients/python/generate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks its own module up
    spec.loader.exec_module(module)
    return module


shared = _python_generator()


def sources(page: Json) -> dict[str, str]:
    """Return the generated files by name."""
    asked = shared.operations(page)
    schemas = page["components"]["schemas"]
    modules = {name.removeprefix("_"): rows for name, rows in shared.row_modules(schemas, asked).items()}
    files = {f"{name}.ts": _rows(TITLES[name], schemas, rows) for name, rows in modules.items()}
    files["params.ts"] = _params(asked)
    files["methods.ts"] = _methods(asked, modules)
    files["decimals.ts"] = _decimals(schemas)
    return files


def _rows(title: str, schemas: Json, names: list[str]) -> str:
    text = "\n".join(_interface(name, schemas[name]) for name in dict.fromkeys(names))
    decimal = 'import type { Decimal } from "../exact.ts";\n\n' if "Decimal" in text else ""
    return HEAD.format(text=title) + decimal + text


def _interface(name: str, schema: Json) -> str:
    required = set(schema["required"])
    lines = [f"/** {schema['description']} */", f"export interface {name} {{"]
    for field, described in schema["properties"].items():
        mark = "" if field in required else "?"
        lines.append(f"  {_comment(described)}readonly {field}{mark}: {_row_type(described)};")
    return "\n".join([*lines, "}", ""])


def _comment(described: Json) -> str:
    return f"/** {described['description']} */ " if "description" in described else ""


def _row_type(schema: Json) -> str:
    """Return the type of a field. Closed sets are text: an older client must read newer words."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if "anyOf" in schema:
        return "Decimal"  # a number, or a word in its place
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    (kind,) = (each for each in kinds if each != "null")
    if kind == "array":
        text = f"readonly {_row_type(schema['items'])}[]"
    else:
        text = {
            "string": "string",
            "number": "Decimal",
            "integer": "number",
            "boolean": "boolean",
            "object": "Readonly<Record<string, number | string>>",
        }[kind]
    return f"{text} | null" if "null" in kinds else text


def _params(asked: list[Any]) -> str:
    lines = [HEAD.format(text="The parameters of each endpoint.")]
    for one in asked:
        lines.append(f"/** {one.summary}. */\nexport interface {_params_name(one)} {{\n")
        for each in (each for each in one.parameters if each["in"] == "query"):
            kind = _asked_type(each) if each["required"] else f"{_asked_type(each)} | undefined"
            lines.append(f"  {_comment(each)}{each['name']}{'' if each['required'] else '?'}: {kind};\n")
        lines.append("}\n\n")
    return "".join(lines).rstrip("\n") + "\n"


def _params_name(one: Any) -> str:  # noqa: ANN401 - an Operation of the other generator
    return f"{_camel(one.method)[0].upper()}{_camel(one.method)[1:]}Params"


def _asked_type(parameter: Json) -> str:
    schema = parameter["schema"]
    if schema.get("enum") == ["true", "false"]:
        return "boolean"
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("pattern", "").startswith(_DATE_OR_YEAR):
        return "string | number"
    if schema["type"] == "integer":
        return "number"
    several = "," in schema.get("pattern", "").replace("{1,", "").replace("{0,", "")
    return "string | readonly string[]" if several else "string"


def _methods(asked: list[Any], modules: dict[str, list[str]]) -> str:
    used = {row for one in asked for row in one.rows}
    lines = [HEAD.format(text="One method for each endpoint that returns rows.")]
    for module, rows in modules.items():
        names = ", ".join(sorted(used & set(rows)))
        lines.append(f'import type {{ {names} }} from "./{module}.ts";\n')
    lines.append(f'import type {{ {", ".join(sorted(map(_params_name, asked)))} }} from "./params.ts";\n')
    lines.append('import type { Endpoint, Options, Parameters, Rows } from "../rows.ts";\n\n')
    lines.append("export abstract class Methods {\n  protected abstract ask<T>(")
    lines.append("endpoint: Endpoint, parameters: Parameters, options?: Options): Rows<T>;\n")
    lines += [_method(one) for one in asked]
    return "".join([*lines, "}\n"])


def _method(one: Any) -> str:  # noqa: ANN401 - an Operation of the other generator
    paths = [each["name"] for each in one.parameters if each["in"] == "path"]
    needs = any(each["required"] for each in one.parameters if each["in"] == "query")
    params = f"params: {_params_name(one)}" + ("" if needs else " = {}")
    signature = ", ".join([*(f"{_camel(name)}: string" for name in paths), params, "options?: Options"])
    row = " | ".join(one.rows)
    sent = "{ " + ", ".join([*(f"{name}: {_camel(name)}" for name in paths), "...params"]) + " }"
    takes = ", ".join(f'"{each["name"]}"' for each in one.parameters)
    return (
        f"\n  /** {one.summary}. */\n"
        f"  {_camel(one.method)}({signature}): Rows<{row}> {{\n"
        f'    const endpoint = {{ path: "{one.path}", takes: [{takes}] }} as const;\n'
        f"    return this.ask(endpoint, {sent}, options);\n"
        "  }\n"
    )


def _decimals(schemas: Json) -> str:
    """Return the names of decimal fields, which are read as text; a name is decimal everywhere or nowhere."""
    decimal, whole = set(), set()
    for schema in schemas.values():
        for name, described in schema.get("properties", {}).items():
            kinds = _kinds(described)
            decimal |= {name} if "number" in kinds else set()
            whole |= {name} if "integer" in kinds else set()
    if both := decimal & whole:
        raise ValueError(f"fields are decimal in one row and whole in another: {sorted(both)}")
    names = "".join(f'  "{name}",\n' for name in sorted(decimal))
    return HEAD.format(text="Fields with exact decimals.") + (
        f"export const DECIMALS: ReadonlySet<string> = new Set([\n{names}]);\n"
    )


def _kinds(schema: Json) -> set[str]:
    if "anyOf" in schema:
        return set().union(*map(_kinds, schema["anyOf"]))
    kinds = schema.get("type", [])
    found = set(kinds) if isinstance(kinds, list) else {kinds}
    return found | _kinds(schema["items"]) if "array" in found else found


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part.capitalize() for part in others)


def main() -> None:
    """Fetch the page of a service and write the files."""
    page = httpx.get(f"{sys.argv[1].rstrip('/')}/openapi.json").raise_for_status().json()
    MADE.mkdir(exist_ok=True)
    for name, text in sources(page).items():
        (MADE / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
