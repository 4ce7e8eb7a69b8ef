"""A database that goes back to an earlier state, as a restore of an old backup leaves it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace

from typer.testing import CliRunner

from sankofa.access.registry import Registry
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect, sql
from sankofa.storage.redis import JobStore
from sankofa.surfaces.cli import app


class Backup:
    """A copy of a service's database as it is now."""

    def __init__(self, service):
        self._service = service
        self._kept = f"{service.installation.database}_kept"
        self._copy(service.installation.database, self._kept)

    def restore(self):
        """Put the copy in the place of the database."""
        self._copy(self._kept, self._service.installation.database)

    def _copy(self, source, target):
        names = {"source": sql.Identifier(source), "target": sql.Identifier(target)}
        with connect(self._service.installation.dsn("admin")) as admin:
            admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN (%s, %s)",
                [source, target],
            )
            admin.execute(sql.SQL("DROP DATABASE IF EXISTS {target} WITH (FORCE)").format(**names))
            admin.execute(sql.SQL("CREATE DATABASE {target} TEMPLATE {source}").format(**names))


def run(service, *arguments, **environment):
    """Run an operator's command in this process and return how it ended."""
    return CliRunner().invoke(app, arguments, env=service.installation.environment | environment)


@contextmanager
def cut_off_registry(service):
    """Open the key registry of somebody who cannot reach S3: what they decide does not enter the journal."""
    settings = service.settings
    store = JobStore(settings.key_store())
    nowhere = replace(settings.objects("journal"), endpoint="http://127.0.0.1:9")
    with connect(settings.keys_dsn) as connection:
        yield Registry(connection, store, settings.key_hash(), Objects(nowhere), operator="a test")
    store.close()
