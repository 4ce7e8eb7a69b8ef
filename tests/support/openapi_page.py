"""What the OpenAPI page says of an operation."""

from __future__ import annotations


def examples(operation, where):
    """Return the examples of an operation's parameters in its path or its query, by name."""
    shown = (each for each in operation.get("parameters", ()) if each.get("in") == where)
    return {each["name"]: each["example"] for each in shown if "example" in each}
