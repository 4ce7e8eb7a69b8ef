"""What is measured on: a private stack, the demo world published as one edition, and keys to ask with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.sizes import ASKED_ISSUERS, MOST_REQUESTS_PER_SECOND, Size, keys_for
from demo import companyfacts
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

AS_OF = "2024-06-30"
PERIOD_TYPE = "FY"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A published world, and who asks about what."""

    installation: Installation
    edition: int
    issuers: list[str]
    keys: list[str]

    def path(self, issuer: str) -> str:
        """Return the address that is asked for."""
        return f"/v1/fundamentals/{issuer}?as_of={AS_OF}&period_type={PERIOD_TYPE}"


@contextmanager
def scene(size: Size) -> Iterator[Scene]:
    """Set the scene in a temporary folder on free ports, and clear it afterwards."""
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="1GB")
        try:
            stack.start()
            installation = Installation(stack, "bench")
            installation.prepare()
            edition = _publish(installation, World(facts=size.facts))
            yield Scene(
                installation=installation,
                edition=edition,
                issuers=_issuers(installation),
                keys=_keys(installation),
            )
        finally:
            stack.destroy()


def _publish(installation: Installation, world: World) -> int:
    settings = installation.settings()
    objects = Objects(settings.objects())
    origin = source(companyfacts.SOURCE)
    with connect(settings.ingest_dsn) as connection:
        for part in companyfacts.documents(world):
            document = Document(source=origin, content=part.content, fetched_at=part.fetched_at)
            ingest(connection, objects, document)
    published = publish(publisher(settings))
    if published is None:
        raise RuntimeError("the demo world gave nothing to publish")
    return published.edition


def _issuers(installation: Installation) -> list[str]:
    """Return the issuers to ask about, and number them in a table for pgbench, which knows only numbers."""
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        admin.execute("CREATE SCHEMA bench")
        admin.execute(
            "CREATE TABLE bench.issuer AS"
            " SELECT row_number() OVER (ORDER BY service_id)::integer AS number, service_id"
            " FROM serving.issued_id ORDER BY service_id LIMIT %s",
            [ASKED_ISSUERS],
        )
        admin.execute("CREATE UNIQUE INDEX ON bench.issuer (number) INCLUDE (service_id)")
        admin.execute("GRANT USAGE ON SCHEMA bench TO sankofa_api")
        admin.execute("GRANT SELECT ON bench.issuer TO sankofa_api")
        admin.execute("VACUUM ANALYZE bench.issuer")
        return [str(row[0]) for row in admin.execute("SELECT service_id FROM bench.issuer ORDER BY number")]


def _keys(installation: Installation) -> list[str]:
    with installation.registry() as registry:
        number = keys_for(MOST_REQUESTS_PER_SECOND)
        return [registry.issue("professional", "bench").key for _ in range(number)]
