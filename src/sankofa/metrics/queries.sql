-- name: shown
-- What is shown of some rows: the names of that edition, and one line for each fact that a row rests on, in the
-- formula's order.
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
    fact.fact_id::text AS fact_id,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.metric_value AS one
INNER JOIN serving.organisation AS organisation
    ON
        one.service_id = organisation.service_id
        AND organisation.published_in <= %(edition)s AND organisation.superseded_in > %(edition)s
CROSS JOIN LATERAL unnest(one.inputs) WITH ORDINALITY AS input (row_id, place)
INNER JOIN serving.fundamentals_fact AS fact ON input.row_id = fact.row_id
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE one.row_id = any(%(row_ids)s::bigint[])
ORDER BY one.row_id, input.place;

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
