-- name: changed_values
-- By filing of the chunk, how many values it changed: it opened a vintage above the first that does not only round.
CREATE TEMPORARY TABLE changed_value ON COMMIT DROP AS
SELECT target.service_id, target.filing_id, target.available_at, count(DISTINCT target.fact_id)::integer AS facts
FROM target
WHERE target.vintage > 1 AND target.passed_over IS NOT TRUE
GROUP BY target.service_id, target.filing_id, target.available_at;

-- name: target_filings
-- Each filing of the chunk's issuers once, whichever sources list it, with the earliest fetched document that contains
-- it; also one that only confirms. A value from several sources counts once, one that was taken down not at all.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH
counted AS (
    SELECT reported.service_id, reported.filing_number, reported.available_at, count(*)::integer AS facts
    FROM (
        SELECT DISTINCT
            held.service_id,
            held.filing_number,
            held.available_at,
            held.concept_id,
            held.period_start,
            held.period_end,
            held.unit,
            held.scope
        FROM reported_value AS held
        WHERE
            held.value IS NOT NULL
            AND held.fact_id NOT IN (
                SELECT takedown.target::uuid FROM ledger.takedown AS takedown
                WHERE takedown.kind = 'fact'
            )
    ) AS reported
    GROUP BY reported.service_id, reported.filing_number, reported.available_at
),

listed AS (
    SELECT DISTINCT
        held.service_id,
        held.identifier,
        held.source,
        held.filing_number,
        held.form,
        held.accepted_at,
        held.available_at,
        held.available_at_basis,
        held.sha256,
        held.fetched_at,
        held.license_class
    FROM reported_value AS held
),

filing AS (
    SELECT DISTINCT ON (listed.service_id, listed.filing_number, listed.available_at)
        listed.*,
        max(fragment.address(listed)) OVER (
            PARTITION BY listed.service_id, listed.filing_number, listed.available_at
        ) AS source_url
    FROM listed
    ORDER BY
        listed.service_id, listed.filing_number, listed.available_at, listed.fetched_at, listed.source, listed.sha256,
        listed.form, listed.accepted_at, listed.identifier
)

SELECT
    row_number() OVER () AS target_id,
    filing.service_id,
    filing.filing_number AS filing_id,
    filing.available_at,
    coalesce(filing.form, '') AS form,
    coalesce(left(named.jurisdiction, 2), '') AS country,
    coalesce(counted.facts, 0) AS facts,
    coalesce(changed.facts, 0) AS changed_values,
    filing.source_url,
    fragment.provenance_id(filing) AS provenance_id,
    fragment.document_ref(filing) AS document_ref,
    filing.license_class,
    filing.fetched_at AS observed_at,
    filing.available_at_basis,
    fragment.method(filing) AS method,
    filing.accepted_at
FROM filing
LEFT JOIN counted
    ON
        filing.service_id = counted.service_id AND filing.filing_number = counted.filing_number
        AND filing.available_at = counted.available_at
LEFT JOIN changed_value AS changed
    ON
        filing.service_id = changed.service_id AND filing.filing_number = changed.filing_id
        AND filing.available_at = changed.available_at
LEFT JOIN serving.organisation_version AS named
    ON
        filing.service_id = named.service_id
        AND fragment.is_live(named)
        AND fragment.stood_on(named, filing.available_at);

-- name: target_places
-- Where the chunk's issuers were on which days, from the first day on which anything that they filed was known: in the
-- country of their jurisdiction, on the exchanges of their tickers, and among all issuers.
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
WITH
issuer AS (
    SELECT reported.service_id, datemultirange(daterange(min(reported.available_at), 'infinity')) AS days
    FROM reported_value AS reported
    GROUP BY reported.service_id
),

placed AS (
    SELECT issuer.service_id, '' AS place, issuer.days
    FROM issuer
    UNION ALL
    SELECT
        issuer.service_id,
        left(named.jurisdiction, 2) AS place,
        issuer.days * range_agg(daterange(named.known_from, named.known_until)) AS days
    FROM issuer
    INNER JOIN serving.organisation_version AS named ON issuer.service_id = named.service_id
    WHERE fragment.is_live(named) AND named.jurisdiction IS NOT NULL
    GROUP BY issuer.service_id, issuer.days, left(named.jurisdiction, 2)
    UNION ALL
    SELECT
        issuer.service_id,
        ticker.issuer AS place,
        issuer.days
        * range_agg(daterange(greatest(ticker.available_at, ticker.valid_from), coalesce(ticker.valid_to, 'infinity'))) AS days
    FROM issuer
    INNER JOIN serving.identifier AS ticker ON issuer.service_id = ticker.service_id
    WHERE
        fragment.is_live(ticker) AND ticker.id_type = 'ticker' AND ticker.issuer <> ''
        AND greatest(ticker.available_at, ticker.valid_from) < coalesce(ticker.valid_to, 'infinity')
    GROUP BY issuer.service_id, issuer.days, ticker.issuer
)

SELECT
    row_number() OVER () AS target_id,
    placed.service_id,
    placed.place,
    lower(span.days) AS known_from,
    upper(span.days) AS known_until
FROM placed
CROSS JOIN LATERAL unnest(placed.days) AS span (days);
