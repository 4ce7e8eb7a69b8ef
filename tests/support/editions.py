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
    o.rule_version, o.location, o.known_from::text, o.name_as_of,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.organisation AS o JOIN serving.provenance AS p USING (provenance_id)
WHERE o.published_in <= %s AND o.superseded_in > %s
"""
_NAMES = """
SELECT n.service_id, n.known_from::text, n.known_until, n.name_as_of, n.legal_name, n.jurisdiction,
    n.location, p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.organisation_name AS n JOIN serving.provenance AS p USING (provenance_id)
WHERE n.published_in <= %s AND n.superseded_in > %s
"""
_IDENTIFIERS = """
SELECT i.service_id, i.id_type, i.issuer, i.id_value, i.valid_from, i.valid_to, i.claim_id, i.location,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.identifier AS i JOIN serving.provenance AS p USING (provenance_id)
WHERE i.published_in <= %s AND i.superseded_in > %s
"""
_RELEASES = """
SELECT r.fact_id, r.process_key, r.sorted_at, r.available_at, r.known_until::text, r.vintage, r.has_text,
    r.country, r.source, r.ocid, r.release_id, r.named_in_ids, r.parties, r.body,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.tender_release AS r JOIN serving.provenance AS p USING (provenance_id)
WHERE r.published_in <= %s AND r.superseded_in > %s
"""
_TEXTS = """
SELECT fact_id, process_key, named, texts FROM serving.tender_text
WHERE published_in <= %s AND superseded_in > %s
"""
_TENDER_FACTS = """
SELECT f.fact_id, f.process_key, f.period_end, f.available_at, f.known_until::text, f.vintage, f.measure,
    f.country, f.party, f.unit, f.location, f.named_in_ids, f.value,
    p.document_ref, p.license_class, p.observed_at, p.available_at_basis, p.method
FROM serving.tender_fact AS f JOIN serving.provenance AS p USING (provenance_id)
WHERE f.published_in <= %s AND f.superseded_in > %s
"""
_TENDER_EVENTS = """
SELECT e.event_id, e.process_key, e.month, e.tenderers, e.days, e.kind, e.country, e.category, e.party,
    e.currency, e.value, p.document_ref
FROM serving.tender_event AS e JOIN serving.provenance AS p USING (provenance_id)
WHERE e.published_in <= %s AND e.superseded_in > %s
"""
_PARTIES = """
SELECT t.part_id, t.available_at, t.known_until::text, t.service_id, t.role, t.country, t.first_release,
    t.last_release, t.releases, t.location, p.document_ref
FROM serving.tender_party AS t JOIN serving.provenance AS p USING (provenance_id)
WHERE t.published_in <= %s AND t.superseded_in > %s
"""
_COUNTRIES = """
SELECT country, newest_at FROM serving.tender_country WHERE published_in <= %s AND superseded_in > %s
"""
_QUERIES = (
    _FACTS,
    _IDS,
    _ORGANISATIONS,
    _NAMES,
    _IDENTIFIERS,
    _RELEASES,
    _TEXTS,
    _TENDER_FACTS,
    _TENDER_EVENTS,
    _PARTIES,
    _COUNTRIES,
)


def content(service, edition):
    """Return the rows of an edition as sorted lists, one for each table."""
    return tuple(sorted(service.rows(query, edition, edition), key=repr) for query in _QUERIES)
