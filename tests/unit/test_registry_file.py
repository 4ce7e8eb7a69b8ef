"""server.json describes the tools to the registry of MCP servers, in the shape of its schema 2025-12-11."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema_rs

from sankofa.surfaces.tools import INSTRUCTIONS
from sankofa.web.edge import API_VERSION

FILE = json.loads((Path(__file__).parents[2] / "server.json").read_text(encoding="utf-8"))
_TEXT = {"type": "string", "minLength": 1}
# The part of the registry's schema that a remote server needs; nothing else may stand in the file.
_INPUT = {
    "description": _TEXT,
    "isRequired": {"type": "boolean"},
    "isSecret": {"type": "boolean"},
    "placeholder": _TEXT,
}
SHAPE = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "remotes"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "title": _TEXT | {"maxLength": 100},
        "description": _TEXT | {"maxLength": 100},
        "version": _TEXT | {"maxLength": 255},
        "remotes": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["type", "url"],
                "additionalProperties": False,
                "properties": {
                    "type": {"const": "streamable-http"},
                    "url": {"type": "string", "pattern": "^https://"},
                    "variables": {
                        "type": "object",
                        "additionalProperties": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": _INPUT,
                        },
                    },
                    "headers": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "additionalProperties": False,
                            "properties": _INPUT | {"name": _TEXT},
                        },
                    },
                },
            },
        },
    },
}


def test_the_file_has_the_shape_of_the_registry():
    jsonschema_rs.validate(SHAPE, FILE)


def test_it_names_the_version_the_path_and_the_header_of_the_service():
    assert FILE["version"] == API_VERSION
    (remote,) = FILE["remotes"]
    assert remote["url"].endswith("/mcp")
    assert set(re.findall(r"{(\w+)}", remote["url"])) == set(remote["variables"])
    (header,) = remote["headers"]
    assert (header["name"], header["isSecret"], header["isRequired"]) == ("X-API-Key", True, True)
    assert INSTRUCTIONS.startswith("Point-in-time data")
