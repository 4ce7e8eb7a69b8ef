"""What `make up` runs on top of the stack: the schema, the demo world, an edition, the follower, the API."""

import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo import write
from demo.organisations import lei_of_issuer
from demo.world import World
from dev.edge import Edge
from dev.follower import Follower
from dev.installation import Api, Installation, command
from dev.service import Service, StackError
from dev.stack import ROOT, Stack
from dev.worker import Worker
from sankofa.access.keys import key_id
from sankofa.access.registry import Registry
from sankofa.access.tiers import TierName
from sankofa.ingest.archive import Document
from sankofa.ingest.bytes.bounds import is_repair
from sankofa.ingest.run import ingest
from sankofa.ingest.sources import source
from sankofa.storage.objects import Objects
from sankofa.storage.postgres import connect

FACTS = int(os.environ.get("SANKOFA_DEMO_FACTS", "5000"))

WELCOME = """
Sankofa answers at {url}
Keys are in .local/key (professional tier) and in .local/sandbox-key (public, sample tier: 25 rows a page)

The first issuer of the demo world restated its revenue of 2022 on 15 March 2024. On the day before,
and on that day:

  curl -s '{url}/v1/fundamentals/{issuer}?period_type=FY&as_of=2024-03-14' {key} {csv}
  curl -s '{url}/v1/fundamentals/{issuer}?period_type=FY&as_of=2024-03-15' {key} {csv}

Who it is, and whom another identifier belongs to:

  curl -s '{url}/v1/entities/{issuer}' {key}
  curl -s '{url}/v1/crosswalk?id_type=ticker&id_value=XNAI:NYAL' {key}

What Kenya bought, who won how much of it, and what the issuer itself was awarded:

  curl -s '{url}/v1/tenders?country=KE&limit=2' {key}
  curl -s '{url}/v1/signals/supplier-concentration?country=KE&limit=3' {key}
  curl -s '{url}/v1/shared/facts?entity_id={issuer}&dataset=AF-TENDER&limit=3' {key}

A whole panel as a Parquet file, which needs no key (docs/export.md), and all files there are:

  {panel}
  curl -s '{url}/v1/export' {key}

What was published so far, and all that edition 1 says of the issuer:

  curl -s '{url}/v1/editions' {key}
  curl -s '{url}/v1/fundamentals/{issuer}?vintages=all&edition=1' {key}
"""
KEY = '-H "X-API-Key: $(cat .local/key)"'
CSV = "-H 'Accept: text/csv' | grep ',revenue,.*,2022,'"


def bring_up(stack: Stack) -> None:
    """Start the stack, prepare the application on it, start the API, and say how it is asked."""
    with step("PostgreSQL, Redis, S3") as done:
        stack.start()
        done.append("they answer")
    installation = Installation(stack)
    fill(installation)
    server = api(stack)
    # Processes that run may be of older code, or look for the stack on other ports.
    with step("follow") as done:
        follower = Follower(installation)
        follower.stop()
        follower.start()
        done.append("the stores follow")
    with step("serve") as done:
        server.stop()
        server.start()
        done.append("the API answers")
    issuer = _ask(installation, "identify", f"lei:{lei_of_issuer(0)}")
    print(WELCOME.format(url=server.url, issuer=issuer, key=KEY, csv=CSV, panel=_panel(installation)))


def fill(installation: Installation) -> None:
    """Make the schema, the demo world, its editions and files, and two keys, where they are missing."""
    _run(installation, "bootstrap")
    _run(installation, "migrate")
    with step("ingest") as done:
        done.append(_ingest(installation, World(facts=FACTS)))
    for act in ("publish", "export", "publish"):  # an edition, its files, and the edition that lists them
        _run(installation, act)
    with step("keys") as done, installation.registry() as registry:
        registry.sync()
        _keep_key(installation, registry, installation.stack.home / "key", "professional")
        _keep_key(installation, registry, _sandbox_file(installation.stack), "sample", public=True)
        done.append("there are two")


def _ingest(installation: Installation, world: World) -> str:
    """Ingest the world in this process: its documents were fetched at different times, one command each."""
    settings = installation.settings()
    objects = Objects(settings.objects())
    tally: Counter[str] = Counter()
    with connect(settings.ingest_dsn) as connection:
        for name, made in write.made(world):
            document = Document(source=source(name), content=made.content, fetched_at=made.fetched_at)
            batch = ingest(connection, objects, document)
            # Tenders have fields to repair, as real ones do; nothing of the world is ever left out.
            left_out = [reason for reason in batch.rejected if not is_repair(reason)]
            if left_out:
                raise StackError(f"{made.name} was not taken as it is: {', '.join(left_out)}")
            tally[batch.outcome] += 1
    return "documents: " + ", ".join(f"{count} {outcome}" for outcome, count in tally.items())


def _panel(installation: Installation) -> str:
    """Return the address of an open panel."""
    with connect(installation.settings().export_dsn) as connection:
        row = connection.execute(
            "SELECT url FROM serving.artifact WHERE subject = %s ORDER BY row_id DESC LIMIT 1",
            ["procurement-demand"],
        ).fetchone()
    return str(row[0]) if row else "(no panel was exported)"


def take_down(stack: Stack) -> None:
    """Stop what `bring_up` started; the stack itself is stopped afterwards."""
    for service in services(stack):
        service.stop()


def put_edge_in_front(stack: Stack) -> None:
    """Start nginx and Varnish in front of the API of `make up`, and that API again with their addresses."""
    front = edge(stack)
    server = api(stack, **front.environment)
    server.stop()
    server.start()
    front.stop()
    front.start()
    print(f"The edge answers at {front.nginx.url}, the API at {server.url}; make down stops both")


def services(stack: Stack) -> tuple[Service, ...]:
    """Return the processes on top of the stack: of `bring_up`, `put_edge_in_front` and `make live`."""
    installation, front = Installation(stack), edge(stack)
    return (front.nginx, front.varnish, Worker(installation), Follower(installation), api(stack))


def edge(stack: Stack) -> Edge:
    """Describe the edge of the local stack."""
    return Edge(stack.home / "edge", stack.ports.edge, stack.ports.edge_purges, stack.ports.api)


def api(stack: Stack, **settings: str) -> Api:
    """Describe the API process of the local stack, which has one place, whatever its port."""
    file = _sandbox_file(stack)
    environment = {"SANKOFA_SANDBOX_KEY": file.read_text().strip() if file.exists() else "", **settings}
    return Installation(stack).api(stack.ports.api, home=stack.home / "api", environment=environment)


def _sandbox_file(stack: Stack) -> Path:
    return stack.home / "sandbox-key"


def _keep_key(
    installation: Installation, registry: Registry, file: Path, tier: TierName, *, public: bool = False
) -> None:
    """Have a valid key in a file; one is issued only where the registry does not know what is there."""
    valid = {key.key_id for key in registry.registered() if key.ends_at is None}
    kept = file.read_text().strip() if file.exists() else ""
    if key_id(installation.settings().key_hash().of(kept)) not in valid:
        file.touch(mode=0o600)
        file.write_text(f"{registry.issue(tier, 'the local stack', public=public).key}\n")


def _run(installation: Installation, *arguments: str) -> None:
    """Run an operator's command as a step."""
    with step(arguments[0]) as done:
        done.append(_ask(installation, *arguments))


def _ask(installation: Installation, *arguments: str) -> str:
    """Run an operator's command and return what it printed."""
    line, environment = command(installation, *arguments)
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StackError(f"sankofa {arguments[0]} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def step(name: str) -> Iterator[list[str]]:
    """Print a step's name as it begins, then what the block found to say, and the seconds it took."""
    print(f"{name} … ", end="", flush=True)
    began = time.monotonic()
    said: list[str] = []
    try:
        yield said
    except BaseException:
        print("failed", flush=True)
        raise
    print(f"{' '.join(said)} ({time.monotonic() - began:.1f} s)", flush=True)
