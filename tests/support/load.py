"""Callers who ask without a pause or at a pace, each on new connections, and what came of every request."""

from __future__ import annotations

import itertools
import threading
import time
from collections import Counter
from contextlib import contextmanager
from datetime import date, timedelta
from http.client import HTTPConnection, HTTPException
from statistics import median


class Load:
    """Some threads that send one request after the other until they are stopped."""

    def __init__(self, port, callers=4, path="/health", headers=None):
        self.port = port
        self.path = path
        self.headers = headers or {}
        self.outcomes = Counter()
        self.seconds = []
        self.elapsed = 0.0
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._ask) for _ in range(callers)]

    @contextmanager
    def running(self):
        start = time.monotonic()
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._is_over.set()
            for thread in self._threads:
                thread.join()
            self.elapsed = time.monotonic() - start

    @property
    def median(self):
        return median(self.seconds)

    def _ask(self):
        while not self._is_over.is_set():
            outcome, seconds = asked(self.port, self.path, self.headers)
            self.outcomes[outcome] += 1
            self.seconds.append(seconds)


class Paced:
    """Callers, each with a key, who ask at a pace for first pages of tenders that no cache has."""

    def __init__(self, port, keys, rows, pause):
        """Make callers; `pause` returns the seconds until the next request, given what the last one took."""
        self.port, self.keys, self.rows, self.pause = port, keys, rows, pause
        self.days = itertools.count()

    def ask(self, seconds):
        """Return the statuses of all, and the seconds that their requests took, sorted."""
        outcomes, spent, end = Counter(), [], time.monotonic() + seconds

        def one(key):
            while time.monotonic() < end:
                day = date(2025, 12, 31) - timedelta(days=next(self.days))
                path = f"/v1/tenders?country=ZA&limit={self.rows}&as_of={day}"
                outcome, took = asked(self.port, path, {"X-API-Key": key})
                outcomes[outcome] += 1
                spent.append(took)
                time.sleep(self.pause(took))

        threads = [threading.Thread(target=one, args=(key,)) for key in self.keys]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return outcomes, sorted(spent)


def p99(spent):
    """Return what the slowest of a hundred took."""
    return spent[len(spent) * 99 // 100]


def asked(port, path="/health", headers=None, timeout=30):
    """Return the status of one request, or the name of what went wrong, and how long it took."""
    start = time.monotonic()
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        response.read()
        outcome = response.status
    except (OSError, HTTPException) as error:
        outcome = type(error).__name__
    finally:
        connection.close()
    return outcome, time.monotonic() - start
