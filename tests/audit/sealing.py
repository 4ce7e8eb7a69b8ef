"""What sealing an edition costs: the same reading and hashing once more, and what is read end to end."""

from __future__ import annotations

import time

from sankofa.editions.digests import Reader
from sankofa.editions.rows import Forms

_SCANS = """
SELECT schemaname || '.' || relname, seq_scan FROM pg_stat_user_tables
WHERE schemaname = 'ledger' OR relname IN ('tombstone', 'digest_block', 'closing')
"""


def sealing(service, edition):
    """Read and hash what the newest edition sealed; return rows, seconds, and the tables read whole."""
    before = dict(service.rows(_SCANS))
    with service.connect("publish") as connection:
        reader = Reader(connection, Forms(connection), service.publisher().datasets)
        began = time.monotonic()
        with reader.steadily():
            held = [reader.held(part, edition) for part in reader.taken_in(edition)]
            put = [
                reader.numbered_rows(part, edition, after)
                for part, (after, _) in reader.unsealed(edition).items()
            ]
            rows = sum(1 for part in (*held, *put) for _ in reader.read(part))
        seconds = time.monotonic() - began
    # A session tells its counts at its end, and the collector takes a moment to show them.
    scanned = {table for table, scans in service.rows(_SCANS) if scans > before[table]}
    return rows, seconds, scanned
