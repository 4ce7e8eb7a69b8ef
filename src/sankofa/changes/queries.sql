-- columns: described(fact)
-- The columns of a row of the feed.
SELECT
    fact.fact_id,
    fact.service_id,
    fact.country AS country_iso3,
    fact.measure,
    fact.value,
    fact.unit,
    fact.scope,
    fact.period_start,
    fact.period_end,
    fact.period_type,
    fact.fiscal_year,
    fact.reported_as,
    fact.vintage,
    fact.available_at,
    fact.available_at_basis,
    fact.known_until,
    fact.source_ref,
    fact.license_class,
    fact.observed_at,
    fact.extraction_confidence,
    fact.method,
    fact.provenance_id,
    fact.labelled_from,
    fact.labelled_until,
    fact.revision,
    fact.decimals,
    fact.accepted_at,
    fact.form,
    fact.filing_id,
    fact.first_filing_held,
    fact.days_rounded,
    fact.joint
FROM fact;

-- each: put(requested, listed) of facts, sku
-- The rows that editions put of one dataset, for one reason.
SELECT put.published_in AS edition, TRUE AS is_put, put.row_id
FROM facts AS put
WHERE
    requested.dataset = sku AND put.reason = listed.reason -- noqa: RF01, RF03
    AND (put.published_in, put.row_id) > (%(after_edition)s, requested.after_put) -- noqa: RF01
    AND put.published_in <= %(edition)s
ORDER BY put.published_in, put.row_id
LIMIT %(rows)s;

-- name: changes_of_all
-- Rows that editions put and removed, in the order of the feed, for the requested datasets and reasons. Each dataset
-- has its own start position, because a page ends within one of them. Positions are found by index only; then the
-- rows of the page are read. A row that was taken down is removed without its content.
SELECT
    page.edition,
    CASE WHEN page.is_put THEN 'put' ELSE 'remove' END AS change,
    page.reason::text AS reason,
    page.dataset,
    page.row_id,
    fragment.described(fact)
FROM (
    SELECT changed.edition, changed.is_put, requested.dataset, changed.row_id, listed.reason
    FROM
        unnest(%(datasets)s::text[], %(tables)s::text[], %(after_removed)s::bigint[], %(after_put)s::bigint[])
            AS requested (dataset, table_name, after_removed, after_put)
    CROSS JOIN unnest(%(reasons)s::serving.change_reason[]) AS listed (reason)
    CROSS JOIN
        LATERAL (
            (
                SELECT removed.closed_in AS edition, FALSE AS is_put, removed.row_id
                FROM serving.closing AS removed
                WHERE
                    removed.dataset = requested.table_name AND removed.reason = listed.reason
                    AND (removed.closed_in, removed.row_id) > (%(after_edition)s, requested.after_removed)
                    AND removed.closed_in <= %(edition)s
                ORDER BY removed.closed_in, removed.row_id
                LIMIT %(rows)s
            )
            UNION ALL
            SELECT put.edition, put.is_put, put.row_id FROM fragment.put(requested, listed) AS put
        ) AS changed
    ORDER BY changed.edition, changed.is_put, requested.dataset, changed.row_id
    LIMIT %(rows)s
) AS page
LEFT JOIN LATERAL (
    SELECT known.* FROM serving.fact_row AS known
    WHERE known.dataset = page.dataset AND known.row_id = page.row_id
    LIMIT 1
) AS fact ON TRUE
ORDER BY page.edition, page.is_put, page.dataset, page.row_id;

-- name: changes_of_issuer
-- The same for the rows of one id. Rows that were taken down are found by the id of the takedown.
SELECT
    page.edition,
    CASE WHEN page.is_put THEN 'put' ELSE 'remove' END AS change,
    page.reason::text AS reason,
    %(dataset)s::text AS dataset,
    page.row_id,
    fragment.described(fact)
FROM (
    SELECT changed.*
    FROM (
        SELECT put.published_in AS edition, TRUE AS is_put, put.row_id, put.reason
        FROM serving.fundamentals_fact AS put
        WHERE put.service_id = %(service_id)s
        UNION
        SELECT was.superseded_in AS edition, FALSE AS is_put, was.row_id, removed.reason
        FROM serving.fundamentals_fact AS was
        CROSS JOIN
            LATERAL (
                SELECT closing.reason FROM serving.closing AS closing
                WHERE
                    closing.dataset = 'fundamentals_fact' AND closing.closed_in = was.superseded_in
                    AND closing.row_id = was.row_id
                LIMIT 1
            ) AS removed
        WHERE was.service_id = %(service_id)s AND was.superseded_in <= %(edition)s
        UNION
        SELECT gone.closed_in AS edition, FALSE AS is_put, gone.row_id, gone.reason
        FROM serving.taken_down AS gone
        WHERE gone.service_id = %(service_id)s AND gone.dataset = 'fundamentals_fact'
    ) AS changed
    WHERE
        changed.reason = any(%(reasons)s::serving.change_reason[])
        AND changed.edition <= %(edition)s
        AND (changed.edition, changed.is_put, changed.row_id)
        > (%(after_edition)s, %(after_is_put)s, %(after_row_id)s)
    ORDER BY changed.edition, changed.is_put, changed.row_id
    LIMIT %(rows)s
) AS page
LEFT JOIN LATERAL (
    SELECT known.* FROM serving.fact_row AS known
    WHERE known.dataset = %(dataset)s AND known.row_id = page.row_id
    LIMIT 1
) AS fact ON TRUE
ORDER BY page.edition, page.is_put, page.row_id;

-- name: differences
-- Values of an issuer that differ between two days, in one edition; on each day the latest available vintage,
-- unless it was withdrawn by then. A page begins after a position, if one is given. An unknown issuer gives no
-- row; a known one without differences gives one row of nulls.
SELECT differences.*
FROM serving.issued_id AS requested
LEFT JOIN LATERAL (
    WITH known AS (
        SELECT fact.*, fragment.vintage_until(fact, %(to_as_of)s) AS known_until
        FROM serving.fundamentals_fact AS fact
        WHERE
            fact.service_id = requested.resolves_to
            AND fragment.in_edition(fact, %(edition)s)
            AND fact.available_at <= %(to_as_of)s
            AND fragment.labelled_on(fact, %(to_as_of)s)
            AND fragment.may_match_items(fact, %(items)s)
    ),

    stood AS (
        SELECT
            known.*,
            fragment.known_on(known, %(from_as_of)s) AS stood_then,
            fragment.known_on(known, %(to_as_of)s) AS stood_now
        FROM known
        WHERE known.value IS NOT NULL AND fragment.matches_items(known, %(items)s)
    ),

    differing AS (
        SELECT
            stood.*,
            provenance.document_ref || '#' || stood.concept AS source_ref,
            provenance.license_class,
            provenance.observed_at
        FROM stood
        INNER JOIN serving.provenance AS provenance ON stood.provenance_id = provenance.provenance_id
        WHERE stood.stood_then <> stood.stood_now
    )

    SELECT
        requested.resolves_to AS service_id,
        differing.line_item,
        CASE
            WHEN bool_and(differing.stood_then) THEN 'withdrawn'
            WHEN bool_or(differing.stood_then) THEN 'restated'
            ELSE 'added'
        END AS change,
        nullif(differing.period_start, '-infinity') AS period_start,
        differing.period_end,
        nullif(differing.period_type, '') AS period_type,
        differing.fiscal_year,
        differing.unit,
        CASE WHEN differing.unit ~ '^[A-Z]{3}(/|$)' THEN left(differing.unit, 3) END AS currency_reported,
        differing.scope,
        max(differing.value) FILTER (WHERE differing.stood_then) AS old_value,
        max(differing.vintage) FILTER (WHERE differing.stood_then) AS old_vintage,
        max(differing.available_at) FILTER (WHERE differing.stood_then) AS old_available_at,
        max(differing.source_ref) FILTER (WHERE differing.stood_then) AS old_source_ref,
        max(differing.license_class) FILTER (WHERE differing.stood_then) AS old_license_class,
        max(differing.observed_at) FILTER (WHERE differing.stood_then) AS old_observed_at,
        max(differing.fact_id::text) FILTER (WHERE differing.stood_then) AS old_fact_id,
        max(differing.value) FILTER (WHERE differing.stood_now) AS new_value,
        max(differing.vintage) FILTER (WHERE differing.stood_now) AS new_vintage,
        max(differing.available_at) FILTER (WHERE differing.stood_now) AS new_available_at,
        max(differing.source_ref) FILTER (WHERE differing.stood_now) AS new_source_ref,
        max(differing.license_class) FILTER (WHERE differing.stood_now) AS new_license_class,
        max(differing.observed_at) FILTER (WHERE differing.stood_now) AS new_observed_at,
        max(differing.fact_id::text) FILTER (WHERE differing.stood_now) AS new_fact_id
    FROM differing
    WHERE
        %(after_line_item)s::text IS NULL
        OR differing.line_item > %(after_line_item)s
        OR (
            differing.line_item = %(after_line_item)s
            AND (
                differing.period_end < %(after_period_end)s::date
                OR (
                    differing.period_end = %(after_period_end)s::date
                    AND (differing.period_type, differing.period_start, differing.unit, differing.scope::text)
                    > (%(after_period_type)s, %(after_period_start)s::date, %(after_unit)s, %(after_scope)s)
                )
            )
        )
    GROUP BY
        differing.line_item, differing.period_end, differing.period_type, differing.period_start, differing.unit,
        differing.scope, differing.fiscal_year
    ORDER BY
        differing.line_item ASC, differing.period_end DESC, differing.period_type ASC, differing.period_start ASC,
        differing.unit ASC, differing.scope::text ASC
    LIMIT %(rows)s
) AS differences ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s);
