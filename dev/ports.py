"""Which ports the local stack listens on, and how they are moved.

`make up` and `python -m dev edge` use the fourteen numbers below, plus the number in
`SANKOFA_DEV_PORT_OFFSET`, so that one variable moves the whole stack out of the way of another. With 100,
PostgreSQL listens on 15532 and the API on 8180.
"""

import os
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Self

# Below the range the kernel gives to outgoing connections: none takes a port between choice and use.
_FREE_RANGE = range(20_000, 32_000)
_VALID = range(1, 65_536)
OFFSET = "SANKOFA_DEV_PORT_OFFSET"


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
    edge: int = 8090
    edge_purges: int = 8091

    @classmethod
    def default(cls) -> Self:
        """Return the fixed ports of `make up`, moved by the offset that the environment sets, if any."""
        try:
            offset = int(os.environ.get(OFFSET) or 0)
        except ValueError:
            raise ValueError(f"{OFFSET} must be a whole number, such as 100") from None
        moved = {field.name: getattr(cls, field.name) + offset for field in fields(cls)}
        if not all(port in _VALID for port in moved.values()):
            raise ValueError(f"{OFFSET} moves a port of the stack below 1 or above 65535; try 100")
        return cls(**moved)

    @classmethod
    def free(cls) -> Self:
        """Pick ports nobody listens on, for a throwaway stack."""
        unused = unused_ports()
        return cls(**{field.name: next(unused) for field in fields(cls)})


def unused_ports(among: range = _FREE_RANGE) -> Iterator[int]:
    """Yield distinct ports on 127.0.0.1 that nobody listens on, in random order."""
    candidates = random.SystemRandom().sample(among, len(among))
    return (port for port in candidates if is_unused(port))


def is_unused(port: int) -> bool:
    """Return whether a server could listen on `port` of 127.0.0.1 now."""
    with socket.socket() as probe:
        # As servers do: connections of a server that just ended do not keep its port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
