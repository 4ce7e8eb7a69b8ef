"""A stranger who tries keys: `python -m support.key_flood PORT KEYS CONNECTIONS` prints the statuses."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

from sankofa.access.keys import generate


async def flood(port, keys, connections):
    """Try well-formed keys that nobody was issued, on so many connections at once; count the statuses."""
    left = iter(range(keys))
    statuses = Counter()

    async def attempt():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            writer.write(
                f"GET /v1/editions HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {generate()}\r\n\r\n".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.split(b":")[1]))
            statuses[head[9:12].decode()] += 1
        writer.close()

    await asyncio.gather(*(attempt() for _ in range(connections)))
    return statuses


if __name__ == "__main__":
    print(json.dumps(asyncio.run(flood(*map(int, sys.argv[1:])))))
