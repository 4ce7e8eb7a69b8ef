-- A panel is read in steps, each an index range for a bounded number of issuers: the issuers, the years of each, the
-- facts, and the names. So a page stops where it is full, wherever it begins.

-- name: issuers_of_place
-- Some issuers of a country, of an exchange or of all, on the day, in the order of their ids. They begin with one id and
-- leave one out: the last of the issuers before.
SELECT DISTINCT placed.service_id
FROM serving.issuer_place AS placed
WHERE
    placed.place = %(place)s
    AND placed.service_id >= %(first)s
    AND placed.service_id <> %(done)s
    AND fragment.in_edition(placed, %(edition)s)
    AND fragment.stood_on(placed, %(day)s)
ORDER BY placed.service_id
LIMIT %(issuers)s;

-- name: reporters
-- How many issuers ever reported one of the line items, and how many anything for the type of period: the fewer of both.
SELECT
    least(
        coalesce(sum(counted.issuers) FILTER (WHERE counted.kind = 'line-items'), 0),
        coalesce(sum(counted.issuers) FILTER (WHERE counted.kind = 'period-types'), 0)
    )
FROM serving.coverage AS counted
WHERE
    (
        (counted.kind = 'line-items' AND counted.key = any(%(line_items)s::text[]))
        OR (counted.kind = 'period-types' AND counted.key = %(period_type)s)
    )
    AND fragment.in_edition(counted, %(edition)s);

-- name: issuers_with_items
-- The same of all issuers that ever reported one of the line items, and anything for the type of period. Whether an issuer
-- had done so by the day is seen when its facts are read. OFFSET 0 keeps the planner from reading issuers in their order
-- until enough of them have an item.
SELECT covered.service_id
FROM (
    SELECT held.service_id
    FROM serving.issuer_coverage AS held
    WHERE
        held.keys && %(keys)s::text[]
        AND held.keys @> ARRAY['period-types/' || %(period_type)s]
        AND fragment.in_edition(held, %(edition)s)
    OFFSET 0
) AS covered
WHERE
    covered.service_id >= %(first)s
    AND covered.service_id <> %(done)s
    AND EXISTS (
        SELECT FROM serving.issuer_place AS placed
        WHERE
            placed.place = %(place)s
            AND placed.service_id = covered.service_id
            AND fragment.in_edition(placed, %(edition)s)
            AND fragment.stood_on(placed, %(day)s)
    )
ORDER BY covered.service_id
LIMIT %(issuers)s;

-- name: issuers_by_id
-- The same for requested ids; a merged id returns the surviving issuer.
SELECT DISTINCT requested.resolves_to AS service_id
FROM serving.issued_id AS requested
WHERE
    requested.service_id = any(%(service_ids)s::text[])
    AND requested.resolves_to >= %(first)s
    AND requested.resolves_to <> %(done)s
    AND fragment.in_edition(requested, %(edition)s)
ORDER BY requested.resolves_to
LIMIT %(issuers)s;

-- name: names
-- The names and countries of some issuers, as known on the day.
SELECT version.service_id, version.legal_name, version.name_as_of, left(version.jurisdiction, 2) AS country
FROM serving.organisation_version AS version
WHERE
    version.service_id = any(%(service_ids)s::text[])
    AND fragment.in_edition(version, %(edition)s)
    AND fragment.stood_on(version, %(day)s);

-- name: last_years
-- The last fiscal year of each issuer for which it had reported one of the line items by the day. Each line item is read
-- from its newest year on, which is at most the one after the day's.
SELECT issuer.service_id, max(newest.fiscal_year) AS fiscal_year
FROM unnest(%(service_ids)s::text[]) AS issuer (service_id)
CROSS JOIN unnest(%(line_items)s::text[]) AS item (line_item)
CROSS JOIN
    LATERAL (
        SELECT held.fiscal_year
        FROM serving.fundamentals_fact AS held
        WHERE
            held.service_id = issuer.service_id
            AND held.line_item = item.line_item
            AND held.fiscal_year <= extract(YEAR FROM %(day)s::date)::integer + 1
            AND held.period_type = %(period_type)s
            AND held.available_at <= %(day)s
            AND fragment.in_edition(held, %(edition)s)
            AND fragment.labelled_on(held, %(day)s)
        ORDER BY held.fiscal_year DESC
        LIMIT 1
    ) AS newest
GROUP BY issuer.service_id;

-- name: cells
-- Facts of some issuers as fundamentals returns them for the day: line items of a span of fiscal years, which each issuer
-- has for itself, and of these only the requested years, if there are any. A page begins after a place in the order.
SELECT
    fragment.reported(fact, provenance, %(edition)s)
FROM (
    SELECT known.*, fragment.vintage_until(known, %(day)s) AS known_until
    FROM
        unnest(%(service_ids)s::text[], %(first_years)s::smallint[], %(last_years)s::smallint[])
            AS issuer (service_id, first_year, last_year)
    CROSS JOIN unnest(%(line_items)s::text[]) AS item (line_item)
    CROSS JOIN
        LATERAL (
            SELECT held.*
            FROM serving.fundamentals_fact AS held
            WHERE
                held.service_id = issuer.service_id
                AND held.line_item = item.line_item
                AND held.fiscal_year BETWEEN issuer.first_year AND issuer.last_year
                AND (%(fiscal_years)s::smallint[] IS NULL OR held.fiscal_year = any(%(fiscal_years)s))
                AND held.period_type = %(period_type)s
                AND held.available_at <= %(day)s
                AND fragment.in_edition(held, %(edition)s)
                AND fragment.labelled_on(held, %(day)s)
            -- Keeps the planner from joining line items later, after all that an issuer reported for the years.
            OFFSET 0
        ) AS known
) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE
    fact.value IS NOT NULL
    AND CASE %(vintages)s::text
        WHEN 'latest' THEN fragment.known_on(fact, %(day)s)
        WHEN 'as_reported' THEN fact.vintage = 1
        ELSE TRUE
    END
    AND (
        %(after_service_id)s::text IS NULL
        OR (fact.service_id, fact.line_item) > (%(after_service_id)s, %(after_line_item)s)
        OR (
            (fact.service_id, fact.line_item) = (%(after_service_id)s, %(after_line_item)s)
            AND (
                fact.period_end < %(after_period_end)s
                OR (
                    fact.period_end = %(after_period_end)s
                    AND (fact.period_start, fact.unit, fact.scope::text, fact.vintage)
                    > (%(after_period_start)s::date, %(after_unit)s, %(after_scope)s, %(after_vintage)s)
                )
            )
        )
    )
ORDER BY
    fact.service_id ASC, fact.line_item ASC, fact.period_end DESC, fact.period_start ASC, fact.unit ASC, fact.scope::text ASC,
    fact.vintage ASC
LIMIT %(rows)s;
