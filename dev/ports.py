"""Which ports the local stack listens on, and how each one is changed.

`make up` uses the fixed numbers below. Each is overridden by the environment variable
`SANKOFA_DEV_<FIELD>_PORT`, for example `SANKOFA_DEV_POSTGRES_PORT=25432`,
`SANKOFA_DEV_REDIS_KEYS_PORT`, `SANKOFA_DEV_REDIS_USAGE_PORT`, `SANKOFA_DEV_S3_PORT`, `SANKOFA_DEV_API_PORT`.
"""

import os
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Self

# Below the range the kernel gives to outgoing connections: none takes a port between choice and use.
_FREE_RANGE = range(20_000, 32_000)


@dataclass(frozen=True, kw_only=True)
class Ports:
    """One port per listener; SeaweedFS needs an HTTP and a gRPC port for each of its four parts."""

    postgres: int = 15432
    redis_keys: int = 16379
    redis_usage: int = 16380
    s3: int = 18333
    s3_grpc: int = 18334
    filer: int = 18335
    filer_grpc: int = 18336
    volume: int = 18337
    volume_grpc: int = 18338
    master: int = 18339
    master_grpc: int = 18340
    api: int = 8080

    @classmethod
    def default(cls) -> Self:
        """Return the fixed ports of `make up`, with what the environment overrides."""
        given = ((field.name, os.environ.get(variable(field.name))) for field in fields(cls))
        return cls(**{name: int(port) for name, port in given if port})

    @classmethod
    def free(cls) -> Self:
        """Pick ports nobody listens on, for a throwaway stack."""
        unused = unused_ports()
        return cls(**{field.name: next(unused) for field in fields(cls)})


def variable(name: str) -> str:
    """Name the environment variable that moves the port called `name`."""
    return f"SANKOFA_DEV_{name.upper()}_PORT"


def unused_ports() -> Iterator[int]:
    """Yield distinct ports on 127.0.0.1 that nobody listens on, in random order."""
    candidates = random.SystemRandom().sample(_FREE_RANGE, len(_FREE_RANGE))
    return (port for port in candidates if is_unused(port))


def is_unused(port: int) -> bool:
    """Tell whether a server could listen on `port` of 127.0.0.1 now."""
    with socket.socket() as probe:
        # As servers do: connections of a server that just ended do not keep its port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
