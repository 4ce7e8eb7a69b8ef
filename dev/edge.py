"""How a private edge runs: nginx and Varnish with the files of `deploy/edge`, in front of an API process.

Only the outermost files are written here, because they hold addresses: `nginx.conf` and `backend.vcl`.
"""

import contextlib
import os
import shutil
import socket
import subprocess
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import msgspec

from dev import process
from dev.service import Service, StackError

_FILES = Path(__file__).resolve().parent.parent / "deploy" / "edge"
_CACHE_BYTES = "64m"
# As in deploy/compose.yaml: a name stands for one coding and a whole body, and dropped bodies go at once.
_PARAMETERS = ("-p", "http_gzip_support=off", "-p", "http_range_support=off", "-p", "ban_lurker_age=0.1")
_NGINX = """\
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
events {{ worker_connections 1024; }}
http {{
    include http.conf;
    upstream service {{ server 127.0.0.1:{service}; keepalive 64; }}
    upstream cache {{ server unix:{socket}; keepalive 64; }}
    upstream kept {{ server unix:{socket}; server 127.0.0.1:{service} backup; keepalive 64; }}
    server {{ listen 127.0.0.1:{callers}; include callers.conf; }}
    server {{ listen 127.0.0.1:{purges}; allow 127.0.0.1; deny all; include purges.conf; }}
}}
"""
_BACKEND = 'backend service {{ .host = "127.0.0.1"; .port = "{service}"; .first_byte_timeout = 7s; }}\n'


class Varnish(Service):
    """The cache. It listens on a socket in its home and on no port."""

    program = "varnishd"

    def __init__(self, home: Path, service: int) -> None:
        """Describe the cache of the API on the port `service`."""
        super().__init__(home, {})
        self.service = service

    @property
    def name(self) -> str:
        """What people call it."""
        return "varnish"

    @property
    def socket(self) -> Path:
        """Where nginx connects."""
        return self.home / "cache.sock"

    @property
    def mark(self) -> str:
        """The working folder, given as an argument."""
        return str(self.home / "work")

    @property
    def command(self) -> list[str]:
        """The server in the foreground, without a management port."""
        return [
            path_of("varnishd"),
            *("-F", "-j", "none", "-T", "none", "-n", self.mark),
            *("-f", str(self.home / "default.vcl"), "-s", f"malloc,{_CACHE_BYTES}"),
            *("-a", f"{self.socket},mode=600", *_PARAMETERS),
        ]

    def prepare(self) -> None:
        """Put the files into the home."""
        self.home.mkdir(parents=True, exist_ok=True)
        self.socket.unlink(missing_ok=True)
        shutil.copy(_FILES / "default.vcl", self.home)
        (self.home / "backend.vcl").write_text(_BACKEND.format(service=self.service))

    def ready(self) -> bool:
        """Return whether it accepts connections."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(self.socket))
            return True
        return False

    def counters(self) -> dict[str, int]:
        """Return the counters by name, such as `MAIN.cache_hit`, as they were at most a second ago."""
        line = [path_of("varnishstat"), "-n", self.mark, "-1", "-j"]
        shown = subprocess.run(line, capture_output=True, check=True)
        return {
            name: counter["value"] for name, counter in msgspec.json.decode(shown.stdout)["counters"].items()
        }


class Nginx(Service):
    """What callers reach, and the port for purges."""

    program = "nginx"

    def __init__(self, home: Path, callers: int, purges: int, service: int, socket: Path) -> None:
        """Describe the server in front of the API on the port `service` and the cache on `socket`."""
        super().__init__(home, {"edge": callers, "edge_purges": purges})
        self.service = service
        self.socket = socket

    @property
    def url(self) -> str:
        """Where callers are answered."""
        return f"http://127.0.0.1:{self.ports['edge']}"

    @property
    def purge_url(self) -> str:
        """Where the service orders a purge."""
        return f"http://127.0.0.1:{self.ports['edge_purges']}"

    @property
    def pid(self) -> int | None:
        """The process id of the master, which replaces its command line by a title with the same words."""
        titled = (
            pid
            for pid in process.titled("nginx: master process")
            if self.mark in " ".join(process.command_line(pid)).split()
        )
        return process.find(self.program, self.mark) or next(titled, None)

    @property
    def mark(self) -> str:
        """The folder of its files, given as an argument."""
        return f"{self.home}/"

    @property
    def command(self) -> list[str]:
        """The server in the foreground."""
        # Workers of root would run as another user, who cannot open the socket of the cache.
        user = " user root;" if os.geteuid() == 0 else ""
        return [
            path_of("nginx"),
            "-p",
            self.mark,
            "-c",
            str(self.home / "nginx.conf"),
            "-e",
            "stderr",
            "-g",
            f"daemon off;{user}",
        ]

    def prepare(self) -> None:
        """Put the files into the home."""
        self.home.mkdir(parents=True, exist_ok=True)
        for name in ("http.conf", "callers.conf", "purges.conf"):
            shutil.copy(_FILES / name, self.home)
        outermost = _NGINX.format(
            service=self.service,
            socket=self.socket,
            callers=self.ports["edge"],
            purges=self.ports["edge_purges"],
        )
        (self.home / "nginx.conf").write_text(outermost)

    def ready(self) -> bool:
        """Return whether it answers."""
        connection = HTTPConnection("127.0.0.1", self.ports["edge_purges"], timeout=1)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 405  # noqa: PLR2004 - only purges are answered there
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


class Edge:
    """nginx and Varnish in front of the API on one port; both start and stop as one."""

    def __init__(self, home: Path, callers: int, purges: int, service: int) -> None:
        """Describe the edge; its API needs `environment`."""
        self.varnish = Varnish(home / "varnish", service)
        self.nginx = Nginx(home / "nginx", callers, purges, service, self.varnish.socket)

    @property
    def environment(self) -> dict[str, str]:
        """The settings of an API process behind this edge."""
        return {"SANKOFA_EDGES": f'["{self.nginx.purge_url}"]', "SANKOFA_PROXIES": '["127.0.0.1"]'}

    def start(self) -> None:
        """Start the cache, then the server in front of it."""
        self.varnish.start()
        self.nginx.start()

    def stop(self) -> None:
        """Stop both."""
        self.nginx.stop()
        self.varnish.stop()


def path_of(name: str) -> str:
    """Return the path of a program of the edge."""
    # Debian has servers in a folder that is not on every user's path.
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        raise StackError(f"{name} is not installed: run dev/setup.sh edge")
    return found
