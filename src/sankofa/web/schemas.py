"""JSON schemas of rows and envelopes, derived from the served structs, for all surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from msgspec import inspect, structs

from sankofa.ask.endpoint import LICENSE, Endpoint
from sankofa.ask.glossary import FIELDS

Json = dict[str, Any]

_SCALARS: dict[type[inspect.Type], Json] = {
    inspect.BoolType: {"type": "boolean"},
    inspect.DateTimeType: {"type": "string", "format": "date-time"},
    inspect.DateType: {"type": "string", "format": "date"},
    inspect.DecimalType: {"type": "number"},
    inspect.DictType: {"type": "object"},
    inspect.IntType: {"type": "integer"},
    inspect.StrType: {"type": "string"},
}


@dataclass(frozen=True, slots=True)
class Named:
    """Schemas for a page that defines each struct once, with the meaning of every field."""

    found: Json = field(default_factory=dict)  # by the struct's name

    def envelope(self, endpoint: Endpoint) -> Json:
        """Return the schema of an endpoint's answers; the schemas of its structs are collected in `found`."""
        whole = envelope(endpoint, self._lists(endpoint))
        for name, schema in whole["properties"].items():
            schema.setdefault("description", FIELDS.get(name, ""))
        whole["properties"] |= endpoint.envelope
        return {"type": "object", "description": "Rows, and what they are pinned to."} | whole

    def _lists(self, endpoint: Endpoint) -> Json:
        """Return the schema of an answer's rows: one list type for each mode of the endpoint."""
        lists: list[Json] = [
            {
                "type": "array",
                "items": self._schema(inspect.type_info(kind.row)),
                "description": f"Rows, by {kind.order}.",
            }
            for kind in (endpoint, *(mode.endpoint for mode in endpoint.modes))
        ]
        return lists[0] if len(lists) == 1 else {"anyOf": lists, "description": "Rows of the mode asked for."}

    def _schema(self, kind: inspect.Type) -> Json:
        if isinstance(kind, inspect.StructType):
            name = kind.cls.__name__
            self.found[name] = {
                "type": "object",
                "description": (kind.cls.__doc__ or "").strip(),
                "properties": {
                    one.encode_name: self._described(one.type, name, one.encode_name) for one in kind.fields
                },
                "required": [one.encode_name for one in kind.fields if one.required],
            }
            return {"$ref": f"#/components/schemas/{name}"}
        return of_type(kind, self._schema)

    def _described(self, kind: inspect.Type, struct: str, name: str) -> Json:
        """Return a field's schema with its description, from its type, its struct or the glossary."""
        schema = kind.extra_json_schema or {} if isinstance(kind, inspect.Metadata) else {}
        meaning = schema.get("description") or FIELDS.get(f"{struct}.{name}") or FIELDS[name]
        return self._schema(kind) | {"description": meaning}


def brief(endpoint: Endpoint) -> Json:
    """Return a short schema of an endpoint's answers, for agents that pay by the token.

    It describes where the rows are, and that each has its source and licence. The OpenAPI page describes
    each field.
    """
    names = {one.encode_name for one in structs.fields(endpoint.row)}
    sourced = [name for name in ("source_ref", "license_class") if name in names]
    rows: Json = {"type": "array", "items": {"type": "object", "required": sourced}}
    return {
        "type": "object",
        "properties": {endpoint.rows_key: rows},
        "required": [endpoint.rows_key, *endpoint.always],
    }


def envelope(endpoint: Endpoint, lists: Json) -> Json:
    """Return the schema of the envelope around the schema of its rows."""
    properties: Json = {
        endpoint.rows_key: lists,
        "count": {"type": "integer", "minimum": 0},
        "truncated": {"type": "boolean"},
        "next_cursor": {"type": ["string", "null"]},
        "edition": {"type": "integer", "minimum": 1},
        "as_of": {"type": ["string", "null"], "format": "date"},
        "_license": {"type": "string", "const": LICENSE},
    }
    return {"properties": properties, "required": [*properties, *endpoint.always]}


def _number_or(word: str) -> Json:
    """Return the schema of a decimal or a fixed word."""
    return {"anyOf": [{"type": "number"}, {"type": "string", "enum": [word]}]}


def of_type(kind: inspect.Type, of_inner: Callable[[inspect.Type], Json]) -> Json:
    """Return the schema of a type other than a struct, as served: decimals are numbers."""
    match kind:
        case inspect.UnionType(types=types):
            (present,) = (of_inner(one) for one in types if not isinstance(one, inspect.NoneType))
            words = {"enum": [*present["enum"], None]} if "enum" in present else {}
            return present | {"type": [present["type"], "null"]} | words
        case inspect.Metadata(type=inner, extra=extra):
            word = (extra or {}).get("number_or")
            return _number_or(word) if word else of_inner(inner)
        case inspect.ListType(item_type=item):
            return {"type": "array", "items": of_inner(item)}
        case inspect.LiteralType(values=values):
            return {"type": "string", "enum": list(values)}
        case _:
            return dict(_SCALARS[type(kind)])
