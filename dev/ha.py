"""The command behind `make ha`: everything twice or three times on this machine, to lose parts of it.

`python -m dev.ha up` starts it, `status` lists the processes, `kill NAME` ends one as a crash would, `start
NAME` brings it back, `down` stops everything and keeps the data, `destroy` removes it.
"""

import argparse
import itertools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Self

from dev import application
from dev.follower import Follower
from dev.haproxy import HAProxy
from dev.installation import Api, Installation
from dev.own_sources import silence
from dev.patroni import Cluster
from dev.ports import OFFSET, Ports, unused_ports
from dev.seaweedfs import SeaweedFS
from dev.sentinels import WatchedRedis
from dev.service import Service, StackError
from dev.stack import ROOT, Stack, temporary_home
from dev.worker import Worker

_FIRST_PORT = 17_000
_TEST_PORTS = range(10_000, 15_000)  # no other test takes the port of a process that was killed
_APIS = 2
_WORKERS = 2

WELCOME = """
The API answers at {url}, whichever of its processes lives. The key is in {home}/key

  curl -s '{url}/v1/status'
  curl -s '{url}/v1/editions' -H "X-API-Key: $(cat {home}/key)"

Writers reach the primary, now {primary}, at 127.0.0.1:{write}. How to list the processes, lose one, and get
it back:

  python -m dev.ha status
  python -m dev.ha kill {primary}
  python -m dev.ha start {primary}

make restore-drill restores a copy to a moment and verifies it. make ha-down ends all of this.
"""


class HaStack(Stack):
    """PostgreSQL under Patroni, both Redis under Sentinels, S3, and two of each process of the service."""

    postgres: Cluster  # type: ignore[assignment]  # starts, stops and is destroyed as one server is
    redis_keys: WatchedRedis  # type: ignore[assignment]
    redis_usage: WatchedRedis  # type: ignore[assignment]

    def __init__(self, home: Path, ports: Iterator[int], *, durable: bool = True) -> None:
        """Describe the stack; some forty ports are taken."""
        self.home = home.resolve()
        self.postgres = Cluster(self.home, ports, durable=durable)
        self.redis_keys = WatchedRedis(self.home, "keys", ports, persistent=True)
        self.redis_usage = WatchedRedis(self.home, "usage", ports, persistent=False)
        self.ports = Ports(**{field.name: next(ports) for field in fields(Ports)})
        self.s3 = SeaweedFS(self.home / "s3", self.ports)
        self._api_ports = tuple(next(ports) for _ in range(_APIS))
        self._write_port = next(ports)

    @classmethod
    def local(cls) -> Self:
        """Describe the stack of `make ha`: a folder in `.local`, and ports from 17000 on."""
        return cls(ROOT / ".local" / "ha", itertools.count(_FIRST_PORT + int(os.environ.get(OFFSET) or 0)))

    @classmethod
    @contextmanager
    def throwaway(
        cls, around: Callable[[Self], AbstractContextManager[object]] = nullcontext
    ) -> Iterator[Self]:
        """Run the stores and the proxy for a test on free ports, and leave nothing behind.

        `around` prepares what has to stand before they start, and takes it away after they have ended.
        """
        with temporary_home() as home:
            stack = cls(home, unused_ports(_TEST_PORTS), durable=False)
            with around(stack):
                try:
                    stack.start()
                    yield stack
                finally:
                    stack.destroy()

    @property
    def services(self) -> tuple[Service, ...]:
        """Everything that starts and stops by itself."""
        return (self.postgres, self.redis_keys, self.redis_usage, self.s3, self.proxy())  # type: ignore[return-value]

    @property
    def processes(self) -> dict[str, Service]:
        """Every single process of the stores and the proxy, by name."""
        redis = (*self.redis_keys.services, *self.redis_usage.services)
        return {each.name: each for each in (*self.postgres.services, *redis, self.s3, self.proxy())}

    def proxy(self) -> HAProxy:
        """Describe the proxy."""
        apis = [Api(self.home, port, 1, {}) for port in self._api_ports]
        return HAProxy(self.home / "haproxy", self._write_port, self.ports.api, self.postgres.nodes, apis)

    def postgres_dsn(self, user: str = "postgres", dbname: str = "postgres") -> str:
        """Return the connection string of writers: through the proxy, and never to a replica."""
        primary = f"host=127.0.0.1 port={self._write_port} target_session_attrs=primary"
        return f"{primary} user={user} dbname={dbname}"

    def read_dsn(self, user: str, dbname: str) -> str:
        """Return the connection string of readers, with every server by its own address.

        A reader must know which server it asks: each holds editions up to one of its own.
        """
        ports = [node.port for node in self.postgres.nodes]
        hosts = ",".join("127.0.0.1" for _ in ports)
        return f"host={hosts} port={','.join(map(str, ports))} user={user} dbname={dbname}"

    def apis(self, installation: Installation, environment: Mapping[str, str] | None = None) -> list[Api]:
        """Describe the API processes behind the proxy; `environment` leads them to the stores another way."""
        own = {"SANKOFA_PROXIES": '["127.0.0.1"]', **(environment or {})}
        return [installation.api(port, drain_seconds=2, environment=own) for port in self._api_ports]

    def workers(self, installation: Installation) -> list[Worker]:
        """Describe the workers, which share all work."""
        return [Worker(installation, f"worker-{number}") for number in range(1, _WORKERS + 1)]


def application_of(stack: HaStack) -> dict[str, Service]:
    """Return the processes on top of the stores, by name."""
    installation = Installation(stack)
    apis = {f"api-{number}": each for number, each in enumerate(stack.apis(installation), 1)}
    workers = {each.name: each for each in stack.workers(installation)}
    return {**apis, **workers, "follower": Follower(installation)}


def up(stack: HaStack) -> None:
    """Start everything, with the demo world, and print where it is."""
    with application.step("PostgreSQL, Redis, S3, HAProxy") as done:
        stack.start()
        done.append("they answer")
    installation = Installation(stack)
    application.fill(installation)
    for name, service in application_of(stack).items():
        with application.step(name) as done:
            service.stop()  # it may be of older code
            if isinstance(service, Worker):
                service.sources.mkdir(parents=True, exist_ok=True)
                silence(service.sources)  # the demo world is all there is: no real source is asked
            service.start()
            done.append("runs")
    with application.step("backup") as done:
        stack.postgres.repository.back_up(stack.postgres.primary.server)
        done.append("there is one")
    values = {
        "url": stack.proxy().url,
        "home": stack.home.relative_to(ROOT),
        "write": stack.proxy().write_port,
    }
    print(WELCOME.format(primary=stack.postgres.primary.name, **values))


def down(stack: HaStack) -> None:
    """Stop everything; the data stays."""
    for service in application_of(stack).values():
        service.stop()
    stack.stop()


def destroy(stack: HaStack) -> None:
    """Stop everything and remove the data."""
    for service in application_of(stack).values():
        service.stop()
    stack.destroy()


def status(stack: HaStack) -> None:
    """Print every process, and what it is in the cluster."""
    roles = {each["name"]: each["role"] for each in stack.postgres.nodes[0].members()}
    for name, service in {**stack.processes, **application_of(stack)}.items():
        pid = service.pid
        state = "stopped" if pid is None else f"pid {pid}" if service.ready() else f"pid {pid}, not answering"
        port = f"127.0.0.1:{next(iter(service.ports.values()))}" if service.ports else "no port"
        print(f"{name:<18} {port:<16} {state:<24} {roles.get(name, '')}".rstrip())


def _one(stack: HaStack, name: str) -> Service:
    known = {**stack.processes, **application_of(stack)}
    if name not in known:
        raise StackError(f"there is no process {name!r}; there are {', '.join(known)}")
    return known[name]


def main() -> int:
    """Run one command on the stack."""
    parser = argparse.ArgumentParser(prog="python -m dev.ha", description=__doc__)
    acts = {"up": up, "down": down, "destroy": destroy, "status": status}
    parser.add_argument("command", choices=[*acts, "kill", "freeze", "thaw", "start"])
    parser.add_argument("name", nargs="?", help="the process to kill, freeze, thaw or start")
    arguments = parser.parse_args()
    stack = HaStack.local()
    try:
        if arguments.command in acts:
            acts[arguments.command](stack)
        else:
            service = _one(stack, arguments.name or "")
            by_word = {"kill": service.kill9, "freeze": service.pause, "thaw": service.resume}
            by_word.get(arguments.command, service.start)()
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
