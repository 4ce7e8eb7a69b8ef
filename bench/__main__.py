"""`make bench`: measure the service against the bare engine; BENCH_SIZE=small for a quick look."""

from __future__ import annotations

import sys
from statistics import median

from bench import answers, sizes, wrk
from bench.cells import CONNECTIONS_PER_WORKER, Run, measure
from bench.servers import SERVICE, running
from bench.table import table
from bench.world import scene


def main() -> None:
    """Measure and print."""
    wrk.require()
    size = sizes.chosen()
    runs: list[Run] = []
    with scene(size) as set_scene, running(set_scene.installation) as servers:
        rows, octets = answers.require_equal(set_scene, servers)
        tags = answers.tags(set_scene, servers[SERVICE, 1])
        print(
            f"{size.facts:,} facts; {len(set_scene.issuers)} issuers asked with {len(set_scene.keys)} keys"
            f" over {sizes.CONNECTIONS} connections; the first answer has {rows} rows in {octets:,} bytes;"
            f" {size.rounds} rounds of {size.seconds} s"
        )
        for run in measure(set_scene, servers, tags, size):
            runs.append(run)
            print(
                f"{run.cell.name}, {run.cell.workers} workers: {run.rate:,.0f}/s,"
                f" bare {run.bare:,.0f}/s, ratio {run.ratio:.2f}",
                file=sys.stderr,
                flush=True,
            )
    for workers in sorted({run.cell.workers for run in runs}):
        bare = [run.bare for run in runs if run.cell.workers == workers]
        clients = workers * CONNECTIONS_PER_WORKER
        print(f"pgbench over {clients} connections: median {median(bare):,.0f} transactions/s")
    print(table(runs))


if __name__ == "__main__":
    main()
