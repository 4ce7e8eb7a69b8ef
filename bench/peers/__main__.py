"""`python -m bench.peers`: the service and two peers answer one question; BENCH_SIZE=small for a quick look.

Each round measures every server in turn with the same load. Ratios compare servers of the same round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from bench import processor, sizes, wrk
from bench.cells import CELLS, Answered
from bench.peers import environment, equality, rows
from bench.peers.services import Datasette, FastApi
from bench.servers import running
from bench.world import Scene, scene
from dev.installation import Api
from dev.ports import unused_ports
from dev.redis_server import Redis
from dev.service import Service

_CELL = CELLS[0]  # the facts of one issuer as of a day
_WARM_UP_SECONDS = 2
_HEAD = (
    "| answer | server | requests/s | p50 ms | CPU µs: server + PostgreSQL + Redis | bytes"
    " | we are faster by rate | by CPU |\n|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """A measured server, the PostgreSQL and Redis that it uses, and its requests."""

    name: str
    answer: str
    server: Api | FastApi | Datasette
    postgres: tuple[Service, ...]
    redis: tuple[Service, ...]
    targets: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a server. Times are processor seconds of one request."""

    load: wrk.Load
    parts: tuple[float, ...]


def main() -> None:
    """Compare the answers, measure the rounds, and print a table."""
    wrk.require()
    python = environment.python()
    size = sizes.chosen()
    with scene(size) as world, contestants(world, python) as groups:
        print(
            f"{size.facts:,} facts, {sizes.CONNECTIONS} connections, {size.rounds} rounds of {size.seconds} s"
        )
        print(
            f"{_compared(world, groups)} answers of each peer hold the same values as ours\n{_HEAD}",
            flush=True,
        )
        for group in groups:
            for one in group:
                _measured(world, one, _WARM_UP_SECONDS)
            rounds = [[_measured(world, one, size.seconds) for one in group] for _ in range(size.rounds)]
            for one, runs in zip(group, zip(*rounds, strict=True), strict=True):
                print(_line(one, list(runs), [each[0] for each in rounds]), flush=True)


@contextmanager
def contestants(world: Scene, python: Path) -> Iterator[list[list[Contestant]]]:
    """Run every server; yield those that are compared with each other, ours first."""
    stack, ports = world.installation.stack, unused_ports()
    values = [_CELL.filled(subject) for subject in world.subjects]
    cache = Redis(stack.home / "peer-redis", "redis_peer", next(ports), persistent=False)
    address = f"postgresql+asyncpg://postgres@127.0.0.1:{stack.postgres.port}/{rows.DATABASE}"
    plain = FastApi(stack.home / "fastapi", next(ports), python, address)
    keeping = FastApi(stack.home / "fastapi-keeping", next(ports), python, address, cache.url)
    datasette = Datasette(stack.home / "datasette", next(ports), python)
    rows.copy(world.installation, datasette.file)
    with running(world.installation) as ours, ExitStack() as stopping:
        for service in (cache, plain, keeping, datasette):
            stopping.callback(service.stop)
            service.start()

        def ours_as(answer: str, answered: Answered) -> Contestant:
            return Contestant(
                name="ours",
                answer=answer,
                server=ours[answered],
                postgres=(stack.postgres,),
                redis=(stack.redis_keys, stack.redis_usage),
                targets=[_CELL.target(subject) for subject in world.subjects],
            )

        def peer(name: str, answer: str, server: FastApi | Datasette, *redis: Service) -> Contestant:
            return Contestant(
                name=name,
                answer=answer,
                server=server,
                postgres=(stack.postgres,) if isinstance(server, FastApi) else (),
                redis=redis,
                targets=[server.target(each) for each in values],
            )

        yield [
            [
                ours_as("uncached", "uncached"),
                peer("FastAPI", "uncached", plain),
                peer("Datasette", "uncached", datasette),
            ],
            [ours_as("cached", "hit"), peer("FastAPI", "cached", keeping, cache)],
        ]


def _compared(world: Scene, groups: list[list[Contestant]]) -> int:
    """Compare every answer of every peer with ours, and return how many there are. Raise if one differs."""
    headers = {"X-API-Key": world.keys[0]}
    first, *_ = groups[0]
    answers = []
    for target, key in zip(first.targets, world.keys, strict=False):
        answers.append(equality.fetched(first.server.port, target, {"X-API-Key": key}))
    for one in (one for group in groups for one in group[1:]):
        for ours, target in zip(answers, one.targets, strict=True):
            for _ in range(2):  # made, and from its cache
                found = equality.differences(ours, equality.fetched(one.server.port, target, headers))
                if found:
                    raise RuntimeError(f"{one.name}, {target}: {len(found)} differences, as {found[:3]}")
    return len(answers)


def _measured(world: Scene, one: Contestant, seconds: int) -> Run:
    requests = [_request(target) for target in one.targets]
    keys = world.keys[: sizes.keys_for(sizes.MOST_REQUESTS_PER_SECOND)]
    used = _processor(one)
    load = wrk.run(one.server.url, requests, keys, seconds)
    now = _processor(one)
    parts = tuple((late - early) / load.requests for late, early in zip(now, used, strict=True))
    return Run(load=load, parts=parts)


def _request(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {wrk.KEY}\r\n\r\n".encode()


def _processor(one: Contestant) -> tuple[float, ...]:
    return tuple(processor.seconds(*services) for services in ((one.server,), one.postgres, one.redis))


def _line(one: Contestant, runs: list[Run], ours: list[Run]) -> str:
    """Return the line of one server, in Markdown: medians, and the range of the ratios to ours."""

    def middle(value: Callable[[Run], float]) -> float:
        return median(map(value, runs))

    def ratio(pairs: list[float]) -> str:
        return "" if one.name == "ours" else f"{median(pairs):.1f} ({min(pairs):.1f}-{max(pairs):.1f})"

    pairs = list(zip(ours, runs, strict=True))
    columns = (
        one.answer,
        one.name,
        f"{middle(lambda run: run.load.rate):,.0f}",
        f"{middle(lambda run: run.load.p50_ms):.1f}",
        " + ".join(
            f"{1e6 * part:.0f}" for part in map(median, zip(*(run.parts for run in runs), strict=True))
        ),
        f"{middle(lambda run: run.load.bytes / run.load.requests):,.0f}",
        ratio([mine.load.rate / run.load.rate for mine, run in pairs]),
        ratio([sum(run.parts) / sum(mine.parts) for mine, run in pairs]),
    )
    return f"| {' | '.join(columns)} |"


if __name__ == "__main__":
    main()
