"""All real SEC files through the whole service: counted, restated where they were, stable when repeated."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime

import pytest

from sankofa.fundamentals.record import available_at
from sankofa.ingest.bytes.bounds import Rejections
from sankofa.ingest.filings import sec_fsds
from support.editions import content
from support.real_sec import DATA, FETCHED, load

NEVER = datetime.max.replace(tzinfo=UTC)

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no real files at {DATA}; see SANKOFA_REAL_DATA")


@pytest.mark.heavy
def test_all_real_files_go_in_with_counts_and_reasons_and_twice_changes_nothing(service):
    batches = load(service)
    for name, batch in batches.items():
        print(name, batch.outcome, batch.facts_read, batch.facts_appended, batch.rejected)
    refused = {name for name, batch in batches.items() if batch.outcome == "refused"}
    # A table without its numbers and an index of filings hold no facts; both are refused with a reason.
    assert refused == {"2021q1_sub.txt.parquet", "company_submission.json"}
    assert all(batch.rejected for name, batch in batches.items() if name in refused)
    accepted = [batch for batch in batches.values() if batch.outcome == "accepted"]
    assert all(batch.facts_appended == batch.facts_read > 0 for batch in accepted)
    published = service.publish()
    before = content(service, published.edition)
    tables = ("ledger.fact", "ledger.filing", "ledger.subject", "ops.document", "ops.batch", "ops.rejection")
    counts = [service.rows(f"SELECT count(*) FROM {table}") for table in tables]
    again = load(service)
    assert {batch.outcome for batch in again.values()} == {"seen", "refused"}
    assert [service.rows(f"SELECT count(*) FROM {table}") for table in tables] == counts
    assert service.publish() is None
    assert content(service, published.edition) == before


@pytest.mark.heavy
def test_the_changed_facts_of_the_data_sets_appear_as_vintages(service):
    """Without a map a fact goes by its concept, and each value that changed between filings is a vintage."""
    stated = defaultdict(list)
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        for filing in sec_fsds.parse(path.read_bytes(), Rejections()):
            occasion = (
                available_at(filing),
                filing.accepted_at or NEVER,
                filing.number,
            )
            for fact in filing.facts:
                stated[filing.subject, *fact[:4]].append((occasion, fact.value))
    expected = changed_once_or_more(stated)
    service.line_items = ()
    for path in sorted(DATA.glob("sec-fsds/*.zip")):
        service.ingest((path.read_bytes(), FETCHED), source_name="sec-fsds")
    service.publish()
    ((restated,),) = service.rows(
        "SELECT count(DISTINCT fact_id) FROM serving.fundamentals_fact WHERE vintage = 2"
    )
    ((withdrawn,),) = service.rows(
        """
        SELECT count(DISTINCT fact_id) FROM serving.fundamentals_fact
        WHERE withdrawn_at IS NOT NULL AND passed_over IS NOT TRUE
        """
    )
    print(f"served: {restated} restated keys, {withdrawn} withdrawn values; counted apart: {expected}")
    assert (restated, withdrawn) == expected


def changed_once_or_more(stated):
    """Count keys with a second vintage, and values that were reported as nil afterwards."""
    restated = withdrawn = 0
    for reports in stated.values():
        values = [value for _, value in sorted(reports, key=lambda report: report[0])]
        vintages, current = 0, None
        for value in values:
            if value is None:
                withdrawn += current is not None
            elif value != current:
                vintages += 1
            current = value
        restated += vintages > 1
    return restated, withdrawn
