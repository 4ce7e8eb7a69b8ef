-- name: enter_run
-- The run of a source that is under way, if any: a document that comes in meanwhile belongs to it.
SELECT set_config('sankofa.run', coalesce(fragment.run_under_way(%(source)s)::text, ''), FALSE);

-- name: seen
SELECT batch.batch_id
FROM ops.document AS document
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
WHERE document.source = %(source)s AND document.sha256 = %(sha256)s AND batch.outcome = %(outcome)s
ORDER BY document.reading DESC
LIMIT 1;

-- name: offer
INSERT INTO ops.run_batch (run, batch_id) VALUES (%(run)s, %(batch_id)s) ON CONFLICT DO NOTHING;

-- name: wait
INSERT INTO ops.run_waiting (batch_id, document_id, run) VALUES (%(batch_id)s, %(document_id)s, %(run)s);

-- name: extent
INSERT INTO ops.batch_extent (batch_id, keys, newest) VALUES (%(batch_id)s, %(keys)s, %(newest)s);

-- name: newest_version
SELECT version.etag, version.last_modified
FROM ops.file_version AS version
INNER JOIN ops.document AS document ON version.document_id = document.document_id
WHERE version.url = %(url)s AND document.source = %(source)s
ORDER BY version.file_version DESC
LIMIT 1;

-- name: note_version
-- A version that comes back after another is recorded again, so the last row is always the current one.
WITH newest AS (
    SELECT version.document_id, version.etag, version.last_modified
    FROM ops.file_version AS version
    INNER JOIN ops.document AS document ON version.document_id = document.document_id
    WHERE version.url = %(url)s AND document.source = %(source)s
    ORDER BY version.file_version DESC
    LIMIT 1
)

INSERT INTO ops.file_version (document_id, url, etag, last_modified)
SELECT batch.document_id, %(url)s, %(etag)s, %(last_modified)s
FROM ops.batch AS batch
WHERE batch.batch_id = %(batch_id)s AND NOT EXISTS (
    SELECT FROM newest
    WHERE
        newest.document_id = batch.document_id
        AND newest.etag = %(etag)s
        AND newest.last_modified = %(last_modified)s
);

-- name: register
-- A document that was rejected before and is read now keeps its row and its first fetch time.
WITH known AS (
    SELECT document.document_id FROM ops.document AS document
    WHERE document.source = %(source)s AND document.sha256 = %(sha256)s
    ORDER BY document.reading DESC
    LIMIT 1
),

put AS (
    INSERT INTO ops.document (source, sha256, url, license_class, bytes, fetched_at)
    SELECT %(source)s, %(sha256)s, %(url)s, %(license_class)s, %(bytes)s, %(fetched_at)s
    WHERE NOT EXISTS (SELECT FROM known)
    RETURNING document_id
)

SELECT document_id FROM known
UNION ALL
SELECT document_id FROM put;

-- name: batch
INSERT INTO ops.batch (document_id, outcome, facts_read, facts_appended)
VALUES (%(document_id)s, %(outcome)s, %(read)s, %(appended)s)
RETURNING batch_id;

-- name: reject
INSERT INTO ops.rejection (batch_id, reason, rows_rejected, sample)
VALUES (%(batch_id)s, %(reason)s, %(rows)s, %(sample)s);

-- name: archived
-- Documents with the first edition that holds each, or those of one edition.
SELECT coalesce(min(held.edition), 0) AS edition, document.source, document.sha256
FROM ops.document AS document
LEFT JOIN ops.batch AS batch ON document.document_id = batch.document_id
LEFT JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
GROUP BY document.source, document.sha256
HAVING %(edition)s::integer IS NULL OR min(held.edition) = %(edition)s
ORDER BY edition, min(document.document_id);

-- name: read_before
SELECT document.source, document.sha256
FROM ops.document AS document
WHERE EXISTS (
    SELECT FROM ops.batch AS batch
    WHERE batch.document_id = document.document_id
);

-- name: ids_to_ask
-- Ids in records that have no FIGI, without those that are in an answer of the source.
WITH candidate AS (
    SELECT DISTINCT claim.value ->> 2 AS id
    FROM ledger.organisation_record AS record CROSS JOIN LATERAL jsonb_array_elements(record.identifiers) AS claim
    WHERE
        record.source = any(%(sources)s) AND claim.value ->> 0 = %(id_type)s AND NOT record.identifiers @> '[["figi"]]'
        AND record.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
),

answered AS (
    SELECT claim.value ->> 2 AS id
    FROM ledger.organisation_record AS record CROSS JOIN LATERAL jsonb_array_elements(record.identifiers) AS claim
    WHERE
        record.source = %(source)s AND claim.value ->> 0 = %(id_type)s
        AND record.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting)
),

open AS (
    SELECT candidate.id, ceil(count(*) OVER () / %(most)s::numeric) AS turns
    FROM candidate
    WHERE candidate.id NOT IN (SELECT answered.id FROM answered)
)

SELECT open.id FROM open
WHERE mod(abs(hashtext(open.id)::bigint), open.turns) = mod(%(day)s, open.turns)
ORDER BY open.id;
