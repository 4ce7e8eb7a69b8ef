-- columns: of_row(fact, provenance, edition)
-- A row with all that is served of it.
SELECT
    fact.row_id,
    fragment.reported(fact, provenance, edition)
FROM fact
CROSS JOIN provenance
CROSS JOIN edition;

-- columns: of_row(fact, provenance, edition) if named
-- The number of a row, and what depends on the question: until when it was the latest known, and the value before it.
SELECT
    fact.row_id,
    nullif(fact.known_until, 'infinity') AS known_until,
    fragment.value_before(fact, edition) AS previous_value
FROM fact
CROSS JOIN edition;

-- name: facts_of_issuer
-- An issuer's facts that were available on as_of, in one edition:
--   latest       the newest vintage of each value, unless it was withdrawn by then or only rounds the one before
--   as_reported  the value as first filed
--   all          every vintage
-- Each under the labels that its period had on that day. Only the requested items, concepts, years and days.
-- Line items, years and days choose values with all their vintages. A concept does not: a vintage of another one ends it.
-- A page begins after a place in the order, if one is given.
-- An unknown issuer has no row; a known one without facts has one row of nulls.
SELECT facts.*
FROM serving.issued_id AS requested
LEFT JOIN LATERAL (
    SELECT
        fragment.of_row(fact, provenance, %(edition)s)
    FROM (
        SELECT known.*, fragment.vintage_until(known, %(as_of)s) AS known_until
        FROM serving.fundamentals_fact AS known
        WHERE
            known.service_id = requested.resolves_to
            AND fragment.in_edition(known, %(edition)s)
            AND known.available_at <= %(as_of)s
            AND fragment.labelled_on(known, %(as_of)s)
            AND (%(period_type)s::text IS NULL OR known.period_type = %(period_type)s)
            AND fragment.may_match_items(known, %(items)s)
            AND (%(line_items)s::text[] IS NULL OR known.line_item = any(%(line_items)s))
            AND (%(fiscal_years)s::smallint[] IS NULL OR known.fiscal_year = any(%(fiscal_years)s))
            AND (%(first_end)s::date IS NULL OR known.period_end >= %(first_end)s)
            AND (%(last_end)s::date IS NULL OR known.period_end <= %(last_end)s)
    ) AS fact
    -- LEFT, so that no provenance is read where no column needs it.
    LEFT JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
    WHERE
        fact.value IS NOT NULL
        AND fragment.matches_items(fact, %(items)s)
        AND (%(concepts)s::text[] IS NULL OR fact.concept = any(%(concepts)s))
        AND (
            %(after_period_end)s::date IS NULL
            OR fact.period_end < %(after_period_end)s
            OR (
                fact.period_end = %(after_period_end)s
                AND (
                    fact.line_item, fact.period_type, fact.period_start, fact.unit, fact.scope::text, fact.vintage
                ) > (
                    %(after_line_item)s, %(after_period_type)s, %(after_period_start)s::date, %(after_unit)s,
                    %(after_scope)s, %(after_vintage)s
                )
            )
        )
        AND CASE %(vintages)s::text
            WHEN 'latest' THEN fragment.known_on(fact, %(as_of)s)
            WHEN 'as_reported' THEN fact.vintage = 1
            ELSE TRUE
        END
    ORDER BY
        fact.period_end DESC, fact.line_item ASC, fact.period_type ASC, fact.period_start ASC, fact.unit ASC, fact.scope ASC,
        fact.vintage ASC
    LIMIT %(rows)s
) AS facts ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s);

-- name: facts_by_row
-- The rows that facts_of_issuer named.
SELECT
    fragment.of_row(fact, provenance, %(edition)s)
FROM (
    SELECT known.*, coalesce(requested.known_until, 'infinity') AS known_until
    FROM unnest(%(row_ids)s::bigint[], %(known_untils)s::date[]) AS requested (row_id, known_until)
    INNER JOIN serving.fundamentals_fact AS known ON requested.row_id = known.row_id
) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE fact.value IS NOT NULL;
