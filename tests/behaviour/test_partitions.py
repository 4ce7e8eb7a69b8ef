"""The schema with its tables of facts divided by hash, as a database that spans machines would hold them."""

from __future__ import annotations

import re
import subprocess

import pytest
from psycopg import sql

from demo.world import World
from dev.postgres_programs import programs
from support.demo_world import load
from support.digest import digest
from support.verifying import untouched

pytestmark = pytest.mark.heavy  # every table is copied and published anew

PARTITIONS = 4
LEDGER = {
    "ledger.fact": "filing_id",
    "ledger.filing_declaration": "filing_id",
    "ledger.organisation_record": "subject_id",
    "ledger.observation": "series_id",
    "ledger.release": "process_key",
    "ledger.release_party": "process_key",
    "ledger.release_sighting": "process_key",
    "serving.provenance": "provenance_id",
}
TABLE = re.compile(r"CREATE TABLE (\w+\.\w+) \((.*?)\n\)(?:\nWITH \([^;]*\))?;", re.DOTALL)


@pytest.fixture(scope="module")
def loaded(module_service):
    """A service with the demo world in its ledger, nothing published."""
    load(module_service, World(facts=2_000))
    return module_service


def test_a_publish_into_partitions_writes_what_it_writes_into_whole_tables(loaded, make_service):
    whole = make_service(template=loaded.installation.database)
    divided = make_service(template=divided_copy(loaded))
    whole.publish()
    divided.publish()
    assert divided_tables(divided) == set(keys(loaded))
    facts = (
        divided.rows(f"SELECT FROM serving.fundamentals_fact_{part} LIMIT 1") for part in range(PARTITIONS)
    )
    assert all(facts)
    assert digest(divided) == digest(whole)
    assert untouched(divided)


def keys(service):
    """Return the tables of facts, each with the column by which its rows can be divided."""
    tables = (table for dataset in service.publisher().datasets for table in dataset.tables)
    return LEDGER | {f"serving.{table.name}": table.key for table in tables}


def divided_copy(service):
    """Copy a database by its dump, in which each table of facts is made with partitions; return its name."""
    database = service.installation.database
    dsn = service.installation.stack.postgres_dsn
    dump = subprocess.run(
        [programs() / "pg_dump", dsn(dbname=database)], check=True, capture_output=True, text=True
    ).stdout
    dump = dump.replace("ALTER TABLE ONLY ", "ALTER TABLE ")  # keys and constraints of the partitions too
    by = keys(service)
    dump = TABLE.sub(lambda table: partitioned(table, by), dump)
    copy = f"{database}_divided"
    with service.connect() as admin:
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 LOCALE 'C'").format(sql.Identifier(copy))
        )
    subprocess.run(
        [programs() / "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null", dsn(dbname=copy)],
        check=True,
        input=dump,
        text=True,
    )
    return copy


def partitioned(table, by):
    name, columns = table[1], table[2]
    if name not in by:
        return table[0]
    parts = "".join(
        f"\nCREATE TABLE {name}_{number} PARTITION OF {name}"
        f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number});"
        for number in range(PARTITIONS)
    )
    return f"CREATE TABLE {name} ({columns}\n) PARTITION BY HASH ({by[name]});{parts}"


def divided_tables(service):
    """Return the tables that have partitions."""
    found = service.rows("SELECT partrelid::regclass::text FROM pg_partitioned_table")
    return {name for (name,) in found}
