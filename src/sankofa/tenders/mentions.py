"""Since when the names of parties are known: from the day of the release that mentions them so."""

from __future__ import annotations

from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "mentions.sql")


class Mentions:
    """The releases that organisations are mentioned in."""

    def touch(self, connection: Connection) -> None:
        """Touch parties with several names whose days the releases of the edition may change."""
        connection.execute(_SQL["touch"])

    def date(self, connection: Connection) -> None:
        """Give mentions in `vintage` the day of the release that made them first, where names differ."""
        connection.execute(_SQL["date"])
