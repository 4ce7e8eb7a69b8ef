"""What both ways of sending have in common: time limits, where a body goes, what a fault is called."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from sankofa_client._conversation import OK, Send
from sankofa_client._retry import Silence

_CONNECT_SECONDS = 5.0
LATE = Silence("The answer was not whole in time", timed_out=True)


def time_for(step: Send) -> httpx.Timeout:
    """Return the limits of one attempt."""
    return httpx.Timeout(step.seconds, connect=min(step.seconds, _CONNECT_SECONDS))


def answering(step: Send, response: httpx.Response, body: bytearray) -> Callable[[bytes], object]:
    """Return what takes the bytes of an answer: the sink of a file that came, else the body."""
    is_file = step.sink is not None and response.status_code == OK
    return step.sink if is_file and step.sink else body.extend


def silence(error: httpx.RequestError) -> Silence:
    """Return what became of a request that got no answer; its headers, and so the key, are not kept."""
    named = type(error).__name__
    return Silence(f"{named}: {error}" if str(error) else named, isinstance(error, httpx.TimeoutException))
