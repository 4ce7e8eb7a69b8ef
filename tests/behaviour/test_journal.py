"""The journal: what was decided after a backup holds after its restore, whatever was lost in between."""

from __future__ import annotations

import hashlib
import json

import httpx
import obstore
import pytest

from dev.follower import Follower
from dev.service import wait_until
from sankofa.access import records
from sankofa.storage.redis import JobStore
from support.filings import Filer
from support.organisations import company, person, register
from support.restoring import Backup, cut_off_registry, run

RECOVERY = 30.0  # seconds for a busy machine; no promise


@pytest.fixture
def service(make_service):
    service = make_service()
    service.ingest(*(Filer(n).says(100, filed="2024-02-01").document() for n in (1, 2)))
    service.publish()
    return service


@pytest.fixture
def follower(service):
    follower = Follower(service.installation)
    follower.start()
    yield follower
    follower.destroy()


def folder(service, kind):
    return f"{kind}/{service.rows('SELECT instance_id FROM ops.instance')[0][0]}/"


def kept(service, kind):
    """Return the records of the journal in their order, each with its name."""
    names = sorted(service.journal.keys(folder(service, kind)))
    return {name: json.loads(service.journal.fetch(name)) for name in names}


def status(service, key):
    return httpx.get(f"{service.api.url}/v1/editions", headers={"X-API-Key": key}, timeout=15).status_code


def gets(service, key, wanted):
    return wait_until(lambda: status(service, key) == wanted, RECOVERY)


def revoke(service, issued):
    return run(service, "keys", "revoke", issued.key_id)


def take_down(service, filer):
    return run(service, "takedown", service.id_of(filer.identifier), "--yes", "--reason", "asked to")


def caught_up(service):
    # The archive of the stack has the documents of other tests too: this one has none.
    done = run(service, "catch-up", SANKOFA_S3_BUCKET="stack-probe")
    assert done.exit_code == 0, f"{done.output}{done.exception}"
    return done.output


def test_a_decision_is_in_the_journal_when_its_command_ends(service):
    issued = service.issue("starter")
    assert revoke(service, issued).exit_code == 0
    assert take_down(service, Filer(1)).exit_code == 0
    of_keys, of_takedowns = kept(service, "keys"), kept(service, "takedowns")
    recorded = service.rows(
        "SELECT kind, key_hash, ends_at IS NULL FROM ops.key_event WHERE key_id = %s ORDER BY event",
        issued.key_id,
    )
    assert [(one["kind"], one["key_hash"], one["ends_at"] is None) for one in of_keys.values()] == recorded
    assert [(one["takedown"], one["kind"], one["reach"]) for one in of_takedowns.values()] == [
        (1, "issuer", "organisation")
    ]
    for name in (*of_keys, *of_takedowns):
        number, _, digest = name.rpartition("/")[2].partition("-")
        assert int(number) in (1, 2)
        assert hashlib.sha256(service.journal.fetch(name)).hexdigest() == digest


def test_the_follower_adds_what_a_crash_left_out(service, follower):
    follower.stop()
    with cut_off_registry(service) as registry:
        registry.issue("starter", "before")
    service.take_down(service.id_of(Filer(1).identifier))  # the function alone, as a crash after it leaves it
    assert (kept(service, "keys"), kept(service, "takedowns")) == ({}, {})
    follower.start()
    assert wait_until(
        lambda: (len(kept(service, "keys")), len(kept(service, "takedowns"))) == (1, 1), RECOVERY
    )
    with cut_off_registry(service) as registry:
        registry.issue("starter", "meanwhile")
    service.take_down(service.id_of(Filer(2).identifier))
    assert wait_until(
        lambda: (len(kept(service, "keys")), len(kept(service, "takedowns"))) == (2, 2), RECOVERY
    )


def test_a_database_that_went_back_decides_nothing_and_opens_nothing(service, follower):
    valid, revoked = service.issue(), service.issue()
    backup = Backup(service)
    follower.stop()
    assert revoke(service, revoked).exit_code == 0
    assert take_down(service, Filer(1)).exit_code == 0
    store = JobStore(service.settings.key_store())
    backup.restore()
    store.apply([("SET", records.SENTINEL, 2)])  # as old as the backup: nothing else tells it from a good one
    for command in (["keys", "revoke", valid.key_id], ["keys", "sync"], ["publish"]):
        done = run(service, *command)
        assert (done.exit_code, "catch-up" in done.output) == (1, True), command
    assert "catch-up" in take_down(service, Filer(2)).output

    follower.start()
    assert wait_until(lambda: store.ask("GET", records.SENTINEL) is None, RECOVERY)
    assert {status(service, valid.key), status(service, revoked.key)} == {503}
    assert "takedowns repeated: 1" in caught_up(service)
    assert gets(service, valid.key, 200)
    assert gets(service, revoked.key, 401)
    assert "takedowns repeated: 0" in caught_up(service)
    assert revoke(service, valid).exit_code == 0
    store.close()


def test_a_key_store_that_survived_tells_what_never_reached_the_journal(service):
    revoked, changed = service.issue(), service.issue("sample")
    rotated = service.issue()
    backup = Backup(service)
    with cut_off_registry(service) as registry:
        registry.revoke(revoked.key_id)
        registry.change_tier(changed.key_id, "starter")
        successor = registry.rotate(rotated.key_id)
    since = registry_end(service)
    backup.restore()
    assert "key events entered: 0 from the journal, 4 from the key store" in caught_up(service)
    assert registry_end(service) > since
    got = [status(service, issued.key) for issued in (revoked, changed, rotated, successor)]
    assert got == [401, 200, 200, 200]
    with service.installation.registry() as registry:
        standing = {key.key_id: key for key in registry.registered()}
    assert standing[changed.key_id].tier == "starter"
    assert standing[rotated.key_id].ends_at is not None
    peppers = [standing[one.key_id].pepper_id for one in (revoked, rotated, successor)]
    assert peppers == [service.settings.key_hash().pepper_ids[0]] * 2 + [None]
    assert "entered: 0 from the journal, 0 from the key store" in caught_up(service)


def test_a_key_from_the_journal_is_known_with_its_pepper(service):
    backup = Backup(service)
    issued = service.issue()
    backup.restore()
    assert "key events entered: 1 from the journal" in caught_up(service)
    with service.installation.registry() as registry:
        assert {key.key_id: key.pepper_id for key in registry.registered()} == {
            issued.key_id: service.settings.key_hash().pepper_ids[0]
        }


def registry_end(service):
    return service.rows("SELECT max(event) FROM ops.key_event")[0][0]


def test_decisions_of_two_histories_all_hold(service):
    """Somebody decides on a restored database while S3 is down, so that numbers are given twice."""
    store = JobStore(service.settings.key_store())
    first, second, third = service.issue(), service.issue(), service.issue("sample")
    backup = Backup(service)
    assert revoke(service, first).exit_code == 0
    run(service, "keys", "tier", second.key_id, "starter")
    issued = service.issue()
    take_down(service, Filer(1))
    backup.restore()
    store.ask("FLUSHDB")
    with cut_off_registry(service) as registry:
        registry.revoke(second.key_id)  # the journal's change of tier comes after it, and must not undo it
        registry.change_tier(third.key_id, "starter")
    service.take_down(service.id_of(Filer(2).identifier))
    for _ in range(2):
        caught_up(service)
    assert [status(service, one.key) for one in (first, second, third, issued)] == [401, 401, 200, 200]
    assert service.rows("SELECT DISTINCT service_id FROM serving.issued_id") == []
    assert service.rows("SELECT array_agg(takedown ORDER BY takedown) FROM ledger.takedown") == [([1, 2],)]
    store.close()


def test_takedowns_from_before_the_journal_are_read_from_their_tombstones(service):
    service.ingest(Filer(3).says(7, filed="2024-02-01").document())
    register(service, company(1, "Qondisa Trading Ltd"))
    service.publish()
    fact_id = service.rows("SELECT fact_id FROM serving.fundamentals_fact ORDER BY row_id DESC LIMIT 1")[0][0]
    service.take_down(service.id_of(Filer(3).identifier), fact_id)
    service.take_down(service.id_of(Filer(1).identifier))
    register(service, person(1, "Qondisa Trading Ltd", updated="2024-08-01T00:00:00Z"))
    service.publish()
    stated = "SELECT * FROM ops.takedown_order ORDER BY takedown"
    recorded = service.rows(stated)
    assert [row[1:3] for row in recorded] == [
        ("fact", "fact"), ("issuer", "organisation"), ("withheld", "organisation")
    ]  # fmt: skip
    with service.connect() as admin:
        admin.execute("ALTER TABLE ledger.takedown DISABLE TRIGGER ALL")
        admin.execute("UPDATE ledger.takedown SET service_id = NULL, reach = NULL")
    assert service.rows(stated) == recorded


def test_an_altered_record_is_refused_by_name(service, stack):
    revoked = service.issue()
    backup = Backup(service)
    assert revoke(service, revoked).exit_code == 0
    name = list(kept(service, "keys"))[-1]
    content = service.journal.fetch(name)
    obstore.put(stack.s3.store("journal", identity="keeper"), name, content.replace(b"revoked", b"rotated"))
    backup.restore()
    done = run(service, "catch-up")
    assert (done.exit_code, name in done.output, "altered" in done.output) == (1, True, True)
    obstore.put(stack.s3.store("journal"), name, content)
    assert "entered: 1 from the journal" in caught_up(service)
