"""`make bench`: measure the service against the bare engine; BENCH_SIZE=small for a quick look."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, datetime

from bench import measure, page, sizes, table, wrk
from bench.cells import CELLS
from bench.servers import running
from bench.world import scene


def main() -> None:
    """Measure the named cells, or all of them, and print a table; `--write` puts it into docs/bench.md."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = [cell.name for cell in CELLS]
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--cell", action="append", choices=names, help="measure only this one; repeatable")
    some.add_argument("--write", action="store_true", help="put the result into docs/bench.md")
    arguments = parser.parse_args()
    wrk.require()
    size, load = sizes.chosen(), os.getloadavg()[0]
    print(f"{size.facts:,} facts, {sizes.CONNECTIONS} connections, {size.rounds} rounds of {size.seconds} s")
    print(table.HEAD, flush=True)
    cells = []
    with scene(size) as world, running(world.installation) as servers:
        for cell in CELLS:
            if cell.name in (arguments.cell or names):
                cells.append(table.figures(list(measure.runs(world, servers, cell, size))))
                print(table.line(cells[-1]), flush=True)
    if arguments.write:
        page.write(
            page.Result(
                day=datetime.now(UTC).date().isoformat(),
                facts=size.facts,
                connections=sizes.CONNECTIONS,
                rounds=size.rounds,
                seconds=size.seconds,
                load=load,
                cells=cells,
            )
        )


if __name__ == "__main__":
    main()
