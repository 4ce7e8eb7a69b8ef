"""Commands about sources: which there are, and whether an operator's own make sense."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import Refused
from sankofa.ingest.source import Source
from sankofa.ingest.sources import read
from sankofa.ingest.sources import sources as all_sources
from sankofa.surfaces.terminal import AsJson, print_json, running

app = typer.Typer()
sources = typer.Typer(help="List the sources, or check them.", invoke_without_command=True)
app.add_typer(sources, name="sources")
out = Console(soft_wrap=True, highlight=False, markup=False)


@sources.callback()
def list_sources(
    ctx: typer.Context,
    *,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """List the sources: whether each is served, when it is fetched, its licence, who publishes it."""
    if ctx.invoked_subcommand:
        return
    with running("sources") as settings:
        listed = all_sources(settings.sources)
        if as_json:
            print_json([_row(one) for one in listed.values()])
            return
        for name, known in listed.items():
            state = "served" if known.redistributable else "kept"
            out.print(f"{name:20} {state:7} {_when(known):36} {known.license_class:14} {known.publisher}")


@sources.command()
def check() -> None:
    """Check the sources of the package and of SANKOFA_SOURCES, and explain each mistake."""
    with running("sources") as settings:
        known, mistakes = read(settings.sources)
        if mistakes:
            raise Refused("\n".join(mistakes))
        served = [one for one in known.values() if one.redistributable]
        unseen = sum(map(_is_unseen, served))
        out.print(f"sources: {len(known)}, served: {len(served)}; nothing is wrong with them")
        out.print(f"licences of served sources that nobody has a day for (license_seen): {unseen}")


def _row(one: Source) -> dict[str, object]:
    return {
        "source": one.name,
        "publisher": one.publisher,
        "country": one.country,
        "is_served": one.redistributable,
        "license_class": one.license_class,
        "license_url": one.license_url,
        "fetched": _when(one),
    }


def _when(one: Source) -> str:
    """Return when a source is fetched: the cron line with its zone, or why there is none."""
    if one.frozen:
        return "frozen"
    if one.due:
        return f"{one.due.at} {one.due.zone}"
    return "when asked" if one.portal else "from files"


def _is_unseen(one: Source) -> bool:
    return bool(one.license_url) and one.license_seen is None
