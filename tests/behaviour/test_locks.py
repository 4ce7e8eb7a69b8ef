"""A stolen login of the API can neither lock out the writers nor write; a vain wait ends in plain words."""

from __future__ import annotations

import subprocess

import psycopg
import pytest

from dev.installation import command
from sankofa.access.following import Following
from sankofa.core.errors import Refused
from sankofa.editions.locks import exclude_chunks, publishing, share_with_takedowns
from sankofa.storage.locks import hold_by_polling
from sankofa.storage.postgres import InsufficientPrivilege

WRITERS = ("ingest", "publish", "privacy", "export", "keys", "follow", "migrate")
LOCKING = "SELECT oid::regprocedure::text FROM pg_proc WHERE proname ~ '^pg_(try_)?advisory_(xact_)?lock'"
# What PostgreSQL 15 offers to everybody that leaves something behind.
WRITING = [
    "SELECT lo_creat(-1)",
    "SELECT lo_create(0)",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_put(1, 0, 'x')",
    "SELECT lo_open(1, 131072)",
    "SELECT lowrite(0, 'x')",
    "SELECT lo_truncate(0, 0)",
    "SELECT lo_truncate64(0, 0)",
    "SELECT lo_unlink(1)",
    "SELECT lo_import('/etc/hostname')",
    "SELECT lo_export(1, '/tmp/x')",
    "SELECT pg_logical_emit_message(false, 'x', 'x')",
]


@pytest.fixture(scope="module")
def service(module_service):
    return module_service


def call(procedure):
    """Return a call of a function that takes numbers."""
    name, _, arguments = procedure.removesuffix(")").partition("(")
    return f"SELECT {name}({', '.join(f'1::{kind}' for kind in arguments.split(','))})"


def test_the_api_takes_no_advisory_lock(service):
    procedures = [procedure for (procedure,) in service.rows(LOCKING)]
    assert len(procedures) == 16
    with service.connect("read") as connection:
        connection.execute("SET default_transaction_read_only = off")
        for procedure in procedures:
            with pytest.raises(InsufficientPrivilege):
                connection.execute(call(procedure))


@pytest.mark.parametrize("role", WRITERS)
def test_a_writer_takes_its_locks(service, role):
    with service.connect(role) as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(1)")


@pytest.mark.parametrize("role", ["read", *WRITERS])
@pytest.mark.parametrize("statement", WRITING)
def test_no_login_writes_past_the_tables(service, role, statement):
    with service.connect(role) as connection:
        connection.execute("SET default_transaction_read_only = off")
        with pytest.raises(InsufficientPrivilege):
            connection.execute(statement)


@pytest.mark.parametrize("role", ["read", *WRITERS[:-1]])  # the last one acts as the owner
def test_only_the_follower_writes_counts_and_no_label_is_shown_to_it(service, role):
    statement = "INSERT INTO ops.usage_month (key_id, month, requests) VALUES ('0123456789ab', '2026-11', 1)"
    with service.connect(role) as connection:
        connection.execute("SET default_transaction_read_only = off")
        if role == "follow":
            with connection.transaction(force_rollback=True):
                connection.execute(statement)
            refused = ["SELECT label FROM ops.key_event", "DELETE FROM ops.usage_month"]
        else:
            refused = [statement]
        for each in refused:
            with pytest.raises(InsufficientPrivilege):
                connection.execute(each)


def test_the_follower_cannot_issue_or_revoke_a_key(service):
    with service.connect("follow") as connection:
        for statement in (
            "INSERT INTO ops.key_event (event) VALUES (1)",
            "UPDATE ops.key_event SET tier = 'professional'",
            "DELETE FROM ops.key_event",
            "SELECT * FROM serving.edition",
            "SET ROLE sankofa_owner",
        ):
            with pytest.raises(InsufficientPrivilege):
                connection.execute(statement)


def test_a_publisher_that_waits_in_vain_names_the_session_that_holds_the_lock(service):
    with service.connect("publish") as holder, service.connect("publish") as waiting:
        waiting.execute("SET lock_timeout = '100ms'")
        with publishing(holder):
            named = f"publishing lock .process {holder.info.backend_pid}, login sankofa_publish.*pg_terminate"
            with pytest.raises(Refused, match=named), publishing(waiting):
                pass
        with publishing(waiting):
            pass


def test_a_migration_that_waits_in_vain_names_the_process_that_holds_the_lock(service):
    with service.connect("migrate") as holder, service.connect("migrate") as waiting:
        hold_by_polling(holder, 1, "migration", seconds=0)
        named = f"migration lock .process {holder.info.backend_pid}, login sankofa_migrate"
        with pytest.raises(Refused, match=named):
            hold_by_polling(waiting, 1, "migration", seconds=0.1)


@pytest.mark.parametrize("wait", [exclude_chunks, share_with_takedowns])
def test_a_transaction_that_waits_in_vain_says_where_to_look(service, wait):
    with service.connect("publish") as holder, service.connect("publish") as waiting:
        waiting.execute("SET lock_timeout = '100ms'")
        with holder.transaction():
            exclude_chunks(holder)
            with pytest.raises(Refused, match=r"takedown lock .pg_locks"), waiting.transaction():
                wait(waiting)


def test_a_revocation_that_cannot_get_the_lock_ends_with_a_plain_error(service):
    issued = service.issue()
    line, environment = command(service.installation, "keys", "revoke", issued.key_id)
    with service.connect("keys") as holder:
        with Following(holder, None).alone():
            done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
        pid = holder.info.backend_pid
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"process {pid}, login sankofa_keys" in done.stderr
    assert "repeat this command" in done.stderr
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_privileges_outlive_a_copy_and_a_second_bootstrap(service):
    service.installation.prepare()
    with service.connect("read") as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SELECT pg_advisory_lock(1)")
