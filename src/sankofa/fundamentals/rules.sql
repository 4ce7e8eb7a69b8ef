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
    EXISTS (
        SELECT FROM held_document AS held
        WHERE held.document_id = fact.document_id
    )
ORDER BY
    fact.filing_id, fact.concept_id, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.value,
    document.fetched_at, document.sha256;
