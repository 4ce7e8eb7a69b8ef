-- The facts of the touched issuers in the coming edition: every vintage of every value they reported, once for each label
-- that its period ever had. Reads the temporary tables reported_value (each value of each of their filings once),
-- own_period and label.
WITH
map AS MATERIALIZED (
    SELECT * FROM ops.line_item_map
    WHERE map_version = %(map_version)s
),

-- A fact that was taken down is as if it had never been filed.
held AS NOT MATERIALIZED (
    SELECT reported.* FROM reported_value AS reported
    WHERE
        reported.fact_id NOT IN (
            SELECT takedown.target::uuid FROM ledger.takedown AS takedown
            WHERE takedown.kind = 'fact'
        )
),

-- What the facts of a filing in a document have in common: hashes are computed once for all of them.
cited AS MATERIALIZED (
    SELECT
        filed.filing_id,
        filed.document_id,
        fragment.provenance_id(filed) AS provenance_id,
        fragment.document_ref(filed) AS document_ref,
        fragment.method(filed) AS method
    FROM (
        SELECT DISTINCT
            reported.filing_id,
            reported.document_id,
            reported.source,
            reported.identifier,
            reported.filing_number,
            reported.sha256,
            reported.available_at_basis,
            reported.form,
            reported.accepted_at
        FROM reported_value AS reported
    ) AS filed
),

-- By filing, the concepts of conditions that it reports with a value other than zero.
condition AS (
    SELECT held.accession, array_agg(DISTINCT held.concept_id) AS holds
    FROM held
    WHERE held.value <> 0 AND held.concept_id IN (SELECT unnest(map.unless || map.needs) FROM map)
    GROUP BY held.accession
),

-- Line items by the ordered map. Within one filing the first concept that is present wins.
standard AS (
    SELECT ranked.filing_id, ranked.fact_id, ranked.line_item
    FROM (
        SELECT
            held.filing_id,
            held.fact_id,
            map.line_item,
            map.rank,
            min(map.rank) OVER (
                PARTITION BY
                    held.accession, held.period_end, held.period_start, map.line_item, held.unit, held.scope
            ) AS first_rank
        FROM held
        INNER JOIN map ON held.concept_id = map.concept_id AND ops.fits(held.unit, map.kind)
        LEFT JOIN condition ON held.accession = condition.accession
        WHERE
            NOT coalesce(condition.holds && map.unless, FALSE)
            AND (map.needs = '{}' OR coalesce(condition.holds && map.needs, FALSE))
    ) AS ranked
    WHERE ranked.rank = ranked.first_rank
),

-- A fact without a line item is named after its concept. From here on rows are narrow, since they are sorted several times.
named AS (
    SELECT
        held.filing_id, held.fact_id, held.service_id, held.period_end, held.period_start, held.unit, held.scope,
        held.available_at, held.accepted_at, held.filing_number, held.is_rounded, held.source, held.sha256,
        held.value, held.decimals, held.concept_id, held.form,
        own.period_end AS own_end,
        coalesce(standard.line_item, held.concept) AS line_item
    FROM held
    INNER JOIN own_period AS own ON held.accession = own.accession
    LEFT JOIN standard ON held.filing_id = standard.filing_id AND held.fact_id = standard.fact_id
),

-- `series` numbers the values that are vintages of each other, so that only one sort compares all that they share.
counted AS (
    SELECT
        named.filing_id, named.fact_id, named.line_item, named.period_end, named.own_end, named.available_at, named.value,
        named.decimals, named.concept_id, named.form,
        dense_rank() OVER (
            ORDER BY named.service_id, named.line_item, named.period_end, named.period_start, named.unit, named.scope
        ) AS series,
        ops.vintage(named.value, named.decimals) OVER (
            PARTITION BY named.service_id, named.line_item, named.period_end, named.period_start, named.unit, named.scope
            ORDER BY
                named.available_at, named.accepted_at, named.filing_number, named.is_rounded, named.source, named.sha256,
                named.value
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS state
    FROM named
),

-- The rows that open a vintage, each beside the vintage before it.
opened AS (
    SELECT
        dated.*,
        lag(dated.value) OVER by_vintage AS value_before,
        lag(dated.decimals) OVER by_vintage AS decimals_before,
        lag(dated.concept_id) OVER by_vintage AS concept_before,
        lag(dated.withdrawn_at) OVER by_vintage AS withdrawn_before,
        dated.form LIKE '%%/A' AND dated.own_end = lag(dated.own_end) OVER by_vintage
        AND split_part(dated.form, '/', 1) = split_part(lag(dated.form) OVER by_vintage, '/', 1) AS is_amendment
    FROM (
        SELECT
            counted.*,
            (counted.state).vintage AS vintage,
            min(counted.available_at) FILTER (WHERE (counted.state).value IS NULL) OVER (
                PARTITION BY counted.series, (counted.state).vintage
            ) AS withdrawn_at
        FROM counted
    ) AS dated
    WHERE (dated.state).opens
    WINDOW by_vintage AS (PARTITION BY dated.series ORDER BY dated.vintage)
),

revised AS (
    SELECT
        opened.*,
        CASE
            WHEN opened.vintage = 1 THEN NULL
            WHEN ops.is_rescaled(opened.value_before, opened.value) THEN 'rescaled'
            WHEN
                ops.is_rounded(opened.value_before, opened.value, opened.decimals)
                OR ops.is_rounded(opened.value, opened.value_before, opened.decimals_before)
                THEN 'rounded'
            WHEN opened.concept_id <> opened.concept_before THEN 'reclassified'
            WHEN opened.is_amendment THEN 'corrected'
            ELSE 'restated'
        END AS revision,
        -- Only rounds the vintage before, which stays current.
        coalesce(
            opened.vintage > 1
            AND opened.is_amendment IS NOT TRUE
            AND NOT ops.is_rescaled(opened.value_before, opened.value)
            AND ops.is_rounded(opened.value_before, opened.value, opened.decimals)
            AND (opened.withdrawn_before IS NULL OR opened.withdrawn_before > opened.available_at),
            FALSE
        ) AS passed_over
    FROM opened
),

standing AS (
    SELECT
        revised.*,
        bool_or(revised.vintage = 1 AND revised.period_end >= revised.own_end) OVER of_value AS first_filing_held,
        count(*) FILTER (WHERE NOT revised.passed_over) OVER (of_value ORDER BY revised.vintage) AS standing_vintage
    FROM revised
    WINDOW of_value AS (PARTITION BY revised.series)
),

-- A vintage and those after it that only round it are withdrawn together.
ended AS (
    SELECT
        standing.*,
        min(standing.withdrawn_at) OVER (PARTITION BY standing.series, standing.standing_vintage) AS ended_at
    FROM standing
)

SELECT
    fact.fact_id,
    cited.provenance_id,
    fact.period_end,
    fact.period_start,
    fact.available_at,
    ended.ended_at AS withdrawn_at,
    fact.scope,
    ended.vintage,
    label.fiscal_year,
    fact.period_end >= ended.own_end AS is_own_period,
    fact.service_id,
    ended.line_item,
    label.period_type,
    fact.unit,
    fact.concept,
    fact.value,
    CASE WHEN label.labelled_from > fact.available_at THEN label.labelled_from END AS labelled_from,
    label.labelled_until,
    label.unlabelled,
    ended.revision,
    nullif(ended.passed_over, FALSE) AS passed_over,
    fact.decimals,
    ended.first_filing_held,
    fact.days_rounded,
    cited.document_ref,
    fact.license_class,
    fact.fetched_at AS observed_at,
    fact.available_at_basis,
    cited.method,
    fact.accepted_at,
    fact.form,
    fact.filing_number AS filing_id
FROM ended
INNER JOIN reported_value AS fact ON ended.filing_id = fact.filing_id AND ended.fact_id = fact.fact_id
INNER JOIN cited ON fact.filing_id = cited.filing_id AND fact.document_id = cited.document_id
INNER JOIN label
    ON
        fact.service_id = label.service_id AND fact.period_start = label.period_start
        AND fact.period_end = label.period_end
        AND (label.labelled_until IS NULL OR fact.available_at < label.labelled_until)
