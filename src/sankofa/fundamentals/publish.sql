-- What the touched issuers' facts should look like now: every vintage of every value they stated. Reads the
-- temporary table stated, which holds each value of each of their filings once.
WITH
-- A filing's own period ends where the filing says, or at the latest period it reports; the cover page
-- (dei) counts shares on a later day.
own_period AS (
    SELECT
        subject_id,
        source,
        filing_number,
        coalesce(
            max(report_period), max(period_end) FILTER (WHERE concept NOT LIKE 'dei:%%'), max(period_end)
        ) AS period_end
    FROM stated
    GROUP BY subject_id, source, filing_number
),

-- Where the issuer's fiscal years end, by its own full-year periods.
fiscal_calendar AS (
    SELECT service_id, array_agg(DISTINCT period_end) AS year_ends
    FROM stated
    WHERE
        period_start > '-infinity' AND concept NOT LIKE 'dei:%%'
        AND period_end - period_start + 1 BETWEEN 350 AND 380
    GROUP BY service_id
),

quarterly AS (
    SELECT DISTINCT service_id
    FROM stated
    WHERE
        period_start > '-infinity' AND concept NOT LIKE 'dei:%%'
        AND period_end - period_start + 1 BETWEEN 80 AND 100
),

-- Each period's length in days (null: an instant) and its distance in months from the nearest year end.
period AS (
    SELECT
        one.service_id,
        one.period_start,
        one.period_end,
        CASE WHEN one.period_start > '-infinity' THEN one.period_end - one.period_start + 1 END AS days,
        floor((one.period_end - nearest.period_end) * 16 / 487.0 + 0.5)::integer AS months,
        extract(YEAR FROM nearest.period_end - 7)::integer AS nearest_year,
        quarterly.service_id IS NOT NULL AS has_quarters
    FROM (SELECT DISTINCT service_id, period_start, period_end FROM stated) AS one
    LEFT JOIN fiscal_calendar AS calendar ON one.service_id = calendar.service_id
    LEFT JOIN LATERAL (
        SELECT year_end.period_end
        FROM unnest(calendar.year_ends) AS year_end (period_end)
        ORDER BY abs(one.period_end - year_end.period_end), year_end.period_end
        LIMIT 1
    ) AS nearest ON TRUE
    LEFT JOIN quarterly ON one.service_id = quarterly.service_id
),

typed_period AS MATERIALIZED (
    SELECT
        service_id,
        period_start,
        period_end,
        (nearest_year + ceil(months / 12.0))::smallint AS fiscal_year,
        CASE
            WHEN days BETWEEN 350 AND 380 THEN 'FY'
            WHEN days BETWEEN 260 AND 285 AND month = 9 THEN '9M'
            WHEN days BETWEEN 170 AND 195 AND month = 6 THEN 'H1'
            WHEN days BETWEEN 170 AND 195 AND month = 0 THEN 'H2'
            WHEN days BETWEEN 80 AND 100 AND month IN (3, 6, 9) THEN 'Q' || month / 3
            WHEN days BETWEEN 80 AND 100 AND month = 0 THEN 'Q4'
            WHEN days IS NULL AND month = 0 THEN 'FY'
            WHEN days IS NULL AND month = 6 AND NOT has_quarters THEN 'H1'
            WHEN days IS NULL AND month IN (3, 6, 9) THEN 'Q' || month / 3
            ELSE ''
        END AS period_type
    FROM (SELECT period.*, mod(mod(period.months, 12) + 12, 12) AS month FROM period) AS placed
),

-- Line items by the ordered map, and the identity of each fact. Materialized: a hash is worth keeping.
named AS MATERIALIZED (
    SELECT
        stated.*,
        map.line_item,
        map.rank,
        md5(concat_ws(
            '|', stated.source, stated.identifier, stated.filing_number, stated.concept,
            stated.period_start, stated.period_end, stated.unit, stated.scope, stated.value
        ))::uuid AS fact_id
    FROM stated
    INNER JOIN ops.line_item_map AS map
        ON stated.concept_id = map.concept_id AND map.map_version = %(map_version)s
),

-- Within one filing the first concept that is present wins. A fact that was taken down is as if it had
-- never been filed.
mapped AS (
    SELECT
        named.*,
        min(named.rank) OVER (
            PARTITION BY
                named.filing_id, named.line_item, named.period_end, named.period_start, named.unit, named.scope
        ) AS first_rank
    FROM named
    WHERE
        NOT EXISTS (
            SELECT FROM ledger.takedown AS takedown
            WHERE takedown.kind = 'fact' AND takedown.target = named.fact_id::text
        )
),

counted AS (
    SELECT
        mapped.*,
        ops.vintage(mapped.value, mapped.decimals) OVER (
            PARTITION BY mapped.service_id, mapped.line_item, mapped.period_end, mapped.period_start, mapped.unit, mapped.scope
            ORDER BY mapped.available_at, mapped.accepted_at, mapped.filing_number, mapped.sha256, mapped.value
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS state
    FROM mapped
    WHERE mapped.rank = mapped.first_rank
),

dated AS (
    SELECT
        counted.*,
        min(counted.available_at) FILTER (WHERE (counted.state).value IS NULL) OVER (
            PARTITION BY
                counted.service_id,
                counted.line_item,
                counted.period_end,
                counted.period_start,
                counted.unit,
                counted.scope,
                (counted.state).vintage
        ) AS withdrawn_at
    FROM counted
)

SELECT
    dated.fact_id,
    md5(concat_ws('|', dated.source, dated.filing_number, dated.sha256, dated.available_at_basis))::uuid
        AS provenance_id,
    dated.period_end,
    dated.period_start,
    dated.available_at,
    dated.withdrawn_at,
    dated.scope,
    (dated.state).vintage AS vintage,
    CASE WHEN typed.period_type <> '' THEN typed.fiscal_year END AS fiscal_year,
    dated.period_end >= own.period_end AS is_own_period,
    dated.service_id,
    dated.line_item,
    typed.period_type,
    dated.unit,
    dated.concept,
    dated.value,
    dated.source || ':' || dated.filing_number || '@sha256:' || encode(dated.sha256, 'hex') AS document_ref,
    dated.license_class,
    dated.fetched_at AS observed_at,
    dated.available_at_basis
FROM dated
INNER JOIN typed_period AS typed
    ON
        dated.service_id = typed.service_id AND dated.period_start = typed.period_start
        AND dated.period_end = typed.period_end
INNER JOIN own_period AS own
    ON
        dated.subject_id = own.subject_id AND dated.source = own.source
        AND dated.filing_number = own.filing_number
WHERE (dated.state).opens
