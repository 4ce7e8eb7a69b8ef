-- What is counted of each key of a chunk, as rows of `tally_part`; one statement for a kind of keys. `touched`
-- holds tally_key, kind and name. The statements read edition %(edition)s, coming or published.

-- name: parts_of_issuers
-- A vintage has a row for each span of days with labels of its own; the first of them has no first day.
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH held AS (
    SELECT
        touched.tally_key,
        touched.name,
        fact.line_item,
        fact.available_at,
        fact.vintage,
        fact.value,
        fact.fact_id,
        fact.unlabelled,
        provenance.document_ref,
        provenance.license_class,
        provenance.observed_at,
        provenance.available_at_basis,
        concat_ws('|', fact.concept, fact.period_start, fact.period_end, fact.unit, fact.scope, fact.value) AS told,
        row_number() OVER in_order AS place,
        lag(fact.available_at) OVER in_order AS available_before
    FROM touched
    INNER JOIN serving.fundamentals_fact AS fact ON touched.name = fact.service_id
    LEFT JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
    WHERE
        touched.kind = 'issuer' AND fact.published_in <= %(edition)s AND fact.superseded_in > %(edition)s
        AND fact.labelled_until IS NULL -- each vintage once, under its last labels
    WINDOW in_order AS (
        PARTITION BY
            fact.service_id, fact.line_item, fact.period_end, fact.period_start, fact.unit, fact.scope
        ORDER BY fact.vintage, fact.available_at
    )
),

stated AS (
    SELECT
        touched.name,
        filing.source,
        filing.filing_number,
        min(filing.available_at) AS available_at,
        array_agg(subject.identifier) AS identifiers
    FROM touched
    INNER JOIN serving.issued_id AS answering
        ON
            touched.name = answering.resolves_to AND answering.published_in <= %(edition)s
            AND answering.superseded_in > %(edition)s
    INNER JOIN ops.issued_id AS issued ON answering.service_id = issued.service_id
    INNER JOIN ledger.subject AS subject ON issued.subject_id = subject.subject_id
    INNER JOIN ledger.filing AS filing ON subject.subject_id = filing.subject_id
    WHERE touched.kind = 'issuer'
    GROUP BY touched.name, filing.source, filing.filing_number
),

checked AS (
    SELECT
        held.tally_key,
        held.name,
        held.line_item,
        held.unlabelled,
        held.available_at,
        split_part(held.document_ref, ':', 1) AS source,
        held.document_ref ~ '@sha256:[0-9a-f]{64}$' AND held.license_class <> '' AND held.available_at_basis <> ''
        AND held.observed_at IS NOT NULL AS is_sourced,
        stated.available_at IS NULL OR held.available_at < stated.available_at AS is_early,
        held.vintage <> held.place OR held.available_at < held.available_before
        OR (held.vintage = 1 AND held.value IS NOT NULL AND NOT EXISTS (
            SELECT FROM unnest(stated.identifiers) AS one (identifier)
            WHERE
                held.fact_id
                = md5(concat_ws('|', stated.source, one.identifier, stated.filing_number, held.told))::uuid
        )) AS is_misnumbered
    FROM held
    LEFT JOIN stated
        ON
            held.name = stated.name
            AND split_part(held.document_ref, '@sha256:', 1) = stated.source || ':' || stated.filing_number
),

-- On each day one year is the last one published, and a later one follows it. Only where a period ceased to be a full
-- year may there be none, or an older one.
years AS (
    SELECT
        year.tally_key,
        count(*) AS spans,
        count(*) FILTER (
            WHERE
            year.known_until > year.next_from
            OR (
                (year.known_until < coalesce(year.next_from, 'infinity') OR year.next_end < year.period_end)
                AND NOT EXISTS (
                    SELECT FROM serving.fundamentals_fact AS fact
                    WHERE
                        fact.service_id = year.service_id AND fact.period_type = 'FY'
                        AND fact.labelled_until = year.known_until
                        AND fact.published_in <= %(edition)s AND fact.superseded_in > %(edition)s
                )
            )
        ) AS hiding
    FROM (
        SELECT
            touched.tally_key,
            value.service_id,
            value.period_end,
            value.known_until,
            lead(coalesce(value.known_from, value.published_at)) OVER in_order AS next_from,
            lead(value.period_end) OVER in_order AS next_end
        FROM touched
        INNER JOIN serving.metric_value AS value ON touched.name = value.service_id
        WHERE touched.kind = 'issuer' AND value.published_in <= %(edition)s AND value.superseded_in > %(edition)s
        WINDOW in_order AS (
            PARTITION BY value.service_id, value.metric ORDER BY coalesce(value.known_from, value.published_at)
        )
    ) AS year
    GROUP BY year.tally_key
),

counted AS (
    SELECT
        checked.tally_key,
        max(checked.name) AS name,
        max(checked.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (WHERE checked.is_sourced IS NOT TRUE) AS unsourced,
        count(*) FILTER (WHERE checked.is_early) AS early,
        count(*) FILTER (WHERE checked.is_misnumbered) AS misnumbered
    FROM checked
    GROUP BY checked.tally_key
),

part AS (
    SELECT counted.tally_key, told.part, told.n
    FROM counted
    LEFT JOIN years ON counted.tally_key = years.tally_key
    CROSS JOIN
        LATERAL (
            VALUES
            ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
            ('misnumbered', counted.misnumbered), ('spans', years.spans), ('hiding', years.hiding)
        ) AS told (part, n)
    UNION ALL
    SELECT checked.tally_key, 'unlabelled/' || checked.unlabelled AS part, count(*) AS n
    FROM checked
    WHERE checked.unlabelled IS NOT NULL
    GROUP BY checked.tally_key, checked.unlabelled
    UNION ALL
    SELECT checked.tally_key, 'item/' || checked.line_item AS part, 1 AS n
    FROM checked
    GROUP BY checked.tally_key, checked.line_item
    UNION ALL
    SELECT checked.tally_key, 'source/' || checked.source AS part, 1 AS n
    FROM checked
    WHERE checked.source <> ''
    GROUP BY checked.tally_key, checked.source
)

SELECT
    part.tally_key, 'AF-FUND' AS sku, coalesce(left(home.jurisdiction, 2), '') AS country, counted.newest_at,
    part.part, part.n
FROM part
INNER JOIN counted ON part.tally_key = counted.tally_key
LEFT JOIN serving.organisation AS home
    ON
        counted.name = home.service_id AND home.published_in <= %(edition)s
        AND home.superseded_in > %(edition)s;

-- name: parts_of_series
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH held AS (
    SELECT
        touched.tally_key,
        touched.name,
        value.available_at,
        value.withdrawn_at,
        value.period_end,
        series.indicator,
        value.vintage,
        value.fact_id,
        series.source,
        coalesce(series.country_iso2, '') AS country,
        provenance.document_ref,
        provenance.license_class,
        provenance.observed_at,
        provenance.available_at_basis,
        md5(concat_ws(
            '|', series.source, value.series_key, value.period_start, value.period_end, value.available_at,
            value.value
        ))::uuid AS told_id,
        row_number() OVER in_order AS place,
        lag(value.available_at) OVER in_order AS available_before,
        lead(value.available_at) OVER in_order AS available_next
    FROM touched
    INNER JOIN serving.macro_value AS value ON touched.name = value.series_key
    INNER JOIN serving.series AS series
        ON
            touched.name = series.series_key AND series.published_in <= %(edition)s
            AND series.superseded_in > %(edition)s
    LEFT JOIN serving.provenance AS provenance ON value.provenance_id = provenance.provenance_id
    WHERE touched.kind = 'series' AND value.published_in <= %(edition)s AND value.superseded_in > %(edition)s
    WINDOW in_order AS (
        PARTITION BY value.series_key, value.period_start ORDER BY value.vintage, value.available_at
    )
),

stated AS (
    SELECT
        touched.name,
        document.source || '@sha256:' || encode(document.sha256, 'hex') AS document_ref,
        min(snapshot.available_at) AS available_at,
        bool_or(snapshot.is_released_daily) AS is_released_daily
    FROM touched
    INNER JOIN ledger.series AS series ON touched.name = series.series_key
    INNER JOIN ledger.snapshot AS snapshot ON series.series_id = snapshot.series_id
    INNER JOIN ops.document AS document ON snapshot.document_id = document.document_id
    WHERE touched.kind = 'series'
    GROUP BY touched.name, document.source, document.sha256
),

checked AS (
    SELECT
        held.*,
        held.document_ref ~ '@sha256:[0-9a-f]{64}$' AND held.license_class <> '' AND held.available_at_basis <> ''
        AND held.observed_at IS NOT NULL AS is_sourced,
        stated.available_at IS NULL
        OR held.available_at < CASE
            WHEN stated.is_released_daily THEN least(held.period_end, stated.available_at)
            ELSE stated.available_at
        END AS is_early,
        held.vintage <> held.place OR held.available_at < held.available_before
        OR (held.vintage = 1 AND held.fact_id <> held.told_id) AS is_misnumbered,
        held.withdrawn_at < held.available_at OR held.available_next < held.withdrawn_at AS is_hiding
    FROM held
    LEFT JOIN stated ON held.name = stated.name AND held.document_ref = stated.document_ref
),

counted AS (
    SELECT
        checked.tally_key,
        max(checked.country) AS country,
        max(checked.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (WHERE checked.is_sourced IS NOT TRUE) AS unsourced,
        count(*) FILTER (WHERE checked.is_early) AS early,
        count(*) FILTER (WHERE checked.is_misnumbered) AS misnumbered,
        count(*) FILTER (WHERE checked.is_hiding) AS hiding,
        max(checked.indicator) AS indicator,
        max(checked.source) AS source
    FROM checked
    GROUP BY checked.tally_key
)

SELECT counted.tally_key, 'AF-MACRO' AS sku, counted.country, counted.newest_at, told.part, told.n
FROM counted
CROSS JOIN LATERAL (
    VALUES
    ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
    ('misnumbered', counted.misnumbered), ('spans', counted.rows), ('hiding', counted.hiding),
    ('item/' || coalesce(counted.indicator, ''), (counted.indicator IS NOT NULL)::integer), ('source/' || counted.source, 1)
) AS told (part, n);

-- name: parts_of_processes
INSERT INTO tally_part (tally_key, sku, country, newest_at, part, n)
WITH release AS (
    SELECT
        touched.tally_key,
        held.country,
        held.source,
        held.provenance_id,
        (held.sorted_at AT TIME ZONE 'UTC')::date AS stated_on,
        held.available_at,
        held.known_until,
        held.vintage,
        held.body,
        lag(held.vintage) OVER in_order AS vintage_before,
        lag(held.available_at) OVER in_order AS available_before,
        lead(held.vintage) OVER in_order AS vintage_next,
        lead(held.available_at) OVER in_order AS available_next
    FROM touched
    INNER JOIN serving.tender_release AS held ON touched.name::uuid = held.process_key
    WHERE touched.kind = 'process' AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
    WINDOW in_order AS (
        PARTITION BY held.process_key, held.release_id ORDER BY held.vintage, held.available_at
    )
),

shown AS (
    SELECT
        release.tally_key,
        release.provenance_id,
        release.stated_on,
        release.available_at,
        release.vintage = release.vintage_before OR release.available_at < release.available_before AS is_misnumbered,
        release.known_until < release.available_at
        OR (release.vintage_next = release.vintage + 1 AND release.known_until <> release.available_next) AS is_hiding
    FROM release
    UNION ALL
    SELECT
        touched.tally_key, fact.provenance_id, fact.period_end AS stated_on, fact.available_at,
        FALSE AS is_misnumbered, fact.known_until < fact.available_at AS is_hiding
    FROM touched
    INNER JOIN serving.tender_fact AS fact ON touched.name::uuid = fact.process_key
    WHERE touched.kind = 'process' AND fact.published_in <= %(edition)s AND fact.superseded_in > %(edition)s
),

counted AS (
    SELECT
        shown.tally_key,
        max(shown.available_at) AS newest_at,
        count(*) AS rows,
        count(*) FILTER (
            WHERE (
                provenance.document_ref ~ '@sha256:[0-9a-f]{64}$' AND provenance.license_class <> ''
                AND provenance.available_at_basis <> '' AND provenance.observed_at IS NOT NULL
            ) IS NOT TRUE
        ) AS unsourced,
        count(*) FILTER (
            WHERE provenance.available_at_basis IS NULL
            OR shown.available_at < CASE provenance.available_at_basis
                WHEN 'publisher' THEN shown.stated_on
                ELSE provenance.observed_at::date
            END
        ) AS early,
        count(*) FILTER (WHERE shown.is_misnumbered) AS misnumbered,
        count(*) FILTER (WHERE shown.is_hiding) AS hiding
    FROM shown
    LEFT JOIN serving.provenance AS provenance ON shown.provenance_id = provenance.provenance_id
    GROUP BY shown.tally_key
),

stated AS (
    SELECT
        release.tally_key,
        max(release.country) AS country,
        max(release.source) AS source,
        bool_or(now.body ->> 'buyer' IS NOT NULL) AS buyer,
        bool_or(now.body #>> '{tender,value,amount}' IS NOT NULL) AS tender_value,
        bool_or(
            coalesce(now.body #>> '{tender,portal_category}', now.body #>> '{tender,main_category}') IS NOT NULL
        ) AS category,
        bool_or(now.body #>> '{tender,tender_period,end}' IS NOT NULL) AS deadline,
        bool_or(jsonb_array_length(now.body -> 'awards') > 0) AS award
    FROM release
    CROSS JOIN LATERAL (SELECT CASE WHEN release.known_until = 'infinity' THEN release.body END AS body) AS now
    GROUP BY release.tally_key
)

SELECT counted.tally_key, 'AF-TENDER' AS sku, stated.country, counted.newest_at, told.part, told.n
FROM counted
INNER JOIN stated ON counted.tally_key = stated.tally_key
CROSS JOIN LATERAL (
    VALUES
    ('keys', 1), ('rows', counted.rows), ('unsourced', counted.unsourced), ('early', counted.early),
    ('misnumbered', counted.misnumbered), ('spans', counted.rows), ('hiding', counted.hiding),
    ('item/buyer', stated.buyer::integer), ('item/tender_value', stated.tender_value::integer),
    ('item/category', stated.category::integer), ('item/deadline', stated.deadline::integer),
    ('item/award', stated.award::integer), ('source/' || stated.source, 1)
) AS told (part, n);
