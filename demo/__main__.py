"""The command: `python -m demo --facts 5000 --seed 1 --out DIR` writes a world to a directory."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from demo import write
from demo.world import World

LONG_WORK = 1_000_000  # facts, a few seconds


def main(
    out: Annotated[Path, typer.Option(help="Directory for the documents and manifest.json.")],
    facts: Annotated[int, typer.Option(help="About how many facts, over all vintages.", min=1)] = 5_000,
    seed: Annotated[int, typer.Option(help="Which world.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes to share the work.", min=1)] = 1,
) -> None:
    """Write a world of invented issuers in every outside format, with a manifest."""
    world = World(seed, facts)
    out.mkdir(parents=True, exist_ok=True)
    entries = write.documents(world, out, jobs)
    if world.facts >= LONG_WORK:
        entries = _shown(entries, f"{world.facts:,} facts", write.count(world))
    write.manifest(world, out, list(entries))


def _shown(entries: Iterable[write.Entry], what: str, count: int) -> Iterator[write.Entry]:
    """Show progress: a bar on a terminal, a line for every tenth of the work otherwise."""
    if sys.stderr.isatty():
        yield from track(entries, what, count)
        return
    for done, entry in enumerate(entries, 1):
        if done * 10 // count > (done - 1) * 10 // count:
            print(f"{what}: {done} of {count} documents", file=sys.stderr, flush=True)
        yield entry


if __name__ == "__main__":
    typer.run(main)
