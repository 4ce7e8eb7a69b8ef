"""A caller who asks for the dearest pages without a pause, on many connections, as a process of its own.

`python -m support.starving PORT CONNECTIONS SECONDS` reads the key from its input and prints the statuses.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from collections import Counter
from datetime import date, timedelta

DAYS = 3_000


async def starve(port, connections, seconds, key):
    """Request the largest page of tenders, with a different as_of each time, until the time is over."""
    statuses, end = Counter(), time.monotonic() + seconds
    days = itertools.count()

    async def ask():
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        while time.monotonic() < end:
            day = date(2025, 12, 31) - timedelta(days=next(days) % DAYS)
            path = f"/v1/tenders?country=ZA&limit=10000&as_of={day}"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {key}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
            statuses[head[9:12].decode()] += 1
        writer.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return statuses


if __name__ == "__main__":
    print(json.dumps(asyncio.run(starve(*map(int, sys.argv[1:]), sys.stdin.readline().strip()))))
