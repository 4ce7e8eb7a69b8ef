-- name: coverage
-- The coverage of each key of a kind, by country: the sum over the shelves of issuers.
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

-- fragment: is_answer(observation, edition, day)
-- The value is the one served for its series and period.
SELECT fragment.in_edition(observation, edition) AND fragment.known_on(observation, day)
FROM observation
CROSS JOIN edition
CROSS JOIN day;

-- name: indicators
-- Indicators by their publishers' codes, each with its series by country and the years that it has values for: annual
-- series of countries. They can be requested as series too, like those of aggregates.
SELECT
    page.indicator,
    described.definition,
    described.unit,
    described.coverage,
    described.first_date,
    described.last_date,
    described.license_class
FROM (
    SELECT DISTINCT series.indicator
    FROM serving.series AS series
    WHERE
        series.indicator > %(after)s
        AND series.frequency = 'A' AND series.country_iso3 IS NOT NULL
        AND fragment.in_edition(series, %(edition)s)
        AND EXISTS (
            SELECT FROM serving.macro_value AS value
            WHERE value.series_key = series.series_key AND fragment.is_answer(value, %(edition)s, %(day)s)
        )
    ORDER BY series.indicator
    LIMIT %(rows)s
) AS page
INNER JOIN LATERAL (
    SELECT
        min(counted.definition) AS definition,
        min(counted.unit) AS unit,
        jsonb_object_agg(counted.country, counted.series) AS coverage,
        min(counted.first_date) AS first_date,
        max(counted.last_date) AS last_date,
        max(counted.license_class) AS license_class
    FROM (
        SELECT
            coalesce(series.country_iso2, 'none') AS country,
            min(series.indicator_name) AS definition,
            min(series.unit) AS unit,
            count(*) AS series,
            min(oldest.period_end) AS first_date,
            max(newest.period_end) AS last_date,
            max(newest.license_class) AS license_class
        FROM serving.series AS series
        INNER JOIN LATERAL (
            SELECT value.period_end FROM serving.macro_value AS value
            WHERE value.series_key = series.series_key AND fragment.is_answer(value, %(edition)s, %(day)s)
            ORDER BY value.period_end ASC
            LIMIT 1
        ) AS oldest ON TRUE
        INNER JOIN LATERAL (
            SELECT value.period_end, provenance.license_class
            FROM serving.macro_value AS value
            INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
            WHERE value.series_key = series.series_key AND fragment.is_answer(value, %(edition)s, %(day)s)
            ORDER BY value.period_end DESC
            LIMIT 1
        ) AS newest ON TRUE
        WHERE
            series.indicator = page.indicator
            AND series.frequency = 'A' AND series.country_iso3 IS NOT NULL
            AND fragment.in_edition(series, %(edition)s)
        GROUP BY coalesce(series.country_iso2, 'none')
    ) AS counted
) AS described ON TRUE
ORDER BY page.indicator;

-- name: series
-- Series by their keys, those of years and of aggregates included, with the first and the last day that each has a
-- value for.
SELECT
    series.series_key,
    series.indicator_name,
    series.unit,
    coalesce(series.country_iso2, 'none') AS country,
    oldest.period_end AS first_date,
    newest.period_end AS last_date,
    newest.license_class
FROM serving.series AS series
INNER JOIN LATERAL (
    SELECT value.period_end FROM serving.macro_value AS value
    WHERE value.series_key = series.series_key AND fragment.is_answer(value, %(edition)s, %(day)s)
    ORDER BY value.period_end ASC
    LIMIT 1
) AS oldest ON TRUE
INNER JOIN LATERAL (
    SELECT value.period_end, provenance.license_class
    FROM serving.macro_value AS value
    INNER JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
    WHERE value.series_key = series.series_key AND fragment.is_answer(value, %(edition)s, %(day)s)
    ORDER BY value.period_end DESC
    LIMIT 1
) AS newest ON TRUE
WHERE
    series.series_key > %(after)s
    AND fragment.in_edition(series, %(edition)s)
ORDER BY series.series_key
LIMIT %(rows)s;

-- name: sources
-- The sources of an edition.
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
-- The categories of portals, with the number of months of each country that have tenders in them.
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

-- name: freshness
-- The promised dates of each source. They belong to no edition.
SELECT fresh.source, fresh.is_frozen, fresh.good_at, fresh.next_due, fresh.stale_at
FROM serving.source_freshness AS fresh
ORDER BY fresh.source;
