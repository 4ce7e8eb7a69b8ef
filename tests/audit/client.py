"""A plain keep-alive client: the audit should wait for the service, not for itself."""

from __future__ import annotations

import itertools
from http import HTTPStatus
from http.client import HTTPConnection, RemoteDisconnected
from urllib.parse import urlencode

ATTEMPTS = 5


class Client:
    """One connection, and enough keys that none meets its limit, however fast the answers come."""

    def __init__(self, service):
        self.connection = HTTPConnection("127.0.0.1", service.api.port, timeout=30)
        self.keys = itertools.cycle([service.issue().key for _ in range(60)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def get(self, path, params):
        """Return status and body.

        A busy machine may miss the deadline of an answer. That is a 503 and no answer, so it asks again.
        """
        for _ in range(ATTEMPTS):
            response, body = self.ask(f"{path}?{urlencode(params)}")
            if response.status != HTTPStatus.SERVICE_UNAVAILABLE:
                break
        return response.status, body

    def ask(self, address, **headers):
        """Return the response, for its status and headers, and the body."""
        # The request id is part of a problem document; a fixed one makes bodies comparable.
        headers |= {"X-Request-Id": "audit", "X-API-Key": next(self.keys)}
        try:
            return self._answer(address, headers)
        except (RemoteDisconnected, BrokenPipeError):
            # The service ends idle connections (OPS-5). Comparing a large answer may take longer.
            self.connection.close()
            return self._answer(address, headers)

    def _answer(self, address, headers):
        self.connection.request("GET", address, headers=headers)
        response = self.connection.getresponse()
        return response, response.read()
