"""What `make up` runs on top of the stack: the schema, the demo world, an edition, the API."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from demo import companyfacts
from demo.world import World
from dev.installation import Api, Installation, command
from dev.service import StackError
from dev.stack import ROOT, Stack

FACTS = int(os.environ.get("SANKOFA_DEMO_FACTS", "5000"))

WELCOME = """
Sankofa answers at {url}

The sandbox key of this stack, public and of the sample tier (also in {key_file}):

  KEY={key}

The first issuer of the demo world restated its revenue of 2022 on 15 March 2024. On the day before,
and on that day:

  curl -s -H "X-API-Key: $KEY" '{url}/v1/fundamentals/{issuer}?period_type=FY&as_of=2024-03-14' | {revenue}
  curl -s -H "X-API-Key: $KEY" '{url}/v1/fundamentals/{issuer}?period_type=FY&as_of=2024-03-15' | {revenue}

What was published so far, and all that one edition says of the issuer:

  curl -s -H "X-API-Key: $KEY" '{url}/v1/editions'
  curl -s -H "X-API-Key: $KEY" '{url}/v1/fundamentals/{issuer}?vintages=all&edition=1'
"""
# One row per line, and of these the one that the example is about.
REVENUE_OF_2022 = "tr '{' '\\n' | grep '\"revenue\".*year\":2022'"


def bring_up(stack: Stack) -> None:
    """Start the stack, prepare the application on it, start the API, and say how it is asked."""
    with _step("PostgreSQL, Redis, S3") as done:
        stack.start()
        done.append("they answer")
    installation = Installation(stack)
    world = World(facts=FACTS)
    _run(installation, "bootstrap")
    _run(installation, "migrate")
    with tempfile.TemporaryDirectory() as folder:
        documents = list(companyfacts.documents(world))
        for document in documents:
            (Path(folder) / document.name).write_bytes(document.content)
        files = [str(Path(folder) / document.name) for document in documents]
        fetched_at = documents[0].fetched_at.strftime("%Y-%m-%dT%H:%M:%S")
        _run(installation, "ingest", companyfacts.SOURCE, *files, "--fetched-at", fetched_at)
    _run(installation, "publish")
    with _step("keys") as done:
        key = _sandbox_key(installation)
        done.append("the sandbox key is issued")
    server = api(stack)
    with _step("serve") as done:
        # One that runs may be of older code, or look for the stack on other ports.
        server.stop()
        server.start()
        done.append("the API answers")
    issuer = _ask(installation, "identify", f"cik:{companyfacts.cik(0):010d}")
    told = {"key": key, "key_file": _sandbox_file(stack).relative_to(ROOT)}
    print(WELCOME.format(url=server.url, issuer=issuer, revenue=REVENUE_OF_2022, **told))


def take_down(stack: Stack) -> None:
    """Stop what `bring_up` started; the stack itself is stopped afterwards."""
    api(stack).stop()


def api(stack: Stack) -> Api:
    """Describe the API process of the local stack, which has one place, whatever its port."""
    file = _sandbox_file(stack)
    environment = {"SANKOFA_SANDBOX_KEY": file.read_text().strip() if file.exists() else ""}
    return Installation(stack).api(stack.ports.api, home=stack.home / "api", environment=environment)


def _sandbox_key(installation: Installation) -> str:
    """Return the public key of the stack; issued once, and kept where the next start finds it."""
    file = _sandbox_file(installation.stack)
    if file.exists():
        _ask(installation, "keys", "sync")
    else:
        file.write_text(_ask(installation, "keys", "issue", "sample", "the local sandbox", "--public") + "\n")
    return file.read_text().strip()


def _sandbox_file(stack: Stack) -> Path:
    return stack.home / "sandbox-key"


def _run(installation: Installation, *arguments: str) -> None:
    """Run an operator's command as a step."""
    with _step(arguments[0]) as done:
        done.append(_ask(installation, *arguments))


def _ask(installation: Installation, *arguments: str) -> str:
    """Run an operator's command and return what it printed."""
    line, environment = command(installation, *arguments)
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise StackError(f"sankofa {arguments[0]} failed:\n{done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def _step(name: str) -> Iterator[list[str]]:
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
