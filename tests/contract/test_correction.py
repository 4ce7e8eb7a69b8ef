"""OPS-8: a document that was ingested with a wrong day is corrected by a recorded decision."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from sankofa.quality.audit import audit
from sankofa.storage.postgres import InsufficientPrivilege
from sankofa.surfaces.cli import app
from support.command import sankofa
from support.filings import FY2022, Filer
from support.stated_macro import indicator, rates
from support.stated_tenders import CITY, WORKS, award, package, release, tender, tenders

pytestmark = pytest.mark.proves("OPS-8")
BECAUSE = "the file lay on a disk since January"
TABLES = (
    *("fundamentals_fact", "tender_release", "tender_fact", "tender_text", "tender_event", "macro_value"),
    *("organisation", "organisation_name", "identifier", "tender_party", "signal", "metric_value"),
)
LIVE = """
SELECT to_jsonb(held)
    - ARRAY['row_id', 'decision_id', 'published_in', 'provenance_id', 'name_provenance_id']
    - ARRAY['reason', 'inputs']
    || coalesce(jsonb_build_object('cited', to_jsonb(cited) - ARRAY['provenance_id', 'row_id']), '{{}}')
    || coalesce(jsonb_build_object('named', to_jsonb(named) - ARRAY['provenance_id', 'row_id']), '{{}}')
FROM serving.{table} AS held
LEFT JOIN serving.provenance AS cited
    ON to_jsonb(held) ->> 'provenance_id' = cited.provenance_id::text
LEFT JOIN serving.provenance AS named
    ON to_jsonb(held) ->> 'name_provenance_id' = named.provenance_id::text
WHERE held.superseded_in = 2147483647
"""
COUNTED = """
SELECT jsonb_build_array(sku, country, newest_at, counts) FROM serving.quality_total
WHERE superseded_in = 2147483647
UNION ALL
SELECT to_jsonb(one) - ARRAY['row_id', 'published_in', 'reason'] FROM serving.source AS one
WHERE superseded_in = 2147483647
"""
PARTS = ("compared", "rewritten", "foreseen")  # of editions that were compared, of which the other has fewer


def noon(day):
    return datetime.fromisoformat(f"{day}T12:00:00").replace(tzinfo=UTC)


def sha256(body):
    return hashlib.sha256(body).hexdigest()


def correct(service, source, body, day, because=BECAUSE):
    return sankofa(
        service, "correct", source, sha256(body), "--fetched-at", f"{day}T12:00:00", "--because", because
    )


def refused(service, source, digest, day, because=BECAUSE):
    command = ["correct", source, digest, "--fetched-at", f"{day}T12:00:00", "--because", because]
    result = CliRunner().invoke(app, command, env=service.installation.environment)
    assert result.exit_code == 1, result.output
    return result.stderr


def held(service):
    """Return everything that the newest edition holds, with what it cites, without numbers of rows."""
    found = {table: sorted(repr(row) for row in service.rows(LIVE.format(table=table))) for table in TABLES}
    rows = [row for (row,) in service.rows(COUNTED)]
    for row in rows:
        if isinstance(row, list):
            for part in PARTS:
                row[3].pop(part, None)
    return found | {"counted": sorted(map(repr, rows))}


def world(wrong):
    """Return documents by source in the order of loading; one of each source may have a wrong day."""
    first, second, third = (
        package(
            release("ocds-1", date=None, buyer={"name": CITY}, tender=tender(amount), awards=list(awards)),
            release(f"ocds-{amount}", date="2024-01-05T08:00:00Z", tender=tender(amount)),
        )
        for amount, awards in ((10, ()), (20, [award("1", 19, WORKS)]), (10, ()))
    )
    early, late = rates({"2024-02-28": {"ZAR": "20.8"}}), rates({"2024-02-28": {"ZAR": "20.9"}})
    again = rates({"2024-02-28": {"ZAR": "20.8"}, "2024-02-29": {"ZAR": "1"}})
    filer = Filer(1).says(10, filed="2023-03-01", period=FY2022)
    filings = [filer.document(), filer.says(12, filed="2024-03-01").document()]
    return [
        ("demo-tenders", first, "2024-03-01", wrong),
        ("demo-tenders", second, "2024-04-01", None),
        ("demo-tenders", third, "2024-05-01", None),
        ("demo-fx", early, "2024-03-01", wrong),
        ("demo-fx", late, "2024-04-01", None),
        ("demo-fx", again, "2024-05-01", None),
        ("demo-companyfacts", filings[0], "2024-03-05", wrong),
        ("demo-companyfacts", filings[1], "2024-04-05", None),
    ]


@pytest.mark.parametrize("wrong", ["2024-02-29", "2024-04-20"])
def test_after_a_correction_everything_is_as_if_the_day_had_been_right(make_service, wrong):
    corrected, right = make_service(), make_service()
    for source, body, day, mistaken in world(wrong):
        corrected.ingest((body, noon(mistaken or day)), source_name=source)
        right.ingest((body, noon(day)), source_name=source)
    corrected.publish()
    before = tenders(corrected), held(corrected)
    right.publish()
    assert held(corrected) != held(right)
    for source, body, day, mistaken in world(wrong):
        if mistaken:
            assert "facts appended" in correct(corrected, source, body, day)
    assert held(corrected) == before[1]  # nothing is changed before the next edition
    edition = corrected.publish().edition
    corrected.await_edition(edition)
    assert held(corrected) == held(right)
    assert tenders(corrected, edition=edition - 1) == before[0]
    assert audit(corrected.settings.publish_dsn).is_clean


def test_a_correction_is_recorded_with_login_time_and_reason_and_only_appended(service):
    body = rates({"2024-02-28": {"ZAR": "20.8"}})
    service.ingest((body, noon("2024-04-01")), source_name="demo-fx")
    service.publish()
    assert "correction 1: documents read again: 1" in correct(service, "demo-fx", body, "2024-03-01")
    assert service.rows("SELECT fetched_at, because, decided_by FROM ops.day_correction") == [
        (noon("2024-03-01"), BECAUSE, "sankofa_review")
    ]
    service.await_edition(service.publish().edition)
    (row,) = service.get("/v1/macro", series="FX.EUR.ZAR").exact["data"]
    assert (row["available_at"], row["observed_at"][:10]) == ("2024-02-28", "2024-03-01")
    # Bytes that were read are seen, and a day can be corrected again.
    (batch,) = service.ingest((body, noon("2024-04-01")), source_name="demo-fx")
    assert batch.outcome == "seen"
    correct(service, "demo-fx", body, "2024-03-02")
    service.await_edition(service.publish().edition)
    (row,) = service.get("/v1/macro", series="FX.EUR.ZAR").exact["data"]
    assert row["observed_at"][:10] == "2024-03-02"
    for login in ("ingest", "publish", "read", "privacy", "export", "keys", "follow"):
        with service.connect(login) as connection:
            connection.execute("SET default_transaction_read_only = off")
            with pytest.raises(InsufficientPrivilege):
                connection.execute(
                    "INSERT INTO ops.day_correction (document_id, fetched_at, because) VALUES (1, now(), 'x')"
                )


def test_a_correction_that_cannot_be_is_refused_and_changes_nothing(service):
    body = indicator({("KEN", 2021): 1}, updated="2024-03-28")
    service.ingest((body, noon("2024-04-01")), source_name="demo-world-bank")
    service.publish()
    digest = sha256(body)
    assert "64 hexadecimal digits" in refused(service, "demo-world-bank", "abc", "2024-03-01")
    assert "was accepted" in refused(service, "demo-world-bank", "0" * 64, "2024-03-01")
    assert "already known" in refused(service, "demo-world-bank", digest, "2024-04-01")
    assert "has not come yet" in refused(service, "demo-world-bank", digest, "2999-01-01")
    assert "needs a reason" in refused(service, "demo-world-bank", digest, "2024-03-01", " ")
    # The document itself says that it was published later.
    assert "released_after_fetch" in refused(service, "demo-world-bank", digest, "2024-03-01")
    assert service.rows("SELECT count(*) FROM ops.set_aside") == [(0,)]
    assert service.publish() is None
    assert "read again: 1" in correct(service, "demo-world-bank", body, "2024-03-29")
