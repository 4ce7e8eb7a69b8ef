"""`python -m bench.calm`: how long answers take at a tenth of the rate that one worker can carry."""

from __future__ import annotations

from bench import measure, sizes, wrk
from bench.cells import FACTS, Cell
from bench.servers import running
from bench.world import Scene, scene
from dev.installation import Api

_SECONDS = 20


def main() -> None:
    """Measure and print a line for each kind of answer."""
    wrk.require()
    size = sizes.chosen()
    print("| answer | requests/s | p50 ms | p99 ms | p99 by p50 |\n|---|---|---|---|---|")
    with scene(size) as world, running(world.installation) as servers:
        for cell in FACTS:
            print(_line(world, servers[cell.answered], cell, size), flush=True)


def _line(world: Scene, server: Api, cell: Cell, size: sizes.Size) -> str:
    requests = list(measure.requests(world, server, cell))
    keys = measure.warmed(world, server, requests)
    most = wrk.run(server.url, requests, keys, size.seconds)
    calm = wrk.run(server.url, requests, keys, _SECONDS, rate=most.rate / 10)
    return (
        f"| {cell.name} | {calm.rate:.0f} of {most.rate:.0f}"
        f" | {calm.p50_ms:.1f} | {calm.p99_ms:.1f} | {calm.p99_ms / calm.p50_ms:.1f} |"
    )


if __name__ == "__main__":
    main()
