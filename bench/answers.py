"""Before anything is measured: every server gives the right answer to what it will be asked."""

from __future__ import annotations

import http.client
import itertools
import json
from decimal import Decimal
from typing import Any

from bench.servers import Servers
from bench.world import Scene
from dev.installation import Api


def tags(scene: Scene, server: Api) -> dict[str, str]:
    """Return the entity tag of every issuer's answer."""
    keys = itertools.cycle(scene.keys)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    found: dict[str, str] = {}
    for issuer in scene.issuers:
        response, _ = _get(connection, scene.path(issuer), next(keys))
        found[issuer] = response.getheader("ETag", "")
    first = scene.issuers[0]
    conditional, body = _get(connection, scene.path(first), scene.keys[0], tag=found[first])
    if conditional.status != http.HTTPStatus.NOT_MODIFIED or body:
        raise RuntimeError("the tags do not give 304")
    connection.close()
    return found


def require_equal(scene: Scene, servers: Servers) -> tuple[int, int]:
    """Compare what all servers answer for one issuer; return the rows and bytes of the service's answer."""
    answers: dict[str, list[dict[str, Any]]] = {}
    sizes: dict[str, int] = {}
    for (name, _), server in servers.items():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        response, body = _get(connection, scene.path(scene.issuers[0]), scene.keys[0])
        if response.status != http.HTTPStatus.OK:
            raise RuntimeError(f"{name} answers {response.status}")
        sizes[name] = len(body)
        answers[name] = [_plain(row) for row in json.loads(body, parse_float=Decimal)["data"]]
        connection.close()
    first, *others = answers.values()
    if not first or any(other != first for other in others):
        raise RuntimeError("the servers do not give the same rows")
    return len(first), next(iter(sizes.values()))


def _get(
    connection: http.client.HTTPConnection, path: str, key: str, tag: str | None = None
) -> tuple[http.client.HTTPResponse, bytes]:
    condition = {"If-None-Match": tag} if tag else {}
    connection.request("GET", path, headers={"X-API-Key": key, **condition})
    response = connection.getresponse()
    return response, response.read()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Let a decimal be one, whether it was sent as a number (the service) or as text (pydantic)."""
    numbers = {name: Decimal(row[name]) for name in ("value_reported",)}
    return {**row, **numbers}
