"""`python -m bench.publish [facts]`: what load and first publish of a world cost for each fact of its ledger.

Prints processor time (Python, PostgreSQL, and the statements of the publish that take most of it), bytes of
WAL without images of whole pages, and bytes by table.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from bench import processor
from bench.sizes import chosen
from bench.statements import counted
from bench.world import load, prepared
from demo import companyfacts
from demo.world import World
from dev.installation import Installation
from sankofa.editions.publish import publish
from sankofa.storage.postgres import connect
from sankofa.surfaces.publishing import publisher

_SHOWN = 15


def main() -> None:
    """Load a world, publish it as one edition, and print the costs."""
    facts = int(sys.argv[1]) if len(sys.argv) > 1 else chosen().facts
    with prepared() as installation:
        filings = [(companyfacts.SOURCE, filing) for filing in companyfacts.documents(World(facts=facts))]
        postgres = installation.stack.postgres
        began, server_began = time.process_time(), processor.seconds(postgres)
        load(installation, filings)
        python, server = time.process_time() - began, processor.seconds(postgres) - server_began
        _measure(installation, python, server)


def _measure(installation: Installation, load_python: float, load_server: float) -> None:
    """Publish, and print the costs of the load, of the publish and of what is stored."""
    settings, postgres = installation.settings(), installation.stack.postgres
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        admin.execute("VACUUM ANALYZE")
        ((facts,),) = admin.execute("SELECT count(*) FROM ledger.fact").fetchall()
        ((loaded_wal,),) = admin.execute(_WAL).fetchall()
    began, server_began = time.process_time(), processor.seconds(postgres)
    with counted() as statements:
        publish(publisher(settings))
    python, server = time.process_time() - began, processor.seconds(postgres) - server_began
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        ((wal,),) = admin.execute(_WAL).fetchall()
    each = int(str(facts))
    print(
        f"load: {1e6 * load_python / each:.1f} µs Python, {1e6 * load_server / each:.1f} PostgreSQL for each;"
        f" WAL of the publish: {(int(str(wal)) - int(str(loaded_wal))) / each:.0f} bytes for each"
    )
    _print_times(each, python, server, statements)
    _print_bytes(installation, int(str(facts)))


def _print_times(facts: int, python: float, server: float, statements: Counter[str]) -> None:
    def micros(seconds: float) -> str:
        return f"{seconds * 1e6 / facts:6.1f}"

    print(f"{facts:,} facts in the ledger; µs of CPU for each:")
    print(
        f"{micros(python + server)} together\n{micros(python)} Python\n{micros(server)} PostgreSQL, of these"
    )
    for label, nanoseconds in statements.most_common(_SHOWN):
        print(f"{micros(nanoseconds / 1e9)}   {label}")
    print(f"{micros(sum(n for _, n in statements.most_common()[_SHOWN:]) / 1e9)}   all other statements")


def _print_bytes(installation: Installation, facts: int) -> None:
    with connect(installation.stack.postgres_dsn(dbname=installation.database)) as admin:
        sizes = admin.execute(_SIZES).fetchall()
    total = sum(int(str(size)) for _, size, _ in sizes)
    print(f"bytes for each: {total / facts:.0f} together")
    for name, size, indexes in sizes[:_SHOWN]:
        print(f"{int(str(size)) / facts:6.1f}   {name} (indexes {int(str(indexes)) / facts:.1f})")


_WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
_SIZES = """
SELECT oid::regclass::text, pg_total_relation_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace::regnamespace::text IN ('ledger', 'serving', 'ops', 'build')
ORDER BY 2 DESC
"""

if __name__ == "__main__":
    main()
