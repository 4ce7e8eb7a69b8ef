"""How editions are made: nothing lost between interleaved ingests, nothing kept of an unfinished build."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date

import pytest

from sankofa.core.errors import Refused
from sankofa.editions.build import undo
from sankofa.editions.publish import publish
from sankofa.editions.reconcile import NEVER
from sankofa.fundamentals.line_items import MapEntry
from support.editions import content
from support.filings import FY2022, Filer
from support.service import FETCHED


def test_a_batch_that_commits_later_under_a_lower_id_is_not_lost(service):
    slow, fast = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(2, filed="2024-02-01")
    slow.says(9, filed="2099-01-01")  # a rejection to record, which is where it will have to wait
    with service.connect() as admin, ThreadPoolExecutor() as pool:
        with admin.transaction():
            admin.execute("LOCK TABLE ops.rejection IN SHARE MODE")
            waiting = pool.submit(service.ingest, slow.document(), source_name="sec-companyfacts")
            while not admin.execute("SELECT 1 FROM pg_locks WHERE NOT granted").fetchone():
                assert not waiting.done()
            service.ingest(fast.document())
            assert service.publish().edition == 1
        waiting.result()
    ids = dict(
        service.rows("SELECT d.source, b.batch_id FROM ops.batch b JOIN ops.document d USING (document_id)")
    )
    assert ids["sec-companyfacts"] < ids["demo-companyfacts"]
    assert service.publish().edition == 2
    assert [row["value_reported"] for row in service.facts(service.id_of(slow.identifier))] == [1]
    assert [row["value_reported"] for row in service.facts(service.id_of(fast.identifier))] == [2]


def test_nothing_new_makes_no_edition(service):
    filer = Filer(1).says(1, filed="2024-02-01")
    service.ingest(filer.document())
    assert service.publish().edition == 1
    assert service.publish() is None
    assert service.ingest(filer.document())[0].outcome == "seen"
    assert service.publish() is None
    assert service.rows("SELECT count(*) FROM serving.edition") == [(1,)]


def test_a_redownload_appends_nothing_and_an_older_download_only_moves_the_observation(service):
    filer = Filer(1).says(1, filed="2024-02-01")
    newer = FETCHED.replace(month=3)
    service.ingest((filer.document(), newer))
    assert service.publish().edition == 1
    filer.name = "Example Holdings Plc"  # other bytes, the same facts
    (again,) = service.ingest((filer.document(), newer.replace(day=9)))
    assert (again.outcome, again.facts_appended) == ("accepted", 0)
    filer.name = "Example Holdings"
    (older,) = service.ingest((filer.document(), FETCHED))
    assert older.facts_appended == 1
    published = service.publish()
    assert dict(published.changes["AF-FUND"].put) == {"corrected": 1}
    (row,) = service.facts(service.id_of(filer.identifier))
    assert row["observed_at"] == "2026-01-05T06:00:00Z"
    (row,) = service.facts(service.id_of(filer.identifier), edition=1)
    assert row["observed_at"] == "2026-03-05T06:00:00Z"


def test_an_unfinished_build_is_undone_before_the_next(service):
    filer = Filer(1).says(1, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    before = content(service, 1)
    service.ingest(filer.says(2, filed="2023-02-01").document())
    publisher = service.publisher()
    judgements, organisations, *_ = publisher.walks
    entities, fundamentals, *later = organisations.steps

    class Dies(Exception):
        pass

    class Interrupted(type(fundamentals)):
        def publish(self, connection, edition):
            super().publish(connection, edition)
            connection.execute("COMMIT")
            raise Dies

    interrupted = replace(organisations, steps=(entities, Interrupted(service.line_items), *later))
    with pytest.raises(Exception):  # noqa: B017, PT011 - however the interruption surfaces
        publish(replace(publisher, walks=(judgements, interrupted)))
    assert service.rows("SELECT count(*) FROM serving.fundamentals_fact WHERE published_in = 2") != [(0,)]
    assert content(service, 1) == before
    with service.connect("publish") as connection:
        undo(connection, 2, publisher.tables)
    assert service.rows("SELECT count(*) FROM serving.fundamentals_fact WHERE published_in = 2") == [(0,)]
    assert service.rows("SELECT count(*) FROM serving.closing") == [(0,)]
    assert content(service, 2) == before
    assert service.publish().edition == 2
    values = [row["value_reported"] for row in service.facts(service.id_of(filer.identifier), vintages="all")]
    assert values == [2, 1]


@pytest.mark.parametrize("table", ["fundamentals_fact", "issued_id"])
def test_each_closed_row_has_one_closing_in_the_same_edition(service, table):
    one, two = Filer(1).says(100, filed="2024-06-01"), Filer(2).says(70, filed="2023-02-01", period=FY2022)
    service.ingest(one.document(), two.document())
    service.publish()
    service.ingest(one.says(90, filed="2024-02-01").document())
    service.publish()
    service.merge(service.id_of(one.identifier), service.id_of(two.identifier))
    service.publish()
    closed = service.rows(
        f"SELECT row_id, superseded_in FROM serving.{table} WHERE superseded_in < %s", NEVER
    )
    closings = service.rows("SELECT row_id, closed_in FROM serving.closing WHERE dataset = %s", table)
    assert closed
    assert sorted(closings) == sorted(closed)


def test_a_changed_map_republishes_exactly_what_used_it(service):
    uses = Filer(1).says(7, filed="2024-02-01", concept="ifrs-full:RevenueFromInterest")
    also = Filer(2).says(8, filed="2024-02-01", concept="ifrs-full:RevenueFromInterest")
    also.says(9, filed="2024-02-01", concept="ifrs-full:Assets", period=(None, "2023-12-31"))
    apart = Filer(3).says(5, filed="2024-02-01")
    service.ingest(uses.document(), also.document(), apart.document())
    service.line_items = tuple(e for e in service.line_items if e.concept != "ifrs-full:RevenueFromInterest")
    service.publish()
    service.line_items = (
        *service.line_items,
        MapEntry("demo_line", 1, "ifrs-full:RevenueFromInterest", "monetary"),
    )
    published = service.publish()
    assert dict(published.changes["AF-FUND"].put) == {"added": 2}
    assert dict(published.changes["AF-FUND"].removed) == {"corrected": 2}  # they went by their concept
    touched = service.rows("SELECT service_id FROM serving.fundamentals_fact WHERE published_in = 2")
    assert {row[0] for row in touched} == {service.id_of(uses.identifier), service.id_of(also.identifier)}
    versions = service.rows(
        "SELECT count(DISTINCT version) FROM ops.edition_version WHERE part = 'line_items'"
    )
    assert versions == [(2,)]


def test_a_restore_goes_on_above_the_highest_number_ever_issued(service):
    filer = Filer(1).says(1, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    ((instance,),) = service.rows("SELECT instance_id FROM ops.instance")
    service.objects.replace(f"instances/{instance}/highest-edition", b"41")
    service.ingest(filer.says(2, filed="2024-06-01").document())
    assert service.publish().edition == 42


def test_merges_that_make_no_sense_are_refused(service):
    one, two = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(2, filed="2024-02-01", period=FY2022)
    service.ingest(one.document(), two.document())
    service.publish()
    first, second = service.id_of(one.identifier), service.id_of(two.identifier)
    service.merge(first, second)
    with pytest.raises(Refused, match="already resolves"):
        service.merge(second, first)
    with pytest.raises(Refused, match="never issued"):
        service.merge(first, "DC0000000000000")


def test_a_filing_dated_after_we_fetched_it_is_rejected_with_a_reason(service):
    filer = Filer(1).says(1, filed="2024-02-01").says(2, filed="2026-01-07")
    (batch,) = service.ingest(filer.document())
    assert batch.rejected == {"filed_after_fetch": 1}
    assert service.rows("SELECT reason, rows_rejected FROM ops.rejection") == [("filed_after_fetch", 1)]
    service.publish()
    assert service.rows("SELECT max(available_at) FROM serving.fundamentals_fact") == [(date(2024, 2, 1),)]


def test_what_is_committed_while_an_edition_is_built_belongs_to_the_next(service):
    early, late = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(2, filed="2024-02-01")
    service.ingest(early.document(), late.document())
    service.publish()
    restated = early.says(5, filed="2024-03-01").document()
    newer = late.says(6, filed="2024-03-01").document()
    service.ingest(restated)
    publisher = service.publisher()
    judgements, *others = publisher.walks
    entities, fundamentals, *later = judgements.judged_for

    class Interleaved(type(fundamentals)):
        def touch_for_rules(self, connection, before):
            super().touch_for_rules(connection, before)
            service.ingest(newer)
            everybody = "INSERT INTO build.touched_subject SELECT subject_id FROM ledger.subject"
            connection.execute(f"{everybody} ON CONFLICT DO NOTHING")

    interleaved = Interleaved(service.line_items)
    walks = (replace(judgements, judged_for=(entities, interleaved, *later)), *others)
    assert publish(replace(publisher, walks=walks)).edition == 2

    def values(filer, edition):
        service_id = service.id_of(filer.identifier)
        return [row["value_reported"] for row in service.facts(service_id, edition=edition)]

    assert (values(early, 2), values(late, 2)) == ([5], [2])
    service.await_edition(service.publish().edition)
    assert (values(late, 2), values(late, 3)) == ([2], [6])
