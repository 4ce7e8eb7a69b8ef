"""The control endpoint, on a port of its own: advance a day, order faults, read the log.

| request | returns |
|---|---|
| `POST /advance` | the state on the next day |
| `POST /misbehave {"source", "fault", "times", "value"}` | the state; `times` and `value` have defaults |
| `POST /forgive` | the state without faults to come |
| `GET /log?from=0` | every request from that number on |
| `GET /offered` | every document offered so far: source, sha256, day, url |
| `GET /state` | the day, its date, and the faults that are still to come |
"""

from __future__ import annotations

import json

from support.answering import Answer, Portal


def control(publisher):
    """Return the server that controls a publisher; it is not started yet."""
    routes = {
        ("POST", "/advance"): lambda _asked: publisher.advance(),
        ("POST", "/misbehave"): lambda asked: publisher.misbehave(**json.loads(asked.body)),
        ("POST", "/forgive"): lambda _asked: publisher.forgive(),
        ("GET", "/log"): lambda asked: publisher.entries[int(asked.get("from") or 0) :],
        ("GET", "/offered"): lambda _asked: publisher.offered(),
        ("GET", "/state"): lambda _asked: publisher.state(),
    }

    def answer(asked):
        route = routes.get((asked.method, asked.path))
        if route is None:
            return Answer(b"no such command", 404)
        try:
            return Answer(json.dumps(route(asked)).encode())
        except (ValueError, TypeError) as wrong:
            return Answer(str(wrong).encode(), 400)

    return Portal(answer)
