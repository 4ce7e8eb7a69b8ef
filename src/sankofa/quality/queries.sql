-- name: totals
-- The sums of a dataset in an edition. They change in nearly every edition: so the countries are found one after
-- the other, and of each the version that is not newer than the edition.
WITH RECURSIVE known AS (
    (
        SELECT first.country FROM serving.quality_total AS first
        WHERE first.sku = %(sku)s
        ORDER BY first.country
        LIMIT 1
    )
    UNION ALL
    SELECT (
        SELECT next.country FROM serving.quality_total AS next
        WHERE next.sku = %(sku)s AND next.country > known.country
        ORDER BY next.country
        LIMIT 1
    ) AS country
    FROM known
    WHERE known.country IS NOT NULL
)

SELECT held.country, held.newest_at, held.counts
FROM known
CROSS JOIN
    LATERAL (
        SELECT version.country, version.newest_at, version.counts, version.published_in, version.superseded_in
        FROM serving.quality_total AS version
        WHERE version.sku = %(sku)s AND version.country = known.country AND version.published_in <= %(edition)s
        ORDER BY version.published_in DESC
        LIMIT 1
    ) AS held
WHERE fragment.in_edition(held, %(edition)s);

-- name: results
SELECT result.measure, result.good, result.measured, result.measured_at
FROM serving.quality_result AS result
WHERE result.sku = %(sku)s AND fragment.in_edition(result, %(edition)s);

-- name: published
-- The time of publication of the edition, and the number of overridden floors of the dataset.
SELECT
    edition.published_at,
    (
        SELECT count(*) FROM serving.quality_override AS overridden
        WHERE overridden.published_in = edition.edition AND overridden.sku = %(sku)s
    ) AS overrides
FROM serving.edition AS edition
WHERE edition.edition = %(edition)s;

-- name: sources
-- The sources that the rows of a dataset come from.
SELECT held.source, held.license_class, held.last_fetched_at
FROM serving.source AS held
WHERE
    held.source = any(%(sources)s)
    AND fragment.in_edition(held, %(edition)s)
ORDER BY held.source;
