-- name: document
-- The newest reading of a document that was accepted.
SELECT document.document_id, document.fetched_at
FROM ops.document AS document
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id AND batch.outcome = 'accepted'
WHERE document.source = %(source)s AND document.sha256 = %(sha256)s
ORDER BY document.reading DESC
LIMIT 1;

-- name: waiting
-- Undecided documents of a source.
SELECT count(*)
FROM ops.held AS held
INNER JOIN ops.batch AS batch ON held.batch_id = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE
    document.source = %(source)s
    AND held.held NOT IN (SELECT decision.held FROM ops.held_decision AS decision);

-- name: is_held_back
SELECT 1 FROM ops.held_back AS waiting
WHERE waiting.document_id = %(document_id)s;

-- name: archive_in_parts
SELECT 1
FROM ops.archive_part AS part
INNER JOIN ops.document AS document ON part.document_id = document.document_id
WHERE document.source = %(source)s
LIMIT 1;

-- name: undone
-- The last decision about a document, if it says this moment and was not carried out.
SELECT last.correction
FROM (
    SELECT correction.correction, correction.fetched_at
    FROM ops.day_correction AS correction
    WHERE correction.document_id = %(document_id)s
    ORDER BY correction.correction DESC
    LIMIT 1
) AS last
WHERE
    last.fetched_at = %(fetched_at)s
    AND last.correction NOT IN (SELECT done.correction FROM ops.day_corrected AS done);

-- name: decide
INSERT INTO ops.day_correction (document_id, fetched_at, because)
VALUES (%(document_id)s, %(fetched_at)s, %(because)s)
RETURNING correction;

-- name: decision
SELECT document.source, correction.document_id, correction.fetched_at
FROM ops.day_correction AS correction
INNER JOIN ops.document AS document ON correction.document_id = document.document_id
WHERE
    correction.correction = %(correction)s
    AND correction.correction NOT IN (SELECT done.correction FROM ops.day_corrected AS done)
    AND correction.document_id NOT IN (SELECT aside.document_id FROM ops.set_aside AS aside);

-- name: to_read
-- The document, and those of its source that were ingested after it and compared with it, in that order.
SELECT document.document_id, document.sha256, document.url, document.fetched_at
FROM ops.batch AS wrong
INNER JOIN ops.batch AS batch ON batch.batch_id >= wrong.batch_id AND batch.outcome = 'accepted'
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE
    wrong.document_id = %(document_id)s AND wrong.outcome = 'accepted' AND document.source = %(source)s
    AND document.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
ORDER BY batch.batch_id;

-- name: register_again
WITH put AS (
    INSERT INTO ops.document (source, sha256, url, license_class, bytes, fetched_at, reading)
    SELECT
        document.source, document.sha256, document.url, document.license_class, document.bytes, %(fetched_at)s,
        document.reading + 1
    FROM ops.document AS document
    WHERE document.document_id = %(document_id)s
    RETURNING document_id
)

INSERT INTO ops.set_aside (document_id, correction, read_as)
SELECT %(document_id)s, %(correction)s, put.document_id AS read_as FROM put
RETURNING read_as;

-- name: done
INSERT INTO ops.day_corrected (correction) VALUES (%(correction)s);
