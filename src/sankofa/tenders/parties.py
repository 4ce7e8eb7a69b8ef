"""The walk over organisations that play a part in tenders: in which roles, where, since when, how often."""

from __future__ import annotations

from collections.abc import Sequence

from sankofa.editions.reconcile import Changes, ServingTable, reconcile
from sankofa.editions.walk import Chunk, Dataset, RulelessDataset, chunks
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "parties.sql")
_CHUNK_PARTIES = 2_000
_MOVED = "CASE WHEN {row}.part_id IN (SELECT part_id FROM moved) THEN 'merged' ELSE '{otherwise}' END"

PARTIES = ServingTable(
    name="tender_party",
    columns=(
        "service_id",
        "part_id",
        "provenance_id",
        "first_release",
        "last_release",
        "releases",
        "role",
        "country",
        "location",
    ),
    identity="part_id",
    changed=_MOVED.format(row="now", otherwise="corrected"),
    fresh=_MOVED.format(row="now", otherwise="added"),
    gone=_MOVED.format(row="was", otherwise="withdrawn"),
)


class TenderParties(RulelessDataset):
    """Who buys and who supplies, counted over releases."""

    name = "AF-TENDER"
    tables = (PARTIES,)

    def publish(self, connection: Connection, edition: int) -> Changes:
        """Count the touched organisations' parts anew."""
        for name, table in (("members", "member"), ("processes", "process"), ("parts", "part")):
            connection.execute(_SQL[name])
            connection.execute(f"ANALYZE {table}")
        connection.execute(_SQL["moved"], {"edition": edition})
        connection.execute(_SQL["target_parties"])
        return reconcile(connection, PARTIES, edition)


class Parties:
    """Organisations that processes mention; these are walked before."""

    datasets: tuple[Dataset, ...] = (TenderParties(),)

    def touch(self, connection: Connection, edition: int, before: dict[str, str]) -> Sequence[Chunk]:  # noqa: ARG002  # as every walk
        """Find whose parts may have changed; return them in chunks."""
        connection.execute(_SQL["session_tables"])
        connection.execute(_SQL["touch"])
        connection.execute("ANALYZE touched_party")
        bounds = [str(row[0]) for row in connection.execute(_SQL["chunk_bounds"], {"size": _CHUNK_PARTIES})]
        return chunks(bounds)

    def enter(self, connection: Connection, chunk: Chunk) -> None:
        """Make `touched`."""
        connection.execute(_SQL["chunk"], {"after": chunk.after, "until": chunk.until})
