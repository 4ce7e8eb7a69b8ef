"""The record of one handled request. The metrics and the access log are made from it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Literal

import msgspec

Cache = Literal["hit", "miss", "not_modified", "edge"]
# The endpoint of a request that reached no route: an unknown path, a foreign host, a head that is too large.
NO_ROUTE = "none"
# The endpoint of all prebuilt files of the website.
PAGE = "page"
# The endpoint of a fetch by a cache at the edge, whose caller's request was recorded before.
EDGE_FETCH = "edge_fetch"
# The status of a request whose caller disconnected before the response began.
CALLER_LEFT = 499
_LIMIT_REACHED = 429
_FIRST_FAULT = 500


def is_charged(status: int) -> bool:
    """Return whether an admitted request with this status is charged: not if it got no answer to use."""
    return status < _FIRST_FAULT and status not in (_LIMIT_REACHED, CALLER_LEFT)


class Handled(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A handled request, without its path, query, key and address: any of them may hold a secret or a name.

    The fields are those of a line of the access log, in this order.
    """

    time: datetime
    request_id: str
    endpoint: str  # the declared name of the route
    status: int
    ms: float
    bytes: int
    tier: str | None = None  # None if no caller was admitted
    key: str | None = None  # the key's public id
    cache: Cache | None = None  # None if the request cannot be answered from the cache
    edition: int | None = None
    degraded: bool = False  # the limits were applied without the usage store
    unavailable: str | None = None  # the component without which there was no answer, and why
    charged: bool = False  # counted in the usage of the key


Observe = Callable[[Handled], None]
