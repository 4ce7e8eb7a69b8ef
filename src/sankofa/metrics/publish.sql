-- name: touch_all
-- Other formulas: whoever filed anything is derived anew.
INSERT INTO touched_subject (subject_id)
SELECT DISTINCT filing.subject_id FROM ledger.filing AS filing
ON CONFLICT DO NOTHING;

-- name: facts
-- The chunk's facts as the coming edition holds them, group accounts only. What was taken down has no value.
CREATE TEMPORARY TABLE reported ON COMMIT DROP AS
SELECT
    fact.row_id,
    fact.service_id,
    fact.line_item,
    fact.period_start,
    fact.period_end,
    fact.period_type,
    fact.fiscal_year,
    fact.unit,
    fact.scope,
    fact.vintage,
    fact.available_at,
    fact.withdrawn_at,
    fact.value,
    fact.provenance_id
FROM touched
INNER JOIN serving.fundamentals_fact AS fact ON touched.service_id = fact.service_id
WHERE fact.superseded_in = 2147483647 AND fact.value IS NOT NULL;

-- name: countries
-- Where the chunk's issuers are at home, as the coming edition says; a part of a country begins with its code.
CREATE TEMPORARY TABLE home ON COMMIT DROP AS
SELECT touched.service_id, coalesce(left(organisation.jurisdiction, 2), '') AS country
FROM touched
INNER JOIN serving.organisation AS organisation ON touched.service_id = organisation.service_id
WHERE organisation.superseded_in = 2147483647;

-- name: issuers
SELECT service_id FROM home
ORDER BY service_id;

-- name: years
-- Full years that anything was stated of: the rows without a line item. Then, for each value of such a year or
-- of its last day, its newest vintage and the day on which it was first known.
COPY (
    WITH full_year AS (
        SELECT
            service_id, period_start, period_end, min(available_at) AS known_at, min(fiscal_year) AS fiscal_year
        FROM reported
        WHERE
            service_id = any(%(service_ids)s)
            AND period_type = 'FY' AND period_start > '-infinity' AND scope = 'consolidated'
        GROUP BY service_id, period_start, period_end
    ),

    newest AS (
        SELECT DISTINCT ON (reported.service_id, reported.line_item, reported.period_start, reported.period_end, reported.unit)
            reported.*,
            min(reported.available_at) OVER (
                PARTITION BY reported.service_id, reported.line_item, reported.period_start, reported.period_end, reported.unit
            ) AS first_at
        FROM reported
        WHERE
            reported.service_id = any(%(service_ids)s)
            AND reported.line_item = any(%(line_items)s)
            AND reported.scope = 'consolidated'
        ORDER BY
            reported.service_id ASC,
            reported.line_item ASC,
            reported.period_start ASC,
            reported.period_end ASC,
            reported.unit ASC,
            reported.vintage DESC
    ),

    -- All vintages of what was ever withdrawn: the day each became available, and the day it was withdrawn.
    unsteady AS (
        SELECT
            service_id, line_item, period_start, period_end, unit,
            string_agg(concat_ws('/', available_at, withdrawn_at), ' ' ORDER BY vintage) AS vintages
        FROM reported
        WHERE
            service_id = any(%(service_ids)s) AND line_item = any(%(line_items)s) AND scope = 'consolidated'
        GROUP BY service_id, line_item, period_start, period_end, unit
        HAVING count(withdrawn_at) > 0
    )

    SELECT
        full_year.service_id,
        home.country,
        full_year.period_start,
        full_year.period_end,
        '' AS line_item,
        '' AS unit,
        FALSE AS is_stock,
        coalesce(full_year.fiscal_year::text, '') AS value,
        0 AS row_id,
        full_year.known_at AS first_at,
        full_year.known_at AS newest_at,
        '' AS vintages
    FROM full_year INNER JOIN home ON full_year.service_id = home.service_id
    UNION ALL
    SELECT
        newest.service_id,
        '' AS country,
        full_year.period_start,
        full_year.period_end,
        newest.line_item,
        newest.unit,
        newest.period_start = '-infinity' AS is_stock,
        newest.value::text,
        newest.row_id,
        newest.first_at,
        newest.available_at AS newest_at,
        coalesce(unsteady.vintages, '') AS vintages
    FROM newest
    INNER JOIN full_year
        ON
            newest.service_id = full_year.service_id AND newest.period_end = full_year.period_end
            AND newest.period_start IN (full_year.period_start, '-infinity')
    LEFT JOIN unsteady
        ON
            newest.service_id = unsteady.service_id AND newest.line_item = unsteady.line_item
            AND newest.period_start = unsteady.period_start AND newest.period_end = unsteady.period_end
            AND newest.unit = unsteady.unit
    ORDER BY service_id, period_end, period_start, line_item
) TO STDOUT;

-- name: derived
CREATE TEMPORARY TABLE derived (
    service_id text, country text, metric text, period_end date, fiscal_year smallint, published_at date,
    next_published_at date, complete_from date, exact_from date, value numeric, numerator numeric,
    denominator numeric, absence text, inputs bigint[]
) ON COMMIT DROP;

-- name: copy_derived
COPY derived FROM STDIN;

-- name: target
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    derived.*,
    md5(concat_ws('|', derived.service_id, derived.metric, derived.period_end))::uuid AS year_id,
    CASE WHEN derived.value IS NOT NULL THEN derived.exact_from END AS served_from,
    CASE WHEN derived.value IS NOT NULL THEN extract(YEAR FROM derived.exact_from)::smallint END AS first_year,
    CASE
        WHEN isfinite(derived.next_published_at) THEN extract(YEAR FROM derived.next_published_at)::smallint
        ELSE 9999
    END AS last_year
FROM derived;

-- name: spans
-- What the readers need to know of the new values: in which spans of years there are any.
INSERT INTO serving.metric_span (metric, country, first_year, last_year)
SELECT DISTINCT target.metric, place.country, target.first_year, target.last_year
FROM target CROSS JOIN LATERAL (VALUES (''), (target.country)) AS place (country)
WHERE target.served_from < target.next_published_at
ON CONFLICT DO NOTHING;

-- name: target_coverage
-- Since when anything of an issuer is known, which line items and metrics there are of it, and for which years.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH known AS (
    SELECT
        service_id,
        min(available_at) AS first_known_at,
        min(available_at) FILTER (
            WHERE period_type = 'FY' AND period_start > '-infinity' AND scope = 'consolidated'
        ) AS first_year_at
    FROM reported
    GROUP BY service_id
),

filed AS (
    SELECT DISTINCT reported.service_id, reported.line_item, provenance.license_class
    FROM (SELECT DISTINCT service_id, line_item, provenance_id FROM reported) AS reported
    INNER JOIN serving.provenance AS provenance ON reported.provenance_id = provenance.provenance_id
),

licensed AS (
    SELECT service_id, line_item, string_agg(license_class, ' ' ORDER BY license_class) AS license_classes
    FROM filed
    GROUP BY service_id, line_item
),

covered AS (
    SELECT
        span.service_id, 'line-items/' || span.line_item AS key, span.first_date, span.last_date,
        licensed.license_classes
    FROM (
        SELECT service_id, line_item, min(period_end) AS first_date, max(period_end) AS last_date
        FROM reported
        GROUP BY service_id, line_item
    ) AS span
    INNER JOIN licensed ON span.service_id = licensed.service_id AND span.line_item = licensed.line_item
    UNION ALL
    SELECT
        span.service_id, 'metrics/' || span.metric AS key, span.first_date, span.last_date,
        every.license_classes
    FROM (
        SELECT service_id, metric, min(period_end) AS first_date, max(period_end) AS last_date
        FROM derived
        WHERE value IS NOT NULL
        GROUP BY service_id, metric
    ) AS span
    INNER JOIN (
        SELECT service_id, string_agg(DISTINCT license_class, ' ' ORDER BY license_class) AS license_classes
        FROM filed
        GROUP BY service_id
    ) AS every ON span.service_id = every.service_id
    UNION ALL
    SELECT
        listed.service_id, 'exchanges/' || listed.issuer AS key, min(listed.valid_from) AS first_date,
        NULL::date AS last_date,
        string_agg(DISTINCT provenance.license_class, ' ' ORDER BY provenance.license_class) AS license_classes
    FROM touched
    INNER JOIN serving.identifier AS listed ON touched.service_id = listed.service_id
    INNER JOIN serving.provenance AS provenance ON listed.provenance_id = provenance.provenance_id
    WHERE listed.id_type = 'ticker' AND listed.superseded_in = 2147483647
    GROUP BY listed.service_id, listed.issuer
)

SELECT
    row_number() OVER () AS target_id,
    known.service_id,
    home.country,
    known.first_known_at,
    known.first_year_at,
    there.keys,
    there.first_dates,
    there.last_dates,
    there.license_classes
FROM known
INNER JOIN home ON known.service_id = home.service_id
INNER JOIN (
    SELECT
        service_id,
        array_agg(key ORDER BY key) AS keys,
        array_agg(first_date ORDER BY key) AS first_dates,
        array_agg(last_date ORDER BY key) AS last_dates,
        array_agg(license_classes ORDER BY key) AS license_classes
    FROM covered
    GROUP BY service_id
) AS there ON known.service_id = there.service_id;
