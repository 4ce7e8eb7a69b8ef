-- name: touch_held
INSERT INTO build.touched_series (series_key)
SELECT DISTINCT series.series_key
FROM build.concerned_batch AS concerned
INNER JOIN ops.batch_series AS batch_series ON concerned.batch_id = batch_series.batch_id
INNER JOIN ledger.series AS series ON batch_series.series_id = series.series_id
ON CONFLICT DO NOTHING;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT series_key FROM build.touched_series
WHERE series_key > %(after)s AND series_key <= %(until)s;
