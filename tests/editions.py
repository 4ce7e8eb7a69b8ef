"""What an edition holds, row for row, without the numbers that only say how it came about."""

from __future__ import annotations

_FACTS = """
SELECT f.service_id, f.line_item, f.period_end::text, f.period_start::text, f.period_type, f.unit,
    f.scope::text, f.vintage, f.value, f.available_at, f.withdrawn_at, f.fiscal_year, f.is_own_period,
    f.concept, f.fact_id,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method, p.extraction_confidence
FROM serving.fundamentals_fact AS f JOIN serving.provenance AS p USING (provenance_id)
WHERE f.published_in <= %s AND f.superseded_in > %s
"""
_IDS = """
SELECT service_id, resolves_to FROM serving.issued_id WHERE published_in <= %s AND superseded_in > %s
"""
_ORGANISATIONS = """
SELECT o.service_id, o.legal_name, o.search_name, o.jurisdiction, o.lei, o.status, o.established_by,
    o.rule_version, o.location, p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.organisation AS o JOIN serving.provenance AS p USING (provenance_id)
WHERE o.published_in <= %s AND o.superseded_in > %s
"""
_IDENTIFIERS = """
SELECT i.service_id, i.id_type, i.issuer, i.id_value, i.valid_from, i.valid_to, i.claim_id, i.location,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.identifier AS i JOIN serving.provenance AS p USING (provenance_id)
WHERE i.published_in <= %s AND i.superseded_in > %s
"""
_QUERIES = (_FACTS, _IDS, _ORGANISATIONS, _IDENTIFIERS)


def content(service, edition):
    """Return the rows of an edition as sorted lists: facts, which ids answer, organisations, identifiers."""
    return tuple(sorted(service.rows(query, edition, edition), key=repr) for query in _QUERIES)
