"""OPS-6: a lost database comes back by the commands of the page, with what was decided since the backup."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx
import pytest

from dev.follower import Follower
from dev.ports import unused_ports
from dev.service import wait_until
from dev.stack import Stack
from support.containers import Containers, make_deploy_folder
from support.filings import Filer
from support.lei_documents import an_lei
from support.machine import EmptyCluster
from support.organisations import company, person, register
from support.repository import ROOT
from support.restoring import Backup, run
from support.service import Service
from support.snippets import blocks

PAGE = ROOT / "docs" / "operations" / "backup.md"
BACK_UP, *RESTORE = [block.text for block in blocks(PAGE) if block.language == "sh"]
CATCH_UP = "docker compose run --rm restore\n"
FIRM, TURNED = 1, 2
LABEL, REASON = "Zanele Ntombela", "asked by Sipho Qhobela"


@dataclass
class Operator:
    """Somebody at the terminal of an installation, in the folder `deploy`."""

    service: Service
    home: object
    keys: dict = field(default_factory=dict)

    def __post_init__(self):
        self.stack = self.service.installation.stack
        self.deploy = make_deploy_folder(self.home)
        self.move_in()
        self.run("./make-secrets")

    def move_in(self):
        """Work with the stores as they are now."""
        self.containers = Containers(self.service.installation, self.home)

    def run(self, block):
        done = self.containers.run(block, self.deploy)
        assert done.returncode == 0, f"{block}\n{done.stdout}{done.stderr}"
        return done.stdout

    def keep_key_store(self, name):
        """Keep a copy of the key store's file, as it is on the disk of a stopped server."""
        server = self.stack.redis_keys
        server.stop()
        shutil.copytree(server.home, self.home / name)
        server.start()

    def put_key_store(self, name):
        """Put the copy in the place of the key store; without one, the store is empty."""
        server = self.stack.redis_keys
        server.destroy()
        if name:
            shutil.copytree(self.home / name, server.home)
        server.start()


@pytest.fixture(scope="module")
def operator(tmp_path_factory):
    """An operator who lost the database and restored the backup on an empty machine, up to catching up."""
    with Stack.throwaway() as stack:
        service = Service(stack, "sankofa")
        operator = Operator(service, tmp_path_factory.mktemp("operator"))
        follower = Follower(service.installation)
        try:
            follower.start()
            live(service, operator)
        finally:
            follower.stop()
            service.api.stop()
        stack.postgres.destroy()
        stack.postgres = EmptyCluster(
            stack.home / "new-machine", stack.ports.postgres, operator.deploy / "secrets"
        )
        stack.postgres.start()
        operator.move_in()
        operator.run("".join(RESTORE[: RESTORE.index(CATCH_UP)]))
        operator.restored = Backup(service)
        yield operator


def live(service, operator):
    """What happens before the backup, and after it."""
    first = Filer(7, "Filed Foods PLC").says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    second = Filer(8, "Gone Group PLC").says(50, filed="2024-02-01")
    register(service, company(FIRM, "Acme Holdings Ltd"), company(TURNED, "Qondisa Trading Ltd"))
    service.ingest(first.document(), second.document())
    service.publish()
    service.export()
    service.publish()
    operator.ids = {
        name: service.id_of(identifier)
        for name, identifier in {
            "filer": first.identifier,
            "gone": second.identifier,
            "firm": f"lei:{an_lei(FIRM)}",
            "turned": f"lei:{an_lei(TURNED)}",
        }.items()
    }
    before = {name: service.issue() for name in ("kept", "revoked", "rotated")}
    operator.keys = {name: issued.key for name, issued in before.items()}
    operator.run(BACK_UP)
    operator.keep_key_store("older")

    decide(service, "keeper", "keys", "revoke", before["revoked"].key_id)
    operator.keys["successor"] = decide(
        service, "keeper", "keys", "rotate", before["rotated"].key_id, "--grace-hours", "0"
    )
    operator.keys["issued since"] = decide(service, "keeper", "keys", "issue", "professional", LABEL)
    decide(service, "publisher", "takedown", operator.ids["gone"], "--yes", "--reason", REASON)
    facts = ask(service.api.url, operator, "kept", f"/v1/fundamentals/{operator.ids['filer']}").json()
    fact_id = facts["data"][0]["fact_id"]
    decide(
        service,
        "publisher",
        "takedown",
        operator.ids["filer"],
        "--fact",
        fact_id,
        "--yes",
        "--reason",
        REASON,
    )
    register(service, person(TURNED, "Qondisa Trading Ltd", updated="2024-08-01T00:00:00Z"))
    service.ingest(Filer(9, "Later PLC").says(70, filed="2024-07-01").document())
    operator.since = service.publish().edition
    operator.ids["since"] = service.id_of(Filer(9).identifier)
    (operator.takedowns,) = service.rows("SELECT max(takedown) FROM ledger.takedown")[0]
    assert wait_until(lambda: len(kept(service, "takedowns")) == operator.takedowns, 10)
    operator.keep_key_store("newer")
    status = f"{service.api.url}/v1/status"
    assert wait_until(lambda: httpx.get(status, timeout=30).json()["edition"] == operator.since, 10)
    operator.answers = {path: ask(service.api.url, operator, "kept", path) for path in requests(operator.ids)}
    assert {answer.status_code for answer in operator.answers.values()} == {200}


def decide(service, identity, *arguments):
    """Run an operator's command under the S3 identity of its container, and return what it printed."""
    access, secret = service.installation.stack.s3.keys_of(identity)
    done = run(service, *arguments, SANKOFA_S3_ACCESS_KEY=access, SANKOFA_S3_SECRET_KEY=secret)
    assert done.exit_code == 0, f"{arguments}: {done.output}{done.exception}"
    return done.stdout.strip()


def kept(service, kind):
    """Return the objects of the journal, by name."""
    store = service.journal
    return {key: store.fetch(key) for key in store.keys(f"{kind}/")}


def ask(url, operator, key, path):
    return httpx.get(f"{url}{path}", headers={"X-API-Key": operator.keys[key]}, timeout=30)


def requests(ids):
    """Return questions about the editions of the backup."""
    paths = (
        f"/v1/entities/{ids['firm']}?",
        f"/v1/crosswalk/{ids['firm']}?",
        f"/v1/fundamentals/{ids['filer']}?vintages=all&",
        f"/v1/fundamentals/{ids['filer']}?as_of=2024-03-01&",
        f"/v1/metrics/{ids['filer']}?",
        "/v1/catalog/line-items?",
        "/v1/export?",
        "/v1/quality-metrics/AF-FUND?",
    )
    return [f"{path}edition={edition}" for path in paths for edition in (1, 2)]


@contextmanager
def serving(operator):
    """Run an API on what was restored, and return its address."""
    api = operator.service.installation.api(next(unused_ports()))
    api.start()
    try:
        yield api.url
    finally:
        api.stop()


def every_decision_holds(url, operator):
    """Check keys and takedowns since the backup in every edition, and return the editions, newest first."""
    statuses = {key: ask(url, operator, key, "/v1/editions").status_code for key in operator.keys}
    assert statuses == {"kept": 200, "revoked": 401, "rotated": 401, "successor": 200, "issued since": 200}
    editions = [row["edition"] for row in ask(url, operator, "kept", "/v1/editions").json()["data"]]
    for name, status in {"gone": 404, "turned": 404, "firm": 200}.items():
        path = f"/v1/entities/{operator.ids[name]}?edition="
        assert {ask(url, operator, "kept", f"{path}{edition}").status_code for edition in editions} == {
            status
        }
    assert httpx.get(f"{url}/v1/status", timeout=30).json()["degraded"] == []
    return editions


@pytest.mark.proves("OPS-6")
def test_the_page_restores_an_empty_machine_with_every_decision_since_the_backup(operator):
    operator.put_key_store("older")
    caught_up = operator.run(CATCH_UP)
    assert f"takedowns repeated: {operator.takedowns}\n" in caught_up
    assert "key events entered: 4 from the journal, 0 from the key store" in caught_up
    assert "documents read again: 2 accepted" in caught_up
    assert "all is as it was sealed" in operator.run("".join(RESTORE[RESTORE.index(CATCH_UP) + 1 :]))
    with serving(operator) as url:
        for path, answer in operator.answers.items():
            again = ask(url, operator, "kept", path)
            assert (again.status_code, again.content) == (answer.status_code, answer.content), path
        assert every_decision_holds(url, operator)[0] > operator.since  # no number is issued twice
        assert ask(url, operator, "kept", f"/v1/entities/{operator.ids['since']}").status_code == 200


@pytest.mark.proves("OPS-6")
@pytest.mark.parametrize("key_store", [None, "newer"])
def test_no_state_of_the_key_store_brings_back_what_was_decided(operator, key_store):
    operator.put_key_store(key_store)
    operator.restored.restore()
    operator.run(CATCH_UP)
    with serving(operator) as url:
        assert every_decision_holds(url, operator) == [2, 1]


@pytest.mark.proves("OPS-6")
def test_the_journal_names_nobody(operator):
    records = kept(operator.service, "keys") | kept(operator.service, "takedowns")
    text = b"\n".join(records.values()).decode()
    assert len(records) == 7 + operator.takedowns
    for word in (LABEL, REASON, "Ntombela", "Qhobela", "Qondisa", "Gone", *operator.keys.values()):
        assert word not in text
