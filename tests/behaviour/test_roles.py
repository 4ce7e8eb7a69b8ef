"""The attack matrix: what each login role tries and is refused, except what the role is for."""

from __future__ import annotations

import psycopg
import pytest

from sankofa.storage.postgres import InsufficientPrivilege
from support.filings import Filer
from support.stated_tenders import CITY, SOURCE, package, release, tender

ROLES = ("read", "ingest", "publish", "privacy", "export", "migrate")
LEDGER = (
    "subject",
    "organisation_record",
    "release",
    "release_party",
    "release_sighting",
    "concept",
    "filing",
    "fact",
    "identity_decision",
    "takedown",
)

BACK_DATED_EDITION = """
INSERT INTO serving.edition (edition, mark, changes, published_at) VALUES (2, 'aaaaaaaa', '{}', '2000-01-01')
"""
BACK_DATED_FACT = """
INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    is_own_period, service_id, line_item, period_type, unit, concept, value
)
SELECT
    1, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    is_own_period, service_id, line_item, period_type, unit, concept, 5
FROM serving.fundamentals_fact
"""
BACK_DATED_RELEASE = """
INSERT INTO serving.tender_release (
    published_in, fact_id, process_key, provenance_id, sorted_at, available_at, known_until, vintage,
    has_text, reason, country, source, ocid, release_id, named_in_ids, parties, marks, body
)
SELECT
    1, fact_id, process_key, provenance_id, sorted_at, available_at, known_until, vintage,
    has_text, reason, country, source, 'planted', release_id, named_in_ids, parties, marks, body
FROM serving.tender_release
"""
BACK_DATED_DOCUMENT = """
INSERT INTO ops.document (source, sha256, license_class, bytes, fetched_at, recorded_at)
VALUES ('x', decode(repeat('00', 32), 'hex'), 'x', 0, now(), '2000-01-01')
"""
BACK_DATED_BATCH = """
INSERT INTO ops.batch (document_id, outcome, facts_read, facts_appended, recorded_at)
VALUES (1, 'refused', 0, 0, '2000-01-01')
"""
BACK_DATED_FILING = """
INSERT INTO ledger.filing (
    source, filing_number, subject_id, filed, available_at, available_at_basis, recorded_at
)
VALUES ('x', 'x', 1, '2020-01-01', '2020-01-01', 'filing', '2000-01-01')
"""
PLANTED_ID = """
INSERT INTO serving.issued_id (service_id, resolves_to, published_in, reason) VALUES ('a', 'b', 9, 'added')
"""
FILE_RECORD = """
INSERT INTO ops.artifact (
    edition, first_edition, last_edition, part, parts, after_row, until_row, takedown, rows, bytes, sha256,
    subject, kind, name, license_class, url, object_key, columns
)
VALUES (1, 1, 1, 0, 1, 0, 0, 0, 0, 0, sha256('x'), 'AF-FUND', 'rows', 'x', 'x', 'x', 'x', '[]')
"""
FORGED_TAKEDOWN = """
INSERT INTO ledger.takedown (takedown, kind, target, reason) VALUES (1, 'fact', 'x', 'x')
"""

FORGED_TOMBSTONE = """
INSERT INTO ops.tombstone (dataset, row_id, digest, service_id, takedown)
VALUES ('fundamentals_fact', 1, sha256('x'), 'x', 1)
"""


@pytest.fixture(scope="module")
def attacked(module_service):
    service = module_service
    filer = Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01")
    service.ingest(filer.document())
    bought = release("o-1", buyer={"name": CITY}, tender=tender(5, title="Fence"))
    service.ingest(package(bought), source_name=SOURCE)
    service.publish()
    return service


@pytest.fixture(params=ROLES)
def role(request, attacked):
    with attacked.connect(request.param) as connection:
        if request.param == "migrate":
            connection.execute("SET ROLE sankofa_owner")
        yield request.param, connection


def refused(connection, statement):
    with pytest.raises((InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)):
        connection.execute(statement)


@pytest.mark.parametrize("table", LEDGER)
def test_nobody_rewrites_the_ledger(role, table):
    _, connection = role
    refused(connection, f"UPDATE ledger.{table} SET {column(table)} = {column(table)}")
    refused(connection, f"DELETE FROM ledger.{table}")
    refused(connection, f"TRUNCATE ledger.{table} CASCADE")


def column(table):
    return {
        "subject": "identifier",
        "organisation_record": "legal_name",
        "release": "ocid",
        "release_party": "place",
        "release_sighting": "document_id",
        "concept": "concept",
        "filing": "filed",
        "fact": "value",
        "identity_decision": "reason",
        "takedown": "reason",
    }[table]


@pytest.mark.parametrize(
    "table",
    [
        "document",
        "batch",
        "rejection",
        "batch_subject",
        "batch_process",
        "issued_id",
        "instance",
        "tombstone",
        "line_item_map",
        "digest_block",
        "digest_group",
        "artifact",
    ],
)
def test_nobody_rewrites_what_ops_recorded(role, table):
    _, connection = role
    refused(connection, f"DELETE FROM ops.{table}")
    refused(connection, f"TRUNCATE ops.{table} CASCADE")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE serving.fundamentals_fact SET value = 1",
        "UPDATE serving.fundamentals_fact SET available_at = '2000-01-01'",
        "UPDATE serving.fundamentals_fact SET superseded_in = 1",
        "UPDATE serving.fundamentals_fact SET published_in = 99",
        "TRUNCATE serving.fundamentals_fact",
        "UPDATE serving.tender_release SET body = '{}'",
        "UPDATE serving.tender_release SET superseded_in = 1",
        "UPDATE serving.tender_text SET texts = '{}'",
        "UPDATE serving.tender_fact SET value = 1",
        "UPDATE serving.tender_event SET value = 1",
        "UPDATE serving.tender_party SET releases = 9",
        "UPDATE serving.tender_country SET newest_at = now()",
        "TRUNCATE serving.tender_release",
        "TRUNCATE serving.tender_text",
        "TRUNCATE serving.tender_fact",
        "TRUNCATE serving.tender_event",
        "TRUNCATE serving.tender_party",
        "TRUNCATE serving.tender_country",
        BACK_DATED_RELEASE,
        "UPDATE serving.issued_id SET resolves_to = 'DC0000000000000'",
        "UPDATE serving.edition SET published_at = '2000-01-01'",
        "DELETE FROM serving.edition",
        "UPDATE serving.edition_digest SET manifest = ''",
        "DELETE FROM serving.edition_digest",
        "TRUNCATE serving.edition CASCADE",
        "UPDATE serving.provenance SET license_class = 'mine'",
        "TRUNCATE serving.provenance",
        "UPDATE serving.closing SET reason = 'added'",
        "TRUNCATE serving.closing",
        "DELETE FROM ops.edition_holds",
        "UPDATE ops.edition_holds SET edition = 9",
        "DELETE FROM serving.takedown",
        "INSERT INTO serving.edition (edition, mark, changes) VALUES (7, 'aaaaaaaa', '{}')",
        BACK_DATED_EDITION,
        BACK_DATED_FACT,
    ],
)
def test_nobody_changes_or_back_dates_what_is_published(role, statement):
    refused(role[1], statement)


def test_the_privacy_role_takes_down_and_reads_no_more_than_that_needs(attacked):
    service_id = attacked.id_of(Filer(1).identifier)
    with attacked.connect("privacy") as connection:
        for statement in (
            FORGED_TAKEDOWN,
            "INSERT INTO serving.takedown (takedown, in_edition, rows_removed) VALUES (1, 1, 0)",
            FORGED_TOMBSTONE,
            "SELECT * FROM serving.fundamentals_fact",
            "SELECT * FROM ledger.fact",
            "SELECT ops.remove('issuer', 'x', 'x', 'organisation', 'x', NULL, 'me')",
            f"SELECT ops.take_down_withheld('{service_id}', '{service_id}', false)",
        ):
            refused(connection, statement)
        with connection.transaction(force_rollback=True):
            asked = connection.execute("SELECT ops.take_down(%s, NULL, 'asked to', 'a test')", [service_id])
            number = asked.fetchone()
            told = connection.execute(
                "SELECT target, decided_by FROM ledger.takedown WHERE takedown = %s", number
            )
            assert told.fetchall() == [(service_id, "sankofa_privacy")]


def test_no_row_goes_without_a_tombstone_even_for_the_owner(attacked):
    with attacked.connect("migrate") as connection:
        connection.execute("SET ROLE sankofa_owner")
        for table in ("fundamentals_fact", "provenance", "tender_release", "tender_text", "tender_party"):
            refused(connection, f"DELETE FROM serving.{table}")
        refused(connection, "UPDATE serving.fundamentals_fact SET value = NULL")


def test_the_publisher_takes_down_only_while_it_builds_and_only_whom_a_judgement_withholds(attacked):
    service_id = attacked.id_of(Filer(1).identifier)
    withheld = f"SELECT ops.take_down_withheld('{service_id}', '{service_id}', false)"
    with attacked.connect("publish") as connection:
        refused(connection, f"SELECT ops.take_down('{service_id}', NULL, 'mine', 'me')")
        refused(connection, withheld)
        refused(connection, withheld.replace("false", "true"))
        with connection.transaction(force_rollback=True):
            connection.execute("INSERT INTO ops.edition_build (edition) VALUES (2)")
            refused(connection, withheld)  # established, as far as anything is recorded


@pytest.mark.parametrize(
    "statement",
    [
        BACK_DATED_DOCUMENT,
        BACK_DATED_BATCH,
        BACK_DATED_FILING,
    ],
)
def test_recording_times_are_the_server_s_own(attacked, statement):
    for name in ("read", "ingest", "publish", "privacy", "export"):
        with attacked.connect(name) as connection:
            refused(connection, statement)


def test_an_upsert_does_not_get_round_the_triggers(attacked):
    with attacked.connect("ingest") as connection:
        refused(
            connection,
            "INSERT INTO ledger.concept (concept) VALUES ('ifrs-full:Revenue')"
            " ON CONFLICT (concept) DO UPDATE SET concept = 'mine'",
        )


def test_replication_role_does_not_switch_the_triggers_off(attacked):
    with attacked.connect("migrate") as connection:
        refused(connection, "SET session_replication_role = replica")
    with attacked.connect("admin") as superuser:
        superuser.execute("SET session_replication_role = replica")
        for statement in ("DELETE FROM ledger.fact", "UPDATE serving.fundamentals_fact SET value = 1"):
            refused(superuser, statement)


@pytest.mark.parametrize("schema", ["ledger", "ops"])
def test_the_api_cannot_read_anything_but_serving(attacked, schema):
    tables = attacked.rows("SELECT table_name FROM information_schema.tables WHERE table_schema = %s", schema)
    assert tables
    with attacked.connect("read") as connection:
        for (table,) in tables:
            refused(connection, f"SELECT * FROM {schema}.{table}")


def test_the_api_cannot_write_plant_or_create_anything(attacked):
    with attacked.connect("read") as connection:
        connection.execute("SET default_transaction_read_only = off")
        for statement in (
            "CREATE TEMPORARY TABLE planted (a integer)",
            "CREATE TABLE public.planted (a integer)",
            "CREATE FUNCTION public.planted() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
            "CREATE SCHEMA planted",
            PLANTED_ID,
            "DELETE FROM serving.closing",
            "SET ROLE sankofa_owner",
            "SELECT serving.current_edition()",
        ):
            refused(connection, statement)


def test_the_exporter_reads_what_is_exported_and_appends_records_of_files_alone(attacked):
    with attacked.connect("export") as connection:
        assert connection.execute("SELECT count(*) FROM serving.bulk_fund").fetchone() == (2,)
        assert connection.execute("SHOW statement_timeout").fetchone() == ("5s",)
        refused(connection, FILE_RECORD)
        connection.execute("SET default_transaction_read_only = off")
        for statement in (
            "SELECT value FROM serving.fundamentals_fact",
            "SELECT * FROM serving.organisation",
            "SELECT * FROM serving.tender_release",
            "SELECT * FROM ledger.fact",
            "SELECT * FROM ops.tombstone",
            "UPDATE serving.artifact SET superseded_in = 9",
            "DELETE FROM serving.artifact",
            "CREATE TEMPORARY TABLE planted (a integer)",
            "SET ROLE sankofa_owner",
            PLANTED_ID,
            FORGED_TAKEDOWN,
        ):
            refused(connection, statement)
        with connection.transaction(force_rollback=True):
            assert connection.execute(FILE_RECORD).rowcount == 1


def test_the_publisher_may_write_only_a_coming_edition(attacked):
    with attacked.connect("publish") as connection, connection.transaction(force_rollback=True):
        connection.execute("UPDATE serving.fundamentals_fact SET superseded_in = 2")
        connection.execute("UPDATE serving.fundamentals_fact SET superseded_in = 2147483647")
    with attacked.connect("publish") as connection:
        refused(connection, "INSERT INTO ledger.subject (identifier) VALUES ('cik:1')")
        refused(connection, FORGED_TAKEDOWN)
