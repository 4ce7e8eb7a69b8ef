-- fragment: still_waits(held)
SELECT held.run IS NULL OR EXISTS (SELECT FROM ops.run_waiting AS waiting WHERE waiting.run = held.run)
FROM held;

-- name: has_usual
-- Whether an edition holds a document of the source. The first one is never held.
SELECT 1
FROM (
    SELECT batch.batch_id
    FROM ops.document AS document
    INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id AND batch.outcome = 'accepted'
    WHERE document.source = %(source)s
    ORDER BY document.document_id
    LIMIT 1
) AS first
INNER JOIN ops.edition_holds AS held ON first.batch_id = held.number AND held.kind = 'batch'
INNER JOIN serving.edition AS edition ON held.edition = edition.edition;

-- name: has_as_large
-- Whether an edition holds a document of the source with at least so many rows. Ordinary sources have many, so few
-- documents are read.
SELECT 1
FROM ops.document AS document
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
INNER JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
WHERE document.source = %(source)s AND batch.outcome = 'accepted' AND batch.facts_appended >= %(rows)s
LIMIT 1;

-- name: usual
-- The number and the largest size of the documents of a source that editions hold. Reads all of them.
SELECT count(*), coalesce(max(batch.facts_appended), 0)
FROM ops.document AS document
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
INNER JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
WHERE document.source = %(source)s AND batch.outcome = 'accepted';

-- name: by_index
-- A document concerns few rows out of many, and statistics may be older than the rows just loaded.
SELECT set_config('enable_seqscan', 'off', TRUE);

-- name: moved_table
CREATE TEMPORARY TABLE IF NOT EXISTS moved (
    movement text NOT NULL, name text NOT NULL, was text NOT NULL, now text
) ON COMMIT DELETE ROWS;

-- name: moved
-- The number of known rows by movement, with the names of the first ones.
SELECT
    placed.movement,
    max(placed.place) AS moved_rows,
    array_agg(placed.description ORDER BY placed.place) FILTER (WHERE placed.place <= %(named)s) AS named
FROM (
    SELECT
        moved.movement,
        concat(moved.name, ': ', moved.was, ' → ', coalesce(moved.now, 'none')) AS description,
        row_number() OVER (PARTITION BY moved.movement ORDER BY moved.name) AS place
    FROM moved
) AS placed
GROUP BY placed.movement;

-- name: hold_batch
INSERT INTO ops.held (batch_id, dataset, reasons, takedowns)
VALUES (%(batch_id)s, %(dataset)s, %(reasons)s, %(takedowns)s);

-- name: hold_rules
-- Once for each version of the rules that is not released.
INSERT INTO ops.held (rules, dataset, reasons, takedowns)
SELECT %(rules)s, %(dataset)s, %(reasons)s, %(takedowns)s
WHERE
    NOT EXISTS (
        SELECT FROM ops.held AS held
        WHERE
            held.rules = %(rules)s
            AND NOT EXISTS (
                SELECT FROM ops.held_decision AS decision
                WHERE decision.held = held.held AND decision.is_released
            )
    );

-- name: hold_run
INSERT INTO ops.held (run, dataset, reasons) VALUES (%(run)s, %(dataset)s, %(reasons)s);

-- name: holds
-- Every hold with its last decision, newest first; or one hold, or only the undecided ones. A run whose documents a
-- later good run offered again needs no decision.
SELECT
    held.held,
    held.batch_id,
    held.run,
    coalesce(document.source, run.source) AS source,
    encode(document.sha256, 'hex') AS sha256,
    held.rules,
    held.dataset,
    held.reasons,
    held.held_at,
    decision.is_released,
    decision.because,
    decision.decided_by,
    decision.decided_at
FROM ops.held AS held
LEFT JOIN ops.batch AS batch ON held.batch_id = batch.batch_id
LEFT JOIN ops.document AS document ON batch.document_id = document.document_id
LEFT JOIN ops.run AS run ON held.run = run.run
LEFT JOIN LATERAL (
    SELECT one.* FROM ops.held_decision AS one
    WHERE one.held = held.held
    ORDER BY one.decision DESC
    LIMIT 1
) AS decision ON TRUE
WHERE
    (%(held)s::integer IS NULL OR held.held = %(held)s)
    AND (%(every)s OR (decision.decision IS NULL AND fragment.still_waits(held)))
ORDER BY held.held DESC;

-- name: decide
INSERT INTO ops.held_decision (held, is_released, because) VALUES (%(held)s, %(is_released)s, %(because)s);

-- name: takedowns_left
SELECT ops.takedowns_left();

-- name: waiting
SELECT count(*) FROM ops.held AS held
WHERE
    held.held NOT IN (SELECT decision.held FROM ops.held_decision AS decision)
    AND fragment.still_waits(held);
