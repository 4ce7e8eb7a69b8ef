"""`python -m bench.pooler`: PgBouncer between the API and PostgreSQL, and what a connection costs without it.

It needs `pgbouncer` on the PATH. Each run through the pooler is between two direct runs of pgbench.
"""

from __future__ import annotations

import shutil
import socket
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from bench import bare, memory, sizes
from bench.cells import CELLS
from bench.world import Scene, scene
from dev.ports import unused_ports
from dev.postgres_programs import give_to_postgres, postgres_identity
from dev.service import Identity, Service, StackError

_IDLE = 60
# Transaction pooling keeps no prepared statements before version 1.21, so each statement is planned anew.
_WAYS = {"session": "prepared", "transaction": "extended"}


class PgBouncer(Service):
    """A pooler on 127.0.0.1 before one server; as root it runs as the `postgres` user."""

    program = "pgbouncer"

    def __init__(self, home: Path, port: int, server: dict[str, str], mode: str) -> None:
        """Describe a pooler of a mode before a server, given by the parts of its address."""
        super().__init__(home, {"pgbouncer": port})
        self._server = server
        self._mode = mode

    @property
    def identity(self) -> Identity:
        """The postgres user when we are root: it refuses to run as root."""
        return postgres_identity()

    @property
    def mark(self) -> str:
        """The configuration file, given as an argument."""
        return str(self.home / "pgbouncer.ini")

    @property
    def command(self) -> list[str]:
        """The pooler in the foreground."""
        program = shutil.which(self.program, path="/usr/sbin:/usr/bin:/usr/local/bin")
        if program is None:
            raise StackError("pgbouncer is not installed: apt-get install pgbouncer")
        return [program, self.mark]

    def prepare(self) -> None:
        """Write the configuration: the one user is trusted, as by the server."""
        self.home.mkdir(parents=True, exist_ok=True)
        users = self.home / "users"
        users.write_text(f'"{self._server["user"]}" ""\n')
        Path(self.mark).write_text(
            f"[databases]\n* = host=127.0.0.1 port={self._server['port']}\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.ports['pgbouncer']}\n"
            f"unix_socket_dir =\nauth_type = trust\nauth_file = {users}\npool_mode = {self._mode}\n"
            f"default_pool_size = {sizes.CONNECTIONS}\nlogfile =\n"
        )
        give_to_postgres(self.home)

    def ready(self) -> bool:
        """Return whether it accepts connections."""
        try:
            socket.create_connection(("127.0.0.1", self.ports["pgbouncer"]), timeout=1).close()
        except OSError:
            return False
        return True


def compare(world: Scene, size: sizes.Size) -> None:
    """Print the rate and the processor time of a statement by way, then the memory of a connection."""
    statements = bare.transactions(world, CELLS[0])
    print("| way | rate, direct = 1 | CPU µs: direct | through |\n|---|---|---|---|")
    for mode, protocol in _WAYS.items():
        _pooled(world, size, statements, mode, protocol)
    print(f"\nA connection that has run them holds {_megabytes(world, statements):.1f} MB of its own.")


def _pooled(
    world: Scene, size: sizes.Size, statements: list[list[bare.Statement]], mode: str, protocol: str
) -> None:
    address = world.installation.dsn("read")
    server = {name: str(part) for name, part in conninfo_to_dict(address).items()}
    pooler = PgBouncer(world.installation.stack.home / mode, next(unused_ports()), server, mode)
    dsn = make_conninfo(address, port=pooler.ports["pgbouncer"])
    pooler.start()
    try:
        rates, direct, through = [], [], []
        before = bare.run(world, statements, size.seconds)
        for _ in range(size.rounds):
            pooled = bare.run(world, statements, size.seconds, mode=protocol, pooler=pooler, dsn=dsn)
            after = bare.run(world, statements, size.seconds)
            rates.append(2 * pooled.rate / (before.rate + after.rate))
            direct.append(after.seconds)
            through.append(pooled.seconds)
            before = after
    finally:
        pooler.stop()
    print(
        f"| PgBouncer, {mode} pooling | {median(rates):.2f} | {1e6 * median(direct):.0f}"
        f" | {1e6 * median(through):.0f} |",
        flush=True,
    )


def _megabytes(world: Scene, statements: list[list[bare.Statement]]) -> float:
    """Return the private memory of a backend that has run all statements often enough to keep their plans."""
    with ExitStack() as connections:
        pids = []
        for _ in range(_IDLE):
            connection = connections.enter_context(
                psycopg.connect(world.installation.dsn("read"), autocommit=True)
            )
            for (statement, values), *_ in statements:
                connection.execute(statement, values, prepare=True).fetchall()
            pids.append(connection.info.backend_pid)
        return median(map(memory.private, pids)) / 1e6


if __name__ == "__main__":
    chosen = sizes.chosen()
    with scene(chosen) as published:
        compare(published, chosen)
