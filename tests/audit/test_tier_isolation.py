"""Tier, cache state, If-None-Match and media type in every mixture: nobody gets another tier's answer."""

from __future__ import annotations

import http.client
import itertools
import os
import random
from urllib.parse import urlencode

import pytest

from contract.keyed import furnish

REQUESTS = {"small": 2_000, "full": 20_000}
ACCEPTS = ("application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream")
CODINGS = ("identity", "gzip")
QUERIES = ({}, {"as_of": "2015-06-30"}, {"vintages": "all"}, {"period_type": "FY"})
CLASSES = {"sample": "preview", "starter": "whole", "professional": "whole"}


@pytest.mark.timeout(3600)
def test_no_body_and_no_304_crosses_tiers(make_service, seed):
    count = REQUESTS[os.environ.get("AUDIT_SIZE", "full")]
    service = furnish(make_service())
    path = f"/v1/fundamentals/{service.large}"
    rng = random.Random(seed)
    keys = {
        tier: itertools.cycle([service.issue(tier).key for _ in range(many)]) for tier, many in KEYS.items()
    }
    truth, etags, wrong, statuses = {}, {}, [], {200: 0, 304: 0}
    connection = http.client.HTTPConnection("127.0.0.1", service.api.port, timeout=30)
    for _ in range(count):
        tier, accept, coding = rng.choice(list(CLASSES)), rng.choice(ACCEPTS), rng.choice(CODINGS)
        query = rng.choice(QUERIES)
        place = (CLASSES[tier], accept, coding, tuple(query.items()))
        headers = {"X-API-Key": next(keys[tier]), "Accept": accept, "Accept-Encoding": coding}
        sent = rng.choice([None, etags.get(place), rng.choice([*etags.values(), None])])
        if sent:
            headers["If-None-Match"] = sent
        connection.request("GET", f"{path}?{urlencode(query)}", headers=headers)
        response = connection.getresponse()
        body = response.read()
        statuses[response.status] = statuses.get(response.status, 0) + 1
        etag = response.headers["ETag"]
        if etags.setdefault(place, etag) != etag:
            wrong.append((place, "another ETag"))
        if response.status == 304 and sent != etags[place]:
            wrong.append((place, "304 for another answer"))
        if response.status == 200 and (truth.setdefault(place, body) != body or sent == etags[place]):
            wrong.append((place, "another body"))
    connection.close()
    print(f"{count} requests {statuses}, {len(wrong)} wrong, {len(truth)} answers")
    assert wrong == []
    assert len(set(etags.values())) == len(etags)
    assert set(statuses) == {200, 304}
    previews = {place[1:]: body for place, body in truth.items() if place[0] == "preview"}
    for place, body in truth.items():
        if place[0] == "whole" and place[1] == "application/x-ndjson" and place[2] == "identity":
            assert body.startswith(previews.get(place[1:], b""))


# A sample key may ask 60 times a minute; there are enough of each that none has to wait.
KEYS = {"sample": 400, "starter": 80, "professional": 20}
