"""Measure one cell: each run of the load is between two runs of pgbench with the same statements.

The ratio of a run is its rate over the mean of those two. So a machine that is slow for a while is slow for
both. The ratio of processor time compares everything that one transaction of pgbench uses with everything
that one request uses in the API, PostgreSQL and Redis.
"""

from __future__ import annotations

import http.client
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from bench import bare, processor, wrk
from bench.cells import Cell
from bench.servers import Servers
from bench.sizes import MOST_REQUESTS_PER_SECOND, Size, keys_for
from bench.world import Scene, Subject
from dev.installation import Api
from sankofa.web.edge import MCP_PATH

_WARM_UP_SECONDS = 2
_HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a cell. Times are processor seconds of one request or transaction."""

    cell: Cell
    load: wrk.Load
    bare: bare.Bare
    api: float
    postgres: float
    redis: float

    @property
    def ratio(self) -> float:
        """The rate as a part of the bare engine's."""
        return self.load.rate / self.bare.rate

    @property
    def processor_ratio(self) -> float:
        """The processor time of a bare transaction, as a part of that of a request."""
        return self.bare.seconds / (self.api + self.postgres + self.redis)


def runs(scene: Scene, servers: Servers, cell: Cell, size: Size) -> Iterator[Run]:
    """Yield the runs of a cell as they are made, after a warm-up."""
    server = servers[cell.answered]
    sent = list(requests(scene, server, cell))
    statements = bare.transactions(scene, cell)
    keys = warmed(scene, server, sent)
    before = bare.run(scene, statements, size.seconds)
    for _ in range(size.rounds):
        used = processor_seconds(scene, server)
        load = wrk.run(server.url, sent, keys, size.seconds)
        now = processor_seconds(scene, server)
        after = bare.run(scene, statements, size.seconds)
        api, postgres, redis = ((late - early) / load.requests for late, early in zip(now, used, strict=True))
        mean = bare.Bare((before.rate + after.rate) / 2, (before.seconds + after.seconds) / 2)
        yield Run(cell=cell, load=load, bare=mean, api=api, postgres=postgres, redis=redis)
        before = after


def warmed(scene: Scene, server: Api, sent: Sequence[bytes], times: float = 1.5) -> list[str]:
    """Warm a server up, and return keys for so many times the rate of these requests."""
    most = keys_for(MOST_REQUESTS_PER_SECOND)
    warm = wrk.run(server.url, sent, scene.keys[:most], _WARM_UP_SECONDS)
    return scene.keys[: min(most, keys_for(times * warm.rate))]


def requests(scene: Scene, server: Api, cell: Cell) -> Iterator[bytes]:
    """Yield one request about each subject, after it was answered once."""
    connection = http.client.HTTPConnection(_HOST, server.port, timeout=10)
    for subject, key in zip(scene.subjects, itertools.cycle(scene.keys), strict=False):
        tag = _answered(connection, cell, subject, key)
        condition = {"If-None-Match": tag} if cell.answered == "304" else {}
        yield _request(cell, subject, condition)
    connection.close()


def _answered(connection: http.client.HTTPConnection, cell: Cell, subject: Subject, key: str) -> str:
    """Return the entity tag of an answer. Raise if it is not a success."""
    method, target, body = _parts(cell, subject)
    connection.request(method, target, body or None, {**cell.headers, "X-API-Key": key})
    response = connection.getresponse()
    content = response.read()
    if response.status != HTTPStatus.OK or b'"isError":true' in content:
        raise RuntimeError(f"{cell.name}: {method} {target} gave {response.status}: {content[:500]!r}")
    return response.getheader("ETag", "")


def _parts(cell: Cell, subject: Subject) -> tuple[str, str, bytes]:
    """Return the method, the target and the body of a request."""
    if cell.tool:
        return "POST", MCP_PATH, cell.message(subject)
    return "GET", cell.target(subject), b""


def _request(cell: Cell, subject: Subject, condition: dict[str, str]) -> bytes:
    """Return the whole request as it is sent, with a mark in the place of the key."""
    method, target, body = _parts(cell, subject)
    length = {"Content-Length": str(len(body))} if body else {}
    headers = {"Host": _HOST, **cell.headers, **condition, **length, "X-API-Key": wrk.KEY}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {target} HTTP/1.1\r\n{lines}\r\n".encode() + body


def processor_seconds(scene: Scene, api: Api) -> tuple[float, float, float]:
    stack = scene.installation.stack
    return (
        processor.seconds(api),
        processor.seconds(stack.postgres),
        processor.seconds(stack.redis_keys, stack.redis_usage),
    )
