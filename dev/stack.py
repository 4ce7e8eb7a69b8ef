"""What belongs to the local stack, and that it starts and stops as one."""

import fcntl
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from operator import methodcaller
from pathlib import Path
from typing import Self

from dev.ports import Ports
from dev.postgres import Postgres
from dev.redis_server import Redis
from dev.seaweedfs import SeaweedFS
from dev.service import Service, StackError

ROOT = Path(__file__).resolve().parent.parent


class Stack:
    """PostgreSQL, a Redis for keys, a Redis for usage and an S3, with all data under one folder."""

    def __init__(
        self, home: Path, ports: Ports, *, durable: bool = True, shared_buffers: str = "256MB"
    ) -> None:
        """Describe a stack; `durable=False` trades safety against power loss for speed."""
        self.home = home.resolve()
        self.ports = ports
        self.postgres = Postgres(
            self.home / "postgres", ports.postgres, durable=durable, shared_buffers=shared_buffers
        )
        self.redis_keys = Redis(self.home / "redis-keys", "redis_keys", ports.redis_keys, persistent=True)
        self.redis_usage = Redis(
            self.home / "redis-usage", "redis_usage", ports.redis_usage, persistent=False
        )
        self.s3 = SeaweedFS(self.home / "s3", ports)

    @classmethod
    def local(cls) -> Self:
        """Describe the stack of `make up`: the repository's `.local` folder and the fixed ports."""
        try:
            return cls(ROOT / ".local", Ports.default())
        except ValueError as error:
            raise StackError(str(error)) from None

    @classmethod
    @contextmanager
    def throwaway(cls) -> Iterator[Self]:
        """Run a stack for a test on free ports in a temporary folder, and leave nothing behind."""
        with temporary_home() as home:
            stack = cls(home, Ports.free(), durable=False, shared_buffers="128MB")
            try:
                stack.start()
                yield stack
            finally:
                stack.destroy()

    @property
    def services(self) -> tuple[Service, ...]:
        """Every service of the stack."""
        return (self.postgres, self.redis_keys, self.redis_usage, self.s3)

    def postgres_dsn(self, user: str = "postgres", dbname: str = "postgres") -> str:
        """Return the PostgreSQL connection string of one user and database."""
        return self.postgres.dsn(user, dbname)

    def read_dsn(self, user: str, dbname: str) -> str:
        """Return the connection string of readers, which may name several servers."""
        return self.postgres_dsn(user, dbname)

    @property
    def redis_keys_url(self) -> str:
        """Where the key store answers."""
        return self.redis_keys.url

    @property
    def redis_usage_url(self) -> str:
        """Where the usage store answers."""
        return self.redis_usage.url

    @property
    def s3_endpoint(self) -> str:
        """Where S3 answers."""
        return self.s3.endpoint

    @property
    def s3_access_key(self) -> str:
        """The access key that may write."""
        return self.s3.credentials[0]

    @property
    def s3_secret_key(self) -> str:
        """The secret of that access key."""
        return self.s3.credentials[1]

    def start(self) -> None:
        """Start what does not run yet, all at once, and return when every service answers."""
        self._together(methodcaller("start"))

    def stop(self) -> None:
        """Stop every service and keep the data."""
        self._together(methodcaller("stop"))

    def destroy(self) -> None:
        """Stop every service and remove the data."""
        self._together(methodcaller("destroy"))
        shutil.rmtree(self.home, ignore_errors=True)

    def _together(self, act: Callable[[object], None]) -> None:
        with self._lock(), ThreadPoolExecutor(len(self.services)) as pool:
            done = [pool.submit(act, service) for service in self.services]
        failures = [failure for each in done if (failure := each.exception()) is not None]
        unexpected = [failure for failure in failures if not isinstance(failure, StackError)]
        if failures:
            raise unexpected[0] if unexpected else StackError("\n".join(map(str, failures)))

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Let one run at a time change the stack."""
        self.home.mkdir(parents=True, exist_ok=True)
        with (self.home / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


@contextmanager
def temporary_home() -> Iterator[Path]:
    """Make a temporary folder that the postgres user can enter too, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="sankofa-") as folder:
        home = Path(folder)
        home.chmod(0o755)
        yield home
