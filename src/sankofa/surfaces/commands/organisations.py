"""Commands about organisations: ids, merges, why one is shown or withheld, and effects of other rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console

from sankofa.core.errors import NotFound
from sankofa.entities import establish, identity
from sankofa.entities.organisations import RULES
from sankofa.storage.postgres import DECISION_SECONDS, Connection, connect, within
from sankofa.surfaces.terminal import AsJson, print_json, running

app = typer.Typer()
organisations = typer.Typer(help="Why organisations are shown or withheld.", no_args_is_help=True)
app.add_typer(organisations, name="organisations")
out = Console(soft_wrap=True)


@organisations.command()
def why(
    who: Annotated[str, typer.Argument(help="A service id, or an identifier as the source names it: lei:…")],
    *,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """List the judgements by which a party is shown or withheld, newest first. Never a name."""
    with running("organisations") as settings, connect(settings.publish_dsn) as connection:
        service_id = who if who.startswith("DC") else identity.id_of(connection, who)
        judgements = establish.judgements(connection, service_id)
        if not judgements:
            raise NotFound(f"no edition has judged {service_id}; it may answer under another id")
        if as_json:
            print_json([judgement._asdict() for judgement in judgements])
            return
        for judgement in judgements:
            verdict = "shown" if judgement.is_established else "withheld"
            out.print(f"{judgement.decided_at:%Y-%m-%d %H:%M} UTC, rules {judgement.rule_version}: {verdict}")
            for evidence in judgement.evidence or ["nothing"]:
                out.print(f"  for      {evidence}", highlight=False, markup=False)
            for veto in judgement.vetoes:
                out.print(f"  against  {veto}", highlight=False, markup=False)


@organisations.command()
def flips(
    before: Annotated[str, typer.Option(help="Rules to compare with. Default: those before.")] = "",
) -> None:
    """List organisations that the present rules show and earlier ones withheld on the same evidence."""
    with running("organisations") as settings, connect(settings.publish_dsn) as connection:
        earlier = before or establish.rules_before(connection, RULES.version)
        if earlier is None:
            out.print(f"every edition was judged by rules {RULES.version}: nobody has come to light")
            return
        found = establish.flips(connection, earlier, RULES.version)
        out.print(f"rules {earlier} → {RULES.version}: {len(found):,} newly shown")
        for flip in found:
            against = ", ".join(flip.vetoes_before) or "want of evidence"
            reasons = f"{', '.join(flip.evidence)}; withheld before for {against}"
            out.print(f"{flip.service_id}  {flip.legal_name}: {reasons}", highlight=False, markup=False)


@app.command()
def identify(identifier: Annotated[str, typer.Argument(help="As the source names it: cik:…")]) -> None:
    """Print the service id of a subject."""
    with running("identify") as settings, connect(settings.publish_dsn) as connection:
        out.print(identity.id_of(connection, identifier), highlight=False)


@contextmanager
def _deciding(command: str) -> Iterator[Connection]:
    with (
        running(command) as settings,
        connect(settings.publish_dsn) as connection,
        within(connection, DECISION_SECONDS),
    ):
        yield connection


@app.command()
def merge(service_id: str, into: str, reason: Annotated[str, typer.Option()]) -> None:
    """Merge a duplicate's id into another, whose rows it returns from the next edition on."""
    with _deciding("merge") as connection:
        number = identity.decide(connection, service_id, into, reason)
        out.print(f"decision {number}: {service_id} resolves to {into} from the next edition on")


@app.command()
def split(service_id: str, reason: Annotated[str, typer.Option()]) -> None:
    """Undo a merge, from the next edition on."""
    with _deciding("split") as connection:
        number = identity.decide(connection, service_id, service_id, reason)
        out.print(f"decision {number}: {service_id} answers for itself from the next edition on")
