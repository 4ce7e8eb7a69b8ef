"""How recorded files become edition rows."""

from __future__ import annotations

from collections.abc import Sequence

from sankofa.editions.reconcile import Changes, reconcile
from sankofa.editions.walk import Chunk, Step, Walk
from sankofa.export.dataset import ARTIFACTS, DATASET
from sankofa.export.recorded import to_list
from sankofa.storage.postgres import Connection
from sankofa.storage.queries import named

_SQL = named(__package__, "publish.sql")


class ListedFiles(Step):
    """The files that an edition lists."""

    dataset = DATASET

    def publish(self, connection: Connection, edition: int) -> Changes:
        """List what is whole and was not overtaken, by a larger file or by a takedown."""
        connection.execute(_SQL["target"], {"names": list(to_list(connection))})
        return reconcile(connection, ARTIFACTS, edition)


class Artifacts(Walk):
    """The files that were written since the edition before; a walk of one chunk, since they are few."""

    name = "artifacts"
    steps: tuple[Step, ...] = (ListedFiles(),)

    def touch(self, connection: Connection, edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return one chunk if a file was recorded that no edition has looked at."""
        row = connection.execute(_SQL["has_new"], {"edition": edition}).fetchone()
        return [Chunk("", "files")] if row else []

    def enter(self, connection: Connection, chunk: Chunk) -> None:  # noqa: ARG002  # as every walk
        """Make `touched`: all there is."""
        connection.execute(_SQL["enter"])
