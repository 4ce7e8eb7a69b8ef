-- name: compare
-- What the document newly states about values of line items that its filers reported before. Each is compared with
-- the report nearest before it in the order of filing, or else after it, of a document that is not held back.
WITH stated AS (
    SELECT filing.subject_id, filing.available_at, filing.filing_number, fact.*
    FROM (SELECT DISTINCT appended.filing_id FROM appended) AS one
    INNER JOIN ledger.filing AS filing ON one.filing_id = filing.filing_id
    INNER JOIN ledger.fact AS fact ON one.filing_id = fact.filing_id AND fact.document_id = %(document_id)s
    INNER JOIN ledger.concept AS concept ON fact.concept_id = concept.concept_id
    WHERE concept.concept = any(%(concepts)s::text[])
),

known AS MATERIALIZED (
    SELECT stated.*, before.value AS was, ops.movement(before.value, stated.value, %(tolerance)s, %(leap)s) AS movement
    FROM stated
    INNER JOIN LATERAL (
        SELECT fact.value
        FROM ledger.filing AS filing
        INNER JOIN ledger.fact AS fact
            ON
                filing.filing_id = fact.filing_id AND stated.concept_id = fact.concept_id
                AND stated.period_end = fact.period_end AND stated.period_start = fact.period_start
                AND stated.unit = fact.unit AND stated.scope = fact.scope
        WHERE
            filing.subject_id = stated.subject_id AND filing.source = %(source)s
            AND fact.document_id <> %(document_id)s
            AND fact.document_id NOT IN (SELECT held.document_id FROM ops.held_back AS held)
        ORDER BY
            filing.available_at > stated.available_at ASC,
            abs(filing.available_at - stated.available_at) ASC,
            filing.filing_number DESC,
            fact.value ASC
        LIMIT 1
    ) AS before ON before.value IS NOT NULL
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT
        known.movement,
        concat_ws(
            ' ', subject.identifier, concept.concept, known.period_end, known.unit, 'of filing', known.filing_number
        ) AS name,
        known.was,
        known.value
    FROM known
    INNER JOIN ledger.subject AS subject ON known.subject_id = subject.subject_id
    INNER JOIN ledger.concept AS concept ON known.concept_id = concept.concept_id
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
