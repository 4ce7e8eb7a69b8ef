"""`python -m bench.workers`: throughput with 1, 2 and 4 workers of the API, as lines for `measured.toml`.

A run notes the processor time of a request in each part, the load itself included, and how many cores other
programs used meanwhile: all parts share one machine. Of several rounds, the run in which other programs used
least is printed: under contention a request also needs more processor time.
"""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import time
from pathlib import Path

from bench import measure, processor, sizes, wrk
from bench.capacity.measured import Run
from bench.cells import FACTS, Cell
from bench.servers import KEEPING
from bench.world import Scene, scene
from dev.installation import Api
from dev.ports import unused_ports

WORKERS = (1, 2, 4)
_ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
_SECONDS = 5
_IDLE = slice(3, 5)  # of the first line of /proc/stat: idle, and waiting for a disk
_ALL = slice(0, 8)


def main() -> None:
    """Measure each number of workers with each kind of answer, in rounds."""
    wrk.require()
    with scene(sizes.chosen()) as world:
        rounds = [
            [_measured(world, workers, cell) for workers in WORKERS for cell in FACTS] for _ in range(_ROUNDS)
        ]
    for runs in zip(*rounds, strict=True):
        least = min(runs, key=lambda run: run.other_cores)
        print("[[run]]")
        for name, value in dataclasses.asdict(least).items():
            print(f"{name} = {json.dumps(value)}")
        print()


def _measured(world: Scene, workers: int, cell: Cell) -> Run:
    server = world.installation.api(next(unused_ports()), workers=workers, environment=KEEPING[cell.answered])
    try:
        server.start()
        requests = list(measure.requests(world, server, cell))
        keys = measure.warmed(world, server, requests)
        before, began = _used(world, server), time.monotonic()
        load = wrk.run(server.url, requests, keys, _SECONDS)
        after, wall = _used(world, server), time.monotonic() - began
    finally:
        server.stop()
    *parts, busy = (late - early for late, early in zip(after, before, strict=True))
    api, postgres, redis, generator = (round(1e6 * part / load.requests) for part in parts)
    return Run(
        answer=cell.answered,
        workers=workers,
        requests_per_second=round(load.rate),
        api_us=api,
        postgres_us=postgres,
        redis_us=redis,
        load_us=generator,
        other_cores=max(0.0, round((busy - sum(parts)) / wall, 2)),
        bytes=round(load.bytes / load.requests),
    )


def _used(world: Scene, server: Api) -> tuple[float, float, float, float, float]:
    """Return processor seconds so far: API, PostgreSQL, Redis, finished loads, and the whole machine."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    busy = (sum(fields[_ALL]) - sum(fields[_IDLE])) / processor.TICKS
    return *measure.processor_seconds(world, server), children.ru_utime + children.ru_stime, busy


if __name__ == "__main__":
    main()
