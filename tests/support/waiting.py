"""Waiting for a condition: looked at often, but not so often that what is awaited gets slow."""

from __future__ import annotations

import time

PAUSE_SECONDS = 0.01


def until(condition, seconds=60):
    """Return when a condition holds; fail if it does not come to hold in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(PAUSE_SECONDS)
