"""Decisions about what is held back, as a reviewer makes them."""

from __future__ import annotations

from sankofa.drift.holds import decide, holds


def decision(service, *, release, because="checked with the source"):
    """Release or refuse everything that waits."""
    with service.connect("review") as connection:
        waiting = [hold.number for hold in holds(connection)]
        return decide(connection, waiting, release=release, because=because)
