-- name: reported_by_issuer
-- The newest vintage of each value that an issuer had reported by a day, unless it was withdrawn by then, as one
-- line item or all. A page goes on after a fact, whose place in the order is looked up; rows lack part of it.
-- The jurisdiction is returned as the country; the caller converts it. Both are those of the day.
SELECT
    fact.fact_id::text AS fact_id,
    fact.service_id AS entity_id,
    named.legal_name AS entity_name,
    named.name_as_of,
    named.jurisdiction AS country_iso3,
    'AF-FUND' AS dataset,
    fact.line_item AS measure,
    fact.value,
    fact.unit,
    fact.period_end,
    nullif(fact.period_type, '') AS period_type,
    fact.available_at,
    provenance.available_at_basis,
    fact.vintage,
    fact.provenance_id::text AS provenance_id,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.extraction_confidence,
    provenance.observed_at,
    provenance.method,
    NULL::boolean AS joint
FROM serving.issued_id AS requested
CROSS JOIN
    LATERAL (
        SELECT known.*, fragment.vintage_until(known, %(day)s) AS known_until
        FROM serving.fundamentals_fact AS known
        WHERE
            known.service_id = requested.resolves_to
            AND known.period_end <= %(until)s
            AND fragment.in_edition(known, %(edition)s)
            AND known.available_at <= %(day)s
            AND fragment.labelled_on(known, %(day)s)
            AND CASE WHEN %(measure)s::text IS NULL THEN fragment.is_standard(known) ELSE known.line_item = %(measure)s END
    ) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
LEFT JOIN serving.organisation_version AS named
    ON
        fact.service_id = named.service_id
        AND fragment.in_edition(named, %(edition)s)
        AND fragment.stood_on(named, %(day)s)
LEFT JOIN serving.fundamentals_fact AS place
    ON
        requested.resolves_to = place.service_id
        AND place.period_end = %(until)s AND place.line_item = %(after_measure)s
        AND place.fact_id = %(after_fact)s::uuid
        AND fragment.labelled_on(place, %(day)s)
        AND fragment.in_edition(place, %(edition)s)
WHERE
    requested.service_id = %(subject)s
    AND fragment.in_edition(requested, %(edition)s)
    AND fact.value IS NOT NULL
    AND fragment.known_on(fact, %(day)s)
    AND (
        %(after_fact)s::uuid IS NULL
        OR fact.period_end < place.period_end
        OR (fact.line_item, fact.period_type, fact.period_start, fact.unit, fact.scope)
        > (place.line_item, place.period_type, place.period_start, place.unit, place.scope)
    )
ORDER BY
    fact.period_end DESC, fact.line_item ASC, fact.period_type ASC, fact.period_start ASC, fact.unit ASC, fact.scope ASC
LIMIT %(rows)s;

-- name: values_of_country
-- Each value of a country's series as it was known on a day; of one measure, where lowest and highest are the same.
SELECT
    latest.fact_id::text AS fact_id,
    latest.country_iso3 AS entity_id,
    NULL::text AS entity_name,
    NULL::date AS name_as_of,
    latest.country_iso3,
    'AF-MACRO' AS dataset,
    latest.measure,
    latest.value,
    latest.unit,
    latest.period_end,
    CASE latest.frequency WHEN 'A' THEN 'FY' WHEN 'Q' THEN 'Q' || extract(QUARTER FROM latest.period_end) END AS period_type,
    latest.available_at,
    provenance.available_at_basis,
    latest.vintage,
    latest.provenance_id::text AS provenance_id,
    provenance.document_ref || '#' || latest.series_key AS source_ref,
    provenance.license_class,
    provenance.extraction_confidence,
    provenance.observed_at,
    provenance.method,
    NULL::boolean AS joint
FROM (
    SELECT held.*
    FROM serving.macro_value AS held
    WHERE
        held.area = %(subject)s AND held.area <> '' AND held.country_iso3 IS NOT NULL
        AND held.period_end <= %(until)s
        AND held.measure BETWEEN %(lowest)s AND %(highest)s
        AND (held.period_end < %(until)s OR (held.measure, held.series_key) > (%(after_measure)s, %(after_series)s))
        AND fragment.in_edition(held, %(edition)s)
        AND fragment.known_on(held, %(day)s)
    ORDER BY held.period_end DESC, held.measure ASC, held.series_key ASC
    LIMIT %(rows)s
) AS latest
INNER JOIN serving.provenance AS provenance ON latest.provenance_id = provenance.provenance_id
INNER JOIN serving.series AS series
    ON
        latest.series_key = series.series_key
        AND fragment.in_edition(series, %(edition)s)
ORDER BY latest.period_end DESC, latest.measure ASC, latest.series_key ASC;

-- name: tender_values_of_country
-- The values of tenders of a country's portals as known on a day, newest release first. A value belongs to the buyer if
-- that is established as an organisation, else to the country.
SELECT
    fact.fact_id::text AS fact_id,
    coalesce(buyer.service_id, %(subject)s) AS entity_id,
    named.legal_name AS entity_name,
    named.name_as_of,
    %(subject)s::text AS country_iso3,
    'AF-TENDER' AS dataset,
    fact.measure,
    fact.value,
    fact.unit,
    fact.period_end,
    NULL::text AS period_type,
    fact.available_at,
    provenance.available_at_basis,
    fact.vintage,
    fact.provenance_id::text AS provenance_id,
    provenance.document_ref || '#' || fact.location AS source_ref,
    provenance.license_class,
    provenance.extraction_confidence,
    provenance.observed_at,
    provenance.method,
    NULL::boolean AS joint
FROM (
    SELECT held.*
    FROM serving.tender_fact AS held
    WHERE
        held.measure = 'tender_value'
        AND held.country = %(country)s
        AND held.period_end <= least(
            %(until)s, %(day)s::date + 2,
            (
                SELECT newest.newest_at::date + 1
                FROM serving.tender_country AS newest
                WHERE
                    newest.country = %(country)s
                    AND fragment.in_edition(newest, %(edition)s)
            )
        )
        AND (held.period_end < %(until)s OR held.fact_id > %(after_fact)s::uuid)
        AND (%(measure)s::text IS NULL OR held.measure = %(measure)s)
        AND fragment.in_edition(held, %(edition)s)
        AND fragment.known_on(held, %(day)s)
    ORDER BY held.period_end DESC, held.fact_id ASC
    LIMIT %(rows)s
) AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
LEFT JOIN serving.issued_id AS answering
    ON
        fact.party = answering.service_id
        AND fragment.in_edition(answering, %(edition)s)
LEFT JOIN serving.organisation AS buyer
    ON
        answering.resolves_to = buyer.service_id
        AND fragment.in_edition(buyer, %(edition)s)
LEFT JOIN serving.organisation_version AS named
    ON
        buyer.service_id = named.service_id
        AND fragment.in_edition(named, %(edition)s)
        AND fragment.stood_on(named, %(day)s)
ORDER BY fact.period_end DESC, fact.fact_id ASC;

-- name: awards_of_issuer
-- The values of an organisation's awards as known on a day, newest release first, under any of its ids.
SELECT
    fact.fact_id::text AS fact_id,
    organisation.service_id AS entity_id,
    named.legal_name AS entity_name,
    named.name_as_of,
    named.jurisdiction AS country_iso3,
    'AF-TENDER' AS dataset,
    fact.measure,
    fact.value,
    fact.unit,
    fact.period_end,
    NULL::text AS period_type,
    fact.available_at,
    provenance.available_at_basis,
    fact.vintage,
    fact.provenance_id::text AS provenance_id,
    provenance.document_ref || '#' || fact.location AS source_ref,
    provenance.license_class,
    provenance.extraction_confidence,
    provenance.observed_at,
    provenance.method,
    fact.joint
FROM serving.issued_id AS requested
INNER JOIN serving.organisation AS organisation
    ON
        requested.resolves_to = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN serving.organisation_version AS named
    ON
        organisation.service_id = named.service_id
        AND fragment.in_edition(named, %(edition)s)
        AND fragment.stood_on(named, %(day)s)
INNER JOIN serving.issued_id AS member
    ON
        requested.resolves_to = member.resolves_to
        AND fragment.in_edition(member, %(edition)s)
INNER JOIN serving.tender_fact AS fact
    ON
        member.service_id = fact.party
        AND fact.measure = 'award_value'
        AND fragment.in_edition(fact, %(edition)s)
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE
    requested.service_id = %(subject)s
    AND fragment.in_edition(requested, %(edition)s)
    AND fragment.known_on(fact, %(day)s)
    AND fact.period_end <= %(until)s
    AND (fact.period_end < %(until)s OR fact.fact_id > %(after_fact)s::uuid)
    AND (%(measure)s::text IS NULL OR fact.measure = %(measure)s)
ORDER BY fact.period_end DESC, fact.fact_id ASC
LIMIT %(rows)s;
