-- name: session_tables
CREATE TEMPORARY TABLE touched_series (series_key text COLLATE "C" PRIMARY KEY);

-- name: touch_held
INSERT INTO touched_series (series_key)
SELECT DISTINCT series.series_key
FROM concerned_batch AS concerned
INNER JOIN ops.batch_series AS batch_series ON concerned.batch_id = batch_series.batch_id
INNER JOIN ledger.series AS series ON batch_series.series_id = series.series_id
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
