"""Migrations: applied once, in the order of releases, and safe to repeat after a failure."""

from __future__ import annotations

import itertools
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from psycopg.errors import SyntaxError as TwoStatements

from dev.service import wait_until
from sankofa.core.errors import Refused
from sankofa.storage.migrate import bootstrap, migrate
from sankofa.storage.postgres import UniqueViolation, connect

_numbers = itertools.count(1)
TABLE = "CREATE TABLE public.fact (key integer);\n"
INDEX = """-- outside a transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS fact_once ON public.fact (key);
"""
_REGISTERED = "SELECT name FROM public.sankofa_migration ORDER BY applied_at"
_VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('public.fact_once')"
_MIGRATING = """
SELECT wait_event FROM pg_stat_activity
WHERE usename = 'sankofa_migrate' AND datname = current_database()
"""


class Migrated:
    """An empty database, a folder of releases, and an administrator who looks at what became of them."""

    def __init__(self, stack, folder):
        name = f"migrated_{next(_numbers)}"
        bootstrap(stack.postgres_dsn(), name)
        self.admin_dsn = stack.postgres_dsn(dbname=name)
        self.dsn = stack.postgres_dsn("sankofa_migrate", name)
        self.folder = folder

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def migrate(self):
        return migrate(self.dsn, self.folder)

    def execute(self, statement):
        with connect(self.admin_dsn) as admin:
            admin.execute(statement)

    def column(self, query):
        with connect(self.admin_dsn) as admin:
            return [value for (value,) in admin.execute(query)]


@pytest.fixture
def database(stack, tmp_path):
    return Migrated(stack, tmp_path)


def test_files_apply_once_by_release_number_and_then_by_name(database):
    names = ["0.1.0/01_first.sql", "0.2.0/01_more.sql", "0.2.0/02_more.sql", "0.10.0/01_last.sql"]
    for number, name in enumerate(names):
        database.write(name, f"CREATE TABLE public.table_{number} ();")
    assert database.migrate() == names
    assert database.column(_REGISTERED) == names
    assert database.migrate() == []


def test_a_file_that_fails_leaves_nothing_and_keeps_the_files_before_it(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.write(
        "0.1.0/02_more.sql", "CREATE TABLE public.half (); INSERT INTO public.fact VALUES (1), (1);" + INDEX
    )
    with pytest.raises(Exception, match="CREATE INDEX CONCURRENTLY cannot"):
        database.migrate()
    assert database.column(_REGISTERED) == ["0.1.0/01_table.sql"]
    assert database.column("SELECT to_regclass('public.half')") == [None]
    assert database.column("SELECT count(*) FROM public.fact") == [0]


def test_an_index_that_failed_half_way_is_built_again_and_ends_valid(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.migrate()
    database.execute("INSERT INTO public.fact VALUES (1), (1)")
    database.write("0.2.0/01_once.sql", INDEX)
    with pytest.raises(UniqueViolation):
        database.migrate()
    assert database.column(_VALID) == [False]
    assert database.column(_REGISTERED) == ["0.1.0/01_table.sql"]
    database.execute("DELETE FROM public.fact")
    assert database.migrate() == ["0.2.0/01_once.sql"]
    assert database.column(_VALID) == [True]


def test_an_index_that_was_built_but_not_recorded_is_kept_and_recorded(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.write("0.1.0/02_once.sql", INDEX)
    database.migrate()
    built = database.column("SELECT 'public.fact_once'::regclass::oid")
    database.execute("DELETE FROM public.sankofa_migration WHERE name = '0.1.0/02_once.sql'")
    assert database.migrate() == ["0.1.0/02_once.sql"]
    assert database.column("SELECT 'public.fact_once'::regclass::oid") == built


def test_a_file_outside_a_transaction_holds_one_statement(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.write("0.1.0/02_once.sql", INDEX + "COMMENT ON INDEX public.fact_once IS 'Once.';\n")
    with pytest.raises(TwoStatements):
        database.migrate()
    assert database.column(_REGISTERED) == ["0.1.0/01_table.sql"]


def test_a_second_migration_waits_without_delaying_the_index_of_the_first(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.migrate()
    database.write("0.2.0/01_once.sql", INDEX)
    with ThreadPoolExecutor() as threads, connect(database.admin_dsn) as reader:
        with reader.transaction():
            reader.execute("INSERT INTO public.fact VALUES (1)")  # the index waits for this transaction
            first = threads.submit(database.migrate)
            assert wait_until(lambda: database.column(_MIGRATING) == ["virtualxid"], 20)
            second = threads.submit(database.migrate)
            assert wait_until(lambda: len(database.column(_MIGRATING)) == 2, 20)
        assert first.result(timeout=30) == ["0.2.0/01_once.sql"]
        assert second.result(timeout=30) == []
    assert database.column(_VALID) == [True]


def test_a_migration_that_waits_for_a_table_keeps_no_reader_waiting(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.migrate()
    database.write("0.2.0/01_column.sql", "ALTER TABLE public.fact ADD COLUMN note text;\n")
    waited = []
    with ThreadPoolExecutor() as threads, connect(database.admin_dsn) as old:
        with old.transaction():
            old.execute("SELECT FROM public.fact")
            migrating = threads.submit(database.migrate)
            for _ in range(200):  # for longer than the migration tries once and pauses
                began = time.monotonic()
                database.execute("SELECT count(*) FROM public.fact")
                waited.append(time.monotonic() - began)
            assert not migrating.done()
        assert migrating.result(timeout=30) == ["0.2.0/01_column.sql"]
    print(f"{len(waited)} readers beside a migration waited {max(waited):.2f} s at most")
    assert max(waited) < 1


def test_a_changed_file_is_refused_with_what_to_do(database):
    database.write("0.1.0/01_table.sql", TABLE)
    database.migrate()
    database.write("0.1.0/01_table.sql", TABLE + "-- changed\n")
    with pytest.raises(Refused, match=r"0\.1\.0/01_table\.sql was changed .* Restore the file .* a new file"):
        database.migrate()


def test_a_database_of_unreleased_files_is_refused_with_what_to_do(database):
    database.migrate()
    database.execute("INSERT INTO public.sankofa_migration VALUES ('0001_ops.sql', 'unknown')")
    database.write("0.1.0/01_table.sql", TABLE)
    with pytest.raises(Refused, match=r"`sankofa bootstrap .* `sankofa catch-up` .* Takedowns .* again"):
        database.migrate()
    assert database.column("SELECT to_regclass('public.fact')") == [None]
