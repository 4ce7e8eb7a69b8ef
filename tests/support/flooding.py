"""Many clients of a public key who ask without a pause for pages that no cache has, as one process.

`python -m support.flooding PORT CONNECTIONS SECONDS` reads the key from its input. It prints a line when
as many requests were answered as it has connections, and at the end the statuses, and the smallest and
largest Retry-After of a 503.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
import time
from collections import Counter
from datetime import date, timedelta

RETRY = re.compile(rb"(?im)^retry-after: (\d+)")
LENGTH = re.compile(rb"(?im)^content-length: (\d+)")


async def flood(port, connections, seconds, key):
    """Request pages of tenders, each from another address, until the time is over."""
    statuses, waits, end, numbers = Counter(), [], time.monotonic() + seconds, itertools.count()

    async def ask():
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        while time.monotonic() < end:
            number = next(numbers)
            path = f"/v1/tenders?country=ZA&as_of={date(2016, 12, 31) - timedelta(days=number % 3_000)}"
            address = f"203.0.{number // 250 % 250}.{number % 250 + 1}"
            fields = f"Host: 127.0.0.1\r\nX-API-Key: {key}\r\nX-Forwarded-For: {address}"
            writer.write(f"GET {path} HTTP/1.1\r\n{fields}\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(LENGTH.search(head)[1]))
            statuses[head[9:12].decode()] += 1
            if statuses.total() == connections:
                print("steady", flush=True)
            if head[9:12] == b"503":
                waits.append(int(RETRY.search(head)[1]))
        writer.close()

    await asyncio.gather(*(ask() for _ in range(connections)))
    return {"statuses": statuses, "waits": [min(waits), max(waits)] if waits else []}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(flood(*map(int, sys.argv[1:]), sys.stdin.readline().strip()))))
