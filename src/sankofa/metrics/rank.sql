-- Variants rather than one statement that asks "if a country is given": so each is planned for its index. `anywhere` reads
-- the spans of all countries (`rank.EVERYWHERE`), `smallest` begins at the other end.

-- fragment: of_country(value, place)
SELECT value.country = place FROM value CROSS JOIN place;

-- fragment: of_country(value, place) if anywhere
SELECT TRUE;

-- order: in_order(value)
SELECT FROM value
ORDER BY value DESC;

-- order: in_order(value) if smallest
SELECT FROM value
ORDER BY value ASC;

-- fragment: is_after(value, last)
-- The value comes after the last one of the page before, if there is one.
SELECT value < coalesce(last, 'Infinity') FROM value CROSS JOIN last;

-- fragment: is_after(value, last) if smallest
SELECT value > coalesce(last, '-Infinity') FROM value CROSS JOIN last;

-- fragment: is_within(value, last)
-- The value lies between the last one of the page before and the bound.
SELECT value <= coalesce(last, 'Infinity') AND value >= coalesce((SELECT bound.value FROM bound), '-Infinity')
FROM value
CROSS JOIN last;

-- fragment: is_within(value, last) if smallest
SELECT value >= coalesce(last, '-Infinity') AND value <= coalesce((SELECT bound.value FROM bound), 'Infinity')
FROM value
CROSS JOIN last;

-- fragment: exact(value)
-- 82 places after the point distinguish any two values.
SELECT div(value.numerator * 1e82, value.denominator) FROM value;

-- fragment: is_on_page(value)
-- The row comes after the last one of the page before; ties go by service_id.
SELECT
    %(after_exact)s::numeric IS NULL
    OR fragment.exact(value) < %(after_exact)s
    OR (fragment.exact(value) = %(after_exact)s AND value.service_id > %(after_service_id)s)
FROM value;

-- fragment: is_on_page(value) if smallest
SELECT
    %(after_exact)s::numeric IS NULL
    OR fragment.exact(value) > %(after_exact)s
    OR (fragment.exact(value) = %(after_exact)s AND value.service_id > %(after_service_id)s)
FROM value;

-- fragment: may_rank(value)
-- The edition holds the value, the basis shows it, and its period is not too old.
SELECT
    fragment.in_edition(value, %(edition)s)
    AND (%(as_known)s OR value.exact_from IS NOT NULL)
    AND value.period_end >= %(oldest)s
FROM value;

-- name: ranked
-- The rows with the largest values of a metric on a day, or the smallest, in one edition. basis=exact leaves out rows
-- whose facts were replaced later; rows of old periods are left out by both. The spans of years that may hold any are few,
-- and each is in order. A page of values that are live on the day, wherever they are found, is a bound: no row of the
-- answer lies beyond it. It is sought among the first values of the newest spans, where much is live, so that little that
-- is not is passed over in the others. On a day by which hardly anything was served, that little is taken and sorted. The
-- indexes order values as floats, so all that are alike are taken; the order of the answer is that of exact values.
WITH
reached AS MATERIALIZED (
    SELECT count(*) > 500 AS is_much
    FROM (
        SELECT FROM serving.metric_value AS served
        WHERE
            served.metric = %(metric)s AND served.known_from <= %(day)s AND fragment.was_last(served)
        LIMIT 501
    ) AS first
),

early AS MATERIALIZED (
    SELECT served.*
    FROM serving.metric_value AS served
    WHERE
        NOT (SELECT reached.is_much FROM reached)
        AND served.metric = %(metric)s AND served.known_from <= %(day)s AND fragment.was_last(served)
    LIMIT 500
),

bound AS MATERIALIZED (
    SELECT near.value::float8 AS value
    FROM serving.metric_span AS span
    CROSS JOIN
        LATERAL (
            SELECT first.*
            FROM serving.metric_value AS first
            WHERE
                first.metric = span.metric AND fragment.of_country(first, span.country)
                AND first.first_year = span.first_year AND first.last_year = span.last_year
                AND fragment.was_last(first)
                AND fragment.is_after(first.value::float8, %(after_value)s::float8)
            ORDER BY fragment.in_order(first.value::float8)
            LIMIT 2 * %(rows)s
        ) AS near
    WHERE
        span.metric = %(metric)s AND span.country = %(country)s
        AND span.first_year BETWEEN %(year)s - 1 AND %(year)s AND span.last_year >= %(year)s
        AND fragment.last_on(near, %(day)s)
        AND fragment.may_rank(near)
        AND (SELECT reached.is_much FROM reached)
    ORDER BY fragment.in_order(near.value::float8)
    LIMIT 1 OFFSET %(rows)s - 1
),

placed AS (
    SELECT found.*
    FROM serving.metric_span AS span
    CROSS JOIN
        LATERAL (
            SELECT live.row_id, live.value, live.numerator, live.denominator, live.service_id
            FROM serving.metric_value AS live
            WHERE
                live.metric = span.metric AND fragment.of_country(live, span.country) AND live.first_year = span.first_year
                AND live.last_year = span.last_year
                AND fragment.last_on(live, %(day)s)
                AND fragment.is_within(live.value::float8, %(after_value)s::float8)
                AND fragment.may_rank(live)
                AND fragment.is_on_page(live)
            ORDER BY fragment.in_order(live.value::float8)
            FETCH FIRST %(rows)s ROWS WITH TIES
        ) AS found
    WHERE
        span.metric = %(metric)s AND span.country = %(country)s
        AND span.first_year <= %(year)s AND span.last_year >= %(year)s
        AND (SELECT reached.is_much FROM reached)
    UNION ALL
    SELECT held.row_id, held.value, held.numerator, held.denominator, held.service_id
    FROM early AS held
    WHERE
        fragment.last_on(held, %(day)s)
        AND fragment.of_country(held, %(country)s)
        AND fragment.may_rank(held)
        AND fragment.is_on_page(held)
)

SELECT
    placed.row_id,
    placed.value,
    fragment.exact(placed) AS exact,
    placed.service_id
FROM placed
ORDER BY fragment.in_order(exact), placed.service_id
LIMIT %(rows)s;
