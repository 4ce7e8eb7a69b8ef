"""Commands about the database itself: roles, schema."""

from __future__ import annotations

import typer
from rich.console import Console

from sankofa.storage import migrate as migrations
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.telling import told

app = typer.Typer()
out = Console(soft_wrap=True)


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
