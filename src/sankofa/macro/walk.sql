-- name: session_tables
CREATE TEMPORARY TABLE touched_series (series_key text COLLATE "C" PRIMARY KEY);
CREATE TEMPORARY TABLE held_document (
    document_id integer PRIMARY KEY, place integer NOT NULL, document_ref text NOT NULL,
    license_class text NOT NULL, fetched_at timestamptz NOT NULL
);

-- name: hold_documents
-- The documents that this edition or one before it holds, of sources that may be redistributed. What arrives
-- from now on belongs to the next.
INSERT INTO held_document (document_id, place, document_ref, license_class, fetched_at)
SELECT
    document.document_id,
    row_number() OVER (ORDER BY document.fetched_at, document.sha256, document.source) AS place,
    document.source || '@sha256:' || encode(document.sha256, 'hex'),
    document.license_class,
    document.fetched_at
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE
    held.kind = 'batch' AND batch.outcome = 'accepted'
    AND document.source <> all(%(closed_sources)s::text[]);

-- name: touch_held
INSERT INTO touched_series (series_key)
SELECT DISTINCT series.series_key
FROM ops.edition_holds AS held
INNER JOIN ops.batch_series AS batch_series ON held.number = batch_series.batch_id
INNER JOIN ledger.series AS series ON batch_series.series_id = series.series_id
WHERE held.edition = %(edition)s AND held.kind = 'batch'
ON CONFLICT DO NOTHING;

-- name: chunk_bounds
-- Keys in order, so many at a time: the last one of each chunk.
SELECT series_key FROM (
    SELECT series_key, row_number() OVER (ORDER BY series_key) AS place, count(*) OVER () AS total
    FROM touched_series
) AS placed
WHERE mod(place, %(size)s) = 0 OR place = total
ORDER BY series_key;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT series_key FROM touched_series
WHERE series_key > %(after)s AND series_key <= %(until)s;
