"""`python -m bench.overload`: what one worker still answers at five times the rate that it can carry.

Also the memory of the worker before and after, and after its cache was filled.
"""

from __future__ import annotations

from statistics import median

from bench import measure, memory, sizes, wrk
from bench.cells import CELLS
from bench.servers import running
from bench.world import Scene, scene
from dev import process
from dev.installation import Api

_TIMES = 5
_CONNECTIONS = 400
_SECONDS = 10


def main() -> None:
    """Measure in rounds, each run under overload between two without, and print the medians."""
    wrk.require()
    size = sizes.chosen()
    with scene(size) as world, running(world.installation) as servers:
        server, cell = servers["uncached"], CELLS[0]
        requests = list(measure.requests(world, server, cell))
        keys = measure.warmed(world, server, requests, times=1.5 * _TIMES)
        memory = [_megabytes(server)]
        shares = [_share(server, requests, keys) for _ in range(size.rounds)]
        memory.append(_megabytes(server))
        print(
            f"{_TIMES} times the capacity: {median(shares):.2f} of it is answered"
            f" ({min(shares):.2f} to {max(shares):.2f})"
        )
        print(f"memory of the worker: {memory[0]:.0f} MB before, {memory[1]:.0f} MB after")
        print(f"memory of a worker whose cache is full: {_filled(world, servers['hit']):.0f} MB")


def _share(server: Api, requests: list[bytes], keys: list[str]) -> float:
    """Return the rate of answers under overload, as a part of the mean rate before and after it."""
    before = wrk.run(server.url, requests, keys, _SECONDS)
    load = wrk.run(
        server.url,
        requests,
        keys,
        _SECONDS,
        rate=_TIMES * before.rate,
        connections=_CONNECTIONS,
        most_failed=1,
    )
    after = wrk.run(server.url, requests, keys, _SECONDS)
    capacity = (before.rate + after.rate) / 2
    return (load.requests - load.failed) / load.seconds / capacity


def _filled(world: Scene, server: Api) -> float:
    """Fill the cache with bodies of many questions, and return the memory of the worker."""
    for cell in CELLS:
        wrk.run(server.url, list(measure.requests(world, server, cell)), world.keys, 2)
    return _megabytes(server)


def _megabytes(server: Api) -> float:
    """Return the memory of the largest process of a server, which is its worker."""
    if server.pid is None:
        raise RuntimeError("the server does not run")
    return max(map(memory.resident, (server.pid, *process.children(server.pid)))) / 1e6


if __name__ == "__main__":
    main()
