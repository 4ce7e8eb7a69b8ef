"""Seals outlive the schema: after a migration, older editions are verified as they were sealed."""

from __future__ import annotations

from support.filings import FY2022, FY2023, Filer
from support.verifying import tampered, untouched, verify

CHANGED = (
    # Not empty in rows that are sealed already.
    "ALTER TABLE serving.fundamentals_fact ADD COLUMN reviewed boolean NOT NULL DEFAULT TRUE",
    "ALTER TABLE serving.provenance ADD COLUMN archive text NOT NULL DEFAULT 'documents'",
    "SELECT ops.renew_form('serving.fundamentals_fact')",
    "SELECT ops.renew_form('serving.provenance')",
)


def test_editions_from_before_and_after_a_change_are_verified_each_by_its_own_columns(service):
    filers = [Filer(1).says(100, filed="2023-03-01", period=FY2022), Filer(2).says(200, filed="2023-03-02")]
    for filer in filers:
        service.ingest(filer.document())
    service.publish()
    with service.connect("migrate") as owner, owner.transaction():
        owner.execute("SET ROLE sankofa_owner")
        for statement in CHANGED:
            owner.execute(statement)
    assert untouched(service)
    for filer in filers:
        service.ingest(filer.says(300, filed="2024-03-01", period=FY2023).document())
    service.publish()
    assert untouched(service)
    part = "serving.fundamentals_fact"
    with tampered(service, part, "SET reviewed = FALSE", where="published_in = 2") as key:
        code, findings, _ = verify(service)
        assert code == 1
        assert any(f"{part} {key}" in finding for finding in findings), findings
    assert untouched(service)
    # Rows of both editions go, and their tombstones stand for them.
    service.take_down(service.id_of(filers[0].identifier))
    ((editions,),) = service.rows(
        "SELECT count(DISTINCT published_in) FROM ops.tombstone WHERE dataset = 'fundamentals_fact'"
    )
    assert editions == 2
    assert untouched(service)
