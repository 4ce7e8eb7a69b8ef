"""The ledger has each fact of a document once, though no key of its table says so (ADR 0055)."""

from __future__ import annotations

import io
import zipfile

from support.filings import Filer

REPEATED = """
SELECT count(*) FROM ledger.fact
GROUP BY filing_id, concept_id, period_end, period_start, unit, scope, document_id
ORDER BY 1 DESC
"""


def zipped(*documents):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number, document in enumerate(documents, 1):
            archive.writestr(f"CIK{number:010}.json", document)
    return packed.getvalue()


def test_a_fact_that_a_document_states_twice_is_appended_once(service):
    filer = Filer(1).says(5, filed="2024-03-01").says(5, filed="2024-03-01")
    (batch,) = service.ingest(zipped(filer.document(), filer.document()))
    assert batch.facts_appended == 1
    assert service.rows(REPEATED) == [(1,)]


def test_another_document_that_states_the_same_appends_what_is_new_once(service):
    filer = Filer(1).says(5, filed="2024-03-01")
    service.ingest(filer.document())
    filer.says(6, filed="2024-06-01").says(6, filed="2024-06-01")
    (batch,) = service.ingest(zipped(filer.document(), filer.document()))
    assert batch.facts_appended == 1
    assert service.rows(REPEATED) == [(1,), (1,)]
