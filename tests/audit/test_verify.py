"""One byte flipped in the ledger, in what is served, in a document or in a file: found each time."""

from __future__ import annotations

import random
import time

import pytest

from demo import companyfacts
from demo.world import World
from demo.write import FORMATS
from sankofa.ingest.archive import key
from sankofa.storage.objects import Objects
from support.verifying import flipped, untouched, verify

FACTS = 2_000
PARTS = """
SELECT part, min(edition) FROM ops.digest_block
WHERE part LIKE 'ledger.%%' OR part LIKE 'serving.%%' GROUP BY part ORDER BY part
"""


@pytest.mark.timeout(7200)
def test_a_flipped_byte_is_found_and_named_each_time(service, seed, size):
    rng = random.Random(seed)
    world = World(seed=seed, facts=FACTS)
    for written in FORMATS.values():  # the first document of every format
        first = written.part(world, 0)
        service.ingest((first.content, first.fetched_at), source_name=written.SOURCE)
    service.publish()
    later = companyfacts.later_filing(world, 0, 1)
    service.ingest((later.content, later.fetched_at), source_name=companyfacts.SOURCE)
    service.publish()
    service.export()
    service.publish()
    began = time.monotonic()
    assert untouched(service)
    seconds = time.monotonic() - began
    parts = [part for part, _ in service.rows(PARTS)]
    in_objects = 0
    for trial in range(size.flips):
        if trial % 4 == 3:  # every fourth in S3, the rest in tables
            flip_object(service, rng, rng.choice((document, file))(service, rng))
            in_objects += 1
        else:
            flip_row(service, rng, parts)
    assert untouched(service)
    told = f"{size.flips} flips, {in_objects} of them in S3, {len(parts)} tables: each found and named"
    print(f"{told}; nothing on the untouched database, {seconds:.2f} s for all of it")


def flip_row(service, rng, parts):
    """A row whose key was changed is told as one that is missing and one that was added."""
    part = rng.choice(parts)
    with flipped(service, part, rng) as (before, after):
        code, findings, _ = verify(service, "--part", part)
    assert code == 1, (part, before, after)
    about = [finding for finding in findings if f": {part} " in finding]
    if before == after:
        assert any(f": {part} {before}: altered" in finding for finding in about), (before, findings)
    else:
        assert any("missing" in finding or f" {after}: " in finding for finding in about), (before, findings)


def document(service, rng):
    """Choose a document: where it is kept, and how verify names it."""
    source, sha256 = rng.choice(service.rows("SELECT source, sha256 FROM ops.document"))
    return service.objects, key(sha256), "documents", f"{source}@sha256:{sha256.hex()}"


def file(service, rng):
    """Choose a file that an edition lists."""
    ((kind, name, place),) = rng.sample(
        service.rows("SELECT kind, name, object_key FROM serving.artifact"), 1
    )
    bucket = service.settings.open_bucket if kind == "panel" else service.settings.licensed_bucket
    return Objects(service.settings.objects(bucket)), place, "exports", name


def flip_object(service, rng, chosen):
    objects, place, part, name = chosen
    body = objects.fetch(place)
    byte = rng.randrange(len(body))
    objects.replace(place, body[:byte] + bytes([body[byte] ^ (1 << rng.randrange(8))]) + body[byte + 1 :])
    try:
        code, findings, _ = verify(service, "--part", part)
    finally:
        objects.replace(place, body)
    assert code == 1
    assert findings
    assert all(finding.endswith(f": {part} {name}: altered") for finding in findings), findings
