"""Documents as if they had been ingested one by one: a batch each, and no facts."""

from __future__ import annotations

_DOCUMENTS = """
INSERT INTO ops.document (source, sha256, license_class, bytes, fetched_at)
SELECT 'demo-companyfacts', sha256(n::text::bytea), 'synthetic', 1, '2026-01-05 06:00Z'
FROM generate_series(1, %s) AS n
"""
_BATCHES = """
INSERT INTO ops.batch (document_id, outcome, facts_read, facts_appended)
SELECT document_id, 'accepted', 0, 0 FROM ops.document
"""


def hold_documents(service, count):
    """Add so many documents; the next edition holds them."""
    with service.connect() as admin:
        admin.execute(_DOCUMENTS, [count])
        admin.execute(_BATCHES)
