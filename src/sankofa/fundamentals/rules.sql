-- name: know_concepts
-- Concepts of the map that no filing has used yet get their handle now.
INSERT INTO ledger.concept (concept)
SELECT told.concept
FROM unnest(%(concepts)s::text[]) AS told (concept)
ORDER BY told.concept
ON CONFLICT DO NOTHING;

-- name: install_map
INSERT INTO ops.line_item_map (map_version, line_item, rank, concept_id)
SELECT
    %(map_version)s,
    entry.line_item,
    entry.rank,
    concept.concept_id
FROM
    unnest(%(line_items)s::text[], %(ranks)s::smallint[], %(concepts)s::text[])
        AS entry (line_item, rank, concept)
INNER JOIN ledger.concept AS concept ON entry.concept = concept.concept
ON CONFLICT DO NOTHING;

-- name: touch_changed_concepts
-- Subjects that reported a concept whose place in the map differs between two versions. A full read of
-- the ledger, and rightly so: maps change seldom, and an index by concept would cost every load.
INSERT INTO touched_subject (subject_id)
SELECT DISTINCT filing.subject_id
FROM (
    SELECT coalesce(before.concept_id, now.concept_id) AS concept_id
    FROM (
        SELECT * FROM ops.line_item_map
        WHERE map_version = %(before)s
    ) AS before
    FULL JOIN (
        SELECT * FROM ops.line_item_map
        WHERE map_version = %(now)s
    ) AS now
        ON before.concept_id = now.concept_id
    WHERE (before.line_item, before.rank) IS DISTINCT FROM (now.line_item, now.rank)
) AS changed
INNER JOIN ledger.fact AS fact ON changed.concept_id = fact.concept_id
INNER JOIN ledger.filing AS filing ON fact.filing_id = filing.filing_id
ON CONFLICT DO NOTHING;

-- name: keep_provenance
INSERT INTO serving.provenance
(provenance_id, document_ref, license_class, observed_at, available_at_basis, method, extraction_confidence)
SELECT DISTINCT
    provenance_id,
    document_ref,
    license_class,
    observed_at,
    available_at_basis,
    'xbrl' AS method,
    NULL::numeric AS extraction_confidence
FROM target
ON CONFLICT DO NOTHING;

-- name: target_ids
-- An id answers in an edition while the issuer it resolves to has something to show.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    touched.service_id,
    touched.survivor AS resolves_to
FROM touched
WHERE NOT EXISTS (
    SELECT FROM ledger.takedown AS takedown
    WHERE takedown.kind = 'issuer' AND takedown.target IN (touched.service_id, touched.survivor)
) AND EXISTS (
    SELECT FROM serving.fundamentals_fact AS fact
    WHERE fact.service_id = touched.survivor AND fact.superseded_in = 2147483647
);

-- name: stated
-- Each value that a touched issuer's filings state, once, with the earliest fetched document that shows it,
-- as far as the edition holds those documents. Read by index, few issuers out of many.
CREATE TEMPORARY TABLE stated ON COMMIT DROP AS
SELECT DISTINCT ON (
    fact.filing_id, fact.concept_id, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.value
)
    resolved.resolves_to AS service_id,
    subject.subject_id,
    subject.identifier,
    filing.source,
    filing.filing_number,
    filing.accepted_at,
    filing.available_at,
    filing.available_at_basis,
    filing.report_period,
    fact.filing_id,
    fact.concept_id,
    concept.concept,
    fact.period_start,
    fact.period_end,
    fact.unit,
    fact.scope,
    fact.value,
    fact.decimals,
    document.sha256,
    document.fetched_at,
    document.license_class
FROM touched
INNER JOIN resolved ON touched.service_id = resolved.resolves_to
INNER JOIN ledger.subject AS subject ON resolved.subject_id = subject.subject_id
INNER JOIN ledger.filing AS filing ON subject.subject_id = filing.subject_id
INNER JOIN ledger.fact AS fact ON filing.filing_id = fact.filing_id
INNER JOIN ledger.concept AS concept ON fact.concept_id = concept.concept_id
INNER JOIN ops.document AS document ON fact.document_id = document.document_id
WHERE
    NOT resolved.is_taken_down
    AND NOT EXISTS (
        SELECT FROM unheld
        WHERE unheld.document_id = fact.document_id
    )
ORDER BY
    fact.filing_id, fact.concept_id, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.value,
    document.fetched_at, document.sha256;
