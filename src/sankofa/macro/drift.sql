-- name: by_hash
-- Whole documents are compared with whole series, all of it staged: row by row that would take minutes.
SELECT set_config('enable_nestloop', 'off', TRUE), set_config('enable_seqscan', 'on', TRUE);

-- name: compare
-- What the document says last of periods that were known before it, against the snapshot nearest before it in the
-- order of availability, or else after it, of a document that is not held back. A whole snapshot speaks of all periods.
-- Periods after the last one known are compared with that one, and may differ from it, but not a thousandfold. Where
-- most values of a series change by one factor, it has a new base: what counts is what deviates from that.
WITH told AS (
    SELECT placed.series_id, placed.staged, placed.stated IS NULL AS is_whole, placed.first_new
    FROM placed
    WHERE placed.place = placed.last_new
),

was AS (
    SELECT DISTINCT ON (observation.series_id, observation.period_start)
        observation.series_id, observation.period_start, observation.value, told.staged, told.is_whole
    FROM told
    INNER JOIN placed ON told.series_id = placed.series_id AND NOT placed.is_new AND NOT placed.is_held_back
    INNER JOIN held_observation AS observation
        ON placed.series_id = observation.series_id AND placed.snapshot_id = observation.snapshot_id
    ORDER BY
        observation.series_id, observation.period_start, placed.place > told.first_new,
        abs(placed.place - told.first_new)
),

newest AS (
    SELECT DISTINCT ON (was.series_id) was.* FROM was
    WHERE was.value IS NOT NULL
    ORDER BY was.series_id ASC, was.period_start DESC
),

pair AS (
    SELECT was.series_id, was.period_start, was.value, said.value AS now
    FROM was
    LEFT JOIN staged_observation AS said ON was.staged = said.staged AND was.period_start = said.period_start
    WHERE was.value IS NOT NULL AND (was.is_whole OR said.staged IS NOT NULL)
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
        newest.series_id, said.period_start, newest.value, said.value AS now,
        nullif(ops.movement(newest.value, nullif(said.value, 0), %(leap)s, %(leap)s), 'gone') AS movement
    FROM newest
    INNER JOIN staged_observation AS said
        ON newest.staged = said.staged AND newest.period_start < said.period_start
),

put AS (
    INSERT INTO moved (movement, name, was, now)
    SELECT known.movement, concat_ws(' ', series.series_key, known.period_start) AS name, known.value, known.now
    FROM known
    INNER JOIN ledger.series AS series ON known.series_id = series.series_id
    WHERE known.movement IS NOT NULL
)

SELECT count(*) FROM known;
