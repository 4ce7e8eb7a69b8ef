-- name: organisation
-- The organisation of an id in one edition, with its former names and its industries, newest first; no row for an id
-- that is not served.
SELECT
    organisation.service_id,
    organisation.legal_name,
    organisation.name_as_of,
    coalesce(former.names, '[]') AS former_names,
    coalesce(trade.industries, '[]') AS industries,
    organisation.jurisdiction,
    organisation.lei,
    fragment.lei_status(organisation) AS lei_status,
    organisation.status,
    organisation.established_by,
    organisation.rule_version,
    -- The location of a listing or a party may contain an identifier that not every tier may see.
    provenance.document_ref || '#' || regexp_replace(organisation.location, %(paid_place)s, '\1') AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    organisation.provenance_id::text AS provenance_id
FROM serving.issued_id AS requested
INNER JOIN serving.organisation AS organisation ON requested.resolves_to = organisation.service_id
INNER JOIN serving.provenance AS provenance ON organisation.provenance_id = provenance.provenance_id
CROSS JOIN
    LATERAL (
        SELECT
            jsonb_agg(
                jsonb_build_object(
                    'name', earlier.legal_name,
                    'since', earlier.name_as_of,
                    'until', earlier.known_until,
                    'source_ref',
                    origin.document_ref || '#' || regexp_replace(earlier.location, %(paid_place)s, '\1')
                ) ORDER BY earlier.known_from DESC
            ) AS names
        FROM serving.organisation_name AS earlier
        INNER JOIN serving.provenance AS origin ON earlier.provenance_id = origin.provenance_id
        WHERE
            earlier.service_id = organisation.service_id
            AND earlier.legal_name <> organisation.legal_name
            AND fragment.in_edition(earlier, %(edition)s)
    ) AS former
CROSS JOIN
    LATERAL (
        SELECT
            jsonb_agg(
                jsonb_build_object(
                    'scheme', 'SIC',
                    'code', version.sic,
                    'since', version.known_from,
                    'until', nullif(version.known_until, 'infinity')
                ) ORDER BY version.known_from DESC
            ) AS industries
        FROM serving.organisation_version AS version
        WHERE
            version.service_id = organisation.service_id AND version.sic IS NOT NULL
            AND fragment.in_edition(version, %(edition)s)
    ) AS trade
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s)
    AND fragment.in_edition(organisation, %(edition)s);

-- name: identifiers_of_organisation
-- The identifiers that an organisation has on the edition's day, of the types that the caller may see; beside
-- them the other types that there are. An unknown id gives no row; an organisation with nothing to show gives
-- one row without a type.
SELECT
    requested.resolves_to AS service_id,
    held.id_type,
    held.id_value,
    held.issuer,
    held.evidence,
    held.available_at,
    held.valid_from,
    held.source_ref,
    held.license_class,
    held.observed_at,
    held.provenance_id,
    coalesce(other.id_types, ARRAY[]::text[]) AS withheld_id_types,
    -- Rows are numbered in publish order, so the first one shows since when there are any.
    coalesce(
        (
            SELECT first.published_in <= %(edition)s FROM serving.identifier AS first
            ORDER BY first.row_id
            LIMIT 1
        ), FALSE
    ) AS crosswalk_loaded
FROM serving.issued_id AS requested
CROSS JOIN
    LATERAL (
        SELECT array_agg(DISTINCT hidden.id_type ORDER BY hidden.id_type) AS id_types
        FROM serving.identifier AS hidden
        WHERE
            hidden.service_id = requested.resolves_to
            AND fragment.in_edition(hidden, %(edition)s)
            AND fragment.valid_on(hidden, %(day)s)
            AND hidden.id_type <> all(%(open_types)s::text[])
            AND NOT (hidden.id_type = 'registry' AND hidden.issuer = any(%(filer_registers)s::text[]))
    ) AS other
LEFT JOIN LATERAL (
    SELECT
        known.id_type,
        known.served_value AS id_value,
        nullif(known.issuer, '') AS issuer,
        known.evidence,
        known.available_at,
        known.valid_from,
        -- Every tier sees the identifier's own location in the document: the subject may be named by a paid number.
        provenance.document_ref || '#'
        || CASE
            WHEN known.id_type IN ('lei', 'ticker') THEN known.id_type || ':' || known.served_value
            WHEN known.id_type = 'registry' AND known.issuer = any(%(filer_registers)s::text[])
                THEN 'cik:' || known.served_value
            ELSE known.location
        END AS source_ref,
        provenance.license_class,
        provenance.observed_at,
        known.provenance_id::text AS provenance_id
    FROM (
        SELECT
            identifier.id_type,
            identifier.issuer,
            identifier.evidence,
            identifier.available_at,
            identifier.valid_from,
            identifier.location,
            identifier.provenance_id,
            CASE
                WHEN identifier.id_type = 'ticker' THEN identifier.issuer || ':' || identifier.id_value
                ELSE identifier.id_value
            END AS served_value
        FROM serving.identifier AS identifier
        WHERE
            identifier.service_id = requested.resolves_to
            AND fragment.in_edition(identifier, %(edition)s)
            AND fragment.valid_on(identifier, %(day)s)
            AND (
                identifier.id_type = any(%(open_types)s::text[])
                OR (identifier.id_type = 'registry' AND identifier.issuer = any(%(filer_registers)s::text[]))
            )
    ) AS known
    INNER JOIN serving.provenance AS provenance ON known.provenance_id = provenance.provenance_id
    WHERE
        %(after_id_type)s::text IS NULL
        OR (known.id_type, known.served_value, known.issuer)
        > (%(after_id_type)s, %(after_id_value)s, %(after_issuer)s)
    ORDER BY known.id_type, known.served_value, known.issuer
    LIMIT %(rows)s
) AS held ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s)
ORDER BY held.id_type ASC, held.id_value ASC, held.issuer ASC NULLS FIRST;

-- name: organisations_by_identifier
-- The organisations with an identifier on the edition's day; a ticker within its exchange.
SELECT
    identifier.service_id,
    organisation.legal_name,
    identifier.id_type,
    CASE
        WHEN identifier.id_type = 'ticker' THEN identifier.issuer || ':' || identifier.id_value
        ELSE identifier.id_value
    END AS id_value,
    nullif(identifier.issuer, '') AS issuer,
    identifier.evidence,
    identifier.available_at,
    provenance.document_ref || '#'
    || CASE identifier.id_type
        WHEN 'lei' THEN 'lei:' || identifier.id_value
        WHEN 'ticker' THEN 'ticker:' || identifier.issuer || ':' || identifier.id_value
        ELSE identifier.location
    END AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    identifier.provenance_id::text AS provenance_id,
    min(identifier.service_id) OVER () <> max(identifier.service_id) OVER () AS ambiguous
FROM serving.identifier AS identifier
INNER JOIN serving.organisation AS organisation ON identifier.service_id = organisation.service_id
INNER JOIN serving.provenance AS provenance ON identifier.provenance_id = provenance.provenance_id
WHERE
    fragment.is_requested(identifier)
    AND identifier.id_type = %(id_type)s
    AND (%(issuer)s::text IS NULL OR identifier.issuer = %(issuer)s)
    AND fragment.in_edition(identifier, %(edition)s)
    AND fragment.valid_on(identifier, %(day)s)
    AND fragment.in_edition(organisation, %(edition)s)
ORDER BY id_value ASC, issuer ASC NULLS FIRST, identifier.service_id ASC
LIMIT %(rows)s;

-- name: former_holders
-- The former holders of an identifier on the edition's day, the last holder first; a ticker within its exchange.
SELECT
    identifier.service_id,
    identifier.id_type,
    CASE
        WHEN identifier.id_type = 'ticker' THEN identifier.issuer || ':' || identifier.id_value
        ELSE identifier.id_value
    END AS id_value,
    nullif(identifier.issuer, '') AS issuer,
    identifier.valid_from,
    identifier.valid_to
FROM serving.identifier AS identifier
INNER JOIN serving.organisation AS organisation ON identifier.service_id = organisation.service_id
WHERE
    fragment.is_requested(identifier)
    AND identifier.id_type = %(id_type)s
    AND (%(issuer)s::text IS NULL OR identifier.issuer = %(issuer)s)
    AND fragment.in_edition(identifier, %(edition)s)
    AND fragment.had_ended(identifier, %(day)s)
    AND fragment.in_edition(organisation, %(edition)s)
ORDER BY identifier.valid_to DESC, identifier.id_value ASC, identifier.issuer ASC, identifier.service_id ASC
LIMIT %(rows)s;
