"""A closed queueing network on shared cores, simulated event by event.

A fixed number of connections each has one request on its way: through the load generator, a worker of the
API, Redis, PostgreSQL, and the worker again. Generator, Redis and each worker do one thing at a time;
PostgreSQL serves each connection by a process of its own. All that run share the cores evenly. Times are
exponential with the measured means.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

_REQUESTS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """Mean processor seconds of one request in each part."""

    api: float
    postgres: float = 0.0
    redis: float = 0.0
    load: float = 0.0

    @property
    def total(self) -> float:
        """Processor seconds in all parts."""
        return self.api + self.postgres + self.redis + self.load


@dataclass(slots=True)
class _Station:
    """A part with so many places; requests beyond them wait in order."""

    places: int
    serving: int = 0
    waiting: deque[int] = field(default_factory=deque)


def rate(demand: Demand, *, workers: int, connections: int, cores: float, seed: int = 1) -> float:
    """Return the simulated requests a second."""
    rng = random.Random(seed)
    stations = {
        "load": _Station(1),
        "redis": _Station(1),
        "postgres": _Station(connections),
        **{f"worker {number}": _Station(1) for number in range(workers)},
    }
    routes = [_route(demand, f"worker {number % workers}") for number in range(connections)]
    step = [0] * connections
    left: dict[int, float] = {}  # by connection that is served: its remaining processor time
    now, done = 0.0, 0

    def arrive(connection: int) -> None:
        station = stations[routes[connection][step[connection]][0]]
        if station.serving < station.places:
            station.serving += 1
            left[connection] = rng.expovariate(1 / routes[connection][step[connection]][1])
        else:
            station.waiting.append(connection)

    for connection in range(connections):
        arrive(connection)
    while done < _REQUESTS:
        speed = min(1.0, cores / len(left))
        first = min(left, key=left.__getitem__)
        passed = left.pop(first)
        now += passed / speed
        for other in left:
            left[other] -= passed
        station = stations[routes[first][step[first]][0]]
        station.serving -= 1
        if station.waiting:
            following = station.waiting.popleft()
            station.serving += 1
            left[following] = rng.expovariate(1 / routes[following][step[following]][1])
        step[first] = (step[first] + 1) % len(routes[first])
        done += step[first] == 0
        arrive(first)
    return done / now


def _route(demand: Demand, worker: str) -> list[tuple[str, float]]:
    """Return the parts that a request passes, with the mean time in each; a part without work is left out."""
    parts = [
        ("load", demand.load),
        (worker, demand.api / 2),
        ("redis", demand.redis),
        ("postgres", demand.postgres),
        (worker, demand.api / 2),
    ]
    return [(name, seconds) for name, seconds in parts if seconds > 0]
