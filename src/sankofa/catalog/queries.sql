-- name: coverage
-- How much there is of each key of a kind, by country: the shelves of issuers added up.
SELECT
    held.key,
    held.country,
    sum(held.issuers)::integer AS issuers,
    min(held.first_date) AS first_date,
    max(held.last_date) AS last_date,
    array_agg(DISTINCT one.license_classes) AS license_classes
FROM serving.coverage AS held
CROSS JOIN LATERAL unnest(held.license_classes) AS one (license_classes)
WHERE
    held.kind = %(kind)s
    AND fragment.in_edition(held, %(edition)s)
GROUP BY held.key, held.country;

-- name: indicators
-- Indicators by their publishers' codes, each with its series by country and the years that it has values for. Only
-- annual series of a country can be asked for by indicator; the others are listed as series.
SELECT
    page.indicator,
    page.definition,
    page.unit,
    page.coverage,
    bounds.first_date,
    bounds.last_date,
    bounds.license_class
FROM (
    SELECT
        counted.indicator,
        min(counted.indicator_name) AS definition,
        min(counted.unit) AS unit,
        jsonb_object_agg(counted.country, counted.series) AS coverage
    FROM (
        SELECT
            series.indicator,
            coalesce(series.country_iso2, 'none') AS country,
            min(series.indicator_name) AS indicator_name,
            min(series.unit) AS unit,
            count(*) AS series
        FROM serving.series AS series
        WHERE
            series.indicator > %(after)s
            AND series.frequency = 'A' AND series.country_iso3 IS NOT NULL
            AND fragment.in_edition(series, %(edition)s)
        GROUP BY series.indicator, coalesce(series.country_iso2, 'none')
    ) AS counted
    GROUP BY counted.indicator
    ORDER BY counted.indicator
    LIMIT %(rows)s
) AS page
LEFT JOIN LATERAL (
    SELECT
        min(one.first_date) AS first_date, max(one.last_date) AS last_date,
        max(one.license_class) AS license_class
    FROM serving.series AS series
    CROSS JOIN
        LATERAL (
            SELECT
                (
                    SELECT value.period_end FROM serving.macro_value AS value
                    WHERE
                        value.series_key = series.series_key
                        AND fragment.in_edition(value, %(edition)s)
                    ORDER BY value.period_end ASC, value.vintage ASC
                    LIMIT 1
                ) AS first_date,
                newest.period_end AS last_date,
                newest.license_class
            FROM (
                SELECT value.period_end, provenance.license_class
                FROM serving.macro_value AS value
                INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
                WHERE
                    value.series_key = series.series_key
                    AND fragment.in_edition(value, %(edition)s)
                ORDER BY value.period_end DESC, value.vintage DESC
                LIMIT 1
            ) AS newest
        ) AS one
    WHERE
        series.indicator = page.indicator
        AND series.frequency = 'A' AND series.country_iso3 IS NOT NULL
        AND fragment.in_edition(series, %(edition)s)
) AS bounds ON TRUE
ORDER BY page.indicator;

-- name: series
-- Series that are not annual, by their keys, with the first and the last day that each has a value for.
SELECT
    page.series_key,
    page.indicator_name,
    page.unit,
    coalesce(page.country_iso2, 'none') AS country,
    oldest.period_end AS first_date,
    newest.period_end AS last_date,
    newest.license_class
FROM (
    SELECT series.series_key, series.indicator_name, series.unit, series.country_iso2
    FROM serving.series AS series
    WHERE
        series.series_key > %(after)s
        AND series.frequency <> 'A'
        AND fragment.in_edition(series, %(edition)s)
    ORDER BY series.series_key
    LIMIT %(rows)s
) AS page
LEFT JOIN LATERAL (
    SELECT value.period_end FROM serving.macro_value AS value
    WHERE
        value.series_key = page.series_key
        AND fragment.in_edition(value, %(edition)s)
    ORDER BY value.period_end ASC, value.vintage ASC
    LIMIT 1
) AS oldest ON TRUE
LEFT JOIN LATERAL (
    SELECT value.period_end, provenance.license_class
    FROM serving.macro_value AS value
    INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
    WHERE
        value.series_key = page.series_key
        AND fragment.in_edition(value, %(edition)s)
    ORDER BY value.period_end DESC, value.vintage DESC
    LIMIT 1
) AS newest ON TRUE
ORDER BY page.series_key;

-- name: sources
-- The sources that an edition rests on.
SELECT
    held.source,
    held.publisher,
    coalesce(nullif(held.country, ''), 'none') AS country,
    held.documents,
    held.first_fetched_at::date AS first_date,
    held.last_fetched_at::date AS last_date,
    held.license_class
FROM serving.source AS held
WHERE
    held.source > %(after)s
    AND fragment.in_edition(held, %(edition)s)
ORDER BY held.source
LIMIT %(rows)s;

-- name: signals
-- How many rows each panel has, by country, over the months that were closed when the edition was published.
SELECT
    signal.panel AS key,
    signal.country,
    count(*)::integer AS rows,
    min(signal.month) AS first_date,
    max(signal.month) AS last_date,
    array_agg(DISTINCT signal.license_class) AS license_classes
FROM serving.signal AS signal
WHERE
    signal.month + interval '1 month' <= %(day)s
    AND fragment.in_edition(signal, %(edition)s)
GROUP BY signal.panel, signal.country;

-- name: categories
-- What portals call what is bought: in how many months of each country something was put out to tender as that.
SELECT
    signal.breakdown AS key,
    signal.country,
    count(*)::integer AS months,
    min(signal.month) AS first_date,
    max(signal.month) AS last_date,
    array_agg(DISTINCT signal.license_class) AS license_classes
FROM serving.signal AS signal
WHERE
    signal.panel = 'procurement-demand'
    AND signal.breakdown IN (
        SELECT DISTINCT known.breakdown
        FROM serving.signal AS known
        WHERE
            known.panel = 'procurement-demand' AND known.breakdown > %(after)s
            AND known.month + interval '1 month' <= %(day)s
            AND fragment.in_edition(known, %(edition)s)
        ORDER BY known.breakdown
        LIMIT %(rows)s
    )
    AND signal.month + interval '1 month' <= %(day)s
    AND fragment.in_edition(signal, %(edition)s)
GROUP BY signal.breakdown, signal.country;
