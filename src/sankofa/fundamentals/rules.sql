-- fragment: concepts(names)
-- The handles of concepts, in order.
SELECT
    array(
        SELECT known.concept_id FROM ledger.concept AS known
        WHERE known.concept = any(string_to_array(names, ' '))
        ORDER BY known.concept_id
    )
FROM names;

-- name: has_map
SELECT known.map_version FROM ops.line_item_map AS known
WHERE known.map_version = %(map_version)s
LIMIT 1;

-- name: insert_concepts
-- Concepts of the map that no filing has used yet get their handle now.
INSERT INTO ledger.concept (concept)
SELECT entry.concept
FROM unnest(%(concepts)s::text[]) AS entry (concept)
ORDER BY entry.concept
ON CONFLICT DO NOTHING;

-- name: install_map
INSERT INTO ops.line_item_map (map_version, line_item, rank, concept_id, kind, unless, needs)
SELECT
    %(map_version)s,
    entry.line_item,
    entry.rank,
    concept.concept_id,
    entry.kind,
    fragment.concepts(entry.unless),
    fragment.concepts(entry.needs)
FROM
    unnest(
        %(line_items)s::text[], %(ranks)s::smallint[], %(concepts)s::text[], %(kinds)s::text[], %(unless)s::text[],
        %(needs)s::text[]
    ) AS entry (line_item, rank, concept, kind, unless, needs)
INNER JOIN ledger.concept AS concept ON entry.concept = concept.concept
ON CONFLICT DO NOTHING;

-- name: touch_changed_concepts
-- Subjects that reported a concept whose place in the map differs between two versions. A full read of
-- the ledger, and rightly so: maps change seldom, and an index by concept would cost every load.
INSERT INTO build.touched_subject (subject_id)
SELECT DISTINCT filing.subject_id
FROM (
    SELECT coalesce(before.concept_id, now.concept_id) AS concept_id
    FROM (
        SELECT * FROM ops.line_item_map
        WHERE map_version = %(before)s
    ) AS before
    FULL JOIN (
        SELECT * FROM ops.line_item_map
        WHERE map_version = %(now)s
    ) AS now
        ON before.concept_id = now.concept_id AND before.line_item = now.line_item
    WHERE
        (before.rank, before.kind, before.unless, before.needs)
        IS DISTINCT FROM (now.rank, now.kind, now.unless, now.needs)
) AS changed
INNER JOIN ledger.fact AS fact ON changed.concept_id = fact.concept_id
INNER JOIN ledger.filing AS filing ON fact.filing_id = filing.filing_id
ON CONFLICT DO NOTHING;

-- name: reported_values
-- Each value of a touched issuer's filings, once, with the earliest fetched document that contains it, as far as the
-- edition holds those documents. Read by index, few issuers out of many. A value per share in a currency has the
-- currency per share as its unit. A filing that several sources list is one: they share `accession`.
CREATE TEMPORARY TABLE reported_value ON COMMIT DROP AS
WITH filing AS MATERIALIZED (
    -- First the filings alone: the planner would join every subject to every concept, and then look for filings.
    SELECT
        resolved.resolves_to AS service_id,
        listed.*,
        min(listed.filing_id) OVER (PARTITION BY listed.subject_id, listed.filing_number, listed.available_at) AS accession
    FROM touched
    INNER JOIN resolved ON touched.service_id = resolved.resolves_to
    INNER JOIN ledger.filing AS listed ON resolved.subject_id = listed.subject_id
),

held AS (
    SELECT DISTINCT ON (
        fact.filing_id, fact.concept_id, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.value
    )
        filing.service_id,
        filing.subject_id,
        subject.identifier,
        filing.source,
        filing.filing_number,
        filing.form,
        filing.accepted_at,
        filing.available_at,
        filing.available_at_basis,
        filing.report_period,
        filing.is_rounded,
        filing.true_end,
        filing.accession,
        fact.filing_id,
        fact.concept_id,
        concept.concept,
        fact.period_start,
        fact.period_end,
        fact.period_start AS reported_start,
        fact.period_end AS reported_end,
        NULL::text AS days_rounded,
        CASE
            WHEN fact.concept_id IN (
                SELECT map.concept_id FROM ops.line_item_map AS map
                WHERE map.map_version = %(map_version)s AND map.kind = 'per_share'
            ) THEN ops.per_share(fact.unit)
            ELSE fact.unit
        END AS unit,
        fact.unit AS reported_unit,
        fact.scope,
        fact.value,
        nullif(fact.decimals, 32767) AS decimals,
        document.document_id,
        document.sha256,
        document.fetched_at,
        document.license_class
    FROM filing
    INNER JOIN ledger.subject AS subject ON filing.subject_id = subject.subject_id
    INNER JOIN ledger.fact AS fact ON filing.filing_id = fact.filing_id
    INNER JOIN ledger.concept AS concept ON fact.concept_id = concept.concept_id
    INNER JOIN build.held_document AS document ON fact.document_id = document.document_id
    ORDER BY
        fact.filing_id, fact.concept_id, fact.period_end, fact.period_start, fact.unit, fact.scope, fact.value,
        document.fetched_at, document.sha256
)

SELECT held.*, fragment.fact_id(held) AS fact_id FROM held;

-- name: touch_all
-- Other rules for labels: every filer is computed anew.
INSERT INTO build.touched_subject (subject_id)
SELECT DISTINCT filing.subject_id FROM ledger.filing AS filing
ON CONFLICT DO NOTHING;

-- name: declarations
-- The fiscal year that each filing of the chunk declares, from the document fetched earliest.
CREATE TEMPORARY TABLE declaration ON COMMIT DROP AS
SELECT DISTINCT ON (held.filing_id)
    held.filing_id,
    held.fiscal_year,
    held.fiscal_period,
    held.fiscal_year_end
FROM (SELECT DISTINCT reported.filing_id FROM reported_value AS reported) AS filed
INNER JOIN ledger.filing_declaration AS held ON filed.filing_id = held.filing_id
INNER JOIN build.held_document AS document ON held.document_id = document.document_id
ORDER BY held.filing_id, document.place;

-- name: own_periods
-- The end of each filing's own period: as the filing declares, or else the latest day, not after the filing, on which
-- at least a fifth as many of its values end as on the busiest one, or a period as long as the part of the year that it
-- declares. If it has such periods, a day that is no whole number of years after the end of one does not count. The cover
-- page (dei) counts shares on a later day.
CREATE TEMPORARY TABLE own_period ON COMMIT DROP AS
WITH ending AS (
    SELECT
        accession,
        period_end,
        count(*) * 5 >= max(count(*)) OVER (PARTITION BY accession) AS is_busy,
        bool_or(CASE
            WHEN fiscal_period = 'Q1' THEN days BETWEEN 77 AND 123
            WHEN fiscal_period IN ('Q2', 'H1') THEN days BETWEEN 161 AND 203
            WHEN fiscal_period IN ('Q3', '9M') THEN days BETWEEN 245 AND 288
            ELSE FALSE
        END) AS is_declared
    FROM (
        SELECT
            reported.*,
            declared.fiscal_period,
            CASE WHEN isfinite(reported.period_start) THEN reported.period_end - reported.period_start + 1 END AS days,
            starts_with(reported.concept, 'dei:') AS is_cover,
            bool_and(starts_with(reported.concept, 'dei:')) OVER (PARTITION BY reported.accession) AS is_all_cover
        FROM reported_value AS reported
        LEFT JOIN declaration AS declared ON reported.filing_id = declared.filing_id
    ) AS counted
    WHERE (is_all_cover OR NOT is_cover) AND period_end <= available_at
    GROUP BY accession, period_end
),

placed AS (
    SELECT
        ending.*,
        array_agg(ending.period_end) FILTER (WHERE ending.is_declared) OVER (PARTITION BY ending.accession) AS declared_ends
    FROM ending
),

candidate AS (
    SELECT * FROM placed
    WHERE
        placed.is_declared
        OR (
            placed.is_busy
            AND (
                placed.declared_ends IS NULL
                OR EXISTS (
                    SELECT FROM unnest(placed.declared_ends) AS declared (day)
                    WHERE mod(placed.period_end - declared.day + 10, 365) BETWEEN 0 AND 20
                )
            )
        )
)

SELECT
    every.accession,
    coalesce(max(every.report_period), max(candidate.period_end), max(every.period_end)) AS period_end
FROM reported_value AS every
LEFT JOIN candidate ON every.accession = candidate.accession AND every.period_end = candidate.period_end
GROUP BY every.accession;

-- name: declared
-- The fiscal years that the chunk's filings declare, in the order in which they became known, with the longest period up
-- to a year that ends with the filing's own.
SELECT
    reported.service_id,
    reported.available_at,
    own.period_end,
    reported.form,
    declared.fiscal_year,
    declared.fiscal_period,
    declared.fiscal_year_end,
    min(reported.period_start) FILTER (
        WHERE
        reported.period_end = own.period_end AND reported.period_start > '-infinity' AND NOT starts_with(reported.concept, 'dei:')
        AND reported.period_end - reported.period_start < 380
    ) AS year_start
FROM reported_value AS reported
INNER JOIN own_period AS own ON reported.accession = own.accession
LEFT JOIN declaration AS declared ON reported.filing_id = declared.filing_id
GROUP BY
    reported.service_id, reported.subject_id, reported.source, reported.filing_number, reported.available_at,
    reported.accepted_at, own.period_end, reported.form, declared.fiscal_year, declared.fiscal_period, declared.fiscal_year_end
ORDER BY
    reported.service_id ASC, reported.available_at ASC, reported.accepted_at ASC NULLS LAST, reported.filing_number ASC,
    reported.source ASC, reported.subject_id ASC, declared.fiscal_period ASC;

-- name: quarterly
-- Since when each issuer of the chunk is known to report quarters.
SELECT reported.service_id, min(reported.available_at) AS quarterly_from
FROM reported_value AS reported
WHERE
    reported.period_start > '-infinity' AND NOT starts_with(reported.concept, 'dei:')
    AND reported.period_end - reported.period_start + 1 BETWEEN 77 AND 123
GROUP BY reported.service_id;

-- name: periods
SELECT DISTINCT
    reported.service_id,
    nullif(reported.period_start, '-infinity') AS period_start,
    reported.period_end
FROM reported_value AS reported;

-- name: label_table
-- What the chunk's periods are called, each label with the first day on which it holds and the first on which it does
-- not; empty for the start and for no end.
CREATE TEMPORARY TABLE label (
    service_id text NOT NULL,
    period_start date NOT NULL,
    period_end date NOT NULL,
    labelled_from date,
    labelled_until date,
    period_type text NOT NULL,
    fiscal_year smallint,
    unlabelled text
) ON COMMIT DROP;

-- name: copy_labels
COPY label FROM STDIN;
