-- name: stage
-- Temporary tables; a document fills them, and they are then compared with the ledger.
CREATE TEMPORARY TABLE IF NOT EXISTS staged_snapshot (
    staged integer NOT NULL, source text NOT NULL, series_key text NOT NULL, frequency text NOT NULL,
    indicator text NOT NULL, series_type text NOT NULL, country_iso2 text, country_iso3 text, unit text,
    indicator_name text, available_at date NOT NULL, available_at_basis text NOT NULL,
    is_whole boolean NOT NULL, is_released_daily boolean NOT NULL, covers text
);
CREATE TEMPORARY TABLE IF NOT EXISTS staged_observation (
    staged integer NOT NULL, period_start date NOT NULL, period_end date NOT NULL, value numeric
);
CREATE TEMPORARY TABLE IF NOT EXISTS new_series (series_id integer PRIMARY KEY);
CREATE TEMPORARY TABLE IF NOT EXISTS matched (
    staged integer PRIMARY KEY, series_id integer NOT NULL, head_id integer NOT NULL, is_plain boolean NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS new_snapshot (
    snapshot_id integer NOT NULL, series_id integer NOT NULL, staged integer, is_plain boolean NOT NULL,
    PRIMARY KEY (series_id, snapshot_id)
);
CREATE TEMPORARY TABLE IF NOT EXISTS placed (
    series_id integer NOT NULL, snapshot_id integer NOT NULL, place integer NOT NULL, is_new boolean NOT NULL,
    staged integer, stated date[], is_held_back boolean NOT NULL,
    first_new integer NOT NULL, last_new integer NOT NULL, last_place integer NOT NULL,
    PRIMARY KEY (series_id, place)
);
CREATE TEMPORARY TABLE IF NOT EXISTS compared (series_id integer PRIMARY KEY);
CREATE TEMPORARY TABLE IF NOT EXISTS held_observation (
    series_id integer NOT NULL, snapshot_id integer NOT NULL, period_start date NOT NULL, period_end date NOT NULL,
    value numeric, PRIMARY KEY (series_id, period_start, snapshot_id)
);
CREATE TEMPORARY TABLE IF NOT EXISTS appended_series (series_id integer NOT NULL, observations bigint NOT NULL);
TRUNCATE
staged_snapshot, staged_observation, new_series, matched, new_snapshot, placed, compared, held_observation,
appended_series;

-- name: copy_observations
COPY staged_observation FROM STDIN WITH BINARY;

-- name: copy_snapshots
COPY staged_snapshot FROM STDIN;

-- name: analyze
ANALYZE staged_snapshot, staged_observation;

-- name: register_heads
-- In a fixed order, so that two ingests that meet the same heads cannot deadlock.
INSERT INTO ledger.series_head (series_type, country_iso2, country_iso3, unit, indicator_name)
SELECT DISTINCT
    staged.series_type, staged.country_iso2, staged.country_iso3, staged.unit, staged.indicator_name
FROM staged_snapshot AS staged
WHERE
    NOT EXISTS (
        SELECT FROM ledger.series_head AS known
        WHERE
            (known.series_type, known.country_iso2, known.country_iso3, known.unit, known.indicator_name)
            IS NOT DISTINCT FROM
            (staged.series_type, staged.country_iso2, staged.country_iso3, staged.unit, staged.indicator_name)
    )
ORDER BY staged.indicator_name, staged.country_iso3, staged.series_type, staged.unit, staged.country_iso2
ON CONFLICT DO NOTHING;

-- name: room
-- A document is compared in memory: its values are sorted beside those of the ledger.
SELECT set_config('work_mem', '256MB', TRUE), set_config('jit', 'off', TRUE);

-- name: register_series
WITH put AS (
    INSERT INTO ledger.series (source, series_key, frequency, indicator)
    SELECT DISTINCT ON (staged.series_key, staged.frequency)
        staged.source, staged.series_key, staged.frequency, staged.indicator
    FROM staged_snapshot AS staged
    ORDER BY staged.series_key, staged.frequency, staged.staged
    ON CONFLICT DO NOTHING
    RETURNING series_id
)

INSERT INTO new_series (series_id) SELECT put.series_id FROM put;

-- name: append_coverage
INSERT INTO ledger.coverage (
    document_id, source, key_prefix, frequency, indicator, available_at, available_at_basis
)
SELECT
    %(document_id)s::integer, staged.source, staged.covers, staged.frequency, staged.indicator,
    max(staged.available_at), max(staged.available_at_basis)
FROM staged_snapshot AS staged
WHERE staged.covers IS NOT NULL
GROUP BY staged.source, staged.covers, staged.frequency, staged.indicator;

-- name: match
-- If the series is new and a document states it once, there is nothing to compare.
INSERT INTO matched (staged, series_id, head_id, is_plain)
SELECT
    staged.staged,
    series.series_id,
    head.head_id,
    count(*) OVER (PARTITION BY series.series_id) = 1 AND new_series.series_id IS NOT NULL AS is_plain
FROM staged_snapshot AS staged
INNER JOIN ledger.series AS series
    ON
        staged.series_key = series.series_key AND staged.source = series.source
        AND staged.frequency = series.frequency
INNER JOIN ledger.series_head AS head
    ON
        coalesce(staged.indicator_name, '') = coalesce(head.indicator_name, '')
        AND coalesce(staged.country_iso3, '') = coalesce(head.country_iso3, '')
        AND (
            staged.indicator_name, staged.country_iso3, staged.country_iso2, staged.unit, staged.series_type
        ) IS NOT DISTINCT FROM (
            head.indicator_name, head.country_iso3, head.country_iso2, head.unit, head.series_type
        )
LEFT JOIN new_series ON series.series_id = new_series.series_id;

-- name: append_snapshots
-- A partial snapshot stores the periods that it covers.
WITH spoken AS (
    SELECT observed.staged, array_agg(observed.period_start ORDER BY observed.period_start) AS periods
    FROM staged_observation AS observed
    WHERE
        observed.staged IN (
            SELECT part.staged FROM staged_snapshot AS part
            WHERE NOT part.is_whole
        )
    GROUP BY observed.staged
),

put AS (
    INSERT INTO ledger.snapshot (
        series_id, document_id, head_id, available_at, is_released_daily, available_at_basis, stated, brought_by
    )
    SELECT
        matched.series_id, %(document_id)s, matched.head_id, staged.available_at, staged.is_released_daily,
        staged.available_at_basis,
        CASE WHEN NOT staged.is_whole THEN coalesce(spoken.periods, '{}') END,
        %(document_id)s AS brought_by
    FROM matched
    INNER JOIN staged_snapshot AS staged ON matched.staged = staged.staged
    LEFT JOIN spoken ON matched.staged = spoken.staged
    ORDER BY matched.staged
    RETURNING snapshot_id, series_id, available_at, available_at_basis
)

INSERT INTO new_snapshot (snapshot_id, series_id, staged, is_plain)
SELECT put.snapshot_id, put.series_id, matched.staged, matched.is_plain
FROM put
INNER JOIN matched ON put.series_id = matched.series_id
INNER JOIN staged_snapshot AS staged
    ON
        matched.staged = staged.staged AND put.available_at = staged.available_at
        AND put.available_at_basis = staged.available_at_basis;

-- name: append_unnamed
-- Series of a group that the document states completely but does not name: their values are withdrawn.
WITH put AS (
    INSERT INTO ledger.snapshot (
        series_id, document_id, available_at, is_released_daily, available_at_basis, brought_by
    )
    SELECT
        series.series_id, coverage.document_id, min(coverage.available_at), FALSE, min(coverage.available_at_basis),
        %(document_id)s::integer
    FROM ledger.coverage AS coverage
    INNER JOIN ledger.series AS series
        ON
            coverage.source = series.source AND coverage.indicator = series.indicator
            AND coverage.frequency = series.frequency
            AND starts_with(series.series_key, coverage.key_prefix)
    WHERE
        coverage.document_id = %(document_id)s
        AND NOT EXISTS (
            SELECT FROM new_snapshot AS named
            WHERE named.series_id = series.series_id
        )
    GROUP BY series.series_id, coverage.document_id
    RETURNING snapshot_id, series_id
)

INSERT INTO new_snapshot (snapshot_id, series_id, staged, is_plain)
SELECT put.snapshot_id, put.series_id, NULL, FALSE FROM put;

-- name: append_missed
-- The reverse: a new series belongs to groups that earlier documents stated without it.
WITH put AS (
    INSERT INTO ledger.snapshot (
        series_id, document_id, available_at, is_released_daily, available_at_basis, brought_by
    )
    SELECT
        series.series_id, coverage.document_id, min(coverage.available_at), FALSE, min(coverage.available_at_basis),
        %(document_id)s::integer
    FROM new_series
    INNER JOIN ledger.series AS series ON new_series.series_id = series.series_id
    INNER JOIN ledger.coverage AS coverage
        ON
            series.source = coverage.source AND series.indicator = coverage.indicator
            AND series.frequency = coverage.frequency
            AND starts_with(series.series_key, coverage.key_prefix)
    WHERE coverage.document_id <> %(document_id)s
    GROUP BY series.series_id, coverage.document_id
    RETURNING series_id
)

UPDATE new_snapshot SET is_plain = FALSE
WHERE new_snapshot.series_id IN (SELECT put.series_id FROM put);

-- name: append_plain
WITH put AS (
    INSERT INTO ledger.observation (series_id, snapshot_id, period_start, period_end, value, brought_by)
    SELECT
        fresh.series_id, fresh.snapshot_id, observed.period_start, observed.period_end, trim_scale(observed.value),
        %(document_id)s::integer
    FROM staged_observation AS observed
    INNER JOIN new_snapshot AS fresh ON observed.staged = fresh.staged
    WHERE fresh.is_plain AND observed.value IS NOT NULL
    RETURNING series_id
)

INSERT INTO appended_series (series_id, observations)
SELECT put.series_id, count(*) FROM put
GROUP BY put.series_id;

-- name: extent
SELECT
    count(DISTINCT staged.series_key),
    (SELECT max(observation.period_end) FROM staged_observation AS observation WHERE observation.value IS NOT NULL)
FROM staged_snapshot AS staged;

-- name: count_appended
SELECT coalesce(sum(appended.observations), 0)::bigint FROM appended_series AS appended;

-- name: touch_series
-- Series with anything new: values, their description or, if sources share a key, the latest source.
INSERT INTO ops.batch_series (batch_id, series_id)
SELECT %(batch_id)s::integer, appended.series_id FROM appended_series AS appended
UNION
SELECT %(batch_id)s::integer, fresh.series_id
FROM new_snapshot AS fresh
INNER JOIN ledger.snapshot AS snapshot ON fresh.snapshot_id = snapshot.snapshot_id
WHERE
    NOT fresh.is_plain
    AND EXISTS (
        SELECT FROM ledger.snapshot AS other
        WHERE other.series_id = snapshot.series_id AND other.head_id <> snapshot.head_id
    )
UNION
SELECT %(batch_id)s::integer, fresh.series_id
FROM new_snapshot AS fresh
INNER JOIN ledger.series AS series ON fresh.series_id = series.series_id
INNER JOIN ledger.series AS other
    ON series.series_key = other.series_key AND series.series_id <> other.series_id;
