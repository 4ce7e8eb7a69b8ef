"""OPS-16 to OPS-19: what operators meet at the command line, on real stores."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo

from dev.installation import command
from dev.worker import Worker
from sankofa.storage.postgres import connect, sql
from support.filings import Filer
from support.restoring import run
from support.waiting import until

NOWHERE = "127.0.0.1:9"  # nobody listens there
COMMANDS = [
    ("migrate",),
    ("ingest", "demo-companyfacts", __file__),
    ("feeds",),
    ("publish",),
    ("editions",),
    ("held",),
    ("audit",),
    ("export",),
    ("tidy",),
    ("verify",),
    ("identify", "cik:1"),
    ("organisations", "why", "cik:1"),
    ("takedown", "DC1", "--reason", "a test", "--yes"),
    ("catch-up",),
    ("keys", "list"),
    ("work", "fetch"),
    ("work", "build"),
]


def failed(done):
    """Return what a command said that an operator's mistake ended."""
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, SystemExit), repr(done.exception)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("error: ")
    return done.stderr


def with_dsns(service, **changes):
    """Return the settings of a service with something else in every connection string."""
    environment = service.installation.environment
    return {
        name: make_conninfo(value, **changes) for name, value in environment.items() if name.endswith("_DSN")
    } | {"SANKOFA_CONTACT": "data@example.org"}


@pytest.mark.proves("OPS-16")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_datastore_that_does_not_answer_is_one_line(module_service, words):
    host, port = NOWHERE.split(":")
    said = failed(run(module_service, *words, **with_dsns(module_service, host=host, port=port)))
    assert "datastore unavailable" in said
    assert "refused" in said


@pytest.mark.proves("OPS-16")
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_login_that_is_refused_is_one_line_without_its_password(module_service, words):
    settings = with_dsns(module_service, user="nobody", password="a secret of ours")  # noqa: S106 - invented
    said = failed(run(module_service, *words, **settings))
    assert "nobody" in said
    assert "a secret of ours" not in said


@pytest.fixture(scope="module")
def empty_database(stack):
    """Return the name of a database without a schema, to which every role may connect."""
    name = "test_without_schema"
    with connect(stack.postgres_dsn()) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    yield name
    with connect(stack.postgres_dsn()) as admin:
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.mark.proves("OPS-16")
@pytest.mark.parametrize("words", [each for each in COMMANDS if each[0] != "migrate"], ids=" ".join)
def test_a_database_without_its_schema_is_one_line_that_says_migrate(module_service, empty_database, words):
    said = failed(run(module_service, *words, **with_dsns(module_service, dbname=empty_database)))
    assert "sankofa migrate" in said


@pytest.mark.proves("OPS-16")
def test_a_login_with_the_wrong_role_is_one_line(module_service):
    reader = module_service.installation.dsn("read")
    said = failed(run(module_service, "feeds", SANKOFA_INGEST_DSN=reader))
    assert "role" in said


@pytest.mark.proves("OPS-16")
@pytest.mark.parametrize("words", [("keys", "sync"), ("catch-up",)], ids=" ".join)
def test_a_key_store_that_does_not_answer_is_one_line(module_service, words):
    said = failed(run(module_service, *words, SANKOFA_KEYS_URL=f"redis://{NOWHERE}/0"))
    assert "keys unavailable" in said


@pytest.mark.proves("OPS-16")
@pytest.mark.parametrize("words", [("publish",), ("verify",), ("ingest", "demo-companyfacts", __file__)])
def test_an_s3_that_does_not_answer_is_one_line(module_service, words):
    assert "objects unavailable" in failed(
        run(module_service, *words, SANKOFA_S3_ENDPOINT=f"http://{NOWHERE}")
    )


@pytest.mark.proves("OPS-16")
def test_lists_are_printed_as_json(service):
    service.ingest(Filer(1).says(1, filed="2024-01-01").document())
    service.publish()
    issued = service.issue("sample")

    def printed(*words):
        done = run(service, *words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    (key,) = printed("keys", "list")
    assert (key["key_id"], key["tier"], key["label"]) == (issued.key_id, "sample", "a test")
    assert [(one["keys"], one["state"]) for one in printed("keys", "peppers")] == [(1, "current")]
    assert [one["edition"] for one in printed("editions")] == [1]
    feeds = printed("feeds")
    assert feeds["workers"] == 0
    assert {"source", "state", "next_due_at"} < feeds["feeds"][0].keys()
    assert {one["source"]: one for one in printed("sources")}["demo-companyfacts"][
        "license_class"
    ] == "synthetic"
    assert printed("held") == []
    (judgement,) = printed("organisations", "why", Filer(1).identifier)
    assert judgement["is_established"] is True


def findings(done):
    return {(one["check"], one["state"]): one for one in json.loads(done.stdout)["findings"]}


@pytest.mark.proves("OPS-17")
def test_an_installation_in_order_has_no_problem_but_the_worker_that_is_missing(service):
    service.issue()
    done = run(service, "doctor", "--json")
    assert done.exit_code == 1
    problems = [one for one in json.loads(done.stdout)["findings"] if one["state"] == "problem"]
    assert [one["check"] for one in problems] == ["feeds"], problems
    with service.connect("ingest") as connection:
        connection.execute("INSERT INTO queue.procrastinate_workers DEFAULT VALUES")  # as a worker does
    done = run(service, "doctor")
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith("no problem was found\n")
    assert "skipped" not in done.stdout


@pytest.mark.proves("OPS-17")
@pytest.mark.parametrize(
    ("setting", "value", "check", "remedy"),
    [
        ("READ_DSN", "host=127.0.0.1 port=9 user=sankofa_api", "login sankofa_api", "SANKOFA_READ_DSN"),
        ("KEYS_URL", f"redis://{NOWHERE}/0", "key store", "SANKOFA_KEYS_URL"),
        ("S3_BUCKET", "no-such-bucket", "bucket no-such-bucket", "SANKOFA_S3_ACCESS_KEY"),
        ("S3_SECRET_KEY", "not the secret", "bucket documents", "SANKOFA_S3_ACCESS_KEY"),
        ("TIERS", "{", "settings", "docs/reference/settings.md"),
        ("SOURCES", "/no/such/folder", "sources", ""),
    ],
)
def test_the_doctor_names_what_is_wrong_and_what_to_do(module_service, setting, value, check, remedy):
    done = run(module_service, "doctor", "--json", **{f"SANKOFA_{setting}": value})
    assert done.exit_code == 1
    found = findings(done)[check, "problem"]
    assert remedy in found["remedy"]
    assert "no answer" not in found["detail"] or "127.0.0.1" in value


@pytest.mark.proves("OPS-17")
def test_the_doctor_finds_logins_with_other_roles(module_service):
    installation = module_service.installation
    done = run(
        module_service,
        "doctor",
        "--json",
        SANKOFA_READ_DSN=installation.dsn("publish"),
        SANKOFA_INGEST_DSN=make_conninfo(installation.dsn("admin"), dbname=installation.database),
    )
    found = json.loads(done.stdout)["findings"]
    details = {one["check"]: one["detail"] for one in found if one["state"] == "problem"}
    assert "sankofa_publish" in details["login sankofa_api"]
    assert "superuser" in details["login sankofa_ingest"]


@pytest.mark.proves("OPS-17")
def test_the_doctor_finds_migrations_that_are_missing(module_service, empty_database):
    dsn = make_conninfo(module_service.installation.dsn("migrate"), dbname=empty_database)
    found = findings(run(module_service, "doctor", "--json", SANKOFA_MIGRATE_DSN=dsn))[
        "migrations", "problem"
    ]
    assert "0.1.0/01_ops.sql" in found["detail"]
    assert "sankofa migrate" in found["remedy"]


@pytest.mark.proves("OPS-17")
def test_settings_that_a_machine_must_have_can_be_named(module_service):
    lacking = {"SANKOFA_OPEN_URL": "", "SANKOFA_INSTANCE_SECRET": ""}
    assert ("settings", "ok") in findings(run(module_service, "doctor", "--json", **lacking))
    done = run(module_service, "doctor", "export", "--json", **lacking)
    assert findings(done)["settings", "problem"]["detail"] == "SANKOFA_OPEN_URL is not set"


@pytest.fixture
def published(service):
    """Return a service with one issuer, and the issuer's id."""
    filer = Filer(1).says(1, filed="2024-01-01").says(2, filed="2024-02-01")
    service.ingest(filer.document())
    service.publish()
    return service, service.id_of(filer.identifier)


def held_rows(service):
    return service.rows("SELECT count(*) FROM serving.fundamentals_fact")[0][0]


@pytest.mark.proves("OPS-18")
def test_a_dry_run_counts_what_the_takedown_then_removes(published):
    service, service_id = published
    before = held_rows(service)
    dry = run(service, "takedown", service_id, "--reason", "a test", "--dry-run")
    assert dry.exit_code == 0, dry.output
    assert service_id in dry.stdout
    assert held_rows(service) == before > 0
    assert service.rows("SELECT count(*) FROM ledger.takedown") == [(0,)]
    assert run(service, "takedown", service_id, "--reason", "a test", "--yes").exit_code == 0
    ((removed,),) = service.rows("SELECT count(*) FROM ops.tombstone")
    assert f"({removed:,} rows over all editions)" in dry.stdout
    assert held_rows(service) == 0


@pytest.mark.proves("OPS-18")
def test_without_a_terminal_a_takedown_must_be_confirmed(published):
    service, service_id = published
    before = held_rows(service)
    assert "--yes" in failed(run(service, "takedown", service_id, "--reason", "a test"))
    assert held_rows(service) == before


def answered(service, answer, *words):
    """Run a command on a terminal, answer its question, and return its status and what it showed."""
    arguments, environment = command(service.installation, *words)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        arguments, env=environment, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as running:
        os.write(ours, answer)
        shown = running.stdout.read()
    os.close(ours)
    os.close(theirs)
    return running.returncode, shown


@pytest.mark.proves("OPS-18")
def test_on_a_terminal_a_takedown_asks_first(published):
    service, service_id = published
    before = held_rows(service)
    status, shown = answered(service, b"n\n", "takedown", service_id, "--reason", "a test")
    assert (status, held_rows(service)) == (1, before)
    assert f"Remove everything of {service_id}" in shown
    status, shown = answered(service, b"y\n", "takedown", service_id, "--reason", "a test")
    assert (status, held_rows(service)) == (0, 0), shown


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def has_ended(pid):
    """Return whether a process is gone, or only waits for somebody to read its status."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.proves("OPS-19")
def test_processes_of_a_killed_worker_end_by_themselves(service):
    worker = Worker(service.installation)
    worker.sources.mkdir(parents=True)
    arguments, environment = command(service.installation, "work")
    with subprocess.Popen(arguments, env=environment | worker.environment) as running:
        until(lambda: len(children(running.pid)) == 5)
        started = children(running.pid)
        running.send_signal(signal.SIGKILL)
    until(lambda: all(map(has_ended, started)), seconds=30)
