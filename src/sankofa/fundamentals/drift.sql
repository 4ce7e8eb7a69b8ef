-- name: known_filers
-- Filers of the document with filings that were known before: the others have nothing to compare with. Each is looked up by
-- itself (OFFSET 0): a join of all reads every filing of the source.
SELECT one.subject_id
FROM (
    SELECT
        (SELECT subject.subject_id FROM ledger.subject AS subject WHERE subject.identifier = named.identifier) AS subject_id
    FROM (SELECT DISTINCT staged.identifier FROM staged_filing AS staged) AS named
    OFFSET 0
) AS one
WHERE EXISTS (
    SELECT FROM ledger.filing AS earlier
    WHERE
        earlier.subject_id = one.subject_id
        AND earlier.source = %(source)s
        AND NOT EXISTS (SELECT FROM new_filing WHERE new_filing.filing_id = earlier.filing_id)
    OFFSET 0
);

-- name: new_values
-- The new values of line items in the document, of filers that were known before.
CREATE TEMPORARY TABLE new_value ON COMMIT DROP AS
SELECT filing.subject_id, filing.available_at, filing.filing_number, concept.concept, fact.*
FROM ledger.fact AS fact
INNER JOIN ledger.filing AS filing ON fact.filing_id = filing.filing_id
INNER JOIN ledger.concept AS concept ON fact.concept_id = concept.concept_id
WHERE
    fact.document_id = %(document_id)s
    AND concept.concept = any(%(concepts)s::text[])
    AND filing.subject_id = any(%(known)s::integer[]);

-- name: compare
-- Each value is compared with the report nearest before it in the order of filing, or else after it, of a document that is
-- not held back. Reports are read filer by filer and filing by filing (OFFSET keeps the join in that order).
WITH reported AS MATERIALIZED (
    SELECT filing.subject_id, filing.available_at, filing.filing_number, fact.*
    FROM (SELECT DISTINCT new_value.subject_id FROM new_value) AS one
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
        new_value.filing_id, new_value.concept_id, new_value.period_end, new_value.period_start, new_value.unit, new_value.scope
    )
        new_value.*, reported.value AS was
    FROM new_value
    INNER JOIN reported
        ON
            new_value.subject_id = reported.subject_id AND new_value.concept_id = reported.concept_id
            AND new_value.period_end = reported.period_end AND new_value.period_start = reported.period_start
            AND new_value.unit = reported.unit AND new_value.scope = reported.scope
    ORDER BY
        new_value.filing_id ASC, new_value.concept_id ASC, new_value.period_end ASC, new_value.period_start ASC,
        new_value.unit ASC, new_value.scope ASC, reported.available_at > new_value.available_at ASC,
        abs(reported.available_at - new_value.available_at) ASC, reported.filing_number DESC, reported.value ASC
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
