-- name: touch_ambiguous
-- Changed rules concern the keys with several sources or several units.
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

-- name: candidates
-- The sources that state a key. `authority` is 1 for the most authoritative; sources that state the figures of one
-- publisher have the same. Sources without a rule are ordered by name.
CREATE TEMPORARY TABLE candidate ON COMMIT DROP AS
SELECT
    series.series_id,
    touched.series_key,
    series.source,
    series.frequency,
    nullif(series.indicator, '') AS indicator,
    dense_rank() OVER (
        PARTITION BY touched.series_key
        ORDER BY listed.place NULLS LAST, CASE WHEN listed.place IS NULL THEN series.source END
    )::integer AS authority,
    count(*) OVER of_key > 1 AS is_shared,
    min(series.frequency) OVER of_key <> max(series.frequency) OVER of_key AS is_mixed
FROM touched
INNER JOIN ledger.series AS series ON touched.series_key = series.series_key
LEFT JOIN unnest(%(sources)s::text[], %(places)s::integer[]) AS listed (source, place) ON series.source = listed.source
WINDOW of_key AS (PARTITION BY touched.series_key);

-- name: one_frequency
-- A key has one frequency: the one of the value that was known first.
DELETE FROM candidate USING (
    SELECT DISTINCT ON (mixed.series_key) mixed.series_key, mixed.frequency
    FROM candidate AS mixed
    INNER JOIN ledger.observation AS observation ON mixed.series_id = observation.series_id
    INNER JOIN ledger.snapshot AS snapshot ON observation.snapshot_id = snapshot.snapshot_id
    INNER JOIN build.held_document AS document ON snapshot.document_id = document.document_id
    WHERE mixed.is_mixed AND observation.value IS NOT NULL
    ORDER BY mixed.series_key, snapshot.available_at, mixed.frequency
) AS first
WHERE candidate.series_key = first.series_key AND candidate.frequency <> first.frequency;

-- name: snapshots
CREATE TEMPORARY TABLE snapshots ON COMMIT DROP AS
SELECT
    snapshot.snapshot_id, snapshot.series_id, snapshot.head_id, snapshot.available_at, snapshot.available_at_basis,
    snapshot.is_released_daily, snapshot.document_id, snapshot.stated AS periods
FROM candidate
INNER JOIN LATERAL (
    SELECT one.* FROM ledger.snapshot AS one
    WHERE one.series_id = candidate.series_id
    OFFSET 0
) AS snapshot ON TRUE;

-- name: ordered
-- The snapshots that the edition holds, numbered in order.
CREATE TEMPORARY TABLE ordered ON COMMIT DROP AS
SELECT
    snapshots.*,
    document.place AS document_place,
    row_number() OVER (
        PARTITION BY snapshots.series_id
        ORDER BY snapshots.available_at, document.place, snapshots.available_at_basis
    )::integer AS place
FROM snapshots
INNER JOIN build.held_document AS document ON snapshots.document_id = document.document_id;

-- name: ledger_value
CREATE TEMPORARY TABLE ledger_value ON COMMIT DROP AS
SELECT
    observation.series_id, observation.snapshot_id, observation.period_start, observation.period_end, observation.value
FROM candidate
INNER JOIN LATERAL (
    SELECT one.* FROM ledger.observation AS one
    WHERE one.series_id = candidate.series_id
    OFFSET 0
) AS observation ON TRUE;

-- name: reported
-- The values that each source reported for each period, in order, from its first value on. A repeated value has no row
-- in the ledger. Where sources share a key it gets one here: of equal sources the latest serves.
CREATE TEMPORARY TABLE reported ON COMMIT DROP AS
WITH spoken AS (
    SELECT
        ledger_value.series_id, ledger_value.snapshot_id, ledger_value.period_start, ledger_value.period_end,
        ledger_value.value, TRUE AS is_difference
    FROM ledger_value
    UNION ALL
    SELECT
        period.series_id, ordered.snapshot_id, period.period_start, period.period_end, NULL AS value,
        FALSE AS is_difference
    FROM (
        SELECT DISTINCT ledger_value.series_id, ledger_value.period_start, ledger_value.period_end
        FROM candidate
        INNER JOIN ledger_value ON candidate.series_id = ledger_value.series_id
        WHERE candidate.is_shared
    ) AS period
    INNER JOIN ordered
        ON
            period.series_id = ordered.series_id
            AND (ordered.periods IS NULL OR period.period_start = any(ordered.periods))
    WHERE
        NOT EXISTS (
            SELECT FROM ledger_value AS own
            WHERE
                own.series_id = period.series_id AND own.snapshot_id = ordered.snapshot_id
                AND own.period_start = period.period_start
        )
),

placed AS (
    SELECT
        spoken.*,
        ordered.place,
        ordered.document_place,
        ordered.available_at,
        ordered.available_at_basis,
        ordered.is_released_daily,
        count(*) FILTER (WHERE spoken.is_difference) OVER (
            PARTITION BY spoken.series_id, spoken.period_start ORDER BY ordered.place
        ) AS difference
    FROM spoken
    INNER JOIN ordered ON spoken.snapshot_id = ordered.snapshot_id
),

filled AS (
    SELECT
        placed.*,
        first_value(placed.value) OVER (
            PARTITION BY placed.series_id, placed.period_start, placed.difference ORDER BY placed.place
        ) AS in_force
    FROM placed
),

counted AS (
    SELECT
        filled.*,
        count(filled.in_force) OVER (
            PARTITION BY filled.series_id, filled.period_start ORDER BY filled.place
        ) AS values_so_far
    FROM filled
),

-- If each value is released on its own day, its first statement counts from that day.
timed AS (
    SELECT
        counted.*,
        counted.is_released_daily AND counted.values_so_far = 1 AND counted.in_force IS NOT NULL
        AND counted.period_end <= counted.available_at AS is_own_day
    FROM counted
    WHERE counted.values_so_far > 0
),

dated AS (
    SELECT
        timed.*,
        candidate.series_key,
        candidate.authority,
        candidate.is_shared,
        CASE WHEN timed.is_own_day THEN timed.period_end ELSE timed.available_at END AS known_at,
        CASE WHEN timed.is_own_day THEN 'publisher' ELSE timed.available_at_basis END AS known_by
    FROM timed
    INNER JOIN candidate ON timed.series_id = candidate.series_id
),

numbered AS (
    SELECT
        dated.*,
        row_number() OVER (
            PARTITION BY dated.series_key, dated.period_start
            ORDER BY dated.known_at, dated.document_place, dated.place
        ) AS turn
    FROM dated
)

SELECT
    numbered.series_key, numbered.series_id, numbered.snapshot_id, numbered.period_start, numbered.period_end,
    numbered.in_force AS value, numbered.authority, numbered.is_shared, numbered.known_at, numbered.known_by,
    numbered.turn,
    lead(numbered.turn, 1, 9223372036854775807) OVER (
        PARTITION BY numbered.series_id, numbered.period_start ORDER BY numbered.place
    ) AS until_turn
FROM numbered;

-- name: target_series
-- The description of each series in its newest snapshot, from the most authoritative source with a value.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT row_number() OVER () AS target_id, newest.* FROM (
    SELECT DISTINCT ON (candidate.series_key)
        candidate.series_key,
        candidate.source,
        head.series_type,
        candidate.frequency,
        head.country_iso2,
        head.country_iso3,
        -- The Bank's codes of aggregates are only in the keys: WB.<indicator>.<code>, possibly with a frequency.
        coalesce(
            head.country_iso3,
            CASE
                WHEN starts_with(candidate.series_key, 'WB.' || candidate.indicator || '.')
                    THEN split_part(substr(candidate.series_key, length(candidate.indicator) + 5), '.', 1)
            END,
            ''
        ) AS area,
        head.unit,
        candidate.indicator,
        head.indicator_name
    FROM candidate
    INNER JOIN ordered ON candidate.series_id = ordered.series_id
    INNER JOIN ledger.series_head AS head ON ordered.head_id = head.head_id
    ORDER BY
        candidate.series_key ASC, candidate.series_id IN (SELECT reported.series_id FROM reported) DESC,
        candidate.authority ASC, ordered.available_at DESC, ordered.document_place DESC, ordered.place DESC
) AS newest;

-- name: described
-- Stored for the values: the area and the frequency of each series.
CREATE TEMPORARY TABLE described ON COMMIT DROP AS
SELECT
    target.series_key,
    target.country_iso3,
    target.area,
    target.frequency,
    CASE WHEN target.frequency = 'A' THEN coalesce(target.indicator, target.series_key) ELSE target.series_key END
        AS measure
FROM target;

-- name: target_values
-- Every vintage of every value. After each statement the most authoritative source with a value serves, and of equals
-- the latest. An answer that differs from the previous one ends that vintage, and opens the next unless no source has a
-- value. Decimals are compared, not digits: 1.20 confirms 1.2. A value has the unit of the snapshot that
-- opened its vintage.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH answered AS (
    SELECT DISTINCT ON (reported.series_key, reported.period_start, reported.turn)
        reported.series_key, reported.period_start, reported.period_end, reported.turn, reported.known_at, reported.known_by,
        answer.value, answer.series_id, answer.snapshot_id
    FROM reported
    LEFT JOIN reported AS answer
        ON
            reported.series_key = answer.series_key AND reported.period_start = answer.period_start
            AND answer.turn <= reported.turn AND answer.until_turn > reported.turn AND answer.value IS NOT NULL
    WHERE reported.is_shared
    ORDER BY reported.series_key, reported.period_start, reported.turn, answer.authority, answer.turn DESC
),

followed AS (
    SELECT
        one.*,
        lag(one.value) OVER (PARTITION BY one.series_key, one.period_start ORDER BY one.turn) AS before
    FROM (
        SELECT answered.* FROM answered
        UNION ALL
        SELECT
            reported.series_key, reported.period_start, reported.period_end, reported.turn, reported.known_at, reported.known_by,
            reported.value, reported.series_id, reported.snapshot_id
        FROM reported
        WHERE NOT reported.is_shared
    ) AS one
),

changed AS (
    SELECT
        followed.*,
        count(followed.value) OVER in_order AS vintage,
        coalesce(lead(followed.known_at) OVER in_order, 'infinity') AS known_until,
        lead(followed.known_at) OVER in_order IS NOT NULL AND lead(followed.value) OVER in_order IS NULL AS is_withdrawn
    FROM followed
    WHERE followed.value IS DISTINCT FROM followed.before
    WINDOW in_order AS (PARTITION BY followed.series_key, followed.period_start ORDER BY followed.turn)
),

-- The same value twice on one day, with another between: the second is not the first.
distinguished AS (
    SELECT
        changed.*,
        candidate.source,
        ordered.document_id,
        ordered.head_id,
        nullif(row_number() OVER (
            PARTITION BY changed.series_key, candidate.source, changed.period_start, changed.known_at, changed.value
            ORDER BY changed.vintage
        ), 1) AS repetition
    FROM changed
    INNER JOIN candidate ON changed.series_id = candidate.series_id
    INNER JOIN ordered ON changed.snapshot_id = ordered.snapshot_id
    WHERE changed.value IS NOT NULL
)

SELECT
    row_number() OVER () AS target_id,
    md5(concat_ws(
        '|', one.source, one.series_key, one.period_start, one.period_end, one.known_at, one.value, one.repetition
    ))::uuid AS fact_id,
    md5(concat_ws('|', document.document_ref, one.known_by, document.corrected))::uuid AS provenance_id,
    one.period_start,
    one.period_end,
    one.known_at AS available_at,
    one.known_until,
    one.is_withdrawn,
    one.vintage::smallint AS vintage,
    described.frequency,
    described.country_iso3,
    described.area,
    one.series_key,
    described.measure,
    head.unit,
    one.value,
    document.document_ref,
    document.license_class,
    document.fetched_at AS observed_at,
    one.known_by AS available_at_basis
FROM distinguished AS one
INNER JOIN described ON one.series_key = described.series_key
INNER JOIN build.held_document AS document ON one.document_id = document.document_id
LEFT JOIN ledger.series_head AS head ON one.head_id = head.head_id;
