"""Commands about API keys."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from typing import Annotated

import typer
from rich.console import Console

from sankofa.access.leaks import reported, revoke_reported
from sankofa.access.registry import ROTATION_GRACE, Issued, Registry
from sankofa.access.tiers import TierName
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import DECISION_SECONDS, connect, within
from sankofa.storage.redis import JobStore
from sankofa.surfaces.key_reports import decisions, networks, usage
from sankofa.surfaces.operator import AsOperator, acting
from sankofa.surfaces.settings import Settings
from sankofa.surfaces.terminal import AsJson, keep_on, print_json, running, waiting

app = typer.Typer()
keys = typer.Typer(help="Issue and end API keys.", no_args_is_help=True)
app.add_typer(keys, name="keys")
keys.command("usage")(usage)
keys.command("networks")(networks)
keys.command("history")(decisions)
out = Console(soft_wrap=True)
_SYNC_SECONDS = 600.0
_LEAK_REPORT = "leak report"  # who decided, in the history of a key that was found in public


@contextmanager
def _registry(operator: str = "", seconds: float = DECISION_SECONDS) -> Iterator[Registry]:
    with running("keys") as settings, _registry_of(settings, operator, seconds) as registry:
        yield registry


@contextmanager
def _registry_of(settings: Settings, operator: str, seconds: float = DECISION_SECONDS) -> Iterator[Registry]:
    with (
        closing(JobStore(settings.key_store())) as store,
        connect(settings.keys_dsn) as connection,
        within(connection, seconds),
    ):
        registry = Registry(
            connection,
            store,
            settings.key_hash(),
            Objects(settings.journal()),
            operator=acting(operator, settings),
        )
        try:
            yield registry
        finally:
            if registry.is_journal_behind:
                notes = Console(stderr=True, soft_wrap=True)
                notes.print("S3 does not answer; `sankofa follow` completes the journal once it does")


def _show(issued: Issued, *, as_json: bool) -> None:
    """Print a new key alone on standard output, so that a script can read it, or with its id as JSON."""
    if as_json:
        print_json(issued._asdict())
        return
    notes = Console(stderr=True)
    notes.print(f"key {issued.key_id}, shown this once:", highlight=False)
    out.print(issued.key, highlight=False)
    if not issued.is_live:
        notes.print("the key store does not answer; `sankofa follow` adds the key once it does")


@keys.command()
def issue(
    tier: TierName,
    label: Annotated[str, typer.Argument(help="Whose key it is; never served.")],
    public: Annotated[bool, typer.Option(help="Published for everyone; limits count per client.")] = False,  # noqa: FBT002  # an option
    *,
    operator: Annotated[str, AsOperator] = "",
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """Issue a key and show it, once."""
    with _registry(operator) as registry:
        _show(registry.issue(tier, label, public=public), as_json=as_json)


@keys.command("list")
def list_keys(*, as_json: Annotated[bool, AsJson] = False) -> None:
    """List every key ever issued, oldest first, and who made the newest decision about it."""
    with _registry() as registry:
        if as_json:
            print_json([key._asdict() for key in registry.registered()])
            return
        for key in registry.registered():
            kind = "public" if key.is_public else "private"
            end = f"ends {key.ends_at:%Y-%m-%d %H:%M}Z" if key.ends_at else "no end"
            pepper = key.pepper_id or "-"
            who = key.changed_by or "-"
            out.print(
                f"{key.key_id}  {key.tier:12}  {kind:7}  {end:22}  {pepper:8}  {who:12}  {key.label}",
                highlight=False,
                markup=False,
            )


@keys.command()
def peppers(*, as_json: Annotated[bool, AsJson] = False) -> None:
    """Count the valid keys that rest on each pepper; one without keys need not be retired any longer."""
    with running("keys") as settings:
        current, *retired = settings.key_hash().pepper_ids
    with _registry() as registry:
        counts = registry.peppers()
    states = {current: "current", **dict.fromkeys(retired, "retired")}
    listed = [
        (pepper, counts.get(pepper, 0), states.get(pepper, "missing") if pepper else "not recorded")
        for pepper in (*states, *(other for other in counts if other not in states))
    ]
    if as_json:
        print_json([{"pepper_id": pepper, "keys": keys, "state": state} for pepper, keys, state in listed])
        return
    for pepper, keys, state in listed:
        more = ": these keys are refused" if state == "missing" else ""
        out.print(f"{pepper or '-':8}  {keys:>6} keys  {state}{more}", highlight=False)


@keys.command()
def revoke(key_id: str, *, operator: Annotated[str, AsOperator] = "") -> None:
    """End a key: within five seconds no process admits it."""
    with _registry(operator) as registry:
        registry.revoke(key_id)
        out.print(f"{key_id} is revoked")


@keys.command()
def leaked(
    watch: Annotated[bool, typer.Option(help="Go on until stopped, and look every second.")] = False,  # noqa: FBT002  # an option
) -> None:
    """Revoke the keys that were reported as found in public."""
    with running("keys leaked") as settings, closing(JobStore(settings.usage_store())) as store:
        _revoke_reported(settings, store)
        while watch:
            keep_on("keys leaked", partial(_revoke_reported, settings, store))
            time.sleep(1)


def _revoke_reported(settings: Settings, store: JobStore) -> None:
    if reported(store):
        with _registry_of(settings, _LEAK_REPORT) as registry:
            for key_id, place in revoke_reported(store, registry.revoke):
                where = f": found at {place}" if place else ""
                out.print(f"{key_id} is revoked{where}", highlight=False, markup=False)


@keys.command()
def rotate(
    key_id: str,
    grace_hours: Annotated[float, typer.Option(help="How long the old key goes on.")] = ROTATION_GRACE
    / timedelta(hours=1),
    *,
    operator: Annotated[str, AsOperator] = "",
    as_json: Annotated[bool, AsJson] = False,
) -> None:
    """Issue a key in place of another and show it, once."""
    with _registry(operator) as registry:
        _show(registry.rotate(key_id, timedelta(hours=grace_hours)), as_json=as_json)


@keys.command()
def tier(key_id: str, name: TierName, *, operator: Annotated[str, AsOperator] = "") -> None:
    """Change the tier of a key."""
    with _registry(operator) as registry:
        registry.change_tier(key_id, name)
        out.print(f"{key_id} is {name} now")


@keys.command()
def sync() -> None:
    """Fill the key store anew from the registry; `sankofa follow` keeps it up to date by itself."""
    with _registry(seconds=_SYNC_SECONDS) as registry:
        with waiting("keys"):
            generation = registry.sync()
        out.print(f"the key store is at generation {generation}")
