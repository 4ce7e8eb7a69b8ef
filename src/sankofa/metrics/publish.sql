-- name: touch_all
-- Other formulas: whoever filed anything is derived anew.
INSERT INTO build.touched_subject (subject_id)
SELECT DISTINCT filing.subject_id FROM ledger.filing AS filing
ON CONFLICT DO NOTHING;

-- name: facts
-- The chunk's line items as the coming edition holds them, group accounts only. What was taken down has no value. OFFSET 0
-- makes the planner read each issuer's facts by index: before the first edition there are no statistics to tell it.
CREATE TEMPORARY TABLE reported ON COMMIT DROP AS
SELECT fact.*
FROM touched
CROSS JOIN LATERAL (
    SELECT
        row_id, service_id, line_item, period_start, period_end, period_type, fiscal_year, unit, scope, vintage,
        available_at, withdrawn_at, labelled_from, labelled_until, passed_over, value, provenance_id
    FROM serving.fundamentals_fact AS held
    WHERE
        held.service_id = touched.service_id
        AND fragment.is_live(held) AND held.value IS NOT NULL AND fragment.is_standard(held)
    OFFSET 0
) AS fact;

-- name: homes
-- The home country of the chunk's issuers by days, as of the coming edition; empty for days without a known one.
-- The code of a part of a country begins with the country's.
CREATE TEMPORARY TABLE home ON COMMIT DROP AS
WITH known_home AS (
    SELECT
        touched.service_id,
        coalesce(left(named.jurisdiction, 2), '') AS country,
        range_agg(daterange(named.known_from, named.known_until)) AS days
    FROM touched
    INNER JOIN serving.organisation_version AS named ON touched.service_id = named.service_id
    WHERE fragment.is_live(named)
    GROUP BY touched.service_id, coalesce(left(named.jurisdiction, 2), '')
)

SELECT known_home.service_id, known_home.country, known_home.days FROM known_home
UNION ALL
SELECT
    known_home.service_id,
    '' AS country,
    datemultirange(daterange('-infinity', 'infinity')) - range_agg(known_home.days) AS days
FROM known_home
GROUP BY known_home.service_id;

-- name: issuers
SELECT DISTINCT service_id FROM home
ORDER BY service_id;

-- name: trades
-- The industries of some issuers, with the days on which each was known.
SELECT named.service_id, named.known_from::text, named.known_until::text, named.sic
FROM serving.organisation_version AS named
WHERE named.service_id = any(%(service_ids)s) AND named.sic IS NOT NULL AND fragment.is_live(named)
ORDER BY named.service_id, named.known_from;

-- name: years
-- First the full years, in lines without a line item: one for each fiscal year and span of days on which the period was
-- known as a full year. Then each vintage of each value of such a year or of its last day, from the day on which it
-- became available until its withdrawal, if any. A vintage has one line, however many labels its period had; one that
-- only rounds another has none. A line is one text with tabs, which the driver reads faster than eleven columns.
WITH labelled AS (
    SELECT
        service_id, period_start, period_end, fiscal_year,
        range_agg(daterange(greatest(available_at, labelled_from), labelled_until)) AS days
    FROM reported
    WHERE
        service_id = any(%(service_ids)s)
        AND period_type = 'FY' AND period_start > '-infinity' AND scope = 'consolidated'
        AND (labelled_until IS NULL OR labelled_until > available_at)
    GROUP BY service_id, period_start, period_end, fiscal_year
),

full_year AS (SELECT DISTINCT service_id, period_start, period_end FROM labelled),

vintage AS (
    SELECT DISTINCT ON (service_id, line_item, period_start, period_end, unit, vintage) *
    FROM reported
    WHERE
        service_id = any(%(service_ids)s)
        AND line_item = any(%(line_items)s)
        AND scope = 'consolidated'
        AND passed_over IS NOT TRUE
    ORDER BY
        service_id ASC,
        line_item ASC,
        period_start ASC,
        period_end ASC,
        unit ASC,
        vintage ASC,
        labelled_from ASC NULLS FIRST,
        row_id ASC
),

line AS (
    SELECT
        labelled.service_id,
        labelled.period_start,
        labelled.period_end,
        '' AS line_item,
        '' AS unit,
        FALSE AS is_stock,
        coalesce(labelled.fiscal_year::text, '') AS value,
        0 AS row_id,
        lower(span.days) AS since,
        coalesce(upper(span.days), 'infinity') AS until,
        0 AS vintage
    FROM labelled
    CROSS JOIN LATERAL unnest(labelled.days) AS span (days)
    UNION ALL
    SELECT
        vintage.service_id,
        full_year.period_start,
        full_year.period_end,
        vintage.line_item,
        vintage.unit,
        vintage.period_start = '-infinity' AS is_stock,
        vintage.value::text,
        vintage.row_id,
        vintage.available_at AS since,
        coalesce(vintage.withdrawn_at, 'infinity') AS until,
        vintage.vintage
    FROM vintage
    INNER JOIN full_year
        ON
            vintage.service_id = full_year.service_id AND vintage.period_end = full_year.period_end
            AND vintage.period_start IN (full_year.period_start, '-infinity')
)

SELECT
    concat_ws(
        chr(9), service_id, period_start, period_end, line_item, unit, is_stock, value, row_id, since, until, vintage
    ) AS line
FROM line
ORDER BY service_id, period_end, period_start, line_item, unit, is_stock, vintage, since;

-- name: derived
-- Values, and where the last year has none. Six bytes of `inputs` name a row.
CREATE TEMPORARY TABLE derived (
    service_id text, metric serving.metric, period_end date, fiscal_year smallint, published_at date,
    known_from date, known_until date, last_until date, exact_from date, left_out text, value numeric, numerator numeric,
    denominator numeric, inputs bytea
) ON COMMIT DROP;

-- name: copy_derived
COPY derived FROM STDIN;

-- name: target
-- A value has a row for each span of days on which the issuer was at home in one country.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    piece.*,
    extract(YEAR FROM piece.known_from)::smallint AS first_year,
    CASE
        WHEN isfinite(piece.last_until) THEN extract(YEAR FROM piece.last_until)::smallint
        ELSE 9999
    END AS last_year
FROM (
    SELECT
        derived.service_id, derived.metric, derived.period_end, derived.fiscal_year, derived.published_at, derived.exact_from,
        derived.value, derived.numerator, derived.denominator, derived.inputs,
        home.country, lower(span.days) AS known_from, upper(span.days) AS known_until,
        greatest(lower(span.days), least(upper(span.days), derived.last_until)) AS last_until
    FROM derived
    INNER JOIN home ON derived.service_id = home.service_id
    CROSS JOIN
        LATERAL unnest(home.days * datemultirange(daterange(derived.known_from, derived.known_until))) AS span (days)
    WHERE derived.value IS NOT NULL
) AS piece;

-- name: target_absences
-- Metrics without a value have a row together where year, days and reason are the same.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    derived.service_id, derived.period_end, derived.left_out, home.country,
    lower(span.days) AS known_from, upper(span.days) AS known_until,
    array_agg(derived.metric ORDER BY derived.metric) AS metrics
FROM derived
INNER JOIN home ON derived.service_id = home.service_id
CROSS JOIN
    LATERAL unnest(home.days * datemultirange(daterange(derived.known_from, derived.known_until))) AS span (days)
WHERE derived.value IS NULL
GROUP BY derived.service_id, derived.period_end, derived.left_out, home.country, span.days;

-- name: spans
-- For the readers of the new values: the spans of years in which any of them was that of the last year.
INSERT INTO build.metric_span (metric, country, first_year, last_year)
SELECT DISTINCT target.metric, place.country, target.first_year, target.last_year
FROM target CROSS JOIN LATERAL (VALUES (''), (target.country)) AS place (country)
WHERE target.last_until > target.known_from;

-- name: keep_spans
INSERT INTO serving.metric_span (metric, country, first_year, last_year)
SELECT DISTINCT span.metric, span.country, span.first_year, span.last_year FROM build.metric_span AS span
ORDER BY span.metric, span.country, span.first_year, span.last_year
ON CONFLICT DO NOTHING;

-- name: target_coverage
-- Since when anything of an issuer is known, which line items, types of period and metrics there are of it, and for which
-- years.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH known AS (
    SELECT
        service_id,
        min(available_at) AS first_known_at,
        min(greatest(available_at, labelled_from)) FILTER (
            WHERE period_type = 'FY' AND period_start > '-infinity' AND scope = 'consolidated'
        ) AS first_year_at
    FROM reported
    GROUP BY service_id
),

-- A filing's facts share their provenance, so there are few to look up (OFFSET 0: a join reads those of all filings).
licenses AS MATERIALIZED (
    SELECT DISTINCT one.provenance_id, provenance.license_class
    FROM (SELECT DISTINCT provenance_id FROM reported) AS one
    CROSS JOIN LATERAL (
        SELECT known_provenance.license_class FROM build.known_provenance
        WHERE known_provenance.provenance_id = one.provenance_id
        OFFSET 0
    ) AS provenance
),

filed AS (
    SELECT DISTINCT reported.service_id, reported.line_item, licenses.license_class
    FROM reported
    INNER JOIN licenses ON reported.provenance_id = licenses.provenance_id
),

licensed AS (
    SELECT service_id, line_item, string_agg(license_class, ' ' ORDER BY license_class) AS license_classes
    FROM filed
    GROUP BY service_id, line_item
),

every AS (
    SELECT service_id, string_agg(DISTINCT license_class, ' ' ORDER BY license_class) AS license_classes
    FROM filed
    GROUP BY service_id
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
        span.service_id, 'period-types/' || span.period_type AS key, span.first_date, span.last_date,
        every.license_classes
    FROM (
        SELECT service_id, period_type, min(period_end) AS first_date, max(period_end) AS last_date
        FROM reported
        WHERE period_type <> ''
        GROUP BY service_id, period_type
    ) AS span
    INNER JOIN every ON span.service_id = every.service_id
    UNION ALL
    SELECT
        span.service_id, 'metrics/' || span.metric AS key, span.first_date, span.last_date,
        every.license_classes
    FROM (
        SELECT service_id, metric, min(period_end) AS first_date, max(period_end) AS last_date
        FROM derived
        WHERE exact_from IS NOT NULL AND last_until > known_from
        GROUP BY service_id, metric
    ) AS span
    INNER JOIN every ON span.service_id = every.service_id
    UNION ALL
    SELECT
        listed.service_id, 'exchanges/' || listed.issuer AS key, min(listed.valid_from) AS first_date,
        NULL::date AS last_date,
        string_agg(DISTINCT provenance.license_class, ' ' ORDER BY provenance.license_class) AS license_classes
    FROM touched
    INNER JOIN serving.identifier AS listed ON touched.service_id = listed.service_id
    INNER JOIN build.known_provenance AS provenance ON listed.provenance_id = provenance.provenance_id
    WHERE listed.id_type = 'ticker' AND fragment.is_live(listed)
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
INNER JOIN home ON known.service_id = home.service_id AND upper(home.days) = 'infinity'
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
