"""The measured world: a private stack, the demo world published as one edition, and keys to send."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.sizes import MOST_REQUESTS_PER_SECOND, SUBJECTS, Size, keys_for
from demo import write
from demo.documents import Document as Made
from demo.world import World
from dev.installation import Installation
from dev.ports import Ports
from dev.stack import Stack, temporary_home
from sankofa.editions.publish import publish
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.surfaces.publishing import publisher

Subject = dict[str, str]
# One column for each name that a cell may use; the first rows of each table, in a fixed order.
_SUBJECTS = {
    "issuer": "SELECT DISTINCT service_id FROM serving.fundamentals_fact ORDER BY 1 LIMIT %s",
    "lei": "SELECT DISTINCT id_value FROM serving.identifier WHERE id_type = 'lei' ORDER BY 1 LIMIT %s",
    "name": "SELECT DISTINCT legal_name FROM serving.organisation_version ORDER BY 1 LIMIT %s",
    "ocid": "SELECT DISTINCT ocid FROM serving.tender_release ORDER BY 1 LIMIT %s",
    "day": "SELECT (date '2025-09-01' + n)::text FROM generate_series(0, %s - 1) AS n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A published world, the subjects of requests and the keys that send them."""

    installation: Installation
    subjects: list[Subject]
    keys: list[str]


@contextmanager
def scene(size: Size) -> Iterator[Scene]:
    """Load the world into a temporary folder on free ports, and remove it afterwards."""
    with prepared() as installation:
        _publish(installation, World(facts=size.facts))
        yield Scene(installation=installation, subjects=subjects(installation), keys=_keys(installation))


@contextmanager
def prepared() -> Iterator[Installation]:
    """Run an empty installation on a stack of its own, and remove it afterwards."""
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="1GB")
        try:
            stack.start()
            installation = Installation(stack, "bench")
            installation.prepare()
            yield installation
        finally:
            stack.destroy()


def load(installation: Installation, documents: Iterable[tuple[str, Made]]) -> None:
    """Ingest documents, each with the name of its source."""
    settings = installation.settings()
    objects = Objects(settings.objects())
    with connect(settings.ingest_dsn) as connection:
        for name, made in documents:
            document = Document(source=source(name), content=made.content, fetched_at=made.fetched_at)
            ingest(connection, objects, document)


def _publish(installation: Installation, world: World) -> None:
    load(installation, write.made(world))
    if publish(publisher(installation.settings())) is None:
        raise RuntimeError("the demo world gave nothing to publish")
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        admin.execute("VACUUM ANALYZE")


def subjects(installation: Installation) -> list[Subject]:
    """Return what requests are about; a short column is repeated."""
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        columns = {
            name: [str(row[0]) for row in admin.execute(statement, [SUBJECTS])]
            for name, statement in _SUBJECTS.items()
        }
    cycled = [itertools.cycle(values) for values in columns.values()]
    rows = itertools.islice(zip(*cycled, strict=False), SUBJECTS)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _keys(installation: Installation) -> list[str]:
    with installation.registry() as registry:
        number = keys_for(MOST_REQUESTS_PER_SECOND)
        return [registry.issue("professional", "bench").key for _ in range(number)]
