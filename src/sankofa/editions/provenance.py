"""Where values come from: one row per document (and filing), shared by all rows that rest on it.

Chunks of several workers need the same rows. Each writes its own to `build.provenance`, where none waits for
another, and they are moved to `serving.provenance` when all chunks of the stage are done.
"""

from __future__ import annotations

from sankofa.editions.locks import share_with_takedowns
from sankofa.storage.postgres import Connection

# A provenance id is a hash of the row's content, so a row that is there is the same.
_KEEP = """
INSERT INTO build.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method)
SELECT DISTINCT
    target.provenance_id, target.document_ref, target.license_class, target.observed_at,
    target.available_at_basis, %(method)s
FROM target
WHERE NOT EXISTS (SELECT FROM serving.provenance AS kept WHERE kept.provenance_id = target.provenance_id)
"""
_KEEP_FILED = """
INSERT INTO build.provenance
(
    provenance_id, document_ref, license_class, observed_at, available_at_basis, method,
    accepted_at, form, filing_id
)
SELECT DISTINCT
    target.provenance_id, target.document_ref, target.license_class, target.observed_at,
    target.available_at_basis, %(method)s, target.accepted_at, target.form, target.filing_id
FROM target
WHERE NOT EXISTS (SELECT FROM serving.provenance AS kept WHERE kept.provenance_id = target.provenance_id)
"""
# A takedown removes the provenance of filings with their facts, also of facts that the build wrote before it.
_DROP_DEPARTED = """
DELETE FROM build.provenance AS coming
WHERE coming.filing_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM serving.fundamentals_fact AS fact WHERE fact.provenance_id = coming.provenance_id
)
"""
_MOVE = """
WITH coming AS (DELETE FROM build.provenance RETURNING *)
INSERT INTO serving.provenance
(
    provenance_id, document_ref, license_class, observed_at, available_at_basis, method,
    accepted_at, form, filing_id
)
SELECT DISTINCT ON (coming.provenance_id)
    coming.provenance_id, coming.document_ref, coming.license_class, coming.observed_at,
    coming.available_at_basis, coming.method, coming.accepted_at, coming.form, coming.filing_id
FROM coming
ORDER BY coming.provenance_id
ON CONFLICT DO NOTHING
"""


def keep_provenance(connection: Connection, method: str) -> None:
    """Keep the provenance of the rows of the temporary table `target`."""
    connection.execute(_KEEP, {"method": method})


def keep_filed_provenance(connection: Connection, method: str) -> None:
    """Keep the provenance of rows that come from filings: with form, number and moment of acceptance."""
    connection.execute(_KEEP_FILED, {"method": method})


def move_provenance(connection: Connection) -> None:
    """Insert the provenance that the chunks of a stage collected into `serving.provenance`."""
    share_with_takedowns(connection)
    if connection.execute("SELECT FROM ops.pending WHERE kind = 'takedown'").rowcount:
        connection.execute(_DROP_DEPARTED)
    connection.execute(_MOVE)
