"""The operator's folder of sources (`SANKOFA_SOURCES`) that points to the publisher."""

from __future__ import annotations

import json

_GENTLE = {"pause_seconds": 0.001, "retry_seconds": 0.01, "attempts": 5}
_COUNTRIES = ("KE", "NG", "ZA", "GH", "UG")


def write(folder, world, hosts, **portal):
    """Write one NAME.toml for each source; `portal` changes fields of every portal."""
    for place, (name, source) in enumerate(world.sources.items()):
        fields = {
            "publisher": f"Invented publisher {place}",
            "license_class": "synthetic",
            "parser": source.parser,
        }
        if source.parser == "ocds":
            fields["country"] = _COUNTRIES[place % len(_COUNTRIES)]
        address = {"address": f"{hosts[name]}/{name}/{source.path}"}
        lines = [*_lines(fields), "", "[portal]", *_lines(address | source.portal | _GENTLE | portal)]
        if "{first" in source.path:
            lines.append(f"earliest = {world.first_day}")
        (folder / f"{name}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lines(fields):
    """Return fields as TOML; its strings, numbers and arrays are written as in JSON."""
    return [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
