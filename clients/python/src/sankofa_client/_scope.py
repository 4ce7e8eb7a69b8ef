"""`with client.as_of(…)` and `with client.pinned()`: what holds for the questions asked inside.

A scope belongs to one client and to one line of execution: tasks inherit it from where they were started,
other tasks and threads never see it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from sankofa_client._question import Scope

# By client: one variable for all, because a variable of its own would outlive its client.
_SCOPES: ContextVar[Mapping[int, Scope]] = ContextVar("sankofa_client_scopes")
_numbers = itertools.count(1)


class Scoped:
    """What a client knows about its scopes."""

    def __init__(self, fixed: Scope = Scope(), number: int | None = None) -> None:
        self._fixed = fixed
        self._number = number or next(_numbers)

    @property
    def current(self) -> Scope:
        """The scope of this line of execution; what was fixed for the client, if there is none."""
        return _SCOPES.get({}).get(self._number, self._fixed)

    @contextmanager
    def entered(self, scope: Scope) -> Iterator[None]:
        """Let a scope hold inside a block."""
        token = _SCOPES.set({**_SCOPES.get({}), self._number: scope})
        try:
            yield
        finally:
            _SCOPES.reset(token)
