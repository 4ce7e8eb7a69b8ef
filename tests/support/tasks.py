"""Tasks of a new user, counted in steps: a click, a line typed, a command or a call is one."""

from __future__ import annotations

import time


class Task:
    """Counts the steps of one task and prints them with the seconds, for `pytest -s`."""

    def __init__(self, name, most):
        self.name, self.most, self.steps, self._began = name, most, 0, time.monotonic()

    def do(self, act, *values, **options):
        self.steps += 1
        return act(*values, **options)

    def end(self):
        print(f"{self.name}: {self.steps} steps, {time.monotonic() - self._began:.1f} s")
        assert self.steps <= self.most
