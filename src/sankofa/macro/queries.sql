-- These statements read in the order of an index and stop where the page is full. All bounds are always there, so that no
-- plan depends on which parameters were sent. `until` is the day of the last row of the previous page, or the last
-- requested day; `after_series` and `after_vintage` are of that row, empty and 0 before the first page.

-- fragment: is_of_vintages(entry, edition, day, vintages)
-- The edition holds the row, and it is of the requested vintages: latest, as_reported or all, of those known on the day.
SELECT
    fragment.in_edition(entry, edition)
    AND CASE vintages::text
        WHEN 'latest' THEN fragment.known_on(entry, day)
        WHEN 'as_reported' THEN entry.vintage = 1 AND entry.available_at <= day
        ELSE entry.available_at <= day
    END
FROM entry
CROSS JOIN edition
CROSS JOIN day
CROSS JOIN vintages;

-- fragment: is_of_kind(entry, frequency, series_type, edition)
-- The value is of a series of this frequency and family, if these are requested.
SELECT
    (frequency::text IS NULL OR entry.frequency = frequency)
    AND (
        series_type::text IS NULL
        OR entry.series_key IN (
            SELECT typed.series_key
            FROM serving.series AS typed
            WHERE typed.series_type = series_type AND fragment.in_edition(typed, edition)
        )
    )
FROM entry
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

-- fragment: area_of(key, edition)
-- What a series is of; empty before the first page.
SELECT
    coalesce((
        SELECT placed.area FROM serving.series AS placed
        WHERE placed.series_key = key AND fragment.in_edition(placed, edition)
    ), '')
FROM key
CROSS JOIN edition;

-- fragment: follows(entry, until, key, vintage, edition)
-- The value comes after a position in the order; its day is not later than that of the position.
SELECT
    entry.period_end < until
    OR (entry.measure, entry.area, entry.series_key, entry.vintage)
    > (fragment.measure_of(key, edition), fragment.area_of(key, edition), key, vintage)
FROM entry
CROSS JOIN until
CROSS JOIN key
CROSS JOIN vintage
CROSS JOIN edition;

-- fragment: days_back(day)
-- Days count backwards: the newest first, as the rest of the order ascends. An index has this expression.
SELECT '9999-12-31'::date - day FROM day;

-- fragment: years_back(day)
-- The same of years.
SELECT 9999 - extract(YEAR FROM day) FROM day;

-- columns: value_row(value, series, provenance, day)
-- The columns from which both modes make their rows.
SELECT
    value.series_key AS series,
    series.series_type,
    value.frequency,
    series.country_iso2,
    series.country_iso3,
    CASE WHEN series.country_iso3 IS NULL THEN nullif(series.area, '') END AS aggregate,
    value.measure,
    series.indicator_name,
    value.period_end AS date,
    value.value,
    value.unit,
    value.vintage,
    value.available_at,
    provenance.available_at_basis,
    fragment.ended_by(value, day) AS known_until,
    provenance.document_ref || '#' || value.series_key AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    value.provenance_id::text AS provenance_id,
    value.fact_id::text AS fact_id
FROM value
CROSS JOIN series
CROSS JOIN provenance
CROSS JOIN day;

-- order: in_order(value)
SELECT FROM value
ORDER BY value.period_end DESC, value.measure ASC, value.area ASC, value.series_key ASC, value.vintage ASC;

-- name: of_series
-- Values of some series, if they are of the requested areas, family and frequency.
SELECT fragment.value_row(value, series, provenance, %(day)s)
FROM serving.series AS series
CROSS JOIN
    LATERAL (
        SELECT entry.*
        FROM serving.macro_value AS entry
        WHERE
            entry.series_key = series.series_key
            AND entry.period_end BETWEEN %(since)s AND %(until)s
            AND fragment.follows(entry, %(until)s, %(after_series)s, %(after_vintage)s, %(edition)s)
            AND fragment.is_of_vintages(entry, %(edition)s, %(day)s, %(vintages)s)
        ORDER BY entry.period_end DESC, entry.vintage ASC
        LIMIT %(rows)s
    ) AS value
INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
WHERE
    series.series_key = any(%(series)s::text[])
    AND fragment.in_edition(series, %(edition)s)
    AND (%(areas)s::text[] IS NULL OR series.area = any(%(areas)s::text[]))
    AND (%(frequency)s::text IS NULL OR series.frequency = %(frequency)s)
    AND (%(series_type)s::text IS NULL OR series.series_type = %(series_type)s)
ORDER BY fragment.in_order(value)
LIMIT %(rows)s;

-- name: of_areas
-- Values of all series of some countries or aggregates, of a family and a frequency.
SELECT fragment.value_row(value, series, provenance, %(day)s)
FROM unnest(%(areas)s::text[]) AS requested (area)
CROSS JOIN
    LATERAL (
        SELECT entry.*
        FROM serving.macro_value AS entry
        WHERE
            entry.area = requested.area AND entry.area <> ''
            AND entry.period_end BETWEEN %(since)s AND %(until)s
            AND fragment.follows(entry, %(until)s, %(after_series)s, %(after_vintage)s, %(edition)s)
            AND fragment.is_of_vintages(entry, %(edition)s, %(day)s, %(vintages)s)
            AND fragment.is_of_kind(entry, %(frequency)s, %(series_type)s, %(edition)s)
        ORDER BY entry.period_end DESC, entry.measure ASC, entry.series_key ASC, entry.vintage ASC
        LIMIT %(rows)s
    ) AS value
INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        value.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY fragment.in_order(value)
LIMIT %(rows)s;

-- name: of_indicators
-- Years of some indicators in all countries.
SELECT fragment.value_row(value, series, provenance, %(day)s)
FROM unnest(%(indicators)s::text[]) AS requested (indicator)
CROSS JOIN
    LATERAL (
        SELECT entry.*
        FROM serving.macro_value AS entry
        WHERE
            entry.measure = requested.indicator
            AND entry.frequency = 'A' AND entry.country_iso3 IS NOT NULL
            AND entry.period_end BETWEEN %(since)s AND %(until)s
            AND fragment.follows(entry, %(until)s, %(after_series)s, %(after_vintage)s, %(edition)s)
            AND fragment.is_of_vintages(entry, %(edition)s, %(day)s, %(vintages)s)
        ORDER BY entry.period_end DESC, entry.area ASC, entry.series_key ASC, entry.vintage ASC
        LIMIT %(rows)s
    ) AS value
INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        value.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY fragment.in_order(value)
LIMIT %(rows)s;

-- name: years_of_all
-- Years of all indicators and countries.
SELECT fragment.value_row(value, series, provenance, %(day)s)
FROM (
    SELECT entry.*
    FROM serving.macro_value AS entry
    WHERE
        entry.frequency = 'A' AND entry.country_iso3 IS NOT NULL
        AND fragment.years_back(entry.period_end) <= fragment.years_back(%(since)s::date)
        AND (fragment.years_back(entry.period_end), entry.measure, entry.area, entry.series_key, entry.vintage)
        > (
            fragment.years_back(%(until)s::date), fragment.measure_of(%(after_series)s, %(edition)s),
            fragment.area_of(%(after_series)s, %(edition)s), %(after_series)s, %(after_vintage)s
        )
        AND fragment.is_of_vintages(entry, %(edition)s, %(day)s, %(vintages)s)
    ORDER BY
        fragment.years_back(entry.period_end) ASC, entry.measure ASC, entry.area ASC, entry.series_key ASC, entry.vintage ASC
    LIMIT %(rows)s
) AS value
INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        value.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY fragment.in_order(value);

-- name: of_all
-- Values of all series, of a family and a frequency.
SELECT fragment.value_row(value, series, provenance, %(day)s)
FROM (
    SELECT entry.*
    FROM serving.macro_value AS entry
    WHERE
        fragment.days_back(entry.period_end) <= fragment.days_back(%(since)s)
        AND (fragment.days_back(entry.period_end), entry.measure, entry.area, entry.series_key, entry.vintage)
        > (
            fragment.days_back(%(until)s), fragment.measure_of(%(after_series)s, %(edition)s),
            fragment.area_of(%(after_series)s, %(edition)s), %(after_series)s, %(after_vintage)s
        )
        AND fragment.is_of_vintages(entry, %(edition)s, %(day)s, %(vintages)s)
        AND fragment.is_of_kind(entry, %(frequency)s, %(series_type)s, %(edition)s)
    ORDER BY
        fragment.days_back(entry.period_end) ASC, entry.measure ASC, entry.area ASC, entry.series_key ASC, entry.vintage ASC
    LIMIT %(rows)s
) AS value
INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        value.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY fragment.in_order(value);

-- name: series_of_indicators
-- The series of some indicators in some countries or aggregates, by year.
SELECT series.series_key
FROM serving.series AS series
WHERE
    fragment.in_edition(series, %(edition)s)
    AND series.frequency = 'A' AND series.area = any(%(areas)s::text[])
    AND series.indicator = any(%(indicators)s::text[])
UNION
SELECT series.series_key
FROM serving.series AS series
WHERE
    fragment.in_edition(series, %(edition)s)
    AND series.frequency = 'A' AND series.area = any(%(areas)s::text[])
    AND series.indicator IS NULL AND series.series_key = any(%(indicators)s::text[]);

-- name: unknown
-- The requested names without a value that was public on the day, with their parameters.
SELECT 'series' AS parameter, requested.name
FROM unnest(%(series)s::text[]) AS requested (name)
WHERE
    NOT EXISTS (
        SELECT FROM serving.macro_value AS entry
        WHERE entry.series_key = requested.name AND fragment.in_edition(entry, %(edition)s) AND entry.available_at <= %(day)s
    )
UNION ALL
SELECT 'country' AS parameter, requested.name
FROM unnest(%(areas)s::text[]) AS requested (name)
WHERE
    NOT EXISTS (
        SELECT FROM serving.macro_value AS entry
        WHERE
            entry.area = requested.name AND entry.area <> ''
            AND fragment.in_edition(entry, %(edition)s) AND entry.available_at <= %(day)s
    )
UNION ALL
SELECT 'indicator' AS parameter, requested.name
FROM unnest(%(indicators)s::text[]) AS requested (name)
WHERE
    NOT EXISTS (
        SELECT FROM serving.macro_value AS entry
        WHERE
            entry.measure = requested.name AND entry.frequency = 'A' AND entry.country_iso3 IS NOT NULL
            AND fragment.in_edition(entry, %(edition)s) AND entry.available_at <= %(day)s
    )
ORDER BY parameter, name;
