-- name: touch_ambiguous
-- Other rules concern the keys that several sources state, or that are stated in several units.
INSERT INTO build.touched_series (series_key)
SELECT series.series_key
FROM ledger.series AS series
GROUP BY series.series_key
HAVING count(*) > 1
UNION
SELECT series.series_key
FROM ledger.series AS series
INNER JOIN (SELECT DISTINCT series_id, head_id FROM ledger.snapshot) AS described
    ON series.series_id = described.series_id
INNER JOIN ledger.series_head AS head ON described.head_id = head.head_id
GROUP BY series.series_key
HAVING count(DISTINCT coalesce(head.unit, '')) > 1
ON CONFLICT DO NOTHING;

-- name: by_index
-- A chunk reads few series out of many, and statistics of the ledger may be older than what was just loaded:
-- so the ledger is read series by series (OFFSET keeps the join in that order), and never as a whole.
SELECT set_config('enable_seqscan', 'off', TRUE);

-- name: by_plan
SELECT set_config('enable_seqscan', 'on', TRUE);

-- name: serving_source
-- Of the sources that have a value for a key, one serves it: no mixture of two. A source that begins later must not
-- change what was known before it, so the one that began first serves. Of those that began on the same day, and for
-- years, which are served without the day on which they became known, it is the preferred one.
CREATE TEMPORARY TABLE chosen ON COMMIT DROP AS
SELECT DISTINCT ON (candidate.series_key)
    candidate.series_id, candidate.series_key, candidate.source, candidate.frequency, candidate.indicator
FROM (
    SELECT
        series.series_id,
        touched.series_key,
        series.source,
        series.frequency,
        nullif(series.indicator, '') AS indicator,
        count(*) OVER (PARTITION BY touched.series_key) AS candidates
    FROM touched
    INNER JOIN ledger.series AS series ON touched.series_key = series.series_key
) AS candidate
LEFT JOIN LATERAL (
    SELECT
        min(
            CASE
                WHEN snapshot.is_released_daily THEN least(snapshot.available_at, observation.period_end)
                ELSE snapshot.available_at
            END
        ) AS began_at
    FROM ledger.observation AS observation
    INNER JOIN ledger.snapshot AS snapshot ON observation.snapshot_id = snapshot.snapshot_id
    INNER JOIN build.held_document AS document ON snapshot.document_id = document.document_id
    WHERE candidate.candidates > 1 AND observation.series_id = candidate.series_id AND observation.value IS NOT NULL
) AS first ON TRUE
WHERE candidate.candidates = 1 OR first.began_at IS NOT NULL
ORDER BY
    candidate.series_key, CASE WHEN candidate.frequency <> 'A' THEN first.began_at END,
    array_position(%(preference)s::text[], candidate.source) NULLS LAST, candidate.source,
    candidate.frequency;

-- name: snapshots
CREATE TEMPORARY TABLE snapshots ON COMMIT DROP AS
SELECT
    snapshot.snapshot_id, snapshot.series_id, snapshot.head_id, snapshot.available_at, snapshot.available_at_basis,
    snapshot.is_released_daily, snapshot.document_id
FROM chosen
INNER JOIN LATERAL (
    SELECT one.* FROM ledger.snapshot AS one
    WHERE one.series_id = chosen.series_id
    OFFSET 0
) AS snapshot ON TRUE;

-- name: ordered
-- The snapshots that the edition holds, numbered in order.
CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
SELECT
    snapshots.*,
    row_number() OVER (
        PARTITION BY snapshots.series_id
        ORDER BY snapshots.available_at, document.place, snapshots.available_at_basis
    )::integer AS place
FROM snapshots
INNER JOIN build.held_document AS document ON snapshots.document_id = document.document_id;

-- name: stated
CREATE TEMPORARY TABLE stated ON COMMIT DROP AS
SELECT
    observation.series_id, observation.snapshot_id, observation.period_start, observation.period_end, observation.value
FROM chosen
INNER JOIN LATERAL (
    SELECT one.* FROM ledger.observation AS one
    WHERE one.series_id = chosen.series_id
    OFFSET 0
) AS observation ON TRUE;

-- name: target_series
-- What the newest snapshot that names it says of each series.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, newest.* FROM (
    SELECT DISTINCT ON (chosen.series_key)
        chosen.series_key,
        chosen.source,
        head.series_type,
        chosen.frequency,
        head.country_iso2,
        head.country_iso3,
        head.unit,
        chosen.indicator,
        head.indicator_name
    FROM chosen
    INNER JOIN ordered ON chosen.series_id = ordered.series_id
    INNER JOIN ledger.series_head AS head ON ordered.head_id = head.head_id
    ORDER BY chosen.series_key ASC, ordered.place DESC
) AS newest;

-- name: described
-- Kept for the values: where each series belongs.
CREATE TEMPORARY TABLE described ON COMMIT DROP AS
SELECT target.series_key, target.country_iso3 FROM target;

-- name: target_values
-- Every vintage of every value. A statement that differs from the one before it opens a vintage, or ends one
-- where it has no value. Decimals are compared, not digits: 1.20 confirms 1.2. A value has the unit of the snapshot
-- that opened its vintage.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH followed AS (
    SELECT
        stated.*,
        ordered.available_at,
        ordered.place,
        lag(stated.value) OVER (
            PARTITION BY stated.series_id, stated.period_start ORDER BY ordered.place
        ) AS before
    FROM stated
    INNER JOIN ordered ON stated.snapshot_id = ordered.snapshot_id
),

changed AS (
    SELECT
        followed.*,
        count(followed.value) OVER in_order AS vintage,
        CASE WHEN lead(followed.value) OVER in_order IS NULL THEN lead(followed.available_at) OVER in_order END
            AS withdrawn_at
    FROM followed
    WHERE followed.value IS DISTINCT FROM followed.before
    WINDOW in_order AS (PARTITION BY followed.series_id, followed.period_start ORDER BY followed.place)
),

-- Where each value is released on its own day, the first statement of one counts from then.
timed AS (
    SELECT
        changed.*,
        ordered.document_id,
        ordered.head_id,
        ordered.available_at_basis,
        ordered.is_released_daily AND changed.vintage = 1 AND changed.period_end <= changed.available_at AS is_own_day
    FROM changed
    INNER JOIN ordered ON changed.snapshot_id = ordered.snapshot_id
    WHERE changed.value IS NOT NULL
),

dated AS (
    SELECT
        timed.*,
        CASE WHEN timed.is_own_day THEN timed.period_end ELSE timed.available_at END AS known_at,
        CASE WHEN timed.is_own_day THEN 'publisher' ELSE timed.available_at_basis END AS known_by
    FROM timed
),

-- The same value twice on one day, with another between: the second is not the first.
distinguished AS (
    SELECT
        dated.*,
        nullif(row_number() OVER (
            PARTITION BY dated.series_id, dated.period_start, dated.known_at, dated.value ORDER BY dated.vintage
        ), 1) AS repetition
    FROM dated
)

SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws(
        '|', chosen.source, chosen.series_key, one.period_start, one.period_end, one.known_at, one.value,
        one.repetition
    ))::uuid AS fact_id,
    md5(concat_ws('|', document.document_ref, one.known_by))::uuid AS provenance_id,
    one.period_start,
    one.period_end,
    one.known_at AS available_at,
    one.withdrawn_at,
    one.vintage::smallint AS vintage,
    chosen.frequency,
    described.country_iso3,
    chosen.series_key,
    CASE WHEN chosen.frequency = 'A' THEN coalesce(chosen.indicator, chosen.series_key) ELSE chosen.series_key END
        AS measure,
    head.unit,
    one.value,
    document.document_ref,
    document.license_class,
    document.fetched_at AS observed_at,
    one.known_by AS available_at_basis
FROM distinguished AS one
INNER JOIN chosen ON one.series_id = chosen.series_id
INNER JOIN described ON chosen.series_key = described.series_key
INNER JOIN build.held_document AS document ON one.document_id = document.document_id
LEFT JOIN ledger.series_head AS head ON one.head_id = head.head_id;
