"""Other rules judge everybody anew: who comes to light is listed, who may not be shown is taken down."""

from __future__ import annotations

from dataclasses import replace

from sankofa.entities import establish
from sankofa.entities.organisations import RULES
from support.stated_organisations import SOURCE, document, record

STRICTER = replace(RULES, version="org-test", exchanges=frozenset())


def shown(service, edition):
    return service.rows(
        "SELECT legal_name FROM serving.organisation WHERE published_in <= %s AND superseded_in > %s",
        edition,
        edition,
    )


def listed_company(service, rules):
    service.rules = rules
    service.ingest(
        document(record("ticker:XNAI:ABC", "Kilimo Bora", country="KE", marks=("listed:XNAI",))),
        source_name=SOURCE,
    )
    return service.publish()


def test_whom_other_rules_show_is_listed_with_the_evidence(service):
    assert listed_company(service, STRICTER).changed_rules == frozenset()
    assert shown(service, 1) == []
    service.rules = RULES
    published = service.publish()
    assert published.changed_rules == {"organisation_rules"}
    assert (shown(service, 1), shown(service, 2)) == ([], [("Kilimo Bora",)])
    with service.connect("publish") as connection:
        assert establish.rules_before(connection, RULES.version) == STRICTER.version
        [flip] = establish.flips(connection, STRICTER.version, RULES.version)
        assert (flip.service_id, flip.legal_name) == (service.id_of("ticker:XNAI:ABC"), "Kilimo Bora")
        assert flip.evidence == ["listing A3 XNAI"]
        newest, first = establish.judgements(connection, flip.service_id)
    assert (newest.is_established, first.is_established) == (True, False)
    assert service.publish() is None


def test_whom_other_rules_withhold_is_gone_from_every_edition(service):
    listed_company(service, RULES)
    assert shown(service, 1) == [("Kilimo Bora",)]
    service.rules = STRICTER
    published = service.publish()
    assert (shown(service, 1), shown(service, published.edition)) == ([], [])
    assert service.rows("SELECT kind FROM ledger.takedown") == [("withheld",)]
    assert service.rows("SELECT dataset FROM ops.tombstone ORDER BY dataset") == [
        ("issued_id",),
        ("organisation",),
    ]
    assert service.publish() is None
    service.rules = RULES
    again = service.publish()
    assert (shown(service, 1), shown(service, again.edition)) == ([], [("Kilimo Bora",)])


def test_every_id_of_a_party_that_is_withheld_is_gone(service):
    listing = record("ticker:XNAI:ABC", "Kilimo Bora", country="KE", marks=("listed:XNAI",))
    supplier = record("party:1", "Kilimo Bora", country="KE", marks=("role:supplier",))
    service.ingest(document(listing, supplier), source_name=SOURCE)
    service.publish()
    answering, merged = service.id_of("party:1"), service.id_of("ticker:XNAI:ABC")
    assert service.rows("SELECT DISTINCT resolves_to FROM serving.issued_id") == [(answering,)]
    service.rules = STRICTER
    service.publish()
    assert sorted(service.rows("SELECT target FROM ledger.takedown")) == sorted([(answering,), (merged,)])
    assert service.rows("SELECT service_id FROM serving.issued_id") == []
