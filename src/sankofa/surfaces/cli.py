"""The command line: what an operator does, one command per duty, each under its own database role."""

from __future__ import annotations

import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, cast

import typer
from granian.constants import Interfaces, Loops
from granian.server import Server as Granian
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeElapsedColumn

from sankofa.access.registry import ROTATION_GRACE, Issued, Registry
from sankofa.access.tiers import TierName
from sankofa.catalog.publish import Coverage, ServedSource, Sources
from sankofa.editions import takedown
from sankofa.editions.publish import Published, Publisher
from sankofa.editions.publish import publish as publish_edition
from sankofa.entities import identity
from sankofa.entities.organisations import RULES
from sankofa.entities.publish import Entities
from sankofa.entities.walk import Organisations
from sankofa.fundamentals.line_items import load_map
from sankofa.fundamentals.publish import Fundamentals
from sankofa.ingest.archive import Document
from sankofa.ingest.run import ingest as ingest_document
from sankofa.ingest.sources import closed_sources
from sankofa.ingest.sources import source as source_named
from sankofa.ingest.sources import sources as all_sources
from sankofa.macro.publish import Macro
from sankofa.macro.walk import Series
from sankofa.metrics.publish import Metrics
from sankofa.storage import migrate as migrations
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore
from sankofa.surfaces import cli_organisations
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.telling import told

app = typer.Typer(help=__doc__, no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
keys = typer.Typer(help="Issue and end API keys.", no_args_is_help=True)
app.add_typer(keys, name="keys")
app.add_typer(cli_organisations.app, name="organisations")
out = Console(soft_wrap=True)
_WATCH_SECONDS = 0.2


@contextmanager
def _progress(label: str, total: int | None = None) -> Iterator[Progress]:
    """Show a bar on a terminal, nothing elsewhere: the closing line says it all."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        bar.add_task(label, total=total)
        yield bar


@app.command()
def bootstrap(database: str = "sankofa") -> None:
    """Create the roles and the database (as an administrator)."""
    with told():
        migrations.bootstrap(Settings().admin_dsn, database)
        out.print(f"roles and database {database} are there")


@app.command()
def migrate() -> None:
    """Bring the database to the newest schema."""
    with told():
        applied = migrations.migrate(Settings().migrate_dsn)
        out.print(f"applied: {', '.join(applied) or 'nothing, the schema is up to date'}")


@app.command()
def ingest(
    source: Annotated[str, typer.Argument(help="A source; `sankofa sources` lists them.")],
    files: Annotated[list[Path], typer.Argument(help="Documents of that source.", exists=True)],
    fetched_at: Annotated[
        datetime | None, typer.Option(help="When the files were fetched (UTC). Default: now.")
    ] = None,
) -> None:
    """Append what documents newly say to the ledger. Safe to repeat, in any order."""
    with told():
        settings = Settings()
        objects = Objects(settings.objects())
        origin = source_named(source)
        moment = (fetched_at or datetime.now(UTC)).replace(tzinfo=UTC)
        tally = {"accepted": 0, "seen": 0, "refused": 0}
        appended = 0
        rejected: dict[str, int] = {}
        with connect(settings.ingest_dsn) as connection, _progress("documents", len(files)) as bar:
            for file in files:
                document = Document(source=origin, content=file, fetched_at=moment)
                batch = ingest_document(connection, objects, document)
                tally[batch.outcome] += 1
                appended += batch.facts_appended
                for reason, rows in batch.rejected.items():
                    rejected[reason] = rejected.get(reason, 0) + rows
                bar.advance(bar.task_ids[0])
        out.print(
            f"documents: {_counted(tally)}; facts appended: {appended:,}; rejected: {_counted(rejected)}"
        )


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "none"


@app.command()
def sources() -> None:
    """List the sources and the licence each is held under."""
    for name, known in all_sources().items():
        out.print(f"{name:20} {known.license_class:14} {known.publisher}", highlight=False)


def publisher(settings: Settings) -> Publisher:
    """Return the publisher of this installation."""
    rules = RULES
    closed = closed_sources()
    organisations = Organisations(
        datasets=(Entities(rules, closed), Fundamentals(load_map()), Metrics()),
        secret=settings.secret(),
        privacy_dsn=settings.privacy_dsn,
        rules=rules,
        closed_sources=closed,
    )
    return Publisher(
        dsn=settings.publish_dsn,
        maintenance_dsn=settings.migrate_dsn,
        objects=Objects(settings.objects()),
        walks=(
            organisations,
            Series(datasets=(Macro(closed_sources=closed),), closed_sources=closed),
            Coverage(),
            Sources(_served_sources()),
        ),
    )


def _served_sources() -> list[ServedSource]:
    return [
        ServedSource(known.name, known.publisher, known.country, known.license_class)
        for known in all_sources().values()
        if known.redistributable
    ]


@app.command()
def publish(
    watch: Annotated[bool, typer.Option(help="Go on publishing whenever something new is in.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Make the next edition current from everything that is new."""
    with told():
        writer = publisher(Settings())
        edition = _publish(writer)
        _tell(edition)
        while watch:
            time.sleep(_WATCH_SECONDS)
            edition = _publish(writer)
            if edition:
                _tell(edition)


def _publish(writer: Publisher) -> Published | None:
    with _progress("issuers, in thousands") as bar:
        task = bar.task_ids[0]
        return publish_edition(writer, lambda done, total: bar.update(task, completed=done, total=total))


def _tell(edition: Published | None) -> None:
    if edition is None:
        out.print("nothing is new: the current edition stands")
        return
    changes = {name: change.told() for name, change in edition.changes.items()}
    out.print(f"edition {edition.edition} ({edition.mark}) is current; {_changed(changes)}")
    if "organisation_rules" in edition.changed_rules:
        out.print("the organisation rules changed: `sankofa organisations flips` lists who is newly shown")


def _changed(changes: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Say what an edition changed, by dataset."""
    return "; ".join(
        f"{dataset}: put {_counted(change['put'])}, removed {_counted(change['removed'])}"
        for dataset, change in changes.items()
    )


@app.command()
def editions() -> None:
    """List the editions, newest first."""
    with told(), connect(Settings().publish_dsn) as connection:
        listed = connection.execute(
            "SELECT edition, mark, published_at, changes FROM serving.edition ORDER BY edition DESC"
        ).fetchall()
        for edition, mark, published_at, changes in cast("list[tuple[int, str, datetime, Any]]", listed):
            out.print(f"{edition} ({mark}) {published_at:%Y-%m-%d %H:%M:%S} UTC; {_changed(changes)}")


@app.command()
def identify(identifier: Annotated[str, typer.Argument(help="As the source names it: cik:…")]) -> None:
    """Print the service id of a subject."""
    with told(), connect(Settings().publish_dsn) as connection:
        out.print(identity.id_of(connection, identifier), highlight=False)


@app.command()
def merge(service_id: str, into: str, reason: Annotated[str, typer.Option()]) -> None:
    """Let a duplicate's id answer with another's rows, from the next edition on."""
    with told(), connect(Settings().publish_dsn) as connection:
        number = identity.decide(connection, service_id, into, reason)
        out.print(f"decision {number}: {service_id} resolves to {into} from the next edition on")


@app.command()
def split(service_id: str, reason: Annotated[str, typer.Option()]) -> None:
    """Undo a merge, from the next edition on."""
    with told(), connect(Settings().publish_dsn) as connection:
        number = identity.decide(connection, service_id, service_id, reason)
        out.print(f"decision {number}: {service_id} answers for itself from the next edition on")


@app.command("takedown")
def take_down(
    service_id: str,
    reason: Annotated[str, typer.Option()],
    fact: Annotated[uuid.UUID | None, typer.Option(help="Only this fact; default: the whole issuer.")] = None,
) -> None:
    """Remove an issuer, or one fact of it, from every edition at once."""
    settings = Settings()
    with told(), connect(settings.privacy_dsn) as connection:
        if fact is None:
            numbers = takedown.take_down_issuer(connection, service_id, reason, publisher(settings).tables)
        else:
            numbers = [takedown.take_down_fact(connection, service_id, fact, reason)]
        out.print(
            f"takedown {', '.join(map(str, numbers))}: gone from every edition; publish to apply it onward"
        )


@contextmanager
def _registry() -> Iterator[Registry]:
    settings = Settings()
    store = JobStore(settings.key_store())
    with told(), connect(settings.keys_dsn) as connection:
        yield Registry(connection, store, settings.key_hash())
    store.close()


def _show(issued: Issued) -> None:
    """Print a new key alone on standard output, so that a script can take it."""
    notes = Console(stderr=True)
    notes.print(f"key {issued.key_id}, shown this once:", highlight=False)
    out.print(issued.key, highlight=False)
    if not issued.is_live:
        notes.print("the key store does not answer: run `sankofa keys sync` when it does")


@keys.command()
def issue(
    tier: TierName,
    label: Annotated[str, typer.Argument(help="Whose key it is; never served.")],
    public: Annotated[bool, typer.Option(help="Published for everyone; limits count per client.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Issue a key and show it, once."""
    with _registry() as registry:
        _show(registry.issue(tier, label, public=public))


@keys.command("list")
def list_keys() -> None:
    """List every key ever issued, oldest first."""
    with _registry() as registry:
        for key in registry.registered():
            kind = "public" if key.is_public else "private"
            end = f"ends {key.ends_at:%Y-%m-%d %H:%M}Z" if key.ends_at else "no end"
            out.print(
                f"{key.key_id}  {key.tier:12}  {kind:7}  {end:22}  {key.label}", highlight=False, markup=False
            )


@keys.command()
def revoke(key_id: str) -> None:
    """End a key: within five seconds no process admits it."""
    with _registry() as registry:
        registry.revoke(key_id)
        out.print(f"{key_id} is revoked")


@keys.command()
def rotate(
    key_id: str,
    grace_hours: Annotated[float, typer.Option(help="How long the old key goes on.")] = ROTATION_GRACE
    / timedelta(hours=1),
) -> None:
    """Issue a key in place of another and show it, once."""
    with _registry() as registry:
        _show(registry.rotate(key_id, timedelta(hours=grace_hours)))


@keys.command()
def tier(key_id: str, name: TierName) -> None:
    """Give a key another tier."""
    with _registry() as registry:
        registry.change_tier(key_id, name)
        out.print(f"{key_id} is {name} now")


@keys.command()
def sync(
    watch: Annotated[bool, typer.Option(help="Go on, filling the store whenever it is behind.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Fill the key store from the registry."""
    with _registry() as registry:
        out.print(f"the key store is at generation {registry.sync()}")
        while watch:
            time.sleep(_WATCH_SECONDS)
            if registry.is_behind():
                out.print(f"the key store is at generation {registry.sync()}")


@app.command()
def serve(host: str = "127.0.0.1", port: int = 8080, workers: int = 1, pid_file: Path | None = None) -> None:
    """Serve the API."""
    Granian(
        "sankofa.surfaces.rest:create",
        factory=True,
        address=host,
        port=port,
        workers=workers,
        interface=Interfaces.ASGI,
        loop=Loops.uvloop,
        websockets=False,
        pid_file=pid_file,
    ).serve()
