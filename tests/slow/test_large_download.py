"""A download of 500 MB that is killed twice: the rest is asked for by Range, and no byte is sent twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from publisher.large import PIECE, Large
from support.portal_server import Portal
from support.waiting import until

TESTS = Path(__file__).parents[1]
MEGABYTES = 500
MEMORY_MB = 200


def process(portal, spool):
    paths = [str(TESTS.parent / "src"), str(TESTS.parent), str(TESTS)]
    return subprocess.Popen(
        [sys.executable, str(TESTS / "support" / "fetching.py"), f"{portal.url}/file", str(spool)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.PIPE,
    )


@pytest.mark.heavy
def test_a_killed_download_of_500_mb_is_continued_and_no_byte_is_sent_twice(tmp_path):
    large, spool = Large(MEGABYTES * 1_000_000 // PIECE), tmp_path / "spool"
    kept = [large.pieces // 5, large.pieces * 4 // 5]
    with Portal(large) as portal:
        for pieces in kept:
            large.hold_at = pieces
            with process(portal, spool) as running:
                until(
                    lambda: sum(part.stat().st_size for part in spool.glob("*.part")) == large.hold_at * PIECE
                )
                running.send_signal(signal.SIGKILL)
            large.go_on()
        with process(portal, spool) as running:
            out, _ = running.communicate(timeout=300)
    hashed, peak = out.decode().split()
    assert (running.returncode, hashed) == (0, large.sha256())
    first, second = (pieces * PIECE for pieces in kept)
    assert large.sent == [(0, first), (first, second), (second, large.size)]
    ranges = [asked.headers.get("Range") for asked in portal.requests]
    assert ranges == [None, f"bytes={first}-", f"bytes={second}-"]
    assert list(spool.iterdir()) == [], "what was taken is removed"
    megabytes = int(peak) / 1024
    sizes = ", ".join(f"{until - since:,}" for since, until in large.sent)
    print(f"{large.size:,} bytes; sent by each answer: {sizes}; peak memory of a process {megabytes:.0f} MB")
    assert megabytes < MEMORY_MB
