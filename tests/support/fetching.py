"""Fetch the European Central Bank's file from an address into a spool.

Prints the SHA-256 of what came, and the most memory that the process had, in KiB.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import msgspec

from sankofa.ingest.portals.fetch import documents
from sankofa.ingest.sources import source


def main(address, spool):
    known = source("ecb")
    gentle = {"pause_seconds": 0, "retry_seconds": 0.01, "largest_bytes": 1 << 30}
    portal = msgspec.structs.replace(known.portal, address=address, **gentle)
    arriving = documents(replace(known, portal=portal), user_agent="sankofa/test (x)", spool=Path(spool))
    for document in arriving:
        print(document.sha256.hex())
    # Not getrusage: its peak begins with that of the process from which this one was made.
    print(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])


if __name__ == "__main__":
    main(*sys.argv[1:])
