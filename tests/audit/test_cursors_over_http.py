"""Altered cursors over HTTP: none is accepted, all get the same refusal."""

from __future__ import annotations

import http.client
import itertools
import os
import random
import string
from urllib.parse import urlencode

import pytest

from contract.keyed import furnish, key

REQUESTS = {"small": 1_000, "full": 10_000}


def altered(cursor, rng):
    place = rng.randrange(len(cursor))
    letter = rng.choice(string.ascii_letters + string.digits + "-_.=")
    return rng.choice(
        [
            cursor[:place] + letter + cursor[place + 1 :],
            cursor[:place] + letter + cursor[place:],
            cursor[:place] + cursor[place + 1 :],
            cursor[:place],
            cursor + letter,
            cursor.swapcase(),
            cursor[::-1],
        ]
    )


@pytest.mark.timeout(3600)
def test_no_altered_cursor_is_accepted(make_service, seed):
    count = REQUESTS[os.environ.get("AUDIT_SIZE", "full")]
    service = furnish(make_service())
    path = f"/v1/fundamentals/{service.large}"
    cursor = service.get(path, headers=key(service, "sample")).exact["next_cursor"]
    rng = random.Random(seed)
    keys = itertools.cycle([service.issue("professional").key for _ in range(20)])
    connection = http.client.HTTPConnection("127.0.0.1", service.api.port, timeout=30)
    accepted, bodies, asked = [], set(), 0
    while asked < count:
        text = altered(cursor, rng)
        if text in (cursor, ""):
            continue
        asked += 1
        headers = {"X-API-Key": next(keys), "X-Request-Id": "one"}
        connection.request("GET", f"{path}?{urlencode({'cursor': text})}", headers=headers)
        response = connection.getresponse()
        bodies.add(response.read())
        if response.status != 400:
            accepted.append((response.status, text))
    connection.close()
    print(f"{count} altered cursors, {len(accepted)} accepted")
    assert accepted == []
    assert len(bodies) == 1
