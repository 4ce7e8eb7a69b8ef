"""Links that can be slowed, silenced or cut: a small TCP proxy in front of a server."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress

_CHUNK = 1 << 16


class Link:
    """A port that leads to another one. A silent link takes bytes and passes none on, as if half-open."""

    def __init__(self, port, target):
        self.port, self.target = port, target
        self.delay = 0.0
        self._open = set()
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))
        self._thread.start()
        self._started.wait()

    def silence(self):
        self._loop.call_soon_threadsafe(self._passes.clear)

    def slow(self, seconds):
        self.delay = seconds

    def cut(self):
        """Reset every connection; new ones are made as before."""
        self._loop.call_soon_threadsafe(self._abort)

    def mend(self):
        self.delay = 0.0
        self._loop.call_soon_threadsafe(self._passes.set)

    def close(self):
        self._loop.call_soon_threadsafe(self._is_over.set)
        self._thread.join()

    async def _serve(self):
        self._loop, self._passes, self._is_over = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        self._passes.set()
        async with await asyncio.start_server(self._meet, "127.0.0.1", self.port):
            self._started.set()
            await self._is_over.wait()
            self._abort()

    def _abort(self):
        for writer in list(self._open):
            writer.transport.abort()

    async def _meet(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))

    async def _pass(self, reader, writer):
        self._open.add(writer)
        try:
            with suppress(OSError):
                while data := await reader.read(_CHUNK):
                    await asyncio.sleep(self.delay)
                    await self._passes.wait()
                    writer.write(data)
                    await writer.drain()
        finally:
            self._open.discard(writer)
            writer.close()
