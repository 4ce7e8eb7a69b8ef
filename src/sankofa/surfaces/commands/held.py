"""Commands about what is held back because it changes more than is usual."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from sankofa.drift.holds import Hold, decide, holds
from sankofa.storage.postgres import DECISION_SECONDS, connect, within
from sankofa.surfaces.terminal import AsJson, print_json, running

app = typer.Typer()
held = typer.Typer(help="List what is held back, release it or refuse it.", invoke_without_command=True)
app.add_typer(held, name="held")
out = Console(soft_wrap=True, highlight=False, markup=False)

Numbers = Annotated[list[int], typer.Argument(help="Numbers of holds, as `sankofa held` lists them.")]
Because = Annotated[str, typer.Option(help="The reason, recorded with the decision.")]


@held.callback()
def list_held(
    ctx: typer.Context,
    *,
    every: Annotated[bool, typer.Option("--all", help="Also what was decided about.")] = False,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """List the documents that wait for a decision, with the reasons and the rows."""
    if ctx.invoked_subcommand:
        return
    with running("held") as settings, connect(settings.review_dsn) as connection:
        listed = holds(connection, every=every)
        if as_json:
            print_json([hold._asdict() for hold in listed])
            return
        for hold in listed:
            _show(hold)
        if not listed:
            out.print("nothing is held back")


@held.command()
def release(numbers: Numbers, because: Because) -> None:
    """Release held documents, so that the next publish includes them."""
    _decide(numbers, because, is_release=True)


@held.command()
def refuse(numbers: Numbers, because: Because) -> None:
    """Exclude held documents from every edition."""
    _decide(numbers, because, is_release=False)


def _decide(numbers: list[int], because: str, *, is_release: bool) -> None:
    with running("held") as settings, connect(settings.review_dsn) as connection:
        with within(connection, DECISION_SECONDS):
            decided = decide(connection, numbers, release=is_release, because=because)
        for hold in decided:
            outcome = (
                "released: the next publish takes it in" if is_release else "refused: no edition takes it in"
            )
            out.print(f"hold {hold.number} ({hold.subject}) is {outcome}")


def _show(hold: Hold) -> None:
    out.print(f"hold {hold.number}, {hold.held_at:%Y-%m-%d %H:%M} UTC: {hold.subject}")
    for reason in hold.reasons:
        out.print(f"  {reason.message}")
        for row in reason.named:
            out.print(f"    {row}")
        if reason.named and reason.rows > len(reason.named):
            out.print(f"    and {reason.rows - len(reason.named):,} more")
    if hold.is_released is None:
        out.print(f'  decide: sankofa held release {hold.number} --because "…", or sankofa held refuse …')
    else:
        outcome = "released" if hold.is_released else "refused"
        out.print(f"  {outcome} by {hold.decided_by}, {hold.decided_at:%Y-%m-%d %H:%M} UTC: {hold.because}")
