-- name: join_sources
-- The acceptance time of a filing, from any of the sources that list it.
UPDATE reported_value AS reported SET accepted_at = filed.accepted_at
FROM (
    SELECT accession, min(accepted_at) AS accepted_at FROM reported_value
    GROUP BY accession
    HAVING min(filing_id) < max(filing_id)
) AS filed
WHERE reported.accession = filed.accession AND reported.accepted_at IS NULL AND filed.accepted_at IS NOT NULL;

-- name: mend_days
-- One source rounds the days of periods to the ends of months. In `reported_value` they become the true ones, as far as
-- they follow from what was public by the day of the filing:
--   the whole period, and the unit, where another source has the same filing with exact days: for the same concept, or
--     where that has none, for whatever in the filing rounds to this one period
--   its last day, where the filing's own document is named after it, or a filing of the issuer ended on it before
--   its first day, as the one after such a last day
-- What stays rounded is marked.
WITH
rounded AS (
    SELECT DISTINCT service_id, subject_id, filing_number, filing_id, available_at, true_end
    FROM reported_value
    WHERE is_rounded
),

-- The exact periods and units of these filings, each with the period as the rounding source would write it.
exact AS (
    SELECT DISTINCT
        rounded.filing_id,
        reported.concept_id,
        starts_with(reported.concept, 'dei:') AS is_cover,
        reported.unit,
        reported.period_start,
        reported.period_end,
        ops.rounded_start(reported.period_start, reported.period_end) AS rounded_start,
        ops.rounded_end(reported.period_end) AS rounded_end
    FROM rounded
    INNER JOIN reported_value AS reported
        ON
            rounded.subject_id = reported.subject_id AND rounded.filing_number = reported.filing_number
            AND NOT reported.is_rounded AND reported.available_at <= rounded.available_at
),

of_concept AS (
    SELECT
        filing_id,
        concept_id,
        rounded_start,
        rounded_end,
        min(period_start) AS period_start,
        min(period_end) AS period_end,
        CASE WHEN min(unit) = max(unit) THEN min(unit) END AS unit
    FROM exact
    GROUP BY filing_id, concept_id, rounded_start, rounded_end
    HAVING (min(period_start), min(period_end)) = (max(period_start), max(period_end))
),

of_filing AS (
    SELECT
        filing_id,
        rounded_start,
        rounded_end,
        min(period_start) AS period_start,
        min(period_end) AS period_end
    FROM exact
    WHERE NOT is_cover AND isfinite(period_start) = isfinite(rounded_start)
    GROUP BY filing_id, rounded_start, rounded_end
    HAVING (min(period_start), min(period_end)) = (max(period_start), max(period_end))
),

-- The days on which periods of an issuer end, each with the first day on which a filing made it known.
ended AS (
    SELECT ending.service_id, ending.true_end, min(ending.available_at) AS known_from
    FROM (
        SELECT service_id, true_end, available_at FROM rounded
        WHERE true_end IS NOT NULL
        UNION ALL
        SELECT reported.service_id, reported.period_end, reported.available_at
        FROM (SELECT DISTINCT rounded.service_id FROM rounded) AS filer
        INNER JOIN reported_value AS reported ON filer.service_id = reported.service_id
        WHERE
            NOT reported.is_rounded AND NOT starts_with(reported.concept, 'dei:')
            AND isfinite(ops.rounded_start(reported.period_start, reported.period_end))
    ) AS ending
    GROUP BY ending.service_id, ending.true_end
),

-- By filing, the one such day that rounds to the end of a month; its own before all others.
of_issuer AS (
    SELECT
        rounded.filing_id,
        ops.rounded_end(ended.true_end) AS rounded_end,
        coalesce(
            min(ended.true_end) FILTER (WHERE ended.true_end = rounded.true_end),
            CASE WHEN count(*) = 1 THEN min(ended.true_end) END
        ) AS true_end
    FROM rounded
    INNER JOIN ended ON rounded.service_id = ended.service_id AND ended.known_from <= rounded.available_at
    GROUP BY rounded.filing_id, ops.rounded_end(ended.true_end)
),

mended AS (
    SELECT
        original.*,
        coalesce(of_concept.period_start, of_filing.period_start, first.true_end + 1) AS true_start,
        coalesce(of_concept.period_end, of_filing.period_end, last.true_end) AS true_end,
        of_concept.unit
    FROM (
        SELECT DISTINCT filing_id, concept_id, period_start, period_end FROM reported_value
        WHERE is_rounded
    ) AS original
    LEFT JOIN of_concept
        ON
            original.filing_id = of_concept.filing_id AND original.concept_id = of_concept.concept_id
            AND original.period_start = of_concept.rounded_start AND original.period_end = of_concept.rounded_end
    LEFT JOIN of_filing
        ON
            original.filing_id = of_filing.filing_id
            AND original.period_start = of_filing.rounded_start AND original.period_end = of_filing.rounded_end
    LEFT JOIN of_issuer AS last ON original.filing_id = last.filing_id AND original.period_end = last.rounded_end
    LEFT JOIN of_issuer AS first ON original.filing_id = first.filing_id AND original.period_start - 1 = first.rounded_end
),

-- The end of the filing's own period. A rounded day is ignored if an exact source has the filing: that has the true one.
own AS (
    SELECT
        original.filing_id,
        coalesce(
            of_filing.period_end, of_issuer.true_end,
            CASE WHEN original.filing_id NOT IN (SELECT exact.filing_id FROM exact) THEN original.report_period END
        ) AS report_period
    FROM (
        SELECT DISTINCT filing_id, report_period FROM reported_value
        WHERE is_rounded
    ) AS original
    LEFT JOIN of_filing
        ON
            original.filing_id = of_filing.filing_id
            AND of_filing.rounded_start = '-infinity' AND original.report_period = of_filing.rounded_end
    LEFT JOIN of_issuer ON original.filing_id = of_issuer.filing_id AND original.report_period = of_issuer.rounded_end
)

UPDATE reported_value AS reported SET
    period_start = coalesce(mended.true_start, reported.period_start),
    period_end = coalesce(mended.true_end, reported.period_end),
    unit = CASE WHEN ops.per_share(reported.unit) = mended.unit THEN mended.unit ELSE reported.unit END,
    report_period = own.report_period,
    days_rounded = CASE
        WHEN mended.true_end IS NULL THEN 'all'
        WHEN mended.true_start IS NULL AND isfinite(reported.period_start) THEN 'start'
    END
FROM mended
INNER JOIN own ON mended.filing_id = own.filing_id
WHERE
    reported.filing_id = mended.filing_id AND reported.concept_id = mended.concept_id
    AND reported.period_start = mended.period_start AND reported.period_end = mended.period_end;
