"""One installation of the service on a stack: its database, its settings, its API process."""

import base64
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from dev.service import Service
from dev.stack import Stack
from sankofa.access.registry import Registry
from sankofa.storage.migrate import bootstrap, migrate
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore
from sankofa.surfaces.settings import Settings

# A fixed key, so that the demo world has the same ids for everyone. Real installations choose their own.
LOCAL_SECRET = "the demo world's own secret"  # noqa: S105 - protects invented data only
# The demo keys are invented too; a real installation draws its own pepper.
LOCAL_PEPPER = "the demo world's own pepper"
LOCAL_CURSOR_SECRET = "the demo world's own secret for cursors"  # noqa: S105 - as above
LOCAL_SIGNING_KEY = base64.b64encode(hashlib.sha256(b"the demo world's own signature").digest()).decode()
ROLES = ("read", "ingest", "publish", "privacy", "export", "keys", "follow", "review", "migrate", "admin")
# What the API process is not given: it signs addresses of licensed files, and can do nothing else in S3.
_WRITERS_ONLY = ("SANKOFA_S3_ACCESS_KEY", "SANKOFA_S3_SECRET_KEY", "SANKOFA_SIGNING_KEY")


class Installation:
    """A database of the stack, brought to the newest schema, and the settings that point to it."""

    def __init__(self, stack: Stack, database: str = "sankofa", redis_database: int = 0) -> None:
        """Describe an installation; `prepare` makes it. Each has a key store and a usage store of its own."""
        self.stack = stack
        self.database = database
        self.redis_database = redis_database
        self.keys = stack.redis_keys
        self.usage = stack.redis_usage

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of this installation, for its commands."""
        return {
            **{f"SANKOFA_{role.upper()}_DSN": self.dsn(role) for role in ROLES},
            "SANKOFA_INSTANCE_SECRET": LOCAL_SECRET,
            "SANKOFA_SIGNING_KEY": LOCAL_SIGNING_KEY,
            "SANKOFA_KEYS_URL": f"{self.keys.url.removesuffix('0')}{self.redis_database}",
            "SANKOFA_USAGE_URL": f"{self.usage.url.removesuffix('0')}{self.redis_database}",
            "SANKOFA_KEY_PEPPER": LOCAL_PEPPER,
            "SANKOFA_CURSOR_SECRET": LOCAL_CURSOR_SECRET,
            "SANKOFA_S3_ENDPOINT": self.stack.s3_endpoint,
            "SANKOFA_S3_BUCKET": "documents",
            "SANKOFA_S3_ACCESS_KEY": self.stack.s3_access_key,
            "SANKOFA_S3_SECRET_KEY": self.stack.s3_secret_key,
            "SANKOFA_OPEN_URL": f"{self.stack.s3_endpoint}/open-panels",
            "SANKOFA_SIGNER_ACCESS_KEY": self.stack.s3.keys_of("signer")[0],
            "SANKOFA_SIGNER_SECRET_KEY": self.stack.s3.keys_of("signer")[1],
            "SANKOFA_TALLIES": str(self.stack.home / f"tallies-{self.database}"),
        }

    def settings(self) -> Settings:
        """Return the same as typed settings, for callers in this process."""
        return Settings(
            **{name.removeprefix("SANKOFA_").lower(): value for name, value in self.environment.items()}  # type: ignore[arg-type]
        )

    def dsn(self, role: str) -> str:
        """Return the connection string of one role."""
        if role == "admin":
            return self.stack.postgres_dsn()
        if role == "read":
            return self.stack.read_dsn("sankofa_api", self.database)
        return self.stack.postgres_dsn(f"sankofa_{role}", self.database)

    def prepare(self) -> None:
        """Create roles and database and bring the schema up to date; safe to repeat."""
        bootstrap(self.dsn("admin"), self.database)
        migrate(self.dsn("migrate"))

    @contextmanager
    def registry(self) -> Iterator[Registry]:
        """Open the key registry, for callers in this process."""
        settings = self.settings()
        store = JobStore(settings.key_store())
        try:
            with connect(settings.keys_dsn) as connection:
                yield Registry(
                    connection,
                    store,
                    settings.key_hash(),
                    Objects(settings.journal()),
                    operator="the local stack",
                )
        finally:
            store.close()

    def api(
        self,
        port: int,
        *,
        workers: int = 1,
        drain_seconds: float = 0,
        environment: Mapping[str, str] | None = None,
        home: Path | None = None,
    ) -> "Api":
        """Describe an API process of this installation; by default each port has a home of its own."""
        return Api(
            home or self.stack.home / f"api-{self.database}-{port}",
            port,
            workers,
            {
                **{name: text for name, text in self.environment.items() if name not in _WRITERS_ONLY},
                **(environment or {}),
            },
            drain_seconds,
        )


class Api(Service):
    """The API server, run by the same command an operator uses."""

    program = Path(sys.executable).name

    def __init__(
        self, home: Path, port: int, workers: int, environment: Mapping[str, str], drain_seconds: float = 0
    ) -> None:
        """Describe the server."""
        super().__init__(home, {"api": port})
        self.port = port
        self.workers = workers
        self.drain_seconds = drain_seconds
        self.environment = environment  # type: ignore[misc]  # each server has its own

    @property
    def mark(self) -> str:
        """The pid file is this server's alone."""
        return str(self.home / "pid")

    @property
    def command(self) -> list[str]:
        """Return the operator's command."""
        serve = ["-m", "sankofa.surfaces", "serve", "--port", str(self.port), "--workers", str(self.workers)]
        drain = ["--drain-seconds", str(self.drain_seconds)] if self.drain_seconds else []
        return [sys.executable, *serve, *drain, "--pid-file", self.mark]

    @property
    def url(self) -> str:
        """Where the API answers."""
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Make room for the log."""
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "pid").unlink(missing_ok=True)

    def ready(self) -> bool:
        """Tell whether the API answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=1)
        try:
            connection.request("GET", "/health")
            return connection.getresponse().status == 200  # noqa: PLR2004 - the status of success
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


def command(installation: Installation, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return an operator's command for this installation, with its environment."""
    return [sys.executable, "-m", "sankofa.surfaces", *arguments], {**os.environ, **installation.environment}
