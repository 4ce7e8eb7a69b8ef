"""A handle for tests: start the publisher's process, control it, and stop it."""

from __future__ import annotations

import json
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from publisher import folder
from publisher.world import FIRST_DAY, World

_TESTS = Path(__file__).parents[1]
_STOP_SECONDS = 10


class Running:
    """A publisher in a process of its own, and the world that it plays."""

    def __init__(self, seed, *, sources=7, days=10, day=0, first_day=FIRST_DAY, hosts=1):
        print("publisher seed", seed)
        self.world = World(seed, sources, days, first_day)
        self._command = [sys.executable, "-m", "publisher", "--until-closed", f"--seed={seed}"]
        self._command += [f"--sources={sources}", f"--days={days}", f"--day={day}"]
        self._command += [f"--first-day={first_day}", f"--hosts={hosts}"]

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, cwd=_TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        started = json.loads(self._process.stdout.readline())
        self.hosts = started["hosts"]
        self._control = urlsplit(started["control"])
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def write_folder(self, path, **portal):
        """Write the operator's folder of sources; `portal` changes fields of every portal."""
        folder.write(path, self.world, self.hosts, **portal)

    def advance(self):
        return self._call("POST", "/advance")

    def misbehave(self, source, fault, times=1, value=None):
        order = {"source": source, "fault": fault, "times": times, "value": value}
        return self._call("POST", "/misbehave", json.dumps(order))

    def forgive(self):
        return self._call("POST", "/forgive")

    def log(self, first=0):
        """Return the requests so far, from a number on."""
        return self._call("GET", f"/log?from={first}")

    def offered(self):
        return self._call("GET", "/offered")

    def state(self):
        return self._call("GET", "/state")

    def _call(self, method, target, body=None):
        connection = HTTPConnection(self._control.hostname, self._control.port, timeout=30)
        try:
            connection.request(method, target, body)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status != 200:
            raise ValueError(f"{method} {target}: {text}")
        return json.loads(text)
