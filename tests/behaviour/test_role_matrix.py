"""Every login against every table, as the catalogues list them: nobody rewrites history or disarms guards."""

from __future__ import annotations

import pytest

from sankofa.storage.postgres import InsufficientPrivilege, sql
from support.filings import Filer
from support.stated_macro import indicator
from support.stated_tenders import CITY, SOURCE, package, release, tender

LOGINS = ("api", "export", "follow", "ingest", "keys", "migrate", "privacy", "publish", "review")
# Changes the schema by hand, acting as the owner. Nothing that runs unattended holds it (test_deploy.py).
SCHEMA_LOGIN = "migrate"
OWNERS = {"sankofa_owner", "pg_database_owner"}
# Working copies, made anew from other tables or from counters in Redis, and who may change them.
WORKING_COPIES = {
    "ops.organisation_claim": {"publish", "migrate"},
    "ops.usage_month": {"follow", "migrate"},
    "ops.usage_tally": {"follow", "migrate"},
    "ops.usage_day": {"follow", "migrate"},
    "ops.usage_settled": {"follow", "migrate"},
    "ops.pending": {"publish", "migrate"},
    "ops.held_document": {"migrate"},
    "ops.run_waiting": {"migrate"},
    "ops.host_turn": {"ingest", "migrate"},
    "ops.archive_part": {"ingest", "migrate"},
    "ops.feed_standing": {"ingest", "migrate"},
}
# Functions that act with the rights of the owner, and who may call each.
DOORS = {
    "ops.take_down": {"sankofa_privacy"},
    "ops.repeat_take_down": {"sankofa_privacy"},
    "ops.repeat_key_event": {"sankofa_keys"},
    "ops.take_down_withheld": {"sankofa_publish"},
    "ops.renew_statistics": {"sankofa_publish"},
    "ops.pack_indexes": {"sankofa_publish"},
    "serving.proof_of": {"sankofa_api"},  # hashes, and rows that the login may read
    "build.clear": {"sankofa_publish"},
    "build.renew_statistics": {"sankofa_publish"},
    # Triggers, which nobody calls.
    "ops.note_arrivals": set(),
    "ops.note_held": set(),
    "ops.note_unheld": set(),
    "ops.free_good_run": set(),
    "ops.free_released_run": set(),
}

_COLUMNS = """
SELECT c.oid::regclass::text, array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attidentity = '')
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace::regnamespace::text IN ('ledger', 'serving', 'ops') AND c.relkind IN ('r', 'p')
    AND a.attnum > 0 AND NOT a.attisdropped
GROUP BY c.oid ORDER BY 1
"""
_LOGINS = "SELECT rolname FROM pg_roles WHERE rolname LIKE 'sankofa%%' AND rolcanlogin ORDER BY rolname"
_DOORS = """
SELECT p.oid::regproc::text, owner.rolcanlogin, coalesce(p.proconfig, '{}'),
    array(SELECT coalesce(who.rolname, 'public') FROM aclexplode(p.proacl) AS granted
          LEFT JOIN pg_roles AS who ON granted.grantee = who.oid WHERE granted.grantee <> p.proowner)
FROM pg_proc AS p JOIN pg_roles AS owner ON p.proowner = owner.oid
WHERE p.prosecdef AND p.pronamespace::regnamespace::text IN ('ledger', 'serving', 'ops', 'build', 'public')
"""
_REWRITES = ("DELETE FROM {table}", "TRUNCATE {table} CASCADE")
_DISARMS = (
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "ALTER TABLE {table} DISABLE TRIGGER USER",
    "ALTER TABLE {table} ADD COLUMN planted integer",
    "ALTER TABLE {table} OWNER TO {login}",
    "CREATE TRIGGER planted BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION planted()",
    "DROP TABLE {table} CASCADE",
)


@pytest.fixture(scope="module")
def attacked(module_service):
    service = module_service
    service.ingest(Filer(1).says(100, filed="2024-02-01").says(90, filed="2024-06-01").document())
    bought = release("o-1", buyer={"name": CITY}, tender=tender(5, title="Fence"))
    service.ingest(package(bought), source_name=SOURCE)
    service.ingest(indicator({("KEN", 2020): "1"}), source_name="demo-world-bank")
    service.publish()
    service.export()
    service.publish()
    service.take_down(service.id_of(Filer(1).identifier))
    service.issue()
    return service


@pytest.fixture(params=LOGINS)
def login(request, attacked):
    with attacked.connect("read" if request.param == "api" else request.param) as connection:
        connection.execute("SET default_transaction_read_only = off")  # grants must do, not this setting
        yield request.param, connection


def changes(connection, statement, table):
    """Run a statement, undo it, and return whether it met a row; a TRUNCATE that runs counts as well."""
    try:
        with connection.transaction(force_rollback=True):
            return connection.execute(statement.format(table=table)).rowcount != 0
    except InsufficientPrivilege:
        return False


def test_the_logins_are_those_of_the_cluster(attacked):
    assert attacked.rows(_LOGINS) == [(f"sankofa_{name}",) for name in LOGINS]


def test_no_login_deletes_truncates_or_overwrites_a_row_of_any_table(login, attacked):
    name, connection = login
    tables = attacked.rows(_COLUMNS)
    assert len(tables) > 50
    rewritten = {}
    for table, columns in tables:
        if name in WORKING_COPIES.get(table, ()):
            continue
        updates = [f"UPDATE {{table}} SET {column} = NULL WHERE {column} IS NOT NULL" for column in columns]
        for statement in (*_REWRITES, *updates):
            if changes(connection, statement, table):
                rewritten[table] = statement
    assert rewritten == {}


@pytest.mark.parametrize("login", sorted(set(LOGINS) - {SCHEMA_LOGIN}), indirect=True)
def test_no_login_disarms_a_table_but_the_one_that_changes_the_schema(login, attacked):
    name, connection = login
    for table, _ in attacked.rows(_COLUMNS):
        for statement in _DISARMS:
            with pytest.raises(InsufficientPrivilege):
                connection.execute(statement.format(table=table, login=f"sankofa_{name}"))


def test_no_login_becomes_another_role_but_the_one_that_changes_the_schema(login, attacked):
    name, connection = login
    roles = {role for (role,) in attacked.rows("SELECT rolname FROM pg_roles")}
    allowed = {f"sankofa_{name}"} | (OWNERS if name == SCHEMA_LOGIN else set())
    for role in roles - allowed:
        with pytest.raises(InsufficientPrivilege):
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    with pytest.raises(InsufficientPrivilege):
        connection.execute("SET session_replication_role = replica")


def test_what_acts_with_the_owner_s_rights_has_a_fixed_path_and_the_callers_it_is_for(attacked):
    doors = {function: rest for function, *rest in attacked.rows(_DOORS)}
    assert {function: set(callers) for function, (_, _, callers) in doors.items()} == DOORS
    for can_log_in, settings, _ in doors.values():
        assert not can_log_in
        assert "search_path=pg_catalog, pg_temp" in settings
