"""Real files are ordinary: after the first document of each source, none of the others is held back."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest

from law import real
from law.cutting import Document
from sankofa.ingest.sources import source
from support.real_sec import IS_FULL

DATA = real.DATA
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")

SEED = 17
MEMBERS = 396 if IS_FULL else 10  # filers of the bulk archive, each as the file that it is there
REGISTERS = {
    "identifiers/gleif/*.xml": "gleif",
    "identifiers/gleif/*.json": "gleif",
    "identifiers/gleif/bodspipelines/lei-*": "gleif",
    "identifiers/gleif/api-v1/isins_*.json": "gleif-isins",
    "identifiers/sec/*.json": "sec-tickers",
    "collection-2/sec-tickers/*.json": "sec-tickers",
    "collection-2/sec-submissions/*.json": "sec-submissions",
    "identifiers/openfigi/*.json": "openfigi",
    "identifiers/listings/*.csv": "listings",
}
FETCHED = datetime(2026, 11, 2, tzinfo=UTC)


def registers():
    for pattern, named in REGISTERS.items():
        for path in sorted(DATA.glob(pattern)):
            yield Document(source(named), path.read_bytes(), FETCHED)


@pytest.mark.heavy
@pytest.mark.timeout(3600)
def test_no_real_file_is_held_back_after_the_first_load_of_its_source(service):
    documents = sorted(
        real.everything(SEED, real.KINDS, members=MEMBERS).documents, key=lambda one: one.fetched_at
    )
    begun, later = [], []
    known = set()
    for document in [*documents, *registers()]:
        (later if document.source.name in known else begun).append(document)
        known.add(document.source.name)
    service.has_lenient_reviewer = False
    outcomes, held = Counter(), []
    for document in begun:
        service.ingest((document.content, document.fetched_at), source_name=document.source)
    service.publish()
    for number, document in enumerate(later):
        (batch,) = service.ingest((document.content, document.fetched_at), source_name=document.source)
        outcomes[batch.outcome] += 1
        held += [(document.source.name, reason.message, reason.named[:3]) for reason in batch.held]
        if number % 50 == 49:  # what is usual is what editions hold
            service.publish()
    print(f"{len(begun)} files of the first load, then {dict(outcomes)}; held back: {len(held)}")
    for one in held:
        print(one)
    assert held == []
