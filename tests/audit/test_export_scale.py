"""Export of many facts: rows a second, as a ratio to DuckDB copying the same table as it is."""

from __future__ import annotations

import time
from importlib import resources

import duckdb
import pytest

from dev.ports import Ports
from dev.stack import Stack, temporary_home
from support.filings import Filer
from support.service import Service

CHUNK = 1_000_000
LEAST = 0.1  # of the bare copy, which joins, sorts, hashes, keeps and reads back nothing
# Issuers with forty facts each, ten to a filing; row ids follow the issuers, as a first publish writes them.
_FILL = """
INSERT INTO serving.provenance
SELECT
    md5('p' || number)::uuid,
    'demo-companyfacts@sha256:' || md5(number::text) || md5('x' || number) || ':' || number,
    'synthetic', '2026-01-05', 'filing', 'xbrl', NULL
FROM generate_series(%(first)s / 10, %(last)s / 10) AS number
ON CONFLICT DO NOTHING;

INSERT INTO serving.fundamentals_fact (
    published_in, fact_id, provenance_id, period_end, period_start, available_at, scope, reason, vintage,
    is_own_period, service_id, line_item, period_type, unit, concept, value
)
SELECT
    1, md5(number::text)::uuid, md5('p' || number / 10)::uuid, make_date(2000 + (number / 10) %% 24, 12, 31),
    make_date(2000 + (number / 10) %% 24, 1, 1), make_date(2001 + (number / 10) %% 24, 3, 1), 'consolidated',
    'added', 1, TRUE, 'DC' || to_char(number / 40, 'FM0000000000000'), 'line_item_' || number %% 10, 'FY',
    'KES', 'ifrs-full:Concept' || number %% 10, number * 1000.25
FROM generate_series(%(first)s, %(last)s - 1) AS number;
"""


@pytest.fixture(scope="module")
def filled(size):
    with temporary_home() as home:
        stack = Stack(home, Ports.free(), durable=False, shared_buffers="512MB")
        try:
            stack.start()
            service = Service(stack, "scale")
            with service.connect() as admin:
                for first in range(0, size.exported, CHUNK):
                    asked = {"first": first, "last": min(first + CHUNK, size.exported)}
                    for statement in _FILL.split(";\n\n"):
                        admin.execute(statement, asked)
                admin.execute("VACUUM ANALYZE serving.fundamentals_fact, serving.provenance")
            service.ingest(Filer(1).says(5, filed="2024-02-01").document())
            assert service.publish().edition == 1
            yield service
            service.close()
        finally:
            stack.destroy()


@pytest.mark.timeout(7200)
def test_rows_a_second_as_a_ratio_to_bare_duckdb(filled, size, tmp_path):
    before = timed_copy(filled, tmp_path / "bare.parquet")
    began = time.monotonic()
    done = filled.export()
    seconds = time.monotonic() - began
    bare = (before + timed_copy(filled, tmp_path / "bare.parquet")) / 2  # the machine may change meanwhile
    assert done.rows == size.exported + 1
    ((parts, held),) = filled.rows(
        "SELECT count(*), sum(bytes)::bigint FROM ops.artifact WHERE kind = 'rows'"
    )
    ratio = bare / seconds
    print(
        f"{size.exported:,} facts: export {done.rows / seconds:,.0f} rows/s into {parts} files of "
        f"{held / 1e6:,.0f} MB, bare copy {size.exported / bare:,.0f} rows/s, ratio {ratio:.2f}; "
        "no statement took 5 s"
    )
    assert ratio >= LEAST or size.exported < CHUNK
    filled.publish()
    filled.ingest(Filer(2).says(5, filed="2024-02-01").document())
    filled.publish()
    began = time.monotonic()
    more = filled.export()
    print(f"one filing more: {more.files} files with {more.rows} rows in {time.monotonic() - began:.1f} s")
    assert more.rows <= 2


def timed_copy(service, file):
    """Return how many seconds DuckDB takes to copy the table."""
    extension = resources.files("duckdb_extension_postgres_scanner").joinpath(
        f"extensions/v{duckdb.__version__}/postgres_scanner.duckdb_extension"
    )
    copier = duckdb.connect(
        config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )
    copier.execute(f"LOAD '{extension}'")
    dsn = service.installation.stack.postgres_dsn(dbname=service.installation.database)
    copier.execute(f"ATTACH '{dsn}' AS bare (TYPE postgres, READ_ONLY)")
    began = time.monotonic()
    copier.execute(
        f"COPY (SELECT * FROM bare.serving.fundamentals_fact) TO '{file}' (FORMAT parquet, COMPRESSION zstd)"
    )
    return time.monotonic() - began
