"""Commands about the database itself: roles, schema."""

from __future__ import annotations

import typer
from rich.console import Console

from sankofa.storage import migrate as migrations
from sankofa.surfaces.terminal import running, waiting

app = typer.Typer()
out = Console(soft_wrap=True)


@app.command()
def bootstrap(database: str = "sankofa") -> None:
    """Create the roles and the database (as an administrator)."""
    with running("bootstrap") as settings:
        migrations.bootstrap(settings.admin_dsn, database)
        out.print(f"roles and database {database} are there")


@app.command()
def migrate() -> None:
    """Bring the database to the newest schema."""
    with running("migrate") as settings:
        with waiting("migrations"):
            applied = migrations.migrate(settings.migrate_dsn)
        out.print(f"applied: {', '.join(applied) or 'nothing, the schema is up to date'}")
