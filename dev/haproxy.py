"""How a private HAProxy runs: one port leads to the primary, and one to an API process that is ready."""

import shutil
import socket
from collections.abc import Iterable
from pathlib import Path

from dev.installation import Api
from dev.patroni import Node
from dev.service import Service, StackError

# The write port asks Patroni which server is the primary. A server that no longer is loses its sessions at
# once: its clients would otherwise wait for a machine that is gone.
#
# A GET that met an API process which died, or which is silent for 5 s, is sent to another. If no process is
# ready, callers get the service's own answer from one that lives, which names the failing component, and not
# the proxy's.
_CONFIGURATION = """\
defaults
    timeout connect 2s
    timeout check 1s
    timeout client 1h
    timeout server 1h
    retries 3
    default-server inter 500ms fall 2 rise 1

listen writes
    bind 127.0.0.1:{write}
    mode tcp
    option clitcpka
    option srvtcpka
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server on-marked-down shutdown-sessions
{nodes}

frontend api
    bind 127.0.0.1:{api}
    mode http
    use_backend ready if {{ nbsrv(ready) gt 0 }}
    default_backend alive

backend ready
    mode http
    option forwardfor
    option redispatch 1
    option httpchk GET /ready
    http-check expect status 200
    timeout server 5s
    retry-on conn-failure empty-response response-timeout
    http-request disable-l7-retry unless METH_GET
{processes}

backend alive
    mode http
    option forwardfor
    option httpchk GET /health
    http-check expect status 200
{processes}
"""


class HAProxy(Service):
    """The proxy in front of the three databases and of the API processes."""

    program = "haproxy"

    def __init__(
        self, home: Path, write: int, api: int, nodes: Iterable[Node], processes: Iterable[Api]
    ) -> None:
        """Describe the proxy."""
        super().__init__(home, {"haproxy_write": write, "haproxy_api": api})
        self._nodes = tuple(nodes)
        self._processes = tuple(processes)

    @property
    def write_port(self) -> int:
        """The port that leads to the primary."""
        return self.ports["haproxy_write"]

    @property
    def url(self) -> str:
        """Where callers reach the API, whichever process answers."""
        return f"http://127.0.0.1:{self.ports['haproxy_api']}"

    @property
    def mark(self) -> str:
        """The configuration file, given as an argument."""
        return str(self.home / "haproxy.cfg")

    @property
    def command(self) -> list[str]:
        """The proxy in the foreground, as one process."""
        program = shutil.which(self.program) or shutil.which(self.program, path="/usr/sbin")
        if program is None:
            raise StackError("haproxy is not installed: run make setup")
        return [program, "-db", "-f", self.mark]

    def prepare(self) -> None:
        """Write the configuration."""
        self.home.mkdir(parents=True, exist_ok=True)
        text = _CONFIGURATION.format(
            write=self.ports["haproxy_write"],
            api=self.ports["haproxy_api"],
            nodes="\n".join(
                f"    server {node.name} 127.0.0.1:{node.port} check port {node.rest_port}"
                for node in self._nodes
            ),
            processes="\n".join(
                f"    server api-{number} 127.0.0.1:{process.port} check"
                for number, process in enumerate(self._processes, 1)
            ),
        )
        Path(self.mark).write_text(text)

    def ready(self) -> bool:
        """Return whether it accepts connections."""
        try:
            socket.create_connection(("127.0.0.1", self.write_port), timeout=1).close()
        except OSError:
            return False
        return True
