-- name: touch
INSERT INTO build.touched_country (country)
SELECT DISTINCT release.country
FROM build.touched_process AS touched
INNER JOIN ledger.release AS release ON touched.process_key = release.process_key;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT country FROM build.touched_country
WHERE country > %(after)s AND country <= %(until)s;

-- name: target_countries
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, touched.country, newest.sorted_at AS newest_at
FROM touched
CROSS JOIN LATERAL (
    SELECT release.sorted_at
    FROM serving.tender_release AS release
    WHERE release.country = touched.country AND fragment.is_live(release)
    ORDER BY release.sorted_at DESC
    LIMIT 1
) AS newest;
