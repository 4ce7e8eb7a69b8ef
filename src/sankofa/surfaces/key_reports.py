"""Commands that read about keys: their usage, the networks that use them, and the decisions about them."""

from __future__ import annotations

import csv
import sys
from contextlib import closing
from datetime import UTC, date, datetime
from typing import Annotated

import typer
from rich.console import Console

from sankofa.access.networks import used_networks
from sankofa.access.registry import history
from sankofa.access.usage import Usage, UsedDay, read_usage
from sankofa.core.errors import NotFound, Refused
from sankofa.storage.postgres import connect
from sankofa.storage.redis import JobStore
from sankofa.surfaces.terminal import AsJson, print_json, running

out = Console(soft_wrap=True, highlight=False, markup=False)
_DAY = ["%Y-%m-%d"]
_OneKey = typer.Argument(help="Only this key; default: every key.")


def usage(
    key_id: Annotated[str | None, _OneKey] = None,
    first: Annotated[
        datetime | None,
        typer.Option("--from", formats=_DAY, help="The first day, UTC; default: the first of this month."),
    ] = None,
    last: Annotated[
        datetime | None, typer.Option("--to", formats=_DAY, help="The last day, UTC; default: today.")
    ] = None,
    *,
    as_json: Annotated[bool, AsJson] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV: key_id,day,requests,is_final.")] = False,
) -> None:
    """Print the charged requests by key and day, with the sums of the months."""
    with running("keys usage") as settings, connect(settings.keys_dsn) as connection:
        today = datetime.now(UTC).date()
        begin = first.date() if first else (last.date() if last else today).replace(day=1)
        found = read_usage(connection, begin, _last_day(begin, last.date() if last else today), key_id)
    if as_json:
        rows = {
            "days": [each._asdict() for each in found.days],
            "months": [each._asdict() for each in found.months],
        }
        print_json(found._asdict() | rows)
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(UsedDay._fields)
        writer.writerows((*day[:3], str(day.is_final).lower()) for day in found.days)
    else:
        _print(found)


def networks(
    day: Annotated[
        datetime | None,
        typer.Option(formats=_DAY, help="The day, UTC, one of the last seven; default: today."),
    ] = None,
    *,
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """List the keys used on a day, and by how many networks (/24 or /48), those with most first."""
    with running("keys networks") as settings, closing(JobStore(settings.usage_store())) as store:
        found = used_networks(store, (day or datetime.now(UTC)).date())
    if as_json:
        print_json([each._asdict() for each in found])
        return
    for each in found:
        out.print(f"{each.key_id}  {each.networks:>6,} network{'s' * (each.networks != 1)}")


def decisions(
    key_id: Annotated[str | None, _OneKey] = None, *, as_json: Annotated[bool, AsJson] = False
) -> None:
    """List every decision about keys, and who made it, oldest first."""
    with running("keys history") as settings, connect(settings.keys_dsn) as connection:
        found = list(history(connection, key_id))
        if key_id and not found:
            raise NotFound(f"no key has the id {key_id}")
    if as_json:
        print_json([each._asdict() for each in found])
        return
    for each in found:
        moment = f"{each.recorded_at:%Y-%m-%d %H:%M:%S}Z"
        more = f"  by {each.replaced_by}" if each.replaced_by else ""
        who = each.operator or "not recorded"
        out.print(f"{each.event:>6}  {moment}  {each.key_id}  {each.kind:12}  {each.tier:12}  {who}{more}")


def _last_day(first: date, last: date) -> date:
    if last < first:
        raise Refused(f"--to {last} is before --from {first}")
    return last


def _print(found: Usage) -> None:
    for day in found.days:
        out.print(f"{day.key_id}  {day.day}  {day.requests:>12,}  {_state(is_final=day.is_final)}")
    for month in found.months:
        total = f"{month.key_id}  {month.month}     {month.requests:>12,}  {_state(is_final=month.is_final)}"
        out.print(f"{total}, sum of the days above")
    notes = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    for tally in found.open_tallies:
        notes.print(f"{tally[:10]} is not final: tally {tally} was not completed")
    if found.settled_at:
        notes.print(f"all counts were copied at {found.settled_at:%Y-%m-%d %H:%M:%S}Z")
    else:
        notes.print("no counts were copied yet: `sankofa follow` does that")


def _state(*, is_final: bool) -> str:
    return "final" if is_final else "can still grow"
