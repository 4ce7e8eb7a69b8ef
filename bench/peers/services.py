"""The processes of the peers, each with one worker."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

from dev.service import Service

_SQL = """
select * from fact
where service_id = :service_id and period_type = :period_type and standard = 1
    and valid_from <= :as_of and valid_until > :as_of
order by period_end desc, line_item, period_start, unit, scope
"""


class Peer(Service):
    """A server of a peer, which answers on one port of 127.0.0.1."""

    program = "python"
    probe: str

    def __init__(self, home: Path, name: str, port: int, python: Path) -> None:
        """Describe the server."""
        super().__init__(home, {name: port})
        self.port = port
        self.python = python

    @property
    def url(self) -> str:
        """Where the peer answers."""
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Create the folder of the log."""
        self.home.mkdir(parents=True, exist_ok=True)

    def ready(self) -> bool:
        """Return whether the peer answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=1)
        try:
            connection.request("GET", self.probe)
            return connection.getresponse().status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


class FastApi(Peer):
    """FastAPI on uvicorn. Without the address of a cache it keeps no bodies."""

    probe = "/health"

    def __init__(self, home: Path, port: int, python: Path, database: str, cache: str = "") -> None:
        """Describe the server."""
        super().__init__(home, "fastapi", port, python)
        self.variables = {"DATABASE_URL": database, "CACHE_URL": cache}

    @property
    def mark(self) -> str:
        """The file of its settings."""
        return str(self.home / "settings.env")

    @property
    def command(self) -> list[str]:
        """The command of uvicorn."""
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--no-access-log"]
        module = ["--app-dir", str(Path(__file__).parent), "fastapi_service:app"]
        return [str(self.python), "-m", "uvicorn", *place, "--env-file", self.mark, *module]

    def prepare(self) -> None:
        """Write the settings."""
        super().prepare()
        lines = (f"{name}={value}\n" for name, value in self.variables.items())
        Path(self.mark).write_text("".join(lines))

    def target(self, values: dict[str, str]) -> str:
        """Return the path and query for the facts of one issuer."""
        query = {name: value for name, value in values.items() if name != "service_id"}
        return f"/fundamentals/{values['service_id']}?{urlencode(query)}"


class Datasette(Peer):
    """Datasette over an SQLite file that does not change, with the question as a canned query."""

    probe = "/-/versions.json"

    def __init__(self, home: Path, port: int, python: Path) -> None:
        """Describe the server."""
        super().__init__(home, "datasette", port, python)

    @property
    def file(self) -> Path:
        """The SQLite file."""
        return self.home / "world.db"

    @property
    def mark(self) -> str:
        """The path of the SQLite file."""
        return str(self.file)

    @property
    def command(self) -> list[str]:
        """The command of Datasette."""
        place = ["--host", "127.0.0.1", "--port", str(self.port)]
        metadata = ["--metadata", str(self.home / "metadata.json")]
        return [str(self.python), "-m", "datasette", "serve", "--immutable", self.mark, *place, *metadata]

    def prepare(self) -> None:
        """Write the canned query."""
        super().prepare()
        queries = {"facts_as_of": {"sql": _SQL}}
        metadata = {"databases": {"world": {"queries": queries}}}
        (self.home / "metadata.json").write_text(json.dumps(metadata))

    def target(self, values: dict[str, str]) -> str:
        """Return the path and query for the facts of one issuer."""
        return f"/world/facts_as_of.json?{urlencode({**values, '_shape': 'array'})}"
