"""What editions touch, as the publisher records it and as readers learn of it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sankofa.editions import touched
from sankofa.storage.edition import WHOLE, bucket
from sankofa.storage.postgres import InsufficientPrivilege
from support.asking import asking
from support.filings import FY2022, Filer
from support.organisations import company, id_of_lei, list_shares, register
from support.stated_tenders import CITY, SOURCE, package, release, tender

# A day passes: everything that is dated, but what the ledger holds, lies one day further back.
_A_DAY_LATER = """
ALTER TABLE serving.edition DISABLE TRIGGER ALL;
ALTER TABLE serving.identifier DISABLE TRIGGER ALL;
ALTER TABLE ops.due DISABLE TRIGGER ALL;
UPDATE serving.edition SET published_at = published_at - interval '1 day';
UPDATE serving.identifier SET valid_to = valid_to - 1;
UPDATE ops.due SET day = day - 1;
ALTER TABLE serving.edition ENABLE ALWAYS TRIGGER coming_edition;
"""
_UNRECORDED = """
INSERT INTO ops.edition_build (edition) VALUES (2);
INSERT INTO serving.edition (edition, mark, changes) VALUES (2, 'aaaaaaaa', '{}')
"""
_LOST = """
ALTER TABLE serving.edition DISABLE TRIGGER ALL;
UPDATE serving.edition SET mark = 'zzzzzzzz' WHERE edition = 2;
ALTER TABLE serving.edition ENABLE ALWAYS TRIGGER coming_edition;
"""


def published(service, *filers):
    service.ingest(*(filer.document() for filer in filers))
    service.publish()
    return [service.id_of(filer.identifier) for filer in filers]


def release_tender(service, number):
    stated = release(f"o-{number}", buyer={"name": CITY}, tender=tender(number))
    service.ingest(package(stated), source_name=SOURCE)
    return service.publish().edition


def recorded(service, dataset, edition):
    """Return the buckets of a dataset that an edition was the last to touch."""
    found = service.rows(
        "SELECT bucket FROM serving.touched WHERE dataset = %s AND edition = %s", dataset, edition
    )
    return {one for (one,) in found}


def test_the_first_edition_touches_everything_and_later_ones_what_they_change(service):
    one, two = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(2, filed="2024-02-01")
    first, _ = published(service, one, two)
    tables = [table.name for table in service.publisher().tables]
    assert all(recorded(service, table, 1) == {WHOLE} for table in (*tables, "edition", "day"))
    published(service, one.says(3, filed="2024-06-01"))
    assert recorded(service, "fundamentals_fact", 2) == {bucket(first)}
    assert recorded(service, "edition", 2) == {WHOLE}
    assert recorded(service, "day", 2) == recorded(service, "tender_release", 2) == set()


def test_a_closed_row_touches_its_key_also_if_nothing_takes_its_place(service):
    register(service, company(7, "Umoya Holdings Ltd"), company(8, "Khanya Holdings Ltd"))
    list_shares(service, ("XNAI", "UMO", "Umoya Holdings Ltd", "KE", "", "", "2020-01-01", ""))
    service.publish()
    one, two = Filer(1).says(1, filed="2024-02-01"), Filer(2).says(2, filed="2023-02-01", period=FY2022)
    duplicate, survivor = published(service, one, two)
    service.merge(duplicate, survivor)
    edition = service.publish().edition
    assert {bucket(duplicate), bucket(survivor)} <= recorded(service, "fundamentals_fact", edition)
    assert recorded(service, "organisation", edition) >= {bucket(duplicate)}


def test_from_a_number_of_changed_rows_on_all_keys_count_as_touched(service, monkeypatch):
    filers = [Filer(number).says(1, filed="2024-02-01") for number in range(1, 6)]
    published(service, *filers)
    monkeypatch.setattr(touched, "BULK", 3)
    published(service, *(filer.says(2, filed="2024-06-01") for filer in filers[:2]))
    assert WHOLE not in recorded(service, "fundamentals_fact", 2)
    published(service, *(filer.says(3, filed="2024-07-01") for filer in filers[:3]))
    assert recorded(service, "fundamentals_fact", 3) == {WHOLE}


def test_only_the_build_in_progress_touches_anything(service):
    published(service, Filer(1).says(1, filed="2024-02-01"))
    attacks = (
        "INSERT INTO serving.touched (dataset, bucket, edition) VALUES ('signal', 5, 1)",
        "INSERT INTO serving.touched (dataset, bucket, edition) VALUES ('signal', 5, 2)",
        "UPDATE serving.touched SET edition = 0",
        "UPDATE serving.touched SET edition = 9",
        "DELETE FROM serving.touched",
        "DELETE FROM ops.due",
    )
    for attack in attacks:
        with service.connect("publish") as connection, pytest.raises(InsufficientPrivilege):
            connection.execute(attack)


def test_after_an_edition_that_recorded_nothing_everything_counts_as_touched(service):
    (issuer,) = published(service, Filer(1).says(1, filed="2024-02-01"))
    with asking(service) as asker:
        with service.connect("publish") as connection:
            connection.execute(_UNRECORDED)
        assert asker.poll() == asker.edition("fundamentals", service_id=issuer) == 2
        assert release_tender(service, 3) == asker.poll()
        assert asker.edition("fundamentals", service_id=issuer) == 3
        assert release_tender(service, 4) == asker.poll()
        assert asker.edition("fundamentals", service_id=issuer) == 3


def test_a_reader_forgets_what_editions_touched_that_a_restore_undid(service):
    (issuer,) = published(service, Filer(1).says(1, filed="2024-02-01"))
    published(service, Filer(1).says(2, filed="2024-02-01"))
    with asking(service) as asker:
        assert asker.question("fundamentals", service_id=issuer).page.edition.number == 2
        with service.connect() as admin:
            admin.execute(_LOST)
        release_tender(service, 3)
        asker.poll()
        assert asker.question("fundamentals", service_id=issuer).page.edition.mark == "zzzzzzzz"


def test_a_row_touches_its_key_again_on_a_day_that_lay_ahead_when_it_was_published(service):
    register(service, company(7, "Umoya Holdings Ltd"), company(8, "Khanya Holdings Ltd"))
    ((today,),) = service.rows("SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date")
    tomorrow = (today + timedelta(days=1)).isoformat()
    list_shares(service, ("XNAI", "UMO", "Umoya Holdings Ltd", "ZA", "", "", "2020-01-01", tomorrow))
    service.publish()
    with asking(service) as asker:
        ids = [
            service_id
            for (service_id,) in service.rows(
                "SELECT service_id FROM serving.identifier WHERE id_type = 'ticker'"
            )
        ]
        held = asker.answer("crosswalk", service_id=ids[0])["data"]
        assert "ticker" in {row["id_type"] for row in held}
        other = id_of_lei(service, 8)
        release_tender(service, 1)
        asker.poll()
        assert asker.edition("crosswalk", service_id=ids[0]) == 1
    with service.connect() as admin:
        admin.execute(_A_DAY_LATER)
    with asking(service) as asker:
        current = release_tender(service, 2)
        asker.poll()
        assert asker.edition("crosswalk", service_id=other) == 1
        assert asker.edition("crosswalk", service_id=ids[0]) == current
        assert "ticker" not in {
            row["id_type"] for row in asker.answer("crosswalk", service_id=ids[0])["data"]
        }
        # Whatever depends on the day alone is answered by the first edition of the day.
        assert asker.edition("screen", metric="net_margin") == current
        release_tender(service, 3)
        asker.poll()
        assert asker.edition("screen", metric="net_margin") == current
