-- name: join_sources
-- A filing was accepted when any of the sources that list it says so.
UPDATE stated SET accepted_at = filed.accepted_at
FROM (
    SELECT accession, min(accepted_at) AS accepted_at FROM stated
    GROUP BY accession
    HAVING min(filing_id) < max(filing_id)
) AS filed
WHERE stated.accession = filed.accession AND stated.accepted_at IS NULL AND filed.accepted_at IS NOT NULL;

-- name: mend_days
-- One source rounds the days of periods to the ends of months. In `stated` they become the true ones, as far as what
-- was public by the day of the filing shows them:
--   the whole period, and the unit, where another source states the same filing exactly: for the same concept, or
--     where that has none, for whatever in the filing rounds to this one period
--   its last day, where the filing's own document is named after it, or a filing of the issuer ended on it before
--   its first day, as the one after such a last day
-- What stays rounded is marked.
WITH
rounded AS (
    SELECT DISTINCT service_id, subject_id, filing_number, filing_id, available_at, true_end
    FROM stated
    WHERE is_rounded
),

-- What exact statements of these filings say, beside what rounding would make of it.
exact AS (
    SELECT DISTINCT
        rounded.filing_id,
        stated.concept_id,
        starts_with(stated.concept, 'dei:') AS is_cover,
        stated.unit,
        stated.period_start,
        stated.period_end,
        ops.rounded_start(stated.period_start, stated.period_end) AS rounded_start,
        ops.rounded_end(stated.period_end) AS rounded_end
    FROM rounded
    INNER JOIN stated
        ON
            rounded.subject_id = stated.subject_id AND rounded.filing_number = stated.filing_number
            AND NOT stated.is_rounded AND stated.available_at <= rounded.available_at
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

-- The days on which periods of an issuer end, from the day on which a filing shows it.
ended AS (
    SELECT shown.service_id, shown.true_end, min(shown.available_at) AS shown_from
    FROM (
        SELECT service_id, true_end, available_at FROM rounded
        WHERE true_end IS NOT NULL
        UNION ALL
        SELECT stated.service_id, stated.period_end, stated.available_at
        FROM (SELECT DISTINCT rounded.service_id FROM rounded) AS filer
        INNER JOIN stated ON filer.service_id = stated.service_id
        WHERE
            NOT stated.is_rounded AND NOT starts_with(stated.concept, 'dei:')
            AND isfinite(ops.rounded_start(stated.period_start, stated.period_end))
    ) AS shown
    GROUP BY shown.service_id, shown.true_end
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
    INNER JOIN ended ON rounded.service_id = ended.service_id AND ended.shown_from <= rounded.available_at
    GROUP BY rounded.filing_id, ops.rounded_end(ended.true_end)
),

mended AS (
    SELECT
        told.*,
        coalesce(of_concept.period_start, of_filing.period_start, first.true_end + 1) AS true_start,
        coalesce(of_concept.period_end, of_filing.period_end, last.true_end) AS true_end,
        of_concept.unit
    FROM (
        SELECT DISTINCT filing_id, concept_id, period_start, period_end FROM stated
        WHERE is_rounded
    ) AS told
    LEFT JOIN of_concept
        ON
            told.filing_id = of_concept.filing_id AND told.concept_id = of_concept.concept_id
            AND told.period_start = of_concept.rounded_start AND told.period_end = of_concept.rounded_end
    LEFT JOIN of_filing
        ON
            told.filing_id = of_filing.filing_id
            AND told.period_start = of_filing.rounded_start AND told.period_end = of_filing.rounded_end
    LEFT JOIN of_issuer AS last ON told.filing_id = last.filing_id AND told.period_end = last.rounded_end
    LEFT JOIN of_issuer AS first ON told.filing_id = first.filing_id AND told.period_start - 1 = first.rounded_end
),

-- Where the filing's own period ends. Beside exact statements, which will show it, a rounded day says nothing.
own AS (
    SELECT
        told.filing_id,
        coalesce(
            of_filing.period_end, of_issuer.true_end,
            CASE WHEN told.filing_id NOT IN (SELECT exact.filing_id FROM exact) THEN told.report_period END
        ) AS report_period
    FROM (
        SELECT DISTINCT filing_id, report_period FROM stated
        WHERE is_rounded
    ) AS told
    LEFT JOIN of_filing
        ON
            told.filing_id = of_filing.filing_id
            AND of_filing.rounded_start = '-infinity' AND told.report_period = of_filing.rounded_end
    LEFT JOIN of_issuer ON told.filing_id = of_issuer.filing_id AND told.report_period = of_issuer.rounded_end
)

UPDATE stated SET
    period_start = coalesce(mended.true_start, stated.period_start),
    period_end = coalesce(mended.true_end, stated.period_end),
    unit = CASE WHEN ops.per_share(stated.unit) = mended.unit THEN mended.unit ELSE stated.unit END,
    report_period = own.report_period,
    days_rounded = CASE
        WHEN mended.true_end IS NULL THEN 'all'
        WHEN mended.true_start IS NULL AND isfinite(stated.period_start) THEN 'start'
    END
FROM mended
INNER JOIN own ON mended.filing_id = own.filing_id
WHERE
    stated.filing_id = mended.filing_id AND stated.concept_id = mended.concept_id
    AND stated.period_start = mended.period_start AND stated.period_end = mended.period_end;
