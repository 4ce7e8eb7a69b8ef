"""The load: wrk on one thread, keeping a fixed number of connections busy on 127.0.0.1."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.sizes import CONNECTIONS

KEY = "{key}"  # replaced by the next key in each request
_QUESTIONS = Path(__file__).with_name("questions.lua")
_MEASURED = re.compile(r"^measured (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)
_MOST_FAILED = 0.01  # a loaded machine may be late for some requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one run of wrk saw."""

    requests: int
    seconds: float
    bytes: int
    failed: int
    p50_ms: float
    p99_ms: float

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.requests / self.seconds


def require() -> None:
    """Exit with the name of the package if wrk is missing."""
    if shutil.which("wrk") is None:
        raise SystemExit("bench needs wrk: install it with `apt-get install wrk`")


def run(
    url: str,
    requests: Sequence[bytes],
    keys: Sequence[str],
    seconds: int,
    *,
    rate: float | None = None,
    connections: int = CONNECTIONS,
    most_failed: float = _MOST_FAILED,
) -> Load:
    """Send random ones of these requests, keys taking turns. Raise if more than a part of them fail.

    With a rate, connections pause at random, so that about as many requests are sent in a second. Without
    one, each connection sends its next request at once.
    """
    with tempfile.TemporaryDirectory() as folder:
        questions, key_file = Path(folder) / "questions", Path(folder) / "keys"
        questions.write_bytes(b"\0".join(requests))
        key_file.write_text("".join(f"{key}\n" for key in keys))
        load = ["-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "5s"]
        pause = [] if rate is None else [str(1000 * connections / rate)]
        command = ["wrk", *load, "-s", str(_QUESTIONS), url, "--", str(questions), str(key_file), *pause]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    measured = _MEASURED.search(done.stdout)
    if done.returncode or measured is None:
        raise RuntimeError(f"wrk failed:\n{done.stdout}{done.stderr}")
    sent, microseconds, octets, failed, p50, p99 = map(int, measured.groups())
    if failed > most_failed * sent:
        raise RuntimeError(f"{failed} of {sent} requests were refused or failed:\n{done.stdout}")
    return Load(
        requests=sent,
        seconds=microseconds / 1e6,
        bytes=octets,
        failed=failed,
        p50_ms=p50 / 1e3,
        p99_ms=p99 / 1e3,
    )
