"""Where values come from: one row per document (and filing), shared by all rows that rest on it."""

from __future__ import annotations

from sankofa.storage.postgres import Connection

# A provenance id is a hash of the row's content, so a row that is there is the same.
_KEEP = """
INSERT INTO serving.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method, extraction_confidence)
SELECT DISTINCT
    provenance_id, document_ref, license_class, observed_at, available_at_basis, %(method)s, NULL::numeric
FROM target
ON CONFLICT DO NOTHING
"""


def keep_provenance(connection: Connection, method: str) -> None:
    """Keep the provenance of the rows of the temporary table `target`."""
    connection.execute(_KEEP, {"method": method})
