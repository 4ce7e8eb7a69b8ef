"""Callers who walk through the pages of a list again and again, and what came of every request."""

from __future__ import annotations

import threading
import time
from collections import Counter
from contextlib import contextmanager

import httpx

# A steady flow, which leaves the machine time for everything else.
_PAUSE_SECONDS = 0.03


class Walkers:
    """Some threads that page until they are stopped; each walk begins with a cursor from before the start."""

    def __init__(self, connect, path):
        """Make walkers; `connect` returns a client of the API with a key."""
        self.outcomes = Counter()
        self._connect = connect
        self._path = path
        self._is_over = threading.Event()
        with connect() as client:
            self._cursor = client.get(path, params={"limit": 1}).json()["next_cursor"]
        # One keeps its connection for all requests; the others open a new one for each, to any worker.
        self._threads = [
            threading.Thread(target=self._walk, args=[connection])
            for connection in ("keep-alive", "close", "close")
        ]

    @contextmanager
    def walking(self):
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._is_over.set()
            for thread in self._threads:
                thread.join()

    def _walk(self, connection):
        cursor = self._cursor
        with self._connect() as client:
            client.headers["Connection"] = connection
            while not self._is_over.is_set():
                cursor = self._ask(client, cursor) or self._cursor
                time.sleep(_PAUSE_SECONDS)

    def _ask(self, client, cursor):
        """Request a page and return the cursor of the next one."""
        try:
            response = client.get(self._path, params={"cursor": cursor, "limit": 1})
        except httpx.HTTPError as error:
            self.outcomes[f"{type(error).__name__}, Connection: {client.headers['Connection']}"] += 1
            return None
        self.outcomes[response.status_code] += 1
        return response.json().get("next_cursor")
