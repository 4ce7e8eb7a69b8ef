"""Where values come from: one row per document (and filing), shared by all rows that rest on it.

Chunks of several workers need the same rows. Each writes its own to `build.provenance`, where none waits for
another, and they are moved to `serving.provenance` when all chunks of the stage are done.
"""

from __future__ import annotations

from sankofa.editions.locks import share_with_takedowns
from sankofa.storage.postgres import Connection

# A provenance id is a hash of the row's content, so a row that is there is the same. Each is looked up by
# itself (OFFSET 0): a join reads the provenance of all filings for the few of a chunk.
_KEEP = """
INSERT INTO build.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method)
SELECT coming.*
FROM (
    SELECT DISTINCT
        target.provenance_id, target.document_ref, target.license_class, target.observed_at,
        target.available_at_basis, %(method)s
    FROM target
) AS coming
WHERE NOT EXISTS (
    SELECT FROM serving.provenance AS kept WHERE kept.provenance_id = coming.provenance_id OFFSET 0
)
"""
_KEEP_FILED = """
INSERT INTO build.provenance
(
    provenance_id, document_ref, license_class, observed_at, available_at_basis, method,
    accepted_at, form, filing_id
)
SELECT coming.*
FROM (
    SELECT DISTINCT
        target.provenance_id, target.document_ref, target.license_class, target.observed_at,
        target.available_at_basis, target.method, target.accepted_at, target.form, target.filing_id
    FROM target
) AS coming
WHERE NOT EXISTS (
    SELECT FROM serving.provenance AS kept WHERE kept.provenance_id = coming.provenance_id OFFSET 0
)
"""
# A document whose day was corrected has other provenance than before: earlier editions keep theirs.
_CORRECT = """
UPDATE target SET provenance_id = md5(concat_ws('|', target.provenance_id, document.corrected))::uuid
FROM build.held_document AS document
WHERE
    document.corrected IS NOT NULL AND target.observed_at = document.fetched_at
    AND starts_with(target.document_ref, document.source || ':')
    AND right(target.document_ref, 64) = encode(document.sha256, 'hex')
"""
# A takedown removes the provenance of filings with their facts, also of facts that the build wrote before it.
_DROP_DEPARTED = """
DELETE FROM build.provenance AS coming
WHERE coming.filing_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM serving.fundamentals_fact AS fact WHERE fact.provenance_id = coming.provenance_id
) AND NOT EXISTS (
    SELECT FROM serving.filing AS filing WHERE filing.provenance_id = coming.provenance_id
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


def keep_filed_provenance(connection: Connection) -> None:
    """Keep the provenance of rows that come from filings: with form, number and moment of acceptance."""
    if connection.execute("SELECT FROM ops.day_corrected LIMIT 1").rowcount:
        connection.execute(_CORRECT)
    connection.execute(_KEEP_FILED)


def move_provenance(connection: Connection) -> None:
    """Insert the provenance that the chunks of a stage collected into `serving.provenance`."""
    share_with_takedowns(connection)
    if connection.execute("SELECT FROM ops.pending WHERE kind = 'takedown'").rowcount:
        connection.execute(_DROP_DEPARTED)
    connection.execute(_MOVE)
