-- name: newly_stated
-- What the document newly states of line items.
CREATE TEMPORARY TABLE newly_stated ON COMMIT DROP AS
SELECT filing.subject_id, filing.available_at, filing.filing_number, concept.concept, fact.*
FROM ledger.fact AS fact
INNER JOIN ledger.filing AS filing ON fact.filing_id = filing.filing_id
INNER JOIN ledger.concept AS concept ON fact.concept_id = concept.concept_id
WHERE fact.document_id = %(document_id)s AND concept.concept = any(%(concepts)s::text[]);

-- name: compare
-- Each value is compared with the report nearest before it in the order of filing, or else after it, of a document that is
-- not held back. Reports are read filer by filer and filing by filing (OFFSET keeps the join in that order).
WITH reported AS MATERIALIZED (
    SELECT filing.subject_id, filing.available_at, filing.filing_number, fact.*
    FROM (SELECT DISTINCT stated.subject_id FROM newly_stated AS stated) AS one
    INNER JOIN ledger.filing AS filing ON one.subject_id = filing.subject_id AND filing.source = %(source)s
    INNER JOIN LATERAL (
        SELECT each.* FROM ledger.fact AS each
        WHERE each.filing_id = filing.filing_id AND each.document_id <> %(document_id)s
        OFFSET 0
    ) AS fact ON TRUE
    WHERE fact.document_id NOT IN (SELECT held.document_id FROM ops.held_back AS held)
),

nearest AS (
    SELECT DISTINCT ON (
        stated.filing_id, stated.concept_id, stated.period_end, stated.period_start, stated.unit, stated.scope
    )
        stated.*, reported.value AS was
    FROM newly_stated AS stated
    INNER JOIN reported
        ON
            stated.subject_id = reported.subject_id AND stated.concept_id = reported.concept_id
            AND stated.period_end = reported.period_end AND stated.period_start = reported.period_start
            AND stated.unit = reported.unit AND stated.scope = reported.scope
    ORDER BY
        stated.filing_id ASC, stated.concept_id ASC, stated.period_end ASC, stated.period_start ASC, stated.unit ASC,
        stated.scope ASC, reported.available_at > stated.available_at ASC,
        abs(reported.available_at - stated.available_at) ASC, reported.filing_number DESC, reported.value ASC
),

known AS MATERIALIZED (
    SELECT nearest.*, ops.movement(nearest.was, nearest.value, %(tolerance)s, %(leap)s) AS movement
    FROM nearest
    WHERE nearest.was IS NOT NULL
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT
        known.movement,
        concat_ws(
            ' ', subject.identifier, known.concept, known.period_end, known.unit, 'of filing', known.filing_number
        ) AS name,
        known.was,
        known.value
    FROM known
    INNER JOIN ledger.subject AS subject ON known.subject_id = subject.subject_id
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
