"""`make bench`: measure the service against the bare engine; BENCH_SIZE=small for a quick look."""

from __future__ import annotations

import argparse

from bench import measure, sizes, table, wrk
from bench.cells import CELLS
from bench.servers import running
from bench.world import scene


def main() -> None:
    """Measure the named cells, or all of them, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [cell.name for cell in CELLS]
    parser.add_argument("--cell", action="append", choices=names, help="measure only this one; repeatable")
    chosen = parser.parse_args().cell or names
    wrk.require()
    size = sizes.chosen()
    print(f"{size.facts:,} facts, {sizes.CONNECTIONS} connections, {size.rounds} rounds of {size.seconds} s")
    print(table.HEAD, flush=True)
    with scene(size) as world, running(world.installation) as servers:
        for cell in CELLS:
            if cell.name in chosen:
                print(table.line(list(measure.runs(world, servers, cell, size))), flush=True)


if __name__ == "__main__":
    main()
