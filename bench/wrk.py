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

_QUESTIONS = Path(__file__).with_name("questions.lua")
_MEASURED = re.compile(r"^measured (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one run of wrk saw."""

    requests: int
    seconds: float
    bytes: int
    p50_ms: float
    p99_ms: float


def require() -> None:
    """Say what to install where wrk is missing."""
    if shutil.which("wrk") is None:
        raise SystemExit("bench needs wrk: install it with `apt-get install wrk`")


def run(url: str, asked: Sequence[str], keys: Sequence[str], seconds: int) -> Load:
    """Ask for random lines of `asked`, keys taking turns; any refusal or error ends the bench."""
    with tempfile.TemporaryDirectory() as folder:
        questions, key_file = Path(folder) / "questions", Path(folder) / "keys"
        questions.write_text("".join(f"{line}\n" for line in asked))
        key_file.write_text("".join(f"{key}\n" for key in keys))
        load = ["-t", "1", "-c", str(CONNECTIONS), "-d", f"{seconds}s", "--timeout", "5s"]
        command = ["wrk", *load, "-s", str(_QUESTIONS), url, "--", str(questions), str(key_file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    measured = _MEASURED.search(done.stdout)
    if done.returncode or measured is None:
        raise RuntimeError(f"wrk failed:\n{done.stdout}{done.stderr}")
    requests, microseconds, octets, errors, p50, p99 = map(int, measured.groups())
    if errors or not requests:
        raise RuntimeError(f"{errors} of {requests} requests were refused or failed:\n{done.stdout}")
    return Load(
        requests=requests,
        seconds=microseconds / 1e6,
        bytes=octets,
        p50_ms=p50 / 1e3,
        p99_ms=p99 / 1e3,
    )
