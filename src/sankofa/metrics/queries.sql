-- name: largest
-- The rows with the largest values of a metric on a day, in one edition. The spans that may hold any are few;
-- each is read in its order, by index alone, until it has given a page of rows that the edition holds. Values
-- that round alike are told apart by the exact ones: 82 places after the point tell any two apart.
SELECT placed.row_id, placed.value, placed.exact, placed.service_id
FROM serving.metric_span AS span
CROSS JOIN
    LATERAL (
        SELECT
            held.row_id,
            live.value,
            div(held.numerator * 1e82, held.denominator) AS exact,
            live.service_id
        FROM serving.metric_value AS live
        INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
        WHERE
            live.metric = span.metric AND live.first_year = span.first_year AND live.last_year = span.last_year
            AND live.served_from < live.next_published_at
            AND live.served_from <= %(day)s AND live.next_published_at > %(day)s
            AND live.value <= coalesce(%(after_value)s::numeric, 'Infinity')
            AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
            AND (
                %(after_exact)s::numeric IS NULL
                OR div(held.numerator * 1e82, held.denominator) < %(after_exact)s
                OR (
                    div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                    AND live.service_id > %(after_service_id)s
                )
            )
        ORDER BY live.value DESC, exact DESC, live.service_id ASC
        LIMIT %(rows)s
    ) AS placed
WHERE
    span.metric = %(metric)s AND span.country = ''
    AND span.first_year <= %(year)s AND span.last_year >= %(year)s
ORDER BY placed.value DESC, placed.exact DESC, placed.service_id ASC
LIMIT %(rows)s;

-- name: smallest
-- The same from the other end.
SELECT placed.row_id, placed.value, placed.exact, placed.service_id
FROM serving.metric_span AS span
CROSS JOIN
    LATERAL (
        SELECT
            held.row_id,
            live.value,
            div(held.numerator * 1e82, held.denominator) AS exact,
            live.service_id
        FROM serving.metric_value AS live
        INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
        WHERE
            live.metric = span.metric AND live.first_year = span.first_year AND live.last_year = span.last_year
            AND live.served_from < live.next_published_at
            AND live.served_from <= %(day)s AND live.next_published_at > %(day)s
            AND live.value >= coalesce(%(after_value)s::numeric, '-Infinity')
            AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
            AND (
                %(after_exact)s::numeric IS NULL
                OR div(held.numerator * 1e82, held.denominator) > %(after_exact)s
                OR (
                    div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                    AND live.service_id > %(after_service_id)s
                )
            )
        ORDER BY live.value ASC, exact ASC, live.service_id ASC
        LIMIT %(rows)s
    ) AS placed
WHERE
    span.metric = %(metric)s AND span.country = ''
    AND span.first_year <= %(year)s AND span.last_year >= %(year)s
ORDER BY placed.value ASC, placed.exact ASC, placed.service_id ASC
LIMIT %(rows)s;

-- name: largest_of_country
-- The largest values of the issuers of one country.
SELECT placed.row_id, placed.value, placed.exact, placed.service_id
FROM serving.metric_span AS span
CROSS JOIN
    LATERAL (
        SELECT
            held.row_id,
            live.value,
            div(held.numerator * 1e82, held.denominator) AS exact,
            live.service_id
        FROM serving.metric_value AS live
        INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
        WHERE
            live.metric = span.metric AND live.country = span.country
            AND live.first_year = span.first_year AND live.last_year = span.last_year
            AND live.served_from < live.next_published_at
            AND live.served_from <= %(day)s AND live.next_published_at > %(day)s
            AND live.value <= coalesce(%(after_value)s::numeric, 'Infinity')
            AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
            AND (
                %(after_exact)s::numeric IS NULL
                OR div(held.numerator * 1e82, held.denominator) < %(after_exact)s
                OR (
                    div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                    AND live.service_id > %(after_service_id)s
                )
            )
        ORDER BY live.value DESC, exact DESC, live.service_id ASC
        LIMIT %(rows)s
    ) AS placed
WHERE
    span.metric = %(metric)s AND span.country = %(country)s
    AND span.first_year <= %(year)s AND span.last_year >= %(year)s
ORDER BY placed.value DESC, placed.exact DESC, placed.service_id ASC
LIMIT %(rows)s;

-- name: smallest_of_country
-- The smallest values of the issuers of one country.
SELECT placed.row_id, placed.value, placed.exact, placed.service_id
FROM serving.metric_span AS span
CROSS JOIN
    LATERAL (
        SELECT
            held.row_id,
            live.value,
            div(held.numerator * 1e82, held.denominator) AS exact,
            live.service_id
        FROM serving.metric_value AS live
        INNER JOIN serving.metric_value AS held ON live.row_id = held.row_id
        WHERE
            live.metric = span.metric AND live.country = span.country
            AND live.first_year = span.first_year AND live.last_year = span.last_year
            AND live.served_from < live.next_published_at
            AND live.served_from <= %(day)s AND live.next_published_at > %(day)s
            AND live.value >= coalesce(%(after_value)s::numeric, '-Infinity')
            AND held.published_in <= %(edition)s AND held.superseded_in > %(edition)s
            AND (
                %(after_exact)s::numeric IS NULL
                OR div(held.numerator * 1e82, held.denominator) > %(after_exact)s
                OR (
                    div(held.numerator * 1e82, held.denominator) = %(after_exact)s
                    AND live.service_id > %(after_service_id)s
                )
            )
        ORDER BY live.value ASC, exact ASC, live.service_id ASC
        LIMIT %(rows)s
    ) AS placed
WHERE
    span.metric = %(metric)s AND span.country = %(country)s
    AND span.first_year <= %(year)s AND span.last_year >= %(year)s
ORDER BY placed.value ASC, placed.exact ASC, placed.service_id ASC
LIMIT %(rows)s;

-- name: shown
-- What is shown of some rows: the names of that edition, and the facts that they rest on, in the formula's order.
SELECT
    one.row_id,
    one.service_id,
    organisation.legal_name,
    nullif(one.country, '') AS country,
    one.metric,
    one.value,
    one.fiscal_year,
    one.period_end,
    one.published_at,
    one.exact_from,
    resting.inputs,
    resting.source_refs,
    resting.license_classes,
    resting.observed_at
FROM serving.metric_value AS one
INNER JOIN serving.organisation AS organisation
    ON
        one.service_id = organisation.service_id
        AND organisation.published_in <= %(edition)s AND organisation.superseded_in > %(edition)s
CROSS JOIN
    LATERAL (
        SELECT
            array_agg(fact.fact_id::text ORDER BY input.place) AS inputs,
            array_agg(DISTINCT provenance.document_ref || '#' || fact.concept) AS source_refs,
            array_agg(DISTINCT provenance.license_class) AS license_classes,
            max(provenance.observed_at) AS observed_at
        FROM unnest(one.inputs) WITH ORDINALITY AS input (row_id, place)
        INNER JOIN serving.fundamentals_fact AS fact ON input.row_id = fact.row_id
        INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
    ) AS resting
WHERE one.row_id = any(%(row_ids)s::bigint[]);

-- name: absences
-- How many issuers a screen leaves out, by reason. A year that has no value and one that is not exact yet are
-- both the last published on the day; whoever has none by then has not published, or no full year.
SELECT
    year.revised_after_as_of,
    year.completed_after_as_of,
    year.input_missing,
    issuer.known - year.live - issuer.not_full_year AS not_published,
    issuer.not_full_year
FROM (
    SELECT
        count(*) AS live,
        count(*) FILTER (WHERE last.value IS NULL) AS input_missing,
        count(*) FILTER (WHERE last.served_from > %(day)s AND last.complete_from <= %(day)s) AS revised_after_as_of,
        count(*) FILTER (WHERE last.served_from > %(day)s AND last.complete_from > %(day)s) AS completed_after_as_of
    FROM serving.metric_value AS last
    WHERE
        last.metric = %(metric)s
        AND last.published_at <= %(day)s AND last.next_published_at > %(day)s
        AND last.published_in <= %(edition)s AND last.superseded_in > %(edition)s
        AND (%(country)s::text IS NULL OR last.country = %(country)s)
) AS year
CROSS JOIN (
    SELECT
        count(*) AS known,
        count(*) FILTER (
            WHERE
            every.first_known_at <= %(day)s AND (every.first_year_at IS NULL OR every.first_year_at > %(day)s)
        ) AS not_full_year
    FROM serving.issuer_coverage AS every
    WHERE
        every.published_in <= %(edition)s AND every.superseded_in > %(edition)s
        AND (%(country)s::text IS NULL OR every.country = %(country)s)
) AS issuer;

-- name: of_issuer
-- An issuer's metrics on a day, in one edition: for each the last year that was published by then, and why it is
-- left out, if it is. No row for an unknown issuer; for one without any year on that day, one without a metric.
SELECT
    asked.resolves_to AS service_id,
    coverage.first_known_at,
    coverage.first_year_at,
    last.row_id,
    last.metric,
    CASE
        WHEN last.value IS NULL THEN 'input_missing'
        WHEN last.complete_from > %(day)s THEN 'completed_after_as_of'
        WHEN last.served_from > %(day)s THEN 'revised_after_as_of'
    END AS absence
FROM serving.issued_id AS asked
LEFT JOIN serving.issuer_coverage AS coverage
    ON
        asked.resolves_to = coverage.service_id
        AND coverage.published_in <= %(edition)s AND coverage.superseded_in > %(edition)s
LEFT JOIN serving.metric_value AS last
    ON
        asked.resolves_to = last.service_id
        AND (%(metric)s::text IS NULL OR last.metric = %(metric)s)
        AND last.published_at <= %(day)s AND last.next_published_at > %(day)s
        AND last.published_in <= %(edition)s AND last.superseded_in > %(edition)s
WHERE
    asked.service_id = %(service_id)s
    AND asked.published_in <= %(edition)s AND asked.superseded_in > %(edition)s
ORDER BY last.metric;
