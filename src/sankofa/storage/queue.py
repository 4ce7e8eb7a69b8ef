"""The queue of jobs: procrastinate's tables and functions, in a schema of their own.

They come with the package. The first migration installs them as they are; later ones bring them up to date
by the package's own steps, each of which is applied once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from procrastinate.schema import SchemaManager

from sankofa.storage.postgres import SESSION, with_options

_PREFIX = "queue/"
_WITHIN = "SET LOCAL search_path = queue;\n"
_INSTALL = f"""
CREATE SCHEMA queue;
COMMENT ON SCHEMA queue IS 'Jobs, and who works on them. Its content is procrastinate''s.';
{_WITHIN}"""
_GRANTS = """
GRANT USAGE ON SCHEMA queue TO sankofa_ingest;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA queue TO sankofa_ingest;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA queue TO sankofa_ingest;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA queue TO sankofa_ingest;
"""


def queue_dsn(dsn: str) -> str:
    """Return a connection string whose connections find the queue."""
    return with_options(dsn, f"{SESSION} -c search_path=queue")


def queue_steps(applied: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the queue's own migrations: the whole schema, or the steps since the installed version."""
    before = sorted(name for name in applied if name.startswith(_PREFIX))
    steps = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    if not before:
        text = _INSTALL + SchemaManager.get_schema() + _GRANTS
        yield _PREFIX + steps[-1].name, text.encode()
        return
    for step in steps:
        if _PREFIX + step.name > before[-1]:
            yield _PREFIX + step.name, (_WITHIN + step.read_text(encoding="utf-8") + _GRANTS).encode()
