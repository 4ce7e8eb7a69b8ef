"""Every real OCDS file goes into the ledger or is refused with a reason; parties are judged."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import jsonschema_rs
import pytest

from sankofa.ingest.sources import sources
from support.ocds_standard import OURS, faults
from support.stated_tenders import award, release

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


def test_every_row_is_valid_by_the_standard_s_own_schema(loaded):
    """All portals are opened for once, so that the releases of each country are judged."""
    service, _ = loaded
    service.closed_sources = ()
    service.await_edition(service.publish().edition)
    schema = json.loads((OCDS / "schema" / "release-schema-1.1.json").read_text(encoding="utf-8"))
    validator = jsonschema_rs.Draft4Validator(schema, validate_formats=True)
    judged, wrong = Counter(), []
    for country in sorted({known.country for known in sources().values() if known.country}):
        asked = {"country": country, "limit": 1000}
        while asked:
            body = service.get("/v1/tenders", **asked).json()
            for row in body["data"]:
                judged[country] += 1
                plain = {name: value for name, value in row.items() if name not in OURS}
                for told in (row, plain):
                    wrong += [(row["ocid"], str(error.message)) for error in validator.iter_errors(told)]
                    wrong += [(row["ocid"], fault) for fault in faults(told)]
            asked = body["next_cursor"] and {"cursor": body["next_cursor"], "limit": 1000}
    print(dict(judged), len(wrong))
    assert wrong == []
    assert len(judged) > 5


def test_a_release_that_is_refilled_is_served_once_in_its_newest_content(loaded):
    service, _ = loaded
    service.closed_sources = ()
    service.publish()
    kept = service.rows(
        "SELECT count(*), count(*) FILTER (WHERE contents > 1)"
        " FROM (SELECT count(*) AS contents FROM ledger.release GROUP BY release_key) AS release"
    )
    served = service.rows(
        "SELECT count(*), count(*) FILTER (WHERE vintage > 1) FROM serving.tender_release"
        " WHERE superseded_in = 2147483647 AND known_until = 'infinity'"
    )
    print(f"releases, and those with several contents: {kept}, served {served}")
    assert served == kept


def test_the_standard_s_own_schema_finds_what_our_reading_of_it_finds():
    """Releases that are wrong in one place each."""
    schema = json.loads((OCDS / "schema" / "release-schema-1.1.json").read_text(encoding="utf-8"))
    validator = jsonschema_rs.Draft4Validator(schema, validate_formats=True)
    right = release("o-1", awards=[award("A", 5)]) | {"awards": [{"id": "A"}], "parties": []}
    assert validator.is_valid(right)
    assert faults(right) == []
    for wrong in (
        {"id": None},
        {"tag": "tender"},
        {"initiationType": "other"},
        {"awards": [{"title": "x"}]},
        {"contracts": [{"id": "C"}]},
        {"tender": {}},
        {"tender": {"id": "T", "status": "other"}},
        {"tender": {"id": "T", "mainProcurementCategory": "other"}},
        {"date": "2024-03-01"},
    ):
        assert not validator.is_valid(right | wrong), wrong
        assert faults(right | wrong), wrong
