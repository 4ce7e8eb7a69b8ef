"""What is measured, in which order, and what a ratio is.

A cell runs between two runs of pgbench; its ratio is its rate over the mean of those two. So a machine that
is slow for a while is slow for both. Each round goes through the cells in the order opposite to the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bench import pgbench, processor, wrk
from bench.servers import PEER, SERVICE, WITHOUT_CACHE, WORKERS, Servers
from bench.sizes import MOST_REQUESTS_PER_SECOND, Size, keys_for
from bench.world import Scene
from dev.installation import Api
from sankofa.storage.reading import ReadOptions

CONNECTIONS_PER_WORKER = ReadOptions(dsn="").connections
_WARM_UP_SECONDS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of answer from one server."""

    name: str
    server: str
    workers: int
    conditional: bool = False  # the client has the answer already, and says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One cell in one round."""

    cell: Cell
    load: wrk.Load
    bare: float  # transactions a second of the two pgbench runs around it, their mean
    api_seconds: float
    postgres_seconds: float
    redis_seconds: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.load.requests / self.load.seconds

    @property
    def ratio(self) -> float:
        """The rate as a part of the bare engine's."""
        return self.rate / self.bare


CELLS = tuple(
    Cell(name, server, workers, conditional)
    for workers in WORKERS
    for name, server, conditional in (
        ("FastAPI peer, read from PostgreSQL", PEER, False),
        ("service, read from PostgreSQL", WITHOUT_CACHE, False),
        ("service, body from the cache", SERVICE, False),
        ("service, 304", SERVICE, True),
    )
)


def measure(scene: Scene, servers: Servers, tags: dict[str, str], size: Size) -> Iterator[Run]:
    """Yield the runs as they are made, the first ones after every cell was warmed up."""
    keys = {cell: _warm_up(scene, servers, tags, cell) for cell in CELLS}
    for number in range(size.rounds):
        for workers in WORKERS:
            cells = [cell for cell in CELLS if cell.workers == workers]
            clients = CONNECTIONS_PER_WORKER * workers
            before = pgbench.transactions_per_second(scene, clients, size.seconds)
            for cell in cells if number % 2 == 0 else reversed(cells):
                used = _processor(scene, servers[cell.server, workers])
                load = _load(scene, servers, tags, cell, keys=keys[cell], seconds=size.seconds)
                now = _processor(scene, servers[cell.server, workers])
                api, postgres, redis = (late - early for late, early in zip(now, used, strict=True))
                after = pgbench.transactions_per_second(scene, clients, size.seconds)
                yield Run(
                    cell=cell,
                    load=load,
                    bare=(before + after) / 2,
                    api_seconds=api,
                    postgres_seconds=postgres,
                    redis_seconds=redis,
                )
                before = after


def _warm_up(scene: Scene, servers: Servers, tags: dict[str, str], cell: Cell) -> int:
    """Fill caches and connections; return how many keys the rate that was seen asks for."""
    most = keys_for(MOST_REQUESTS_PER_SECOND)
    load = _load(scene, servers, tags, cell, keys=most, seconds=_WARM_UP_SECONDS)
    return min(most, keys_for(load.requests / load.seconds))


def _load(
    scene: Scene, servers: Servers, tags: dict[str, str], cell: Cell, *, keys: int, seconds: int
) -> wrk.Load:
    asked = [
        f"{scene.path(issuer)} {tags[issuer]}" if cell.conditional else scene.path(issuer)
        for issuer in scene.issuers
    ]
    return wrk.run(servers[cell.server, cell.workers].url, asked, scene.keys[:keys], seconds)


def _processor(scene: Scene, api: Api) -> tuple[float, float, float]:
    stack = scene.installation.stack
    return (
        processor.seconds(api),
        processor.seconds(stack.postgres),
        processor.seconds(stack.redis_keys, stack.redis_usage),
    )
