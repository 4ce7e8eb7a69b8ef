"""How a Redis with a replica and three Sentinels runs: they promote the replica if the master is silent."""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from redis import Redis as Client
from redis import RedisError

from dev.redis_server import Redis
from dev.service import Service, StackError, wait_until

_SENTINELS = 3
_QUORUM = 2
_READY_SECONDS = 30.0


class Sentinel(Service):
    """One Redis Sentinel on 127.0.0.1. It writes what it learns into its configuration file."""

    program = "redis-server"

    def __init__(self, home: Path, name: str, port: int, watched: str, master: int) -> None:
        """Describe a Sentinel of the service `watched`, whose first master is on the port `master`."""
        super().__init__(home, {name: port})
        self.port = port
        self.watched = watched
        self.master = master

    @property
    def mark(self) -> str:
        """The configuration file, given as an argument."""
        return str(self.home / "sentinel.conf")

    @property
    def command(self) -> list[str]:
        """The server in Sentinel mode."""
        program = shutil.which(self.program)
        if program is None:
            raise StackError("redis-server is not installed: run make setup")
        return [program, self.mark, "--sentinel", "--set-proc-title", "no"]

    def prepare(self) -> None:
        """Write the first configuration; a restarted Sentinel goes on from its own."""
        self.home.mkdir(parents=True, exist_ok=True)
        file = Path(self.mark)
        if not file.exists():
            file.write_text(
                f"port {self.port}\nbind 127.0.0.1\nprotected-mode yes\ndir {self.home}\n"
                f"sentinel monitor {self.watched} 127.0.0.1 {self.master} {_QUORUM}\n"
                f"sentinel down-after-milliseconds {self.watched} 1000\n"
                f"sentinel failover-timeout {self.watched} 5000\n"
            )

    def ready(self) -> bool:
        """Return whether it answers."""
        with contextlib.suppress(RedisError), self.client() as client:
            return bool(client.ping())
        return False

    def client(self) -> Client:
        """Return a client of this Sentinel."""
        return Client(port=self.port, socket_timeout=1, decode_responses=True)

    def master_port(self) -> int:
        """Return the port of the present master."""
        with self.client() as client:
            return int(client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.watched)[1])

    def knows_all(self) -> bool:
        """Return whether it knows the replica and the other Sentinels, which a failover needs."""
        with contextlib.suppress(RedisError), self.client() as client:
            state = client.sentinel_master(self.watched)
            return (state["num-slaves"], state["num-other-sentinels"]) == (1, _SENTINELS - 1)
        return False


class WatchedRedis:
    """A master, a replica and three Sentinels that start and stop as one."""

    def __init__(self, home: Path, name: str, ports: Iterator[int], *, persistent: bool) -> None:
        """Describe the service called `name`; five ports are taken."""
        self.name = name
        first, second = next(ports), next(ports)
        self.servers = (
            Redis(home / f"{name}-1", f"{name}_1", first, persistent=persistent),
            Redis(home / f"{name}-2", f"{name}_2", second, persistent=persistent, master=first),
        )
        self.sentinels = tuple(
            Sentinel(
                home / f"{name}-sentinel-{number}", f"{name}_sentinel_{number}", next(ports), name, first
            )
            for number in range(1, _SENTINELS + 1)
        )

    @property
    def services(self) -> tuple[Service, ...]:
        """Every process."""
        return (*self.servers, *self.sentinels)

    @property
    def url(self) -> str:
        """Where clients connect."""
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{self.name}/0"

    @property
    def master(self) -> Redis:
        """The server that the first living Sentinel calls the master."""
        port = next(sentinel for sentinel in self.sentinels if sentinel.alive).master_port()
        return next(server for server in self.servers if server.port == port)

    def start(self) -> None:
        """Start all five and wait until a failover is possible."""
        for service in self.services:
            service.start()
        if not wait_until(self._is_redundant, _READY_SECONDS):
            raise StackError(f"{self.name} cannot fail over: no replica, or too few Sentinels have met")

    def _is_redundant(self) -> bool:
        with Client.from_url(self.servers[1].url) as replica:
            state = replica.info("replication")
        has_copy = state["role"] == "master" or state["master_link_status"] == "up"
        return has_copy and all(each.knows_all() for each in self.sentinels)

    def stop(self) -> None:
        """Stop all five, the Sentinels first, so that none of them promotes a replica; the data stays."""
        for service in (*self.sentinels, *self.servers):
            service.stop()

    def destroy(self) -> None:
        """Stop all five and remove their data."""
        for service in (*self.sentinels, *self.servers):
            service.destroy()
