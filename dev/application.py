"""What `make up` runs on top of the stack: the schema, the demo world, an edition, the API."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from demo import companyfacts
from demo.world import World
from dev.installation import Api, Installation, command
from dev.service import StackError
from dev.stack import ROOT, Stack

FACTS = int(os.environ.get("SANKOFA_DEMO_FACTS", "5000"))


def bring_up(stack: Stack) -> str:
    """Prepare the application on a running stack and start it; return what the user should read."""
    installation = Installation(stack)
    _run(installation, "bootstrap")
    _run(installation, "migrate")
    world = World(facts=FACTS)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for document in companyfacts.documents(world):
            files.append(Path(folder) / document.name)
            files[-1].write_bytes(document.content)
            fetched_at = document.fetched_at.strftime("%Y-%m-%dT%H:%M:%S")
        _run(installation, "ingest", companyfacts.SOURCE, *map(str, files), "--fetched-at", fetched_at)
    _run(installation, "publish")
    api = _api(stack)
    api.start()
    showcase = _run(installation, "identify", f"cik:{companyfacts.cik(0):010d}")
    return (
        f"The API answers at {api.url} with {world.facts} invented facts. Try:\n\n"
        f"  curl '{api.url}/v1/fundamentals/{showcase}?as_of=2023-12-31&period_type=FY'\n\n"
        f"then the same with as_of=2024-12-31: revenue of 2022 was restated in March 2024."
    )


def take_down(stack: Stack) -> None:
    """Stop what `bring_up` started; the stack itself is stopped afterwards."""
    _api(stack).stop()


def _api(stack: Stack) -> Api:
    return Installation(stack).api(stack.ports.api)


def _run(installation: Installation, *arguments: str) -> str:
    """Run an operator's command and return what it printed."""
    line, environment = command(installation, *arguments)
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StackError(f"sankofa {arguments[0]} failed:\n{done.stderr.strip()}")
    print(f"{arguments[0]}: {done.stdout.strip()}", file=sys.stderr)
    return done.stdout.strip()
