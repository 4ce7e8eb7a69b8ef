"""Publish recorded files as edition rows."""

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
        """List the complete files that no larger file and no takedown has replaced."""
        connection.execute(_SQL["target"], {"names": list(to_list(connection))})
        return reconcile(connection, ARTIFACTS, edition)


class Artifacts(Walk):
    """The walk over files written since the previous edition; one chunk, since they are few."""

    name = "artifacts"
    steps: tuple[Step, ...] = (ListedFiles(),)

    def touch(self, connection: Connection, edition: int, _before: dict[str, str]) -> Sequence[Chunk]:
        """Return one chunk if there are files that no edition has processed."""
        row = connection.execute(_SQL["has_new"], {"edition": edition}).fetchone()
        return [Chunk("", "files")] if row else []

    def enter(self, connection: Connection, chunk: Chunk) -> None:  # noqa: ARG002  # as every walk
        """Fill `touched` with everything."""
        connection.execute(_SQL["enter"])
