"""Request pacing per host over all workers: a table stores when each host may be called again."""

from __future__ import annotations

from typing import cast

from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__)


class SharedTurns:
    """Turns shared by all processes through one table."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def take(self, host: str, pause: float) -> float:
        """Reserve the next turn at a host, and return the seconds until it comes."""
        row = self._connection.execute(_SQL["take_turn"], {"host": host, "pause": pause}).fetchone()
        return cast("tuple[float]", row)[0]

    def rest(self, host: str, seconds: float) -> None:
        """Send no request to a host for the given seconds."""
        self._connection.execute(_SQL["rest"], {"host": host, "seconds": seconds})
