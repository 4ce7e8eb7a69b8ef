"""Facts that a process keeps change no answer (ADR 0082)."""

from __future__ import annotations

from itertools import product

from sankofa.storage.queries import named
from support.asking import asking
from support.filings import FY2022, Filer

WHOLE = named("sankofa.fundamentals")["facts_of_issuer"]
BY_ROW = named("sankofa.fundamentals")["facts_by_row"]
NAMES = named("sankofa.fundamentals", "queries.sql", "named")["facts_of_issuer"]
DAYS = ("2023-01-01", "2023-03-01", "2023-05-31", "2023-06-01", "2024-02-01", "2024-12-31")
VINTAGES = ("latest", "as_reported", "all")


def restated(service):
    """Publish two editions: a value restated twice, and with it a filing that came late."""
    filer = Filer(1)
    for value, filed in (("5.0", "2023-03-01"), ("7", "2023-09-01"), ("7.00", "2024-02-01")):
        filer.says(value, filed=filed, period=FY2022).says(value, filed=filed)
    service.ingest(filer.document())
    service.publish()
    filer.says("6.10", filed="2023-06-01", period=FY2022).says(None, filed="2024-12-01")
    service.ingest(filer.document())
    service.publish()
    return service.id_of(filer.identifier)


def questions(issuer):
    items = ({}, {"line_item": "revenue"}, {"limit": 1})
    for as_of, vintages, edition, narrowed in product(DAYS, VINTAGES, (1, 2), items):
        asked = {"as_of": as_of, "vintages": vintages, "edition": edition}
        yield {"service_id": issuer, **asked, **narrowed}


def test_answers_are_the_same_whatever_a_process_keeps(service):
    asked = list(questions(restated(service)))
    with asking(service, kept_rows=0) as none, asking(service, kept_rows=2) as few, asking(service) as all_:
        for one in asked:
            expected = repr(none.answer("fundamentals", **one))  # tells 7 from 7.00
            assert repr(few.answer("fundamentals", **one)) == expected, one
            assert repr(all_.answer("fundamentals", **one)) == expected, one
        statements = all_.reader.statements
        assert statements.count(WHOLE) == statements.index(NAMES)  # only while it kept nothing
        assert BY_ROW in statements
        statements.clear()
        for one in asked:
            assert repr(all_.answer("fundamentals", **one)) == repr(none.answer("fundamentals", **one)), one
        assert set(statements) == {NAMES}


def test_nothing_is_kept_after_a_takedown(service):
    issuer = restated(service)
    with asking(service) as asker:
        (fact, *_) = asker.answer("fundamentals", service_id=issuer)["data"]
        assert len(asker.reader.kept)
        service.take_down(issuer, fact["fact_id"])
        asker.poll()
        assert not len(asker.reader.kept)
        left = asker.answer("fundamentals", service_id=issuer, vintages="all")["data"]
        assert left
        assert fact["fact_id"] not in {one["fact_id"] for one in left}
