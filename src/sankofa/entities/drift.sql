-- name: compare
-- The document's records of known organisations, each compared with its last record from another document that is not
-- held. Names are not stored here, only whether they differ.
WITH known AS MATERIALIZED (
    SELECT
        staged.identifier,
        CASE
            WHEN was.status = 'active' AND staged.status = 'inactive' THEN 'gone'
            WHEN was.legal_name <> staged.legal_name OR was.jurisdiction <> staged.jurisdiction THEN 'restated'
        END AS movement
    FROM (
        SELECT DISTINCT ON (one.identifier) one.* FROM staged_organisation AS one
        ORDER BY one.identifier ASC, one.stated_at DESC
    ) AS staged
    INNER JOIN ledger.subject AS subject ON staged.identifier = subject.identifier
    INNER JOIN LATERAL (
        SELECT record.* FROM ledger.organisation_record AS record
        WHERE
            record.subject_id = subject.subject_id AND record.source = %(source)s
            AND record.document_id <> %(document_id)s
            AND record.document_id NOT IN (SELECT held.document_id FROM ops.held_back AS held)
        ORDER BY record.stated_at DESC
        LIMIT 1
    ) AS was ON TRUE
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT
        known.movement,
        known.identifier,
        CASE known.movement WHEN 'gone' THEN 'active' ELSE 'one name or country' END AS was,
        CASE known.movement WHEN 'gone' THEN 'inactive' ELSE 'another' END AS now
    FROM known
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
