"""Where values come from: one row per document (and filing), shared by all rows that rest on it."""

from __future__ import annotations

from sankofa.storage.postgres import Connection

# A provenance id is a hash of the row's content, so a row that is there is the same.
_KEEP = """
INSERT INTO serving.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method)
SELECT DISTINCT provenance_id, document_ref, license_class, observed_at, available_at_basis, %(method)s
FROM target
ON CONFLICT DO NOTHING
"""
_KEEP_FILED = """
INSERT INTO serving.provenance
(
    provenance_id, document_ref, license_class, observed_at, available_at_basis, method,
    accepted_at, form, filing_id
)
SELECT DISTINCT
    provenance_id, document_ref, license_class, observed_at, available_at_basis, %(method)s,
    accepted_at, form, filing_id
FROM target
ON CONFLICT DO NOTHING
"""


def keep_provenance(connection: Connection, method: str) -> None:
    """Keep the provenance of the rows of the temporary table `target`."""
    connection.execute(_KEEP, {"method": method})


def keep_filed_provenance(connection: Connection, method: str) -> None:
    """Keep the provenance of rows that come from filings: with form, number and moment of acceptance."""
    connection.execute(_KEEP_FILED, {"method": method})
