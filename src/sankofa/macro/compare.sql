-- name: compared
INSERT INTO compared (series_id)
SELECT DISTINCT fresh.series_id FROM new_snapshot AS fresh
WHERE NOT fresh.is_plain;

-- name: by_index
-- A document concerns few series out of many, and statistics of the ledger may be older than what it holds:
-- so the ledger is read series by series (OFFSET keeps the join in that order), and never as a whole.
SELECT set_config('enable_seqscan', 'off', TRUE);

-- name: by_plan
SELECT set_config('enable_seqscan', 'on', TRUE);

-- name: hold
INSERT INTO held_observation (series_id, snapshot_id, period_start, period_end, value)
SELECT one.series_id, one.snapshot_id, one.period_start, one.period_end, one.value
FROM compared
INNER JOIN LATERAL (
    SELECT observation.* FROM ledger.observation AS observation
    WHERE observation.series_id = compared.series_id
    OFFSET 0
) AS one ON TRUE;

-- name: place
-- All snapshots of the series to be compared, in order, with the positions of those of this document.
INSERT INTO placed (
    series_id, snapshot_id, place, is_new, staged, stated, is_held_back, first_new, last_new, last_place
)
SELECT
    one.*,
    min(one.place) FILTER (WHERE one.is_new) OVER (PARTITION BY one.series_id) AS first_new,
    max(one.place) FILTER (WHERE one.is_new) OVER (PARTITION BY one.series_id) AS last_new,
    max(one.place) OVER (PARTITION BY one.series_id) AS last_place
FROM (
    SELECT
        snapshot.series_id,
        snapshot.snapshot_id,
        row_number() OVER (
            PARTITION BY snapshot.series_id
            ORDER BY
                snapshot.available_at, document.fetched_at, document.sha256, snapshot.available_at_basis
        )::integer AS place,
        fresh.snapshot_id IS NOT NULL AS is_new,
        fresh.staged,
        snapshot.stated,
        snapshot.document_id IN (SELECT waiting.document_id FROM ops.held_back AS waiting) AS is_held_back
    FROM compared
    INNER JOIN LATERAL (
        SELECT one.* FROM ledger.snapshot AS one
        WHERE one.series_id = compared.series_id
        OFFSET 0
    ) AS snapshot ON TRUE
    INNER JOIN ops.document AS document ON snapshot.document_id = document.document_id
    LEFT JOIN new_snapshot AS fresh
        ON snapshot.series_id = fresh.series_id AND snapshot.snapshot_id = fresh.snapshot_id
) AS one;

-- name: append_compared
-- Every statement about a period, in order: the document's own, those of the ledger, and those of earlier snapshots
-- that have no row because they repeated the previous value. A statement that differs from the one before it, and has
-- no row, gets one. So if a late snapshot comes between two equal statements, the second gets a row. A statement after
-- a held one gets a row as well: it must be right with the held statement and without it.
WITH held AS (
    SELECT
        observation.series_id, observation.period_start, observation.period_end, placed.place, observation.value,
        placed.is_held_back
    FROM placed
    INNER JOIN held_observation AS observation
        ON placed.series_id = observation.series_id AND placed.snapshot_id = observation.snapshot_id
),

reported AS (
    SELECT placed.series_id, observed.period_start, observed.period_end, placed.place, observed.value
    FROM placed
    INNER JOIN staged_observation AS observed ON placed.staged = observed.staged
),

-- A whole snapshot has no value where it lists none.
lacking AS (
    SELECT known.series_id, known.period_start, known.period_end, placed.place, NULL::numeric AS value
    FROM (
        SELECT held.series_id, held.period_start, held.period_end FROM held
        UNION
        SELECT reported.series_id, reported.period_start, reported.period_end
        FROM reported
        INNER JOIN placed AS several
            ON reported.series_id = several.series_id AND reported.place = several.place
        WHERE several.first_new < several.last_new
    ) AS known
    INNER JOIN placed ON known.series_id = placed.series_id AND placed.is_new AND placed.stated IS NULL
    LEFT JOIN reported AS listed
        ON
            known.series_id = listed.series_id AND known.period_start = listed.period_start
            AND placed.place = listed.place
    WHERE listed.series_id IS NULL
),

spoken AS (
    SELECT * FROM reported
    UNION ALL
    SELECT * FROM lacking
),

-- Snapshots of the ledger after one of this document's that cover the same period: those between two of the
-- document's, and the first after its last; separately for held ones and the others.
repeating AS (
    SELECT late.series_id, late.period_start, late.period_end, next.place, next.is_held_back
    FROM (
        SELECT DISTINCT spoken.series_id, spoken.period_start, spoken.period_end, reach.last_new
        FROM spoken
        INNER JOIN placed AS reach ON spoken.series_id = reach.series_id AND reach.place = reach.last_new
        WHERE reach.last_new < reach.last_place
    ) AS late
    INNER JOIN LATERAL (
        SELECT DISTINCT ON (placed.is_held_back) placed.place, placed.is_held_back FROM placed
        WHERE
            placed.series_id = late.series_id AND placed.place > late.last_new
            AND (placed.stated IS NULL OR late.period_start = any(placed.stated))
        ORDER BY placed.is_held_back, placed.place
    ) AS next ON TRUE
    UNION
    SELECT
        spoken.series_id, spoken.period_start, spoken.period_end, inner_one.place, inner_one.is_held_back
    FROM spoken
    INNER JOIN placed AS inner_one ON spoken.series_id = inner_one.series_id
    WHERE
        NOT inner_one.is_new AND inner_one.place > inner_one.first_new AND inner_one.place < inner_one.last_new
        AND (inner_one.stated IS NULL OR spoken.period_start = any(inner_one.stated))
),

-- The value of such a snapshot is the last one of the ledger before it. One with a row is listed above.
repeated AS (
    SELECT
        repeating.series_id, repeating.period_start, repeating.period_end, repeating.place, newest.value,
        repeating.is_held_back
    FROM repeating
    LEFT JOIN LATERAL (
        SELECT placed.place, observation.value
        FROM held_observation AS observation
        INNER JOIN placed
            ON observation.series_id = placed.series_id AND observation.snapshot_id = placed.snapshot_id
        WHERE
            observation.series_id = repeating.series_id AND observation.period_start = repeating.period_start
            AND placed.place <= repeating.place
        ORDER BY placed.place DESC
        LIMIT 1
    ) AS newest ON TRUE
    WHERE newest.place IS DISTINCT FROM repeating.place
),

followed AS (
    SELECT
        statement.*,
        lag(statement.value) OVER in_order AS before,
        lag(statement.is_held_back) OVER in_order AS is_after_held_back
    FROM (
        SELECT held.*, TRUE AS is_held FROM held
        UNION ALL
        SELECT spoken.*, FALSE AS is_held_back, FALSE AS is_held FROM spoken
        UNION ALL
        SELECT repeated.*, FALSE AS is_held FROM repeated
    ) AS statement
    WINDOW in_order AS (PARTITION BY statement.series_id, statement.period_start ORDER BY statement.place)
),

put AS (
    INSERT INTO ledger.observation (series_id, snapshot_id, period_start, period_end, value, brought_by)
    SELECT
        followed.series_id, placed.snapshot_id, followed.period_start, followed.period_end,
        trim_scale(followed.value), %(document_id)s::integer
    FROM followed
    INNER JOIN placed ON followed.series_id = placed.series_id AND followed.place = placed.place
    WHERE NOT followed.is_held AND (followed.value IS DISTINCT FROM followed.before OR followed.is_after_held_back)
    RETURNING series_id
)

INSERT INTO appended_series (series_id, observations)
SELECT put.series_id, count(*) FROM put
GROUP BY put.series_id;
