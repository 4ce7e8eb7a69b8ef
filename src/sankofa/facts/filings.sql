-- Each filter has a variant of the statement, so that each is planned for its own index.

-- fragment: is_among(filing)
SELECT TRUE FROM filing;

-- fragment: is_among(filing) if of_country
SELECT filing.country = %(country)s FROM filing;

-- fragment: is_among(filing) if of_form
SELECT filing.form = %(form)s FROM filing;

-- fragment: is_among(filing) if of_issuer
SELECT
    filing.service_id = (
        SELECT requested.resolves_to FROM serving.issued_id AS requested
        WHERE requested.service_id = %(service_id)s AND fragment.in_edition(requested, %(edition)s)
    )
FROM filing;

-- name: filings
-- The filings between two days that were available on one, the newest first, with the issuer's name as known on that day.
-- A page begins after a place in the order, if one is given.
SELECT
    filed.service_id,
    named.legal_name,
    named.name_as_of,
    nullif(filed.country, '') AS country,
    filed.filing_id,
    nullif(filed.form, '') AS form,
    provenance.accepted_at,
    filed.available_at,
    provenance.available_at_basis,
    filed.facts,
    filed.changed_values,
    filed.source_url,
    provenance.document_ref AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    filed.provenance_id::text AS provenance_id
FROM (
    SELECT filing.*
    FROM serving.filing AS filing
    WHERE
        fragment.is_among(filing)
        AND filing.available_at >= %(since)s::date
        AND filing.available_at <= least(%(until)s::date, %(day)s::date)
        AND (
            filing.available_at < %(until)s::date
            OR (filing.filing_id, filing.service_id) > (%(after_filing_id)s, %(after_service_id)s)
        )
        AND (%(country)s::text IS NULL OR filing.country = %(country)s)
        AND (%(form)s::text IS NULL OR filing.form = %(form)s)
        AND fragment.in_edition(filing, %(edition)s)
    ORDER BY filing.available_at DESC, filing.filing_id ASC, filing.service_id ASC
    LIMIT %(rows)s
) AS filed
INNER JOIN serving.provenance AS provenance ON filed.provenance_id = provenance.provenance_id
LEFT JOIN serving.organisation_version AS named
    ON
        filed.service_id = named.service_id
        AND fragment.in_edition(named, %(edition)s)
        AND fragment.stood_on(named, %(day)s)
ORDER BY filed.available_at DESC, filed.filing_id ASC, filed.service_id ASC;
