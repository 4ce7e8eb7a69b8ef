"""Proofs of random facts in random editions of a generated world, and the same with one thing altered."""

from __future__ import annotations

import base64
import json
import random
import time

import pytest

from audit.client import Client
from audit.test_oracle import SOURCE, Ids, invented, load
from oracle.model import Model
from support.proofs import is_proven
from support.service import Service

_HELD = """
SELECT fact_id::text FROM serving.fundamentals_fact
WHERE published_in <= %s AND superseded_in > %s AND value IS NOT NULL
ORDER BY random() LIMIT 1000
"""


@pytest.fixture(scope="module")
def audited(stack, seed, size):
    """A service that went through a generated world, with restatements, late documents and takedowns."""
    service = Service(stack, "audit_proofs")
    invention = invented(seed, size)
    model, ids = Model({SOURCE: "synthetic"}), Ids(service)
    for edition in invention.editions:
        load(service, edition, ids, model, invention.day)
    yield service, len(invention.editions)
    service.close()


def altered(chance, proof):
    """Return a proof with one bit of one part changed."""
    name = chance.choice(["row", "path", "line", "line_path", "root", "signature", "edition"])
    if name == "edition":
        return proof | {name: proof[name] + 1}
    if name in ("path", "line_path"):
        place = chance.randrange(len(proof[name]))
        step = proof[name][place]
        other = step[0] + _flipped(chance, base64.b64decode(step[1:]))
        return proof | {name: [*proof[name][:place], other, *proof[name][place + 1 :]]}
    if name == "signature":
        return proof | {name: _flipped(chance, base64.b64decode(proof[name]))}
    text = proof[name]
    place = chance.randrange(len(text))
    return proof | {name: f"{text[:place]}{chr(ord(text[place]) ^ 1)}{text[place + 1 :]}"}


def _flipped(chance, content):
    changed = bytearray(content)
    changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return base64.b64encode(bytes(changed)).decode()


@pytest.mark.timeout(7200)
def test_every_proof_verifies_and_no_altered_one(audited, seed, size):
    service, editions = audited
    chance, proven, longest, seconds = random.Random(seed), 0, 0, []
    with Client(service) as client:
        listed = json.loads(client.get("/v1/editions", {"limit": 1000})[1])["data"]
        (key,) = {row["public_key"] for row in listed}
        while proven < size.proofs:
            edition = chance.randint(1, editions)
            for (fact_id,) in service.rows(_HELD, edition, edition):
                began = time.perf_counter()
                status, body = client.get(f"/v1/facts/{fact_id}/proof", {"edition": edition})
                seconds.append(time.perf_counter() - began)
                assert status == 200, (edition, fact_id, body)
                for proof in json.loads(body)["data"]:
                    assert is_proven(proof, key), (seed, edition, fact_id)
                    assert not is_proven(altered(chance, proof), key), (seed, edition, fact_id)
                    hashes = sum(map(len, (*proof["path"], *proof["line_path"])))
                    proven, longest = proven + 1, max(longest, hashes)
    seconds.sort()
    print(
        f"\nseed {seed}: {proven:,} proofs verify and as many altered ones do not; at most {longest} bytes of"
        f" hashes; request p50 {1_000 * seconds[len(seconds) // 2]:.1f} ms,"
        f" p99 {1_000 * seconds[len(seconds) * 99 // 100]:.1f} ms"
    )
