"""Drift: answers are as if a document that is held back had never come, or had come in its place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sankofa.core.errors import HeldBack
from sankofa.entities.organisations import RULES
from sankofa.storage.postgres import InsufficientPrivilege
from support.filings import FY2022, Filer
from support.holding import decision
from support.stated_macro import indicator
from support.stated_organisations import SOURCE as REGISTER
from support.stated_organisations import document, record
from support.verifying import untouched

WORLD_BANK = "demo-world-bank"
STRICTER = replace(RULES, version="org-test", exchanges=frozenset())


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


def test_what_a_later_document_repeats_of_one_held_back_is_published_with_it(filed):
    """The ledger keeps what is new: a document that nobody may see makes nothing old."""
    service, filer = filed
    poisoned = Filer(1, said=[*filer.said]).says(0, filed="2024-06-01", filing="0000000001-24-000777")
    poisoned.says(700, filed="2024-07-01", period=("2024-01-01", "2024-06-30"))
    service.ingest(poisoned.document())
    assert service.publish() is None
    mended = filer.says(700, filed="2024-07-01", period=("2024-01-01", "2024-06-30"))
    service.ingest(mended.document())
    service.publish()
    assert revenue(service, filer) == {1_100_000_000, 9, 700}
    decision(service, release=True)
    service.await_edition(service.publish().edition)
    assert revenue(service, filer) == {0, 9, 700}
    assert untouched(service)


@pytest.fixture
def tabled(service):
    """Return a service with a table of twenty years, and its values."""
    values = {("KEN", year): str(1_000 + year) for year in range(2000, 2020)}
    service.ingest(indicator(values, updated="2024-01-01"), source_name=WORLD_BANK)
    service.publish()
    return service, values


def served(service):
    return {
        (year, value)
        for year, value in service.rows(
            "SELECT extract(year FROM period_end)::integer, value FROM serving.macro_value"
            " WHERE superseded_in = 2147483647 AND known_until = 'infinity'"
        )
    }


@pytest.mark.parametrize("outcome", ["waits", "refused", "released"])
def test_series_stand_with_the_document_that_is_held_back_and_without_it(tabled, outcome):
    """Snapshots are kept as differences, and what follows one held back must not rest on it."""
    service, values = tabled
    doubled = {key: str((2 + key[1] % 3) * int(value)) for key, value in values.items()}  # or more
    (batch,) = service.ingest(indicator(doubled, updated="2024-02-01"), source_name=WORLD_BANK)
    assert [reason.message.split(" (")[0] for reason in batch.held] == [
        "14 of 20 compared values are restated"
    ]
    third = values | {("KEN", 2000): doubled["KEN", 2000]}  # repeats one value of the document held back
    (batch,) = service.ingest(indicator(third, updated="2024-03-01"), source_name=WORLD_BANK)
    assert batch.held == ()
    if outcome != "waits":
        decision(service, release=outcome == "released")
    service.publish()
    assert served(service) == {(year, int(value)) for (_, year), value in third.items()}
    of_2001 = service.rows(
        "SELECT value FROM serving.macro_value WHERE period_end = '2001-12-31'"
        " AND superseded_in = 2147483647 ORDER BY vintage"
    )
    plain, twice = int(values["KEN", 2001]), int(doubled["KEN", 2001])
    expected = [plain, twice, plain] if outcome == "released" else [plain]
    assert [value for (value,) in of_2001] == expected
    assert untouched(service)


def test_the_publisher_cannot_take_in_what_is_held_back(filed):
    service, filer = filed
    service.ingest(filer.says(0, filed="2024-06-01").document())
    with service.connect("publish") as connection:
        connection.execute("INSERT INTO ops.edition_build (edition) VALUES (2)")
        with pytest.raises(InsufficientPrivilege, match="held back and not released"):
            connection.execute("INSERT INTO ops.edition_holds VALUES ('batch', 2, 2)")


@pytest.fixture
def listed(service):
    """Return a service with 120 companies that are established by their listing."""
    companies = [
        record(f"ticker:XNAI:T{number}", f"Kilimo {number}", country="KE", marks=("listed:XNAI",))
        for number in range(120)
    ]
    service.ingest(document(*companies), source_name=REGISTER)
    service.publish()
    return service


def test_rules_that_would_take_down_too_many_wait_for_a_decision(listed):
    listed.rules = STRICTER
    for _ in range(2):  # the second build finds the hold of the first
        with pytest.raises(HeldBack, match="120 ids would be taken down, and 100 may be"):
            listed.publish()
    assert listed.rows("SELECT held, rules, takedowns FROM ops.held") == [(1, "org-test", 120)]
    assert listed.rows("SELECT count(*) FROM ledger.takedown") == [(0,)]
    decision(listed, release=True)
    assert listed.publish().edition == 2
    assert listed.rows("SELECT count(*) FROM ledger.takedown") == [(120,)]


def test_a_stolen_login_of_the_publisher_takes_down_no_more_than_the_bound(listed):
    take_down = "SELECT ops.take_down_withheld(service_id, service_id, true) FROM ops.issued_id LIMIT {}"
    with listed.connect("publish") as connection:
        connection.execute("INSERT INTO ops.edition_build (edition) VALUES (2)")
        with pytest.raises(InsufficientPrivilege, match="more in 24 hours than anybody released"):
            connection.execute(take_down.format(101))
        assert len(connection.execute(take_down.format(100)).fetchall()) == 100
