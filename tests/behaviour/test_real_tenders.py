"""Every real OCDS file goes into the ledger or is refused with a reason; parties are judged."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
OCDS = Path(os.environ.get("SANKOFA_REAL_DATA", REPOSITORY.parent / "shared" / "data")) / "ocds"
pytestmark = pytest.mark.skipif(not OCDS.is_dir(), reason=f"no real OCDS files in {OCDS}")
SOURCES = {
    "ukraine-prozorro": "ua-prozorro",
    "moldova": "md-mtender",
    "paraguay": "py-dncp",
    "colombia": "co-secop",
    "mexico": "mx-compranet",
    "nigeria": "ng-nocopo",
    "uganda": "ug-gpp",
    "portugal": "pt-base",
    "armenia": "am-armeps",
}


def portal(path):
    named = next((source for part, source in SOURCES.items() if part in str(path)), None)
    return named or "za-etenders"


@pytest.fixture(scope="module")
def loaded(module_service):
    service = module_service
    files = sorted(path for path in OCDS.rglob("*") if path.is_file() and path.suffix != ".md")
    outcomes = Counter()
    for path in files:
        (batch,) = service.ingest(path.read_bytes(), source_name=portal(path))
        outcomes[batch.outcome] += 1
        assert batch.outcome != "refused" or batch.rejected, path
    print(len(files), dict(outcomes))
    return service, files


def test_every_file_goes_in_or_is_refused_with_a_reason(loaded):
    service, files = loaded
    batches = service.rows("SELECT outcome, count(*) FROM ops.batch GROUP BY outcome")
    print(batches)
    assert sum(count for _, count in batches) <= len(files)
    assert service.rows(
        "SELECT count(*) FROM ops.batch WHERE outcome = 'refused' AND batch_id NOT IN"
        " (SELECT batch_id FROM ops.rejection)"
    ) == [(0,)]


def test_a_release_that_is_refilled_is_one_release_with_several_contents(loaded):
    service, _ = loaded
    ((releases, contents),) = service.rows(
        "SELECT count(DISTINCT release_key), count(DISTINCT (release_key, content)) FROM ledger.release"
    )
    print(releases, contents)
    assert releases < contents


def test_loading_a_file_again_appends_nothing(loaded):
    service, files = loaded
    before = (
        service.rows("SELECT count(*) FROM ledger.release"),
        service.rows("SELECT count(*) FROM ledger.organisation_record"),
    )
    for path in files[:60]:
        (batch,) = service.ingest(path.read_bytes() + b"\n", source_name=portal(path))
        assert batch.facts_appended == 0
    assert before == (
        service.rows("SELECT count(*) FROM ledger.release"),
        service.rows("SELECT count(*) FROM ledger.organisation_record"),
    )


def test_no_party_is_shown_without_evidence_and_none_of_a_closed_portal(loaded):
    service, _ = loaded
    service.publish()
    shown = service.rows(
        "SELECT o.legal_name, o.established_by, p.document_ref FROM serving.organisation AS o"
        " JOIN serving.provenance AS p USING (provenance_id)"
    )
    mentioned = service.rows("SELECT count(*) FROM ledger.subject")
    print(len(shown), mentioned)
    assert all(evidence for _, evidence, _ in shown)
    assert {document.partition("@")[0] for _, _, document in shown} <= {"za-etenders"}
