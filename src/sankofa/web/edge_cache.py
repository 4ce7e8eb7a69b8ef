"""A cache at the edge, which keeps bodies of answers. The service names the answer of every request.

nginx sends each request to the service, which checks the key, counts the request and validates it as always.
If the edge may have the body, the service answers with the name of the answer (its ETag) and a ticket, and
nginx gets the body of that name from the cache. On a miss the cache fetches the body from the service. The
ticket shows that this request was admitted and counted.

A name is never reused: another edition, takedown, tier, format or coding has another name. So the cache
cannot return a body that the service would not return at this moment.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections.abc import Callable, Sequence

import msgspec
from starlette.requests import Request

from sankofa.access.caller import Caller
from sankofa.access.decision import Receipt
from sankofa.ask.cursor import CursorKeys
from sankofa.web.client_address import Proxies

ASKS, TICKET, ANSWER, TAKEDOWN = "edge-cache", "edge-ticket", "edge-answer", "edge-takedown"
TICKET_SECONDS = 30  # from the admission to a fetch of the cache
KEPT_SECONDS = 86_400  # by the cache; an answer that is not used is dropped earlier
_LOCATION = "@kept"  # of nginx.conf
_SIGNATURE_BYTES = 32


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """A request that was admitted and counted, and whose body the edge may fetch."""

    name: str  # of the answer
    request: str  # digest of what was sent
    caller: Caller
    receipt: Receipt | None
    expires: float


class EdgeCache:
    """Issues and verifies tickets. Without an edge in the settings, no request gets one."""

    def __init__(
        self,
        edges: Sequence[str],
        proxies: Proxies,
        keys: CursorKeys,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Make it for the edges of this service, which are among its proxies."""
        self._is_used = bool(edges)
        self._proxies = proxies
        self._secrets = [_derived(secret) for secret in (keys.current[1], *keys.retired.values())]
        self._clock = clock

    def is_asking(self, request: Request) -> bool:
        """Return whether this is a request of the edge that can be answered with a name and a ticket."""
        return self._is_believed(request) and request.headers.get(ASKS) == "yes"

    def headers(
        self, name: str, sent: Sequence[str], caller: Caller, receipt: Receipt | None
    ) -> dict[str, str]:
        """Return the fields that lead nginx to the body of an admitted request."""
        ticket = Ticket(
            name=name,
            request=_digest(sent),
            caller=caller,
            receipt=receipt,
            expires=self._clock() + TICKET_SECONDS,
        )
        text = msgspec.msgpack.encode(ticket)
        signature = hmac.digest(self._secrets[0], text, "sha256")
        return {
            "X-Accel-Redirect": _LOCATION,
            ANSWER: name.strip('"'),
            TICKET: base64.urlsafe_b64encode(signature + text).decode(),
        }

    def ticket_of(self, request: Request) -> Ticket | None:
        """Return the ticket of a request of the edge; None if it is missing, altered, too old or not ours."""
        sent = request.headers.get(TICKET)
        if not sent or not self._is_believed(request):
            return None
        try:
            decoded = base64.b64decode(sent, altchars=b"-_", validate=True)
        except ValueError:
            return None
        signature, text = decoded[:_SIGNATURE_BYTES], decoded[_SIGNATURE_BYTES:]
        if not any(hmac.compare_digest(signature, hmac.digest(key, text, "sha256")) for key in self._secrets):
            return None
        ticket = msgspec.msgpack.decode(text, type=Ticket)
        return ticket if ticket.expires > self._clock() else None

    def _is_believed(self, request: Request) -> bool:
        return self._is_used and request.client is not None and request.client.host in self._proxies


def is_for(ticket: Ticket, sent: Sequence[str]) -> bool:
    """Return whether a ticket was issued for a request that was sent like this."""
    return ticket.request == _digest(sent)


def keeping(takedown: int) -> dict[str, str]:
    """Return the fields by which the cache keeps a body, and drops it after the next takedown."""
    return {"Surrogate-Control": f"max-age={KEPT_SECONDS}", TAKEDOWN: str(takedown)}


def _digest(sent: Sequence[str]) -> str:
    return hashlib.sha256(msgspec.json.encode(sent)).hexdigest()


def _derived(secret: bytes) -> bytes:
    """Return a key for tickets alone, so that no cursor can pass for one."""
    return hmac.digest(secret, b"tickets of the edge", "sha256")
