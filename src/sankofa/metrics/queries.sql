-- fragment: left_out(value)
-- Why the value is left out; null if it is served.
SELECT
    CASE
        WHEN value.period_end < %(oldest)s THEN 'period_too_old'
        WHEN NOT %(as_known)s AND value.exact_from IS NULL THEN 'revised_after_as_of'
    END
FROM value;

-- fragment: missed(absence)
-- Why there is no value.
SELECT
    CASE
        WHEN absence.period_end < %(oldest)s THEN 'period_too_old'
        WHEN %(as_known)s THEN 'input_missing'
        ELSE absence.left_out
    END
FROM absence;

-- name: served_rows
-- The served fields of some rows: name and country as known on the day, and one line for each input fact of a row,
-- in the formula's order.
SELECT
    one.row_id,
    one.service_id,
    named.legal_name,
    named.name_as_of,
    left(named.jurisdiction, 2) AS country,
    one.metric::text AS metric,
    one.value,
    one.fiscal_year,
    one.period_end,
    one.published_at,
    one.exact_from,
    one.exact_from IS NULL AS revised_later,
    fact.fact_id::text AS fact_id,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.metric_value AS one
INNER JOIN serving.organisation AS organisation
    ON
        one.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN serving.organisation_version AS named
    ON
        one.service_id = named.service_id
        AND fragment.in_edition(named, %(edition)s)
        AND fragment.stood_on(named, %(day)s)
CROSS JOIN LATERAL unnest(serving.row_ids(one.inputs)) WITH ORDINALITY AS input (row_id, place)
INNER JOIN serving.fundamentals_fact AS fact ON input.row_id = fact.row_id
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE one.row_id = any(%(row_ids)s::bigint[])
ORDER BY one.row_id, input.place;

-- name: absences
-- How many issuers of which anything was known on the day a screen leaves out, by reason. Each has a value or an absence
-- on the day, that of the last year it had published; one without either had not published the metric, or no full year at
-- all. The values are found by the spans of years that hold any.
SELECT
    year.revised_after_as_of,
    year.completed_after_as_of,
    year.input_missing,
    issuer.known - year.live - issuer.not_full_year AS not_published,
    issuer.not_full_year,
    year.period_too_old
FROM (
    SELECT
        count(*) AS live,
        count(*) FILTER (WHERE last.reason = 'input_missing') AS input_missing,
        count(*) FILTER (WHERE last.reason = 'revised_after_as_of') AS revised_after_as_of,
        count(*) FILTER (WHERE last.reason = 'completed_after_as_of') AS completed_after_as_of,
        count(*) FILTER (WHERE last.reason = 'period_too_old') AS period_too_old
    FROM (
        SELECT fragment.left_out(held) AS reason
        FROM serving.metric_span AS span
        INNER JOIN serving.metric_value AS held
            ON span.metric = held.metric AND span.first_year = held.first_year AND span.last_year = held.last_year
        WHERE
            span.metric = %(metric)s AND span.country = ''
            AND span.first_year <= %(year)s AND span.last_year >= %(year)s
            AND fragment.last_on(held, %(day)s)
            AND fragment.in_edition(held, %(edition)s)
            AND (%(country)s::text IS NULL OR held.country = %(country)s)
        UNION ALL
        SELECT fragment.missed(held) AS reason
        FROM serving.metric_absence AS held
        WHERE
            fragment.stood_on(held, %(day)s)
            AND fragment.in_edition(held, %(edition)s)
            AND %(metric)s = any(held.metrics)
            AND (%(country)s::text IS NULL OR held.country = %(country)s)
    ) AS last
) AS year
CROSS JOIN (
    SELECT
        count(*) AS known,
        count(*) FILTER (WHERE every.first_year_at IS NULL OR every.first_year_at > %(day)s) AS not_full_year
    FROM serving.issuer_coverage AS every
    WHERE
        fragment.in_edition(every, %(edition)s)
        AND every.first_known_at <= %(day)s
        AND (
            %(country)s::text IS NULL
            OR EXISTS (
                SELECT FROM serving.organisation_version AS named
                WHERE
                    named.service_id = every.service_id
                    AND fragment.in_edition(named, %(edition)s)
                    AND fragment.stood_on(named, %(day)s)
                    AND left(named.jurisdiction, 2) = %(country)s
            )
        )
) AS issuer;

-- name: of_issuer
-- An issuer's metrics on a day, in one edition: of the last year that was published by then, or of all years; and why each
-- is left out, if it is. Where the last year has no value, a line without a row has the reason. No line for an unknown issuer;
-- for one without any year on that day, one without a metric.
SELECT
    requested.resolves_to AS service_id,
    coverage.first_known_at,
    coverage.first_year_at,
    year.row_id,
    year.metric::text AS metric,
    year.period_end,
    year.is_last,
    year.reason
FROM serving.issued_id AS requested
LEFT JOIN serving.issuer_coverage AS coverage
    ON
        requested.resolves_to = coverage.service_id
        AND fragment.in_edition(coverage, %(edition)s)
LEFT JOIN LATERAL (
    SELECT
        held.row_id,
        held.metric,
        held.period_end,
        fragment.last_on(held, %(day)s) AS is_last,
        fragment.left_out(held) AS reason
    FROM serving.metric_value AS held
    WHERE
        held.service_id = requested.resolves_to
        AND (%(metric)s::serving.metric IS NULL OR held.metric = %(metric)s)
        AND fragment.stood_on(held, %(day)s)
        AND fragment.in_edition(held, %(edition)s)
        AND (%(years)s > 1 OR fragment.last_on(held, %(day)s))
    UNION ALL
    SELECT NULL AS row_id, missed.metric, held.period_end, TRUE AS is_last, fragment.missed(held) AS reason
    FROM serving.metric_absence AS held
    CROSS JOIN LATERAL unnest(held.metrics) AS missed (metric)
    WHERE
        held.service_id = requested.resolves_to
        AND (%(metric)s::serving.metric IS NULL OR missed.metric = %(metric)s)
        AND fragment.stood_on(held, %(day)s)
        AND fragment.in_edition(held, %(edition)s)
) AS year ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s)
ORDER BY year.metric ASC, year.period_end DESC;
