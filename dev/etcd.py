"""How a private etcd runs: the store in which Patroni elects the primary."""

import shutil
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from dev.service import Service, StackError


class Etcd(Service):
    """One etcd on 127.0.0.1. An installation of several machines runs three; here one shows the same."""

    program = "etcd"

    def __init__(self, home: Path, client_port: int, peer_port: int) -> None:
        """Describe the server; nothing but itself uses the second port."""
        super().__init__(home, {"etcd": client_port, "etcd_peer": peer_port})

    @property
    def address(self) -> str:
        """Where clients connect."""
        return f"127.0.0.1:{self.ports['etcd']}"

    @property
    def mark(self) -> str:
        """The data folder, given as an argument."""
        return f"--data-dir={self.home / 'data'}"

    @property
    def command(self) -> list[str]:
        """The server with every setting on its command line."""
        program = shutil.which(self.program)
        if program is None:
            raise StackError("etcd is not installed: run make setup")
        peer = f"http://127.0.0.1:{self.ports['etcd_peer']}"
        return [
            program,
            self.mark,
            "--name=etcd",
            f"--listen-client-urls=http://{self.address}",
            f"--advertise-client-urls=http://{self.address}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=etcd={peer}",
            "--logger=zap",
        ]

    def prepare(self) -> None:
        """Make the home; etcd makes its data folder itself, for its own eyes only."""
        self.home.mkdir(parents=True, exist_ok=True)

    def ready(self) -> bool:
        """Return whether it is healthy, which means that it can write."""
        connection = HTTPConnection("127.0.0.1", self.ports["etcd"], timeout=1)
        try:
            connection.request("GET", "/health")
            return b'"true"' in connection.getresponse().read()
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
