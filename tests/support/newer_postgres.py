"""A private stack on the newer PostgreSQL that comes as a package."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from dev.postgres_programs import CHOSEN, major, packaged
from dev.stack import Stack


@contextmanager
def newer_stack():
    """Run a throwaway stack on the packaged PostgreSQL, chosen as a developer chooses it."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(CHOSEN, str(major(packaged())))
        with Stack.throwaway() as stack:
            assert stack.postgres.programs == packaged()
            yield stack
