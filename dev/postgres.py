"""How a private PostgreSQL runs: initialised, started, and copied to replicas."""

import contextlib
import functools
import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import psycopg

from dev import process
from dev.postgres_programs import give_to_postgres, postgres_identity, programs, reachable
from dev.service import Identity, Service, StackError, wait_until

_LONGEST_SOCKET_PATH = 107


class Postgres(Service):
    """A cluster on 127.0.0.1 that trusts local callers; as root it runs as the `postgres` user."""

    program = "postgres"
    # Fast shutdown: sessions are ended, a checkpoint is written.
    stop_signal = signal.SIGINT

    def __init__(
        self,
        home: Path,
        port: int,
        *,
        durable: bool = True,
        shared_buffers: str = "256MB",
        primary: "Postgres | None" = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        """Describe a cluster; `primary` is the cluster to follow, if any.

        `durable=False` skips what only a crash of the whole machine needs. `settings` are added.
        """
        super().__init__(reachable(home.resolve()), {"postgres": port})
        self.port = port
        self.durable = durable
        self.shared_buffers = shared_buffers
        self.primary = primary
        self.settings = settings or {}

    def dsn(self, user: str = "postgres", dbname: str = "postgres") -> str:
        """Return the connection string of one user and database."""
        return f"host=127.0.0.1 port={self.port} user={user} dbname={dbname}"

    def replica(self, home: Path, port: int) -> Self:
        """Describe a hot standby that follows this cluster; its `start` copies the data the first time."""
        return type(self)(home, port, durable=self.durable, shared_buffers=self.shared_buffers, primary=self)

    @functools.cached_property
    def programs(self) -> Path:
        """The folder of the programs that this cluster is made and run with."""
        return programs()

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.home / "data"

    @property
    def cluster_name(self) -> str:
        """The name in process titles and, for a replica, in `synchronous_standby_names`."""
        return f"{self.home.name}_{self.port}"

    @property
    def mark(self) -> str:
        """The data folder, given as an argument."""
        return str(self.data)

    @property
    def identity(self) -> Identity:
        """The postgres user when we are root, else ourselves."""
        return postgres_identity()

    @property
    def command(self) -> list[str]:
        """The server with every setting on its command line, so that no file keeps an old one."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": self._socket_folder(),
            "cluster_name": self.cluster_name,
            "max_connections": "100",
            "shared_buffers": self.shared_buffers,
            "jit": "off",
            "wal_level": "replica",
            "max_wal_size": "4GB",
            # Enough for a replica that was frozen for a while to go on from where it was.
            "wal_keep_size": "512MB",
            "wal_retrieve_retry_interval": "500ms",
            "fsync": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            **self.settings,
        }
        words = (word for name, value in settings.items() for word in ("-c", f"{name}={value}"))
        return [str(self.programs / "postgres"), "-D", str(self.data), *words]

    def prepare(self) -> None:
        """Create the cluster when there is none, and clear what a crash left."""
        give_to_postgres(self.home)
        if not self.data.exists():
            self._create()
        # The server of this cluster is gone: whom these name is a stranger or a zombie, and would stop us.
        for lock in (self.data / "postmaster.pid", *self.home.glob(".s.PGSQL.*")):
            lock.unlink(missing_ok=True)
        # A busy session does not notice that its server was killed, and holds the memory the next one needs.
        orphans = process.titled(f"postgres: {self.cluster_name}: ")
        for orphan in orphans:
            process.send(orphan, signal.SIGKILL)
        wait_until(lambda: all(map(process.is_gone, orphans)), self.stop_seconds)

    def ready(self) -> bool:
        """Tell whether a session can be opened."""
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.dsn(), connect_timeout=2):
            return True
        return False

    def _create(self) -> None:
        """Make the data directory under another name, so that an interruption leaves nothing half made."""
        unfinished = self.home / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        folder = [f"--pgdata={unfinished}"] + ([] if self.durable else ["--no-sync"])
        if self.primary is None:
            locale = ["--encoding=UTF8", "--locale=C.UTF-8"]
            self._run("initdb", *folder, *locale, "--username=postgres", "--auth=trust", "--no-instructions")
        else:
            source = f"--dbname={self.primary.dsn()}"
            self._run("pg_basebackup", *folder, source, "--write-recovery-conf", "--checkpoint=fast")
        unfinished.rename(self.data)

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments],
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
            **self.identity,
        )
        if done.returncode:
            raise StackError(f"{program} failed in {self.home}:\n{done.stdout}{done.stderr}")

    def _socket_folder(self) -> str:
        longest = self.home / f".s.PGSQL.{self.port}"
        return str(self.home) if len(os.fsencode(longest)) <= _LONGEST_SOCKET_PATH else ""
