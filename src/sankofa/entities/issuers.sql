-- Variants instead of one statement with optional filters, so that each is planned for its index.

-- fragment: is_at_home(filer)
SELECT TRUE;

-- fragment: is_at_home(filer) if country
SELECT filer.country = %(country)s FROM filer;

-- fragment: is_in_trade(filer)
SELECT TRUE;

-- fragment: is_in_trade(filer) if industry
-- The code of the day begins with the requested digits; a colon sorts after all digits.
SELECT filer.sic >= %(industry)s AND filer.sic < %(industry)s || ':' FROM filer;

-- fragment: is_listed(filer)
SELECT TRUE;

-- fragment: is_listed(filer) if exchange
-- It had a ticker on the exchange on the day, as far as was known then.
SELECT
    filer.service_id = any(array(
        SELECT listed.service_id FROM serving.identifier_version AS listed
        WHERE
            listed.id_type = 'ticker' AND listed.issuer = %(exchange)s
            AND fragment.in_edition(listed, %(edition)s)
            AND fragment.stood_on(listed, %(day)s) AND fragment.valid_on(listed, %(day)s)
    ))
FROM filer;

-- fragment: has_reported(filer)
SELECT TRUE;

-- fragment: has_reported(filer) if item
-- A value of the line item was known on the day. Looked up for each issuer: no plan may read all facts.
SELECT
    (
        SELECT TRUE FROM serving.fundamentals_fact AS fact
        WHERE
            fact.service_id = filer.service_id AND fact.line_item = %(item)s AND fact.value IS NOT NULL
            AND fragment.in_edition(fact, %(edition)s)
            AND fact.available_at <= %(day)s AND (fact.withdrawn_at IS NULL OR fact.withdrawn_at > %(day)s)
        LIMIT 1
    )
FROM filer;

-- name: issuers
-- The organisations that had filed accounts by a day, in one edition, in the order of their ids: name, home and listings
-- on the day, and filings up to the day.
WITH page AS (
    SELECT filer.service_id, filer.country, filer.sic, filer.first_filed, filer.filed_on, filer.provenance_id
    FROM serving.issuer AS filer
    WHERE
        filer.service_id > %(after)s
        AND fragment.in_edition(filer, %(edition)s)
        AND fragment.stood_on(filer, %(day)s)
        AND filer.first_filed <= %(day)s
        AND fragment.is_at_home(filer)
        AND fragment.is_in_trade(filer)
        AND fragment.is_listed(filer)
        AND fragment.has_reported(filer)
    ORDER BY filer.service_id
    LIMIT %(rows)s
)

SELECT
    page.service_id,
    named.legal_name,
    named.name_as_of,
    nullif(page.country, '') AS country,
    page.sic AS industry,
    coalesce(ticker.present, ARRAY[]::text[]) AS tickers,
    coalesce(ticker.former, ARRAY[]::text[]) AS former_tickers,
    page.first_filed,
    filed.last_day AS last_filed,
    filed.filings,
    provenance.document_ref AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    page.provenance_id::text AS provenance_id
FROM page
INNER JOIN serving.provenance AS provenance ON page.provenance_id = provenance.provenance_id
CROSS JOIN
    LATERAL (
        SELECT max(one.day) AS last_day, count(*) AS filings
        FROM unnest(page.filed_on) AS one (day)
        WHERE one.day <= %(day)s
    ) AS filed
LEFT JOIN LATERAL (
    SELECT version.legal_name, version.name_as_of
    FROM serving.organisation_version AS version
    WHERE
        version.service_id = page.service_id AND fragment.in_edition(version, %(edition)s)
        AND fragment.stood_on(version, %(day)s)
) AS named ON TRUE
CROSS JOIN
    LATERAL (
        SELECT
            array_agg(held.issuer || ':' || held.id_value ORDER BY held.issuer, held.id_value)
            FILTER (WHERE fragment.valid_on(held, %(day)s)) AS present,
            array_agg(held.issuer || ':' || held.id_value ORDER BY held.issuer, held.id_value)
            FILTER (WHERE fragment.had_ended(held, %(day)s)) AS former
        FROM serving.identifier_version AS held
        WHERE
            held.service_id = page.service_id AND held.id_type = 'ticker'
            AND fragment.in_edition(held, %(edition)s) AND fragment.stood_on(held, %(day)s)
    ) AS ticker
ORDER BY page.service_id;
