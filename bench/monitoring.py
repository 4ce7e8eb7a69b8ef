"""`python -m bench.monitoring`: what metrics and the access log cost, as a share of a cached answer's time.

Two servers on one database, one of them watched, answer the same requests from their caches in turns. Their
processor time is compared, not their rate, because other work on the machine moves a rate. On a busy machine
even that moves by more than the cost itself (see the range of the ratios), so the cost is also measured
alone: the outermost layer around an empty application, with and without recording. That leaves out the work
once a second.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from starlette.types import Message, Receive, Scope, Send

from bench import processor
from bench.cells import CELLS
from bench.sizes import Size
from bench.world import Scene, scene
from dev.installation import Api
from dev.ports import unused_ports
from sankofa.access.caller import Caller
from sankofa.access.decision import Decision
from sankofa.access.tallies import Tallies
from sankofa.access.tiers import Tiers
from sankofa.storage.redis import RedisOptions, Store
from sankofa.surfaces.monitoring.worker import Monitoring
from sankofa.web.edge import Edge

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
REQUESTS = 4_000  # of a round, to each server
_SIZE = Size(facts=5_000, seconds=0, rounds=0)
_LIMITS = '{"professional": {"per_minute": 100000000, "per_month": 100000000, "rows_per_minute": 1000000000}}'


def main() -> None:
    """Measure and print."""
    with scene(_SIZE) as set_scene, _servers(set_scene) as (plain, watched):
        for api in (plain, watched):
            _ask(set_scene, api)  # fills the caches
        rounds = [(_ask(set_scene, plain), _ask(set_scene, watched)) for _ in range(ROUNDS)]
    plain_us, watched_us = (median(one) * 1e6 / REQUESTS for one in zip(*rounds, strict=True))
    ratios = sorted(watched / plain for plain, watched in rounds)
    print(
        f"processor time of a cached answer, median of {ROUNDS} rounds of {REQUESTS:,}: {plain_us:.0f} µs; "
        f"with metrics and access log {watched_us:.0f} µs; ratios {ratios[0]:.2f} to {ratios[-1]:.2f}, "
        f"median {median(ratios):.3f}"
    )
    alone = _recording_us()
    print(f"recording alone: {alone:.1f} µs, {alone / plain_us:.1%} of the processor time of a cached answer")


@contextmanager
def _servers(set_scene: Scene) -> Iterator[tuple[Api, Api]]:
    """Start a server that is not watched and one that is."""
    first, second, metrics = islice(unused_ports(), 3)
    limits = {"SANKOFA_TIERS": _LIMITS}
    log = Path(set_scene.installation.stack.home) / "access.log"
    watching = limits | {"SANKOFA_METRICS": f"127.0.0.1:{metrics}", "SANKOFA_ACCESS_LOG": str(log)}
    with ExitStack() as started:
        apis = [
            set_scene.installation.api(port, environment=environment)
            for port, environment in ((first, limits), (second, watching))
        ]
        for api in apis:
            api.start()
            started.callback(api.stop)
        yield apis[0], apis[1]


def _ask(set_scene: Scene, api: Api) -> float:
    """Send the requests of a round and return the processor time that the server used for them."""
    connection = HTTPConnection("127.0.0.1", api.port, timeout=30)
    before = processor.seconds(api)
    for number in range(REQUESTS):
        path = CELLS[0].target(set_scene.subjects[number % len(set_scene.subjects)])
        connection.request("GET", path, headers={"X-API-Key": set_scene.keys[0]})
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status}")
    connection.close()
    return processor.seconds(api) - before


def _recording_us() -> float:
    """Return the microseconds of processor time that recording adds to one request."""
    with TemporaryDirectory() as folder:
        store = Store(RedisOptions(url="redis://127.0.0.1:1/0", component="usage"))  # counts are not reported
        tallies = Tallies(store, Path(folder) / "tallies")
        monitoring = Monitoring(tallies, Path(folder), str(Path(folder) / "access.log"))
        edges = [
            Edge(_empty, frozenset(["bench"]), observe=observe, names={_empty: "fundamentals"})
            for observe in (None, monitoring.observe)
        ]
        without, recorded = (
            min(one) for one in zip(*([_through(edge) for edge in edges] for _ in range(ROUNDS)), strict=True)
        )
    return (recorded - without) * 1e6 / REQUESTS


def _through(edge: Edge) -> float:
    """Return the processor time that a number of requests take through the outermost layer."""

    async def run() -> float:
        before = time.process_time()
        for _ in range(REQUESTS):
            await edge(_scope(), _receive, _send)
        return time.process_time() - before

    return asyncio.run(run())


def _scope() -> Scope:
    head = {"type": "http", "method": "GET", "path": "/", "raw_path": b"/", "query_string": b""}
    decision = Decision()
    caller = Caller(key_id="3f9c0a1b2d4e", tier=Tiers().professional)
    state = {"caller": caller, "decision": decision, "cache": "hit", "edition": 1}
    return {**head, "scheme": "http", "headers": [(b"host", b"bench")], "endpoint": _empty, "state": state}


async def _empty(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def _receive() -> Message:
    return {"type": "http.disconnect"}


async def _send(_message: Message) -> None:
    pass


if __name__ == "__main__":
    main()
