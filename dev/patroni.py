"""How PostgreSQL runs on three machines: a primary and two synchronous replicas under Patroni and etcd."""

import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dev.etcd import Etcd
from dev.pgbackrest import Repository
from dev.postgres import Postgres
from dev.postgres_programs import give_to_postgres, postgres_identity, programs, reachable
from dev.service import Identity, Service, StackError, wait_until

NODES = 3
_READY_SECONDS = 90.0
_OK = 200
_PYTHON = "/usr/bin/python3"  # what Patroni imports comes with the package of the system

# What all nodes agree on, kept in etcd. A primary that was lost is replaced `ttl` seconds after its last sign
# of life at the latest. A commit waits for every living replica, so whichever is promoted has all that was
# acknowledged, and no reader has seen more. A replica that is frozen is waited for as long as
# `wal_sender_timeout`. Without etcd the primary goes on while it reaches both others (`failsafe_mode`).
_AGREED: dict[str, Any] = {
    "ttl": 20,
    "loop_wait": 2,
    "retry_timeout": 3,
    "primary_start_timeout": 0,
    "failsafe_mode": True,
    "synchronous_mode": True,
    "synchronous_node_count": NODES - 1,
}
_SETTINGS = {
    "archive_mode": "on",
    "archive_timeout": "60s",
    "hot_standby": "on",
    "jit": "off",
    "max_connections": 100,
    "max_wal_size": "4GB",
    "wal_keep_size": "512MB",
    "wal_level": "replica",
    "wal_log_hints": "on",  # for pg_rewind, by which an old primary rejoins
    "wal_receiver_timeout": "5s",
    "wal_retrieve_retry_interval": "500ms",
    "wal_sender_timeout": "5s",
}


class Node(Service):
    """One machine of the cluster: Patroni, and the PostgreSQL that it starts and stops."""

    program = "python3"
    start_seconds = _READY_SECONDS

    def __init__(
        self,
        home: Path,
        name: str,
        ports: Iterator[int],
        etcd: Etcd,
        repository: Repository,
        *,
        durable: bool,
    ) -> None:
        """Describe a node; two ports are taken."""
        self._name = name
        super().__init__(reachable(home.resolve()), {name: next(ports), f"{name}_rest": next(ports)})
        self.server = Postgres(self.home, self.port, durable=durable)
        self._etcd = etcd
        self._archive = repository.source(self.server)
        self.environment = {"PYTHONPATH": str(self.home / "lib")}  # type: ignore[misc]  # each has its own

    @property
    def port(self) -> int:
        """The port of PostgreSQL."""
        return self.ports[self._name]

    @property
    def rest_port(self) -> int:
        """The port at which Patroni answers what the node is."""
        return self.ports[f"{self._name}_rest"]

    @property
    def identity(self) -> Identity:
        """The user of PostgreSQL."""
        return postgres_identity()

    @property
    def mark(self) -> str:
        """The configuration file, given as an argument."""
        return str(self.home / "patroni.json")

    @property
    def command(self) -> list[str]:
        """Patroni under the Python of the system, which the user of PostgreSQL may run."""
        return [_PYTHON, "-m", "patroni", self.mark]

    def prepare(self) -> None:
        """Write the configuration of this node, and of its archiving."""
        give_to_postgres(self.home)
        self._archive.prepare()
        # A copy of the locked version: the user of PostgreSQL may not be able to enter our environment.
        shutil.copytree(_locked(), self.home / "lib" / "patroni", dirs_exist_ok=True)
        Path(self.mark).write_text(json.dumps(self._configuration(), indent=2))

    def ready(self) -> bool:
        """Return whether PostgreSQL runs, as primary or as replica."""
        return self.answers("health")

    def kill9(self) -> None:
        """End Patroni and PostgreSQL at once, as the loss of the machine would."""
        super().kill9()
        self.server.kill9()

    def pause(self) -> None:
        """Freeze Patroni and PostgreSQL, as a machine that hangs."""
        super().pause()
        self.server.pause()

    def resume(self) -> None:
        """Thaw what `pause` froze."""
        self.server.resume()
        super().resume()

    def destroy(self) -> None:
        """End the node without ceremony and remove its data."""
        self.kill9()
        shutil.rmtree(self.home, ignore_errors=True)

    def answers(self, path: str) -> bool:
        """Return whether Patroni answers a question about its node with yes, such as `primary`."""
        with suppress(OSError, HTTPException):
            return self._get(path)[0] == _OK
        return False

    def members(self) -> list[dict[str, Any]]:
        """Return the members of the cluster as this node knows them; none if it does not answer."""
        with suppress(OSError, HTTPException, ValueError):
            return list(json.loads(self._get("cluster")[1]).get("members", []))
        return []

    def _get(self, path: str) -> tuple[int, bytes]:
        connection = HTTPConnection("127.0.0.1", self.rest_port, timeout=2)
        try:
            connection.request("GET", f"/{path}")
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def _configuration(self) -> dict[str, Any]:
        rest, server = f"127.0.0.1:{self.rest_port}", f"127.0.0.1:{self.port}"
        settings = _SETTINGS | {
            "shared_buffers": self.server.shared_buffers,
            "fsync": "on" if self.server.durable else "off",
        }
        return {
            "scope": "sankofa",
            "name": self.name,
            "restapi": {"listen": rest, "connect_address": rest},
            "etcd3": {"hosts": [self._etcd.address]},
            "bootstrap": {
                "dcs": _AGREED | {"postgresql": {"use_pg_rewind": True, "parameters": settings}},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}],
            },
            "postgresql": {
                "listen": server,
                "connect_address": server,
                "data_dir": str(self.server.data),
                "bin_dir": str(programs()),
                "pgpass": str(self.home / "pgpass"),
                "authentication": {
                    "superuser": {"username": "postgres"},
                    "replication": {"username": "replicator"},
                },
                "pg_hba": ["local all all trust", "host all,replication all 127.0.0.1/32 trust"],
                "basebackup": [{"checkpoint": "fast"}],
                "parameters": {
                    "archive_command": self._archive.archive_command,
                    "unix_socket_directories": str(self.home),
                },
            },
        }


def _locked() -> str:
    """Return the folder of the package in our own environment."""
    found = find_spec("patroni")
    if found is None or not found.submodule_search_locations:
        raise StackError("patroni is not installed: run make setup")
    return found.submodule_search_locations[0]


class Cluster:
    """etcd and three nodes that start and stop as one."""

    def __init__(self, home: Path, ports: Iterator[int], *, durable: bool) -> None:
        """Describe the cluster; eight ports are taken."""
        self.etcd = Etcd(home / "etcd", next(ports), next(ports))
        self.repository = Repository(home / "backups")
        self.nodes = tuple(
            Node(
                home / f"node-{number}", f"node-{number}", ports, self.etcd, self.repository, durable=durable
            )
            for number in range(1, NODES + 1)
        )

    @property
    def services(self) -> tuple[Service, ...]:
        """Every process."""
        return (self.etcd, *self.nodes)

    @property
    def primary(self) -> Node:
        """The node that takes writes."""
        found = [node for node in self.nodes if node.answers("primary")]
        if not found:
            raise StackError("the cluster has no primary now")
        return found[0]

    @property
    def replicas(self) -> list[Node]:
        """The nodes that follow."""
        return [node for node in self.nodes if node.answers("replica")]

    def start(self) -> None:
        """Start everything, and wait until both replicas hold every acknowledged commit."""
        self.repository.prepare()
        self.etcd.start()
        with ThreadPoolExecutor(NODES) as pool:
            list(pool.map(Node.start, self.nodes))
        self.await_redundant()
        self.repository.accept(self.primary.server)

    def await_redundant(self, seconds: float = _READY_SECONDS) -> None:
        """Wait until there are a primary and two synchronous replicas."""
        if not wait_until(self.is_redundant, seconds):
            raise StackError(f"the cluster is not redundant after {seconds:.0f} s: {self.nodes[0].members()}")

    def is_redundant(self) -> bool:
        """Return whether any node can be lost without losing a commit."""
        members = next((found for node in self.nodes if (found := node.members())), [])
        roles = sorted(each["role"] for each in members if each["state"] in ("running", "streaming"))
        return roles == ["leader", *["sync_standby"] * (NODES - 1)]

    def stop(self) -> None:
        """Stop the replicas, then the primary, so that no other is elected; the data stays."""
        for node in sorted(self.nodes, key=lambda node: node.answers("primary")):
            node.stop()
        self.etcd.stop()

    def destroy(self) -> None:
        """Stop everything and remove the data."""
        for service in (*self.nodes, self.etcd):
            service.destroy()
        self.repository.destroy()
