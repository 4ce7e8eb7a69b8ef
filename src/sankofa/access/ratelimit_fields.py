"""The IETF `RateLimit` and `RateLimit-Policy` fields.

Their syntax is still a draft, so this is the only writer.
"""

from __future__ import annotations

from sankofa.access.decision import Decision


def fields(decision: Decision) -> dict[str, str]:
    """Return both fields for a decision; none while degraded, because the numbers are unknown."""
    if not decision.windows:
        return {}
    return {
        "RateLimit-Policy": ", ".join(
            f'"{window.policy}";q={window.quota}' + (f";w={window.seconds}" if window.seconds else "")
            for window in decision.windows
        ),
        "RateLimit": ", ".join(
            f'"{window.policy}";r={window.remaining};t={window.reset}' for window in decision.windows
        ),
    }
