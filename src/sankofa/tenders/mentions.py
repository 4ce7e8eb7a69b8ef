"""The days from which names of tender parties are known: the days of their releases."""

from __future__ import annotations

from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "mentions.sql")


class Mentions:
    """Dates the names of organisations by the releases that mention them."""

    def touch(self, connection: Connection) -> None:
        """Mark parties with several names that releases of this edition mention: their dates may change."""
        connection.execute(_SQL["touch"])

    def date(self, connection: Connection) -> None:
        """Set the date of each mention in `vintage` to that of its first release, if the names differ."""
        connection.execute(_SQL["date"])
