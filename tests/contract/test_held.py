"""EDN-8: what changes more than is usual waits for a decision, and nothing else waits for it."""

from __future__ import annotations

from datetime import date

import pytest

from sankofa.core.errors import HeldBack, Refused
from sankofa.drift.holds import decide
from sankofa.storage.postgres import InsufficientPrivilege
from support.command import sankofa
from support.filings import FY2022, Filer
from support.holding import decision
from support.stated_macro import indicator
from support.stated_organisations import SOURCE as REGISTER
from support.stated_organisations import document, record
from support.stated_tenders import CITY, SOURCE, package, release, tender, tenders

LOGINS = ("read", "ingest", "publish", "privacy", "export", "keys", "follow")


@pytest.fixture(autouse=True)
def _strict_reviewer(service):
    service.has_lenient_reviewer = False


def revenue(service, filer):
    return {row["value_reported"] for row in service.facts(service.id_of(filer.identifier))}


@pytest.fixture
def filed(service):
    """Return a service that serves a filer's revenue of 1,100,000,000, and the filer."""
    filer = Filer(1).says(1_100_000_000, filed="2024-02-01").says(9, filed="2023-02-01", period=FY2022)
    service.ingest(filer.document())
    service.publish()
    return service, filer


@pytest.mark.proves("EDN-8")
def test_a_document_that_restates_revenue_to_zero_is_held_back_and_its_rows_are_named(filed):
    service, filer = filed
    (batch,) = service.ingest(filer.says(0, filed="2024-06-01").document())
    [reason] = batch.held
    assert reason.message.startswith("1 of 1 compared values become 0 (bound: 1 and more than 1%")
    row = "cik:0000000001 ifrs-full:Revenue 2023-12-31 KES of filing 0000000001-24-000601"
    assert reason.named == (f"{row}: 1100000000 → 0",)
    assert service.publish() is None
    assert revenue(service, filer) == {1_100_000_000, 9}
    listed = sankofa(service, "held")
    assert "demo-companyfacts (AF-FUND)" in listed
    assert f"{row}: 1100000000 → 0" in listed
    assert "sankofa held release 1 --because" in listed


@pytest.mark.proves("EDN-8")
def test_what_is_released_becomes_current_and_who_released_it_when_and_why_is_recorded(filed):
    service, filer = filed
    service.ingest(filer.says(0, filed="2024-06-01").document())
    service.publish()
    done = sankofa(service, "held", "release", "1", "--because", "the filer confirmed it")
    assert "hold 1 (batch 2, a document of demo-companyfacts (AF-FUND), sha256 " in done
    assert service.publish().edition == 2
    assert revenue(service, filer) == {0, 9}
    assert service.rows("SELECT held, is_released, because, decided_by FROM ops.held_decision") == [
        (1, True, "the filer confirmed it", "sankofa_review")
    ]
    with service.connect("review") as connection, pytest.raises(Refused, match="hold 1 was released before"):
        decide(connection, [1], release=False, because="a mistake")


@pytest.mark.proves("EDN-8")
def test_what_is_refused_never_becomes_current_and_blocks_nothing(filed):
    service, filer = filed
    service.ingest(filer.says(0, filed="2024-06-01").document())
    decision(service, release=False)
    assert service.publish() is None
    service.ingest(Filer(2).says(5, filed="2024-03-01").document())
    assert service.publish().edition == 2
    assert revenue(service, filer) == {1_100_000_000, 9}
    assert "nothing is held back" in sankofa(service, "held")
    assert "refused by sankofa_review" in sankofa(service, "held", "--all")


@pytest.mark.proves("EDN-8")
def test_a_flood_of_tenders_is_held_back_and_everything_else_is_published(service):
    ordinary = [
        package(release(f"o-{number}", buyer={"name": CITY}, tender=tender(5))) for number in range(4)
    ]
    service.ingest(*ordinary[:3], source_name=SOURCE)
    service.publish()
    flood = package(*(release(f"f-{number}", tender=tender(5)) for number in range(3_000)))
    (batch,) = service.ingest(flood, source_name=SOURCE)
    [reason] = batch.held
    assert reason.message.startswith("3,000 new rows; the largest of 3 documents before had 1 (bound: 1,000")
    service.ingest(ordinary[3], source_name=SOURCE)
    published = sankofa(service, "publish")
    assert "edition 2" in published
    assert "held back: 1, waiting for a decision; `sankofa held` lists them and says why" in published
    assert len(tenders(service, country="ZA", limit=100)) == 4
    decision(service, release=True)
    service.publish()
    assert service.rows("SELECT count(*) FROM serving.tender_release WHERE superseded_in > 3") == [(3_004,)]


@pytest.mark.proves("EDN-8")
def test_a_document_of_ten_times_the_largest_before_is_ordinary_and_one_row_more_is_not(service):
    for source in (SOURCE, "demo-tenders-ke"):  # documents of one source say nothing of another's
        largest = 100 if source == SOURCE else 1
        for number, releases in enumerate((1, 1, largest)):
            service.ingest(_package(f"{source}-{number}", releases), source_name=source)
    service.publish()
    (ordinary,) = service.ingest(_package("ten-times", 1_000), source_name=SOURCE)
    (flood,) = service.ingest(_package("more", 1_001), source_name=SOURCE)
    (other,) = service.ingest(_package("elsewhere", 1_000), source_name="demo-tenders-ke")
    assert ordinary.held == ()
    assert [reason.message.split(" (")[0] for reason in flood.held + other.held] == [
        "1,001 new rows; the largest of 3 documents before had 100",
        "1,000 new rows; the largest of 3 documents before had 1",
    ]


def _package(name, releases):
    return package(*(release(f"{name}-{number}", tender=tender(5)) for number in range(releases)))


@pytest.mark.proves("EDN-8")
def test_the_first_load_of_a_source_is_never_held_back(service):
    filer = Filer(1).says(1_100_000_000, filed="2024-02-01")
    service.ingest(filer.document())
    (batch,) = service.ingest(filer.says(0, filed="2024-06-01").document())
    assert batch.held == ()
    service.publish()
    assert revenue(service, filer) == {0}
    (other,) = service.ingest(indicator({("KEN", 2020): "1"}), source_name="demo-world-bank")
    assert other.held == ()


@pytest.mark.proves("EDN-8")
def test_no_login_but_the_reviewers_can_write_a_decision(filed):
    service, filer = filed
    service.ingest(filer.says(0, filed="2024-06-01").document())
    for login in LOGINS:
        with service.connect(login) as connection:
            connection.execute("SET default_transaction_read_only = off")
            with pytest.raises(InsufficientPrivilege):
                connection.execute(
                    "INSERT INTO ops.held_decision (held, is_released, because) VALUES (1, true, 'x')"
                )


def companies(service, count, *, marks, day):
    records = [
        record(f"ticker:XNAI:T{number}", f"Kilimo {number}", country="KE", marks=marks, day=day)
        for number in range(count)
    ]
    return service.ingest(document(*records), source_name=REGISTER)


@pytest.mark.proves("EDN-8")
def test_a_build_that_would_take_down_too_many_waits_and_everything_else_is_published(service):
    companies(service, 120, marks=("listed:XNAI",), day=date(2024, 1, 1))
    service.publish()
    companies(service, 120, marks=(), day=date(2024, 2, 1))
    with pytest.raises(HeldBack, match="120 ids would be taken down, and 100 may be"):
        service.publish()
    assert service.rows("SELECT count(*) FROM ledger.takedown") == [(0,)]
    service.ingest(Filer(1).says(5, filed="2024-03-01").document())
    assert service.publish().edition == 2
    assert service.rows("SELECT count(*) FROM serving.organisation WHERE superseded_in > 2") == [(121,)]
    decision(service, release=True)
    service.publish()
    assert service.rows("SELECT count(*) FROM ledger.takedown") == [(120,)]
    assert service.rows("SELECT count(*) FROM serving.organisation WHERE superseded_in > 3") == [(1,)]
