-- Of each series and period these statements return the vintage that was the latest known on `day`. They read in the
-- order of an index and stop where the page is full. All bounds are always there, so that no plan depends on which
-- parameters were sent. `until` is the day of the last row of the page before, or the last day asked for.

-- fragment: is_of_kind(told, frequency, series_type, edition)
-- The value is of a series of this frequency and family, where they are asked for.
SELECT
    (frequency::text IS NULL OR told.frequency = frequency)
    AND (
        series_type::text IS NULL
        OR told.series_key IN (
            SELECT typed.series_key
            FROM serving.series AS typed
            WHERE typed.series_type = series_type AND fragment.in_edition(typed, edition)
        )
    )
FROM told
CROSS JOIN frequency
CROSS JOIN series_type
CROSS JOIN edition;

-- fragment: measure_of(key, edition)
-- What a series measures, by which its values are sorted; empty before the first page.
SELECT
    coalesce((
        SELECT CASE WHEN placed.frequency = 'A' THEN coalesce(placed.indicator, placed.series_key) ELSE placed.series_key END
        FROM serving.series AS placed
        WHERE placed.series_key = key AND fragment.in_edition(placed, edition)
    ), '')
FROM key
CROSS JOIN edition;

-- columns: year_row(latest, series, provenance)
SELECT
    series.country_iso2,
    latest.country_iso3,
    latest.measure AS indicator,
    series.indicator_name,
    extract(YEAR FROM latest.period_end)::integer AS year,
    latest.value,
    latest.unit,
    latest.available_at,
    provenance.available_at_basis,
    provenance.document_ref || '#' || latest.series_key AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    latest.provenance_id::text AS provenance_id,
    latest.fact_id::text AS fact_id
FROM latest
CROSS JOIN series
CROSS JOIN provenance;

-- columns: observation_row(latest, series, provenance)
SELECT
    latest.series_key AS series,
    series.series_type,
    latest.frequency,
    series.country_iso2,
    series.country_iso3,
    latest.period_end AS date,
    latest.value,
    latest.unit,
    latest.vintage,
    latest.available_at,
    provenance.available_at_basis,
    provenance.document_ref || '#' || latest.series_key AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    latest.provenance_id::text AS provenance_id,
    latest.fact_id::text AS fact_id
FROM latest
CROSS JOIN series
CROSS JOIN provenance;

-- name: years_of_all
-- Years of all indicators and countries. The day a page goes on with is read apart: it may hold a million rows.
SELECT fragment.year_row(latest, series, provenance)
FROM (
    (
        SELECT known.*
        FROM (
            SELECT DISTINCT ON (told.measure, told.country_iso3, told.series_key) fragment.newest_vintage(told)
            FROM serving.macro_value AS told
            WHERE
                told.frequency = 'A' AND told.country_iso3 IS NOT NULL
                AND told.period_end = %(until)s
                AND told.period_end >= %(since)s
                AND (told.measure, told.country_iso3, told.series_key)
                > (%(after_measure)s, %(after_country)s, %(after_series)s)
                AND fragment.in_edition(told, %(edition)s)
                AND told.available_at <= %(day)s
            ORDER BY told.measure ASC, told.country_iso3 ASC, told.series_key ASC, told.vintage DESC
        ) AS known
        WHERE fragment.known_on(known, %(day)s)
        ORDER BY known.measure ASC, known.country_iso3 ASC, known.series_key ASC
        LIMIT %(rows)s
    )
    UNION ALL
    (
        SELECT known.*
        FROM (
            SELECT DISTINCT ON (told.period_end, told.measure, told.country_iso3, told.series_key) fragment.newest_vintage(told)
            FROM serving.macro_value AS told
            WHERE
                told.frequency = 'A' AND told.country_iso3 IS NOT NULL
                AND told.period_end < %(until)s
                AND told.period_end >= %(since)s
                AND fragment.in_edition(told, %(edition)s)
                AND told.available_at <= %(day)s
            ORDER BY
                told.period_end DESC, told.measure ASC, told.country_iso3 ASC, told.series_key ASC,
                told.vintage DESC
        ) AS known
        WHERE fragment.known_on(known, %(day)s)
        ORDER BY known.period_end DESC, known.measure ASC, known.country_iso3 ASC, known.series_key ASC
        LIMIT %(rows)s
    )
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.measure ASC, latest.country_iso3 ASC, latest.series_key ASC
LIMIT %(rows)s;

-- name: years_of_country
-- Years of the indicators of one country; of one of them, where lowest and highest are the same.
SELECT fragment.year_row(latest, series, provenance)
FROM (
    SELECT known.*
    FROM (
        SELECT DISTINCT ON (told.period_end, told.measure, told.series_key) fragment.newest_vintage(told)
        FROM serving.macro_value AS told
        WHERE
            told.country_iso3 = %(country)s
            AND told.frequency = 'A'
            AND told.period_end BETWEEN %(since)s AND %(until)s
            AND told.measure BETWEEN %(lowest)s AND %(highest)s
            AND (told.period_end < %(until)s OR (told.measure, told.series_key) > (%(after_measure)s, %(after_series)s))
            AND fragment.in_edition(told, %(edition)s)
            AND told.available_at <= %(day)s
        ORDER BY told.period_end DESC, told.measure ASC, told.series_key ASC, told.vintage DESC
    ) AS known
    WHERE fragment.known_on(known, %(day)s)
    ORDER BY known.period_end DESC, known.measure ASC, known.series_key ASC
    LIMIT %(rows)s
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.measure ASC, latest.series_key ASC;

-- name: years_of_indicator
-- Years of one indicator in all countries.
SELECT fragment.year_row(latest, series, provenance)
FROM (
    SELECT known.*
    FROM (
        SELECT DISTINCT ON (told.period_end, told.country_iso3, told.series_key) fragment.newest_vintage(told)
        FROM serving.macro_value AS told
        WHERE
            told.measure = %(lowest)s
            AND told.frequency = 'A' AND told.country_iso3 IS NOT NULL
            AND told.period_end BETWEEN %(since)s AND %(until)s
            AND (
                told.period_end < %(until)s
                OR (told.country_iso3, told.series_key) > (%(after_country)s, %(after_series)s)
            )
            AND fragment.in_edition(told, %(edition)s)
            AND told.available_at <= %(day)s
        ORDER BY told.period_end DESC, told.country_iso3 ASC, told.series_key ASC, told.vintage DESC
    ) AS known
    WHERE fragment.known_on(known, %(day)s)
    ORDER BY known.period_end DESC, known.country_iso3 ASC, known.series_key ASC
    LIMIT %(rows)s
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.country_iso3 ASC, latest.series_key ASC;

-- name: values_of_series
-- Observations of one series, if it is of the country, family and frequency asked for.
SELECT fragment.observation_row(latest, series, provenance)
FROM (
    SELECT known.*
    FROM (
        SELECT DISTINCT ON (told.period_end) fragment.newest_vintage(told)
        FROM serving.macro_value AS told
        WHERE
            told.series_key = %(series)s
            AND told.period_end BETWEEN %(since)s AND %(until)s
            AND (told.period_end < %(until)s OR told.series_key > %(after_series)s)
            AND fragment.in_edition(told, %(edition)s)
            AND told.available_at <= %(day)s
        ORDER BY told.period_end DESC, told.vintage DESC
    ) AS known
    WHERE fragment.known_on(known, %(day)s)
    ORDER BY known.period_end DESC
    LIMIT %(rows)s
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
WHERE
    (%(country)s::text IS NULL OR series.country_iso3 = %(country)s)
    AND (%(frequency)s::text IS NULL OR series.frequency = %(frequency)s)
    AND (%(series_type)s::text IS NULL OR series.series_type = %(series_type)s)
ORDER BY latest.period_end DESC;

-- name: values_of_country
-- Observations of all series of one country, of a family and a frequency.
SELECT fragment.observation_row(latest, series, provenance)
FROM (
    SELECT known.*
    FROM (
        SELECT DISTINCT ON (told.period_end, told.measure, told.series_key) fragment.newest_vintage(told)
        FROM serving.macro_value AS told
        WHERE
            told.country_iso3 = %(country)s
            AND told.period_end BETWEEN %(since)s AND %(until)s
            AND (
                told.period_end < %(until)s
                OR (told.measure, told.series_key)
                > (fragment.measure_of(%(after_series)s, %(edition)s), %(after_series)s)
            )
            AND fragment.in_edition(told, %(edition)s)
            AND told.available_at <= %(day)s
            AND fragment.is_of_kind(told, %(frequency)s, %(series_type)s, %(edition)s)
        ORDER BY told.period_end DESC, told.measure ASC, told.series_key ASC, told.vintage DESC
    ) AS known
    WHERE fragment.known_on(known, %(day)s)
    ORDER BY known.period_end DESC, known.measure ASC, known.series_key ASC
    LIMIT %(rows)s
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.measure ASC, latest.series_key ASC;

-- name: values_of_all
-- Observations of all series, of a family and a frequency. The day a page goes on with is read apart, as for years.
SELECT fragment.observation_row(latest, series, provenance)
FROM (
    (
        SELECT known.*
        FROM (
            SELECT DISTINCT ON (told.measure, told.series_key) fragment.newest_vintage(told)
            FROM serving.macro_value AS told
            WHERE
                told.period_end = %(until)s
                AND told.period_end >= %(since)s
                AND (told.measure, told.series_key)
                > (fragment.measure_of(%(after_series)s, %(edition)s), %(after_series)s)
                AND fragment.in_edition(told, %(edition)s)
                AND told.available_at <= %(day)s
                AND fragment.is_of_kind(told, %(frequency)s, %(series_type)s, %(edition)s)
            ORDER BY told.measure ASC, told.series_key ASC, told.vintage DESC
        ) AS known
        WHERE fragment.known_on(known, %(day)s)
        ORDER BY known.measure ASC, known.series_key ASC
        LIMIT %(rows)s
    )
    UNION ALL
    (
        SELECT known.*
        FROM (
            SELECT DISTINCT ON (told.period_end, told.measure, told.series_key) fragment.newest_vintage(told)
            FROM serving.macro_value AS told
            WHERE
                told.period_end < %(until)s
                AND told.period_end >= %(since)s
                AND fragment.in_edition(told, %(edition)s)
                AND told.available_at <= %(day)s
                AND fragment.is_of_kind(told, %(frequency)s, %(series_type)s, %(edition)s)
            ORDER BY told.period_end DESC, told.measure ASC, told.series_key ASC, told.vintage DESC
        ) AS known
        -- In the order of `known`. To ask for it again would hide from the planner that it may stop after the page.
        WHERE fragment.known_on(known, %(day)s)
        LIMIT %(rows)s
    )
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.measure ASC, latest.series_key ASC
LIMIT %(rows)s;
