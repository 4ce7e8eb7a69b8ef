-- name: largest
-- The rows with the largest values of a metric on a day, in one edition, of the issuers of a country or of all
-- (rank.py). basis=exact leaves out rows whose facts were replaced later; rows of old periods are left out by both.
-- The spans of years that may hold any are few, and each is in order. A page of values that are live on
-- the day, wherever they are found, is a bound: no row of the answer lies below it. It is sought among the first
-- values of the newest spans, where much is live, so that little that is not is passed over in the others. On a day
-- by which hardly anything was served, that little is taken and sorted. The order is that of exact values: 82 places
-- after the point tell any two apart.
WITH
early AS MATERIALIZED (
    SELECT served.row_id
    FROM serving.metric_value AS served
    WHERE served.metric = %(metric)s AND served.served_from <= %(day)s
    LIMIT 501
),

reached AS MATERIALIZED (SELECT count(*) > 500 AS is_much FROM early),

bound AS MATERIALIZED (
    SELECT near.value
    FROM (
        SELECT first.value, first.row_id
        FROM serving.metric_span AS span
        CROSS JOIN
            LATERAL (
                SELECT live.value, live.row_id, live.served_from, live.known_until
                FROM serving.metric_value AS live
                WHERE
                    live.metric = span.metric AND live.country = span.country AND live.first_year = span.first_year
                    AND live.last_year = span.last_year AND live.served_from < live.known_until
                    AND live.value < coalesce(%(after_value)s::numeric, 'Infinity')
                ORDER BY live.value DESC
                LIMIT 2 * %(rows)s
            ) AS first
        WHERE
            span.metric = %(metric)s AND span.country = %(country)s
            AND span.first_year BETWEEN %(year)s - 1 AND %(year)s AND span.last_year >= %(year)s
            AND first.served_from <= %(day)s AND first.known_until > %(day)s
            AND (SELECT reached.is_much FROM reached)
        ORDER BY first.value DESC
    ) AS near
    INNER JOIN serving.metric_value AS held ON near.row_id = held.row_id
    WHERE
        held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
        AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
        AND held.period_end >= %(oldest)s
    ORDER BY near.value DESC
    LIMIT 1 OFFSET %(rows)s - 1
),

placed AS (
    SELECT found.*
    FROM serving.metric_span AS span
    CROSS JOIN
        LATERAL (
            SELECT held.row_id, live.value, held.numerator, held.denominator, live.service_id
            FROM serving.metric_value AS live
            INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
            WHERE
                live.metric = span.metric AND live.country = span.country AND live.first_year = span.first_year
                AND live.last_year = span.last_year AND live.served_from < live.known_until
                AND live.served_from <= %(day)s AND live.known_until > %(day)s
                AND live.value <= coalesce(%(after_value)s::numeric, 'Infinity')
                AND live.value >= coalesce((SELECT bound.value FROM bound), '-Infinity')
                AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
                AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
                AND held.period_end >= %(oldest)s
                AND (
                    %(after_exact)s::numeric IS NULL
                    OR div(held.numerator * 1e82, held.denominator) < %(after_exact)s
                    OR (
                        div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                        AND live.service_id > %(after_service_id)s
                    )
                )
            ORDER BY live.value DESC
            FETCH FIRST %(rows)s ROWS WITH TIES
        ) AS found
    WHERE
        span.metric = %(metric)s AND span.country = %(country)s
        AND span.first_year <= %(year)s AND span.last_year >= %(year)s
        AND (SELECT reached.is_much FROM reached)
    UNION ALL
    SELECT held.row_id, held.value, held.numerator, held.denominator, held.service_id
    FROM early AS first
    INNER JOIN serving.metric_value AS held ON first.row_id = held.row_id
    WHERE
        NOT (SELECT reached.is_much FROM reached)
        AND held.served_from <= %(day)s AND held.known_until > %(day)s
        AND held.country = %(country)s
        AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
        AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
        AND held.period_end >= %(oldest)s
        AND (
            %(after_exact)s::numeric IS NULL
            OR div(held.numerator * 1e82, held.denominator) < %(after_exact)s
            OR (
                div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                AND held.service_id > %(after_service_id)s
            )
        )
)

SELECT
    placed.row_id,
    placed.value,
    div(placed.numerator * 1e82, placed.denominator) AS exact,
    placed.service_id
FROM placed
ORDER BY exact DESC, placed.service_id ASC
LIMIT %(rows)s;

-- name: smallest
-- The same from the other end.
WITH
early AS MATERIALIZED (
    SELECT served.row_id
    FROM serving.metric_value AS served
    WHERE served.metric = %(metric)s AND served.served_from <= %(day)s
    LIMIT 501
),

reached AS MATERIALIZED (SELECT count(*) > 500 AS is_much FROM early),

bound AS MATERIALIZED (
    SELECT near.value
    FROM (
        SELECT first.value, first.row_id
        FROM serving.metric_span AS span
        CROSS JOIN
            LATERAL (
                SELECT live.value, live.row_id, live.served_from, live.known_until
                FROM serving.metric_value AS live
                WHERE
                    live.metric = span.metric AND live.country = span.country AND live.first_year = span.first_year
                    AND live.last_year = span.last_year AND live.served_from < live.known_until
                    AND live.value > coalesce(%(after_value)s::numeric, '-Infinity')
                ORDER BY live.value ASC
                LIMIT 2 * %(rows)s
            ) AS first
        WHERE
            span.metric = %(metric)s AND span.country = %(country)s
            AND span.first_year BETWEEN %(year)s - 1 AND %(year)s AND span.last_year >= %(year)s
            AND first.served_from <= %(day)s AND first.known_until > %(day)s
            AND (SELECT reached.is_much FROM reached)
        ORDER BY first.value ASC
    ) AS near
    INNER JOIN serving.metric_value AS held ON near.row_id = held.row_id
    WHERE
        held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
        AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
        AND held.period_end >= %(oldest)s
    ORDER BY near.value ASC
    LIMIT 1 OFFSET %(rows)s - 1
),

placed AS (
    SELECT found.*
    FROM serving.metric_span AS span
    CROSS JOIN
        LATERAL (
            SELECT held.row_id, live.value, held.numerator, held.denominator, live.service_id
            FROM serving.metric_value AS live
            INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
            WHERE
                live.metric = span.metric AND live.country = span.country AND live.first_year = span.first_year
                AND live.last_year = span.last_year AND live.served_from < live.known_until
                AND live.served_from <= %(day)s AND live.known_until > %(day)s
                AND live.value >= coalesce(%(after_value)s::numeric, '-Infinity')
                AND live.value <= coalesce((SELECT bound.value FROM bound), 'Infinity')
                AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
                AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
                AND held.period_end >= %(oldest)s
                AND (
                    %(after_exact)s::numeric IS NULL
                    OR div(held.numerator * 1e82, held.denominator) > %(after_exact)s
                    OR (
                        div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                        AND live.service_id > %(after_service_id)s
                    )
                )
            ORDER BY live.value ASC
            FETCH FIRST %(rows)s ROWS WITH TIES
        ) AS found
    WHERE
        span.metric = %(metric)s AND span.country = %(country)s
        AND span.first_year <= %(year)s AND span.last_year >= %(year)s
        AND (SELECT reached.is_much FROM reached)
    UNION ALL
    SELECT held.row_id, held.value, held.numerator, held.denominator, held.service_id
    FROM early AS first
    INNER JOIN serving.metric_value AS held ON first.row_id = held.row_id
    WHERE
        NOT (SELECT reached.is_much FROM reached)
        AND held.served_from <= %(day)s AND held.known_until > %(day)s
        AND held.country = %(country)s
        AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
        AND CASE WHEN %(as_known)s THEN held.known_from IS NOT NULL ELSE held.left_out IS NULL END
        AND held.period_end >= %(oldest)s
        AND (
            %(after_exact)s::numeric IS NULL
            OR div(held.numerator * 1e82, held.denominator) > %(after_exact)s
            OR (
                div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                AND held.service_id > %(after_service_id)s
            )
        )
)

SELECT
    placed.row_id,
    placed.value,
    div(placed.numerator * 1e82, placed.denominator) AS exact,
    placed.service_id
FROM placed
ORDER BY exact ASC, placed.service_id ASC
LIMIT %(rows)s;
