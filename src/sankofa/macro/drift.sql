-- name: by_hash
-- Whole documents are compared with whole series, all of it staged: row by row that would take minutes.
SELECT set_config('enable_nestloop', 'off', TRUE), set_config('enable_seqscan', 'on', TRUE);

-- name: compare
-- The document's last statement about known periods, compared with the nearest earlier snapshot in the order of
-- availability, or else the nearest later one, of a document that is not held. A whole snapshot covers all periods.
-- Periods after the last known one are compared with that one, and may differ, but not a thousandfold. If most values
-- of a series change by one factor, it has a new base: only deviations from that count.
WITH brought AS (
    SELECT placed.series_id, placed.staged, placed.stated IS NULL AS is_whole, placed.first_new
    FROM placed
    WHERE placed.place = placed.last_new
),

was AS (
    SELECT DISTINCT ON (observation.series_id, observation.period_start)
        observation.series_id, observation.period_start, observation.value, brought.staged, brought.is_whole
    FROM brought
    INNER JOIN placed ON brought.series_id = placed.series_id AND NOT placed.is_new AND NOT placed.is_held_back
    INNER JOIN held_observation AS observation
        ON placed.series_id = observation.series_id AND placed.snapshot_id = observation.snapshot_id
    ORDER BY
        observation.series_id, observation.period_start, placed.place > brought.first_new,
        abs(placed.place - brought.first_new)
),

newest AS (
    SELECT DISTINCT ON (was.series_id) was.* FROM was
    WHERE was.value IS NOT NULL
    ORDER BY was.series_id ASC, was.period_start DESC
),

pair AS (
    SELECT was.series_id, was.period_start, was.value, incoming.value AS now
    FROM was
    LEFT JOIN staged_observation AS incoming ON was.staged = incoming.staged AND was.period_start = incoming.period_start
    WHERE was.value IS NOT NULL AND (was.is_whole OR incoming.staged IS NOT NULL)
),

rebased AS (
    SELECT pair.series_id, percentile_disc(0.5) WITHIN GROUP (ORDER BY pair.now / pair.value) AS factor
    FROM pair
    WHERE pair.value <> 0 AND pair.now <> 0
    GROUP BY pair.series_id
),

known AS MATERIALIZED (
    SELECT
        pair.*,
        CASE ops.movement(pair.value, pair.now, %(tolerance)s, %(leap)s)
            WHEN 'restated' THEN ops.movement(pair.value * rebased.factor, pair.now, %(tolerance)s, %(leap)s)
            ELSE ops.movement(pair.value, pair.now, %(tolerance)s, %(leap)s)
        END AS movement
    FROM pair
    LEFT JOIN rebased ON pair.series_id = rebased.series_id
    UNION ALL
    SELECT
        newest.series_id, incoming.period_start, newest.value, incoming.value AS now,
        nullif(ops.movement(newest.value, nullif(incoming.value, 0), %(leap)s, %(leap)s), 'gone') AS movement
    FROM newest
    INNER JOIN staged_observation AS incoming
        ON newest.staged = incoming.staged AND newest.period_start < incoming.period_start
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT known.movement, concat_ws(' ', series.series_key, known.period_start) AS name, known.value, known.now
    FROM known
    INNER JOIN ledger.series AS series ON known.series_id = series.series_id
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
