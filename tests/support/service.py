"""A whole service for a test: its own database, the write side in this process, the API as a process."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx

from dev.installation import Installation
from dev.ports import unused_ports
from sankofa.editions import takedown
from sankofa.editions.publish import publish
from sankofa.entities import identity
from sankofa.entities.organisations import RULES
from sankofa.export.run import export
from sankofa.fundamentals.line_items import load_map
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import closed_sources, source
from sankofa.macro.publish import AUTHORITY
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect, sql
from sankofa.surfaces.commands.export import exporter
from sankofa.surfaces.publishing import publisher
from support.holding import decision
from support.waiting import until

_redis_databases = itertools.count(1)
KEYS = 5  # of the caller in tests, who asks more than one key may
FETCHED = datetime(2026, 1, 5, 6, tzinfo=UTC)


# A copy is another installation, with other objects in S3. Only an administrator gets past the triggers.
OTHER_INSTANCE = """
DO $$
DECLARE
    guard record;
BEGIN
    ALTER TABLE ops.instance DISABLE TRIGGER ALL;
    UPDATE ops.instance SET instance_id = gen_random_uuid();
    FOR guard IN
        SELECT tgname FROM pg_trigger WHERE tgrelid = 'ops.instance'::regclass AND NOT tgisinternal
    LOOP
        EXECUTE format('ALTER TABLE ops.instance ENABLE ALWAYS TRIGGER %I', guard.tgname);
    END LOOP;
END
$$
"""


def copy_prepared(stack, database, template):
    """Make a database as a copy of one that was prepared already: what remains to be done takes no time."""
    prepared = Installation(stack, "prepared")
    with connect(prepared.dsn("admin")) as admin:
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = 'prepared'").fetchone():
            prepared.prepare()
        copy = sql.SQL("CREATE DATABASE {} OWNER sankofa_owner TEMPLATE {} STRATEGY file_copy")
        admin.execute(copy.format(sql.Identifier(database), sql.Identifier(template)))
    with connect(stack.postgres_dsn(dbname=database)) as admin:
        admin.execute(OTHER_INSTANCE)


class Service:
    """An installation with the operator's acts as methods, and a client of its API."""

    def __init__(self, stack, database, template="prepared", **environment):
        self.installation = Installation(stack, database, next(_redis_databases))
        if template:
            copy_prepared(stack, database, template)
        self.installation.prepare()
        self.settings = self.installation.settings()
        self.objects = Objects(self.settings.objects())
        self.panels = Objects(self.settings.objects(self.settings.open_bucket))
        self.licensed = Objects(self.settings.objects(self.settings.licensed_bucket))
        self.journal = Objects(self.settings.journal())
        self.line_items = load_map()
        self.rules = RULES
        self.closed_sources = closed_sources()
        self.authority = AUTHORITY
        # Most tests invent worlds that no bound of drift fits: a reviewer releases whatever is held back.
        self.has_lenient_reviewer = True
        self.environment = environment
        self._api = None
        self._client = None
        self._downloads = 0
        self._keys = None

    def issue(self, tier="professional", **options):
        """Issue a key: as many as a test needs, limits stay as configured."""
        with self.installation.registry() as registry:
            return registry.issue(tier, "a test", **options)

    @property
    def headers(self):
        """The headers of a paying caller, taking turns among a few keys."""
        if self._keys is None:
            with self.installation.registry() as registry:
                keys = [registry.issue("professional", "a test").key for _ in range(KEYS)]
            self._keys = itertools.cycle(keys)
        return {"X-API-Key": next(self._keys)}

    def close(self):
        if self._client:
            self._client.close()
        if self._api:
            self._api.stop()
        with connect(self.installation.dsn("admin")) as admin:
            name = sql.Identifier(self.installation.database)
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))

    def connect(self, role="admin"):
        if role == "admin":
            return connect(self.installation.stack.postgres_dsn(dbname=self.installation.database))
        return connect(self.installation.dsn(role))

    def rows(self, statement, *values):
        """Ask the database itself, as its administrator."""
        with self.connect() as admin:
            return admin.execute(statement, values).fetchall()

    def ingest(self, *contents, source_name="demo-companyfacts"):
        """Ingest documents (bytes, or pairs of bytes and fetch time) and return their batches.

        Bytes alone count as fetched one minute after those of the call before.
        """
        fetched_at = FETCHED + timedelta(minutes=self._downloads)
        self._downloads += 1
        with self.connect("ingest") as connection:
            batches = []
            for content in contents:
                body, moment = content if isinstance(content, tuple) else (content, fetched_at)
                origin = source(source_name) if isinstance(source_name, str) else source_name
                document = Document(source=origin, content=body, fetched_at=moment)
                batches.append(ingest(connection, self.objects, document))
            return batches

    def publisher(self, override=""):
        return publisher(
            self.settings,
            override=override,
            rules=self.rules,
            line_items=self.line_items,
            authority=self.authority,
            closed=self.closed_sources,
            signing_key=self.settings.signing(),
        )

    def publish(self, override=""):
        if self.has_lenient_reviewer:
            decision(self, release=True)
        return publish(self.publisher(override))

    def export(self):
        """Write files of the current edition."""
        return export(exporter(self.settings))

    def id_of(self, identifier):
        with self.connect("publish") as connection:
            return identity.id_of(connection, identifier)

    def merge(self, service_id, into, reason="the same company twice"):
        with self.connect("publish") as connection:
            return identity.decide(connection, service_id, into, reason)

    def take_down(self, service_id, fact_id=None, reason="asked to"):
        with self.connect("privacy") as connection:
            if fact_id is None:
                return takedown.take_down_issuer(connection, service_id, reason, "a test")
            return takedown.take_down_fact(connection, service_id, fact_id, reason, "a test")

    @property
    def api(self):
        """The API process, started when first asked for."""
        if self._api is None:
            self._api = self.installation.api(next(unused_ports()), environment=self.environment)
            self._api.start()
        return self._api

    def serve(self, port, *, workers=1, **environment):
        """Start the API process on a port that others know beforehand."""
        self._api = self.installation.api(port, workers=workers, environment=self.environment | environment)
        self._api.start()

    @property
    def client(self):
        if self._client is None:
            self._client = httpx.Client(base_url=self.api.url, timeout=30)
        return self._client

    def get(self, path, headers=None, **params):
        """Ask the API over HTTP; the body's numbers come back as exact decimals.

        The parameters are sent beside those that the path may already have.
        """
        address = httpx.URL(path).copy_merge_params(params) if params else path
        response = self.client.get(address, headers=self.headers | (headers or {}))
        is_json = (
            "json" in response.headers.get("content-type", "")
            and "ndjson" not in response.headers["content-type"]
        )
        response.exact = json.loads(response.content, parse_float=Decimal) if is_json else None
        return response

    def facts(self, service_id, **params):
        response = self.get(f"/v1/fundamentals/{service_id}", **params)
        assert response.status_code == 200, response.text
        return response.exact["data"]

    def await_edition(self, edition):
        """Wait until the API answers with an edition: it polls once a second."""
        until(lambda: (self.client.get("/v1/status").json()["edition"] or 0) >= edition)
