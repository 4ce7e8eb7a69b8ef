"""How a private Redis runs: the key store keeps an append-only file, the usage store keeps nothing."""

import contextlib
import shutil
from pathlib import Path

from redis import Redis as Client
from redis import RedisError

from dev.service import Service, StackError


class Redis(Service):
    """A Redis on 127.0.0.1 that refuses writes rather than evict, and persists only when told."""

    program = "redis-server"

    def __init__(
        self, home: Path, name: str, port: int, *, persistent: bool, master: int | None = None
    ) -> None:
        """Describe the Redis called `name`, which may be a replica of the one on the port `master`."""
        super().__init__(home, {name: port})
        self.port = port
        self.persistent = persistent
        self.master = master

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def mark(self) -> str:
        """The data folder, given as an argument."""
        return str(self.home)

    @property
    def command(self) -> list[str]:
        """The server with every setting on its command line."""
        program = shutil.which(self.program)
        if program is None:
            raise StackError("redis-server is not installed: run make setup")
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "protected-mode": "yes",
            "dir": str(self.home),
            # Installations that share a stack, as tests do, have a database each.
            "databases": "1000",
            "appendonly": "yes" if self.persistent else "no",
            "save": "",
            "maxmemory-policy": "noeviction",
            "repl-diskless-sync-delay": "0",
            # Redis would replace the command line by which we know it.
            "set-proc-title": "no",
        }
        words = [program, *(word for name, value in options.items() for word in (f"--{name}", value))]
        return words if self.master is None else [*words, "--replicaof", "127.0.0.1", str(self.master)]

    def prepare(self) -> None:
        """Make the data folder."""
        self.home.mkdir(parents=True, exist_ok=True)

    def ready(self) -> bool:
        """Tell whether it answers, which it does not while it loads its file."""
        with contextlib.suppress(RedisError), Client.from_url(self.url, socket_timeout=1) as client:
            return bool(client.ping())
        return False
