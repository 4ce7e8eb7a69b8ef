-- How quality is counted by series. `touched` holds the keys of a chunk: tally_key, kind and name.

-- name: touched
SELECT touched_series.series_key AS name FROM build.touched_series;

-- name: held
SELECT series.series_key AS name
FROM serving.series AS series
WHERE fragment.in_edition(series, %(edition)s);

-- name: count
-- What is counted of each key, as rows of `tally_part`, in edition %(edition)s, coming or published.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH held AS (
    SELECT
        touched.tally_key,
        touched.name,
        value.available_at,
        value.known_until,
        value.period_end,
        series.indicator,
        value.vintage,
        value.fact_id,
        series.source,
        series.frequency,
        coalesce(series.country_iso2, '') AS country,
        value.provenance_id,
        concat_ws('|', value.series_key, value.period_start, value.period_end, value.available_at, value.value)
            AS stated,
        row_number() OVER in_order AS place,
        lag(value.available_at) OVER in_order AS available_before,
        lead(value.available_at) OVER in_order AS available_next
    FROM touched
    INNER JOIN serving.macro_value AS value ON touched.name = value.series_key
    INNER JOIN serving.series AS series
        ON
            touched.name = series.series_key AND fragment.in_edition(series, %(edition)s)
    WHERE touched.kind = 'series' AND fragment.in_edition(value, %(edition)s)
    WINDOW in_order AS (
        PARTITION BY value.series_key, value.period_start ORDER BY value.vintage, value.available_at
    )
),

-- What the values of a document have in common; checked once for all of them.
cited AS MATERIALIZED (
    SELECT
        provenance.provenance_id,
        provenance.document_ref,
        split_part(provenance.document_ref, '@', 1) AS source,
        fragment.is_sourced(provenance) AS is_sourced
    FROM (SELECT DISTINCT held.provenance_id FROM held) AS one
    INNER JOIN serving.provenance AS provenance ON one.provenance_id = provenance.provenance_id
),

evidence AS (
    SELECT
        touched.name,
        document.source || '@sha256:' || encode(document.sha256, 'hex') AS document_ref,
        min(snapshot.available_at) AS available_at,
        bool_or(snapshot.is_released_daily) AS is_released_daily
    FROM touched
    INNER JOIN ledger.series AS series ON touched.name = series.series_key
    INNER JOIN ledger.snapshot AS snapshot ON series.series_id = snapshot.series_id
    INNER JOIN ops.document AS document ON snapshot.document_id = document.document_id
    WHERE touched.kind = 'series'
    GROUP BY touched.name, document.source, document.sha256
),

checked AS (
    SELECT
        held.*,
        cited.is_sourced,
        evidence.available_at IS NULL
        OR held.available_at < CASE
            WHEN evidence.is_released_daily THEN least(held.period_end, evidence.available_at)
            ELSE evidence.available_at
        END AS is_early,
        held.vintage <> held.place OR held.available_at < held.available_before
        OR (held.vintage = 1 AND held.fact_id <> md5(concat_ws('|', cited.source, held.stated))::uuid)
            AS is_misnumbered,
        held.known_until < held.available_at OR held.known_until > held.available_next AS is_hiding
    FROM held
    LEFT JOIN cited ON held.provenance_id = cited.provenance_id
    LEFT JOIN evidence ON held.name = evidence.name AND cited.document_ref = evidence.document_ref
),

counted AS (
    SELECT
        checked.tally_key,
        max(checked.country) AS country,
        max(checked.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (WHERE checked.is_sourced IS NOT TRUE) AS unsourced,
        count(*) FILTER (WHERE checked.is_early) AS early,
        count(*) FILTER (WHERE checked.is_misnumbered) AS misnumbered,
        count(*) FILTER (WHERE checked.is_hiding) AS hiding,
        max(checked.indicator) FILTER (WHERE checked.known_until = 'infinity') AS indicator,
        to_char(max(checked.period_end) FILTER (WHERE checked.known_until = 'infinity'), 'YYYY-MM') AS newest,
        max(checked.frequency) AS frequency,
        max(checked.source) AS source
    FROM checked
    GROUP BY checked.tally_key
)

SELECT counted.tally_key, %(sku)s::text AS sku, counted.country, counted.newest_at, counts.part, counts.n
FROM counted
CROSS JOIN LATERAL (
    VALUES
    ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
    ('misnumbered', counted.misnumbered), ('spans', counted.rows), ('hiding', counted.hiding),
    ('item/' || coalesce(counted.indicator, ''), (counted.indicator IS NOT NULL)::integer), ('source/' || counted.source, 1),
    ('frequency/' || counted.frequency, 1),
    ('newest/' || counted.frequency || '/' || coalesce(counted.newest, ''), (counted.newest IS NOT NULL)::integer)
) AS counts (part, n);

-- name: turns
-- Every edition that changed a row of a key and can be compared with the one before.
INSERT INTO turn (tally_key, kind, name, before, edition)
SELECT DISTINCT touched.tally_key, touched.kind, touched.name, follows.before, follows.edition
FROM touched
INNER JOIN serving.macro_value AS held ON touched.kind = 'series' AND touched.name = held.series_key
CROSS JOIN LATERAL unnest(ARRAY[held.published_in, held.superseded_in]) AS changed (edition)
INNER JOIN follows ON changed.edition = follows.edition;

-- name: compare
-- Keys as they stood before an edition and in it; see history.sql of quality.
CREATE TEMPORARY TABLE standing ON COMMIT DROP AS
WITH compared AS (
    SELECT turn.tally_key, turn.name, turn.before, turn.edition, coalesce(min(news.known_at), 'infinity') AS bound
    FROM turn
    LEFT JOIN LATERAL (
        SELECT
            CASE
                WHEN snapshot.is_released_daily THEN least(snapshot.available_at, observation.period_end)
                ELSE snapshot.available_at
            END AS known_at
        FROM ledger.series AS series
        INNER JOIN ledger.snapshot AS snapshot ON series.series_id = snapshot.series_id
        INNER JOIN ops.batch AS batch ON snapshot.document_id = batch.document_id
        INNER JOIN ops.edition_holds AS held
            ON batch.batch_id = held.number AND held.kind = 'batch' AND turn.edition = held.edition
        LEFT JOIN ledger.observation AS observation
            ON series.series_id = observation.series_id AND snapshot.snapshot_id = observation.snapshot_id
        WHERE series.series_key = turn.name
    ) AS news ON TRUE
    WHERE turn.kind = 'series'
    GROUP BY turn.tally_key, turn.name, turn.before, turn.edition
)

SELECT
    compared.name,
    compared.edition,
    fragment.in_edition(known, compared.before) AS was,
    fragment.in_edition(known, compared.edition) AS is_now,
    FALSE AS may_be_new,
    jsonb_build_array(
        known.period_start, known.period_end, known.vintage, known.available_at, known.value,
        least(known.known_until, compared.bound)
    ) AS vintage,
    to_jsonb(known) - ARRAY['row_id', 'published_in', 'superseded_in', 'reason', 'provenance_id', 'known_until']
    || jsonb_build_object('cited', to_jsonb(provenance) - ARRAY['provenance_id', 'document_ref', 'observed_at'])
        AS fields
FROM compared
INNER JOIN serving.macro_value AS known ON compared.name = known.series_key
LEFT JOIN serving.provenance AS provenance ON known.provenance_id = provenance.provenance_id
WHERE known.available_at < compared.bound;

-- name: sample
-- How many labels of a sample there are, and how many of them count in an edition.
SELECT
    count(*) FILTER (
        WHERE EXISTS (
            SELECT FROM serving.macro_value AS held
            WHERE
                held.series_key = label.label ->> 'identifier'
                AND fragment.in_edition(held, %(edition)s)
                AND held.period_end = (label.label ->> 'period_end')::date
                AND held.value = (label.label ->> 'value')::numeric
        )
    ) AS good,
    count(*) AS measured
FROM ops.quality_label AS label
WHERE label.sample_sha256 = %(sample)s AND label.sku = %(sku)s AND label.measure = 'extraction_accuracy';
