-- Two variants of each statement rather than one that asks "if a country is given": so each is planned for its index.

-- fragment: of_country(organisation)
-- The organisation is of the country asked for.
SELECT ARRAY[left(organisation.jurisdiction, 2)] @> ARRAY[%(country)s::text] FROM organisation;

-- fragment: of_country(organisation) if anywhere
SELECT TRUE;

-- name: by_identifier_or_words
-- Organisations by an identifier, then by the whole name, then by all words of it, each nearest name first.
-- Names that hold the words are looked at up to a bound, so that a common word costs little more than a rare one.
WITH hit AS (
    SELECT organisation.*, 1 AS place
    FROM serving.identifier AS identifier
    INNER JOIN LATERAL (
        SELECT
            known.service_id, known.legal_name, known.jurisdiction, known.lei, known.status, known.location,
            known.provenance_id, known.search_name
        FROM serving.organisation AS known
        WHERE
            known.service_id = identifier.service_id
            AND fragment.in_edition(known, %(edition)s)
            AND fragment.of_country(known)
    ) AS organisation ON TRUE
    WHERE
        fragment.is_asked_for(identifier)
        AND identifier.id_type = any(%(open_types)s::text[])
        AND (%(issuer)s::text IS NULL OR (identifier.issuer = %(issuer)s AND identifier.id_type = 'ticker'))
        AND fragment.in_edition(identifier, %(edition)s)
        AND fragment.valid_on(identifier, %(day)s)
    UNION ALL
    (
        SELECT
            known.service_id, known.legal_name, known.jurisdiction, known.lei, known.status, known.location,
            known.provenance_id, known.search_name, 2 AS place
        FROM serving.organisation AS known
        WHERE
            known.search_name = %(name)s
            AND fragment.in_edition(known, %(edition)s)
            AND fragment.of_country(known)
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT
            known.service_id, known.legal_name, known.jurisdiction, known.lei, known.status, known.location,
            known.provenance_id, known.search_name, 3 AS place
        FROM serving.organisation AS known
        WHERE
            known.search_name LIKE %(words)s
            AND fragment.in_edition(known, %(edition)s)
            AND fragment.of_country(known)
        LIMIT %(most)s
    )
),

found AS (
    SELECT DISTINCT ON (hit.service_id)
        hit.*,
        trigram.similarity(hit.search_name, %(name)s) AS nearness
    FROM hit
    ORDER BY hit.service_id, hit.place
),

nearest AS (
    SELECT found.* FROM found
    WHERE
        %(after_place)s::integer IS NULL
        OR (found.place, -found.nearness, found.search_name, found.service_id)
        > (%(after_place)s, -(%(after_nearness)s::real), %(after_name)s, %(after_service_id)s)
    ORDER BY found.place ASC, found.nearness DESC, found.search_name ASC, found.service_id ASC
    LIMIT %(rows)s
)

SELECT
    nearest.place,
    nearest.nearness::text AS nearness,
    nearest.search_name,
    nearest.service_id,
    nearest.legal_name,
    nearest.jurisdiction,
    nearest.lei,
    fragment.lei_status(nearest) AS lei_status,
    nearest.status,
    (ARRAY['identifier', 'name', 'words'])[nearest.place] AS matched,
    provenance.document_ref || '#' || regexp_replace(nearest.location, %(paid_place)s, '\1') AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    nearest.provenance_id::text AS provenance_id
FROM nearest
INNER JOIN serving.provenance AS provenance ON nearest.provenance_id = provenance.provenance_id
ORDER BY nearest.place ASC, nearest.nearness DESC, nearest.search_name ASC, nearest.service_id ASC;

-- name: similar
-- Names that agree with the one asked for in all but a word, or half a word: whoever mistypes one letter leaves
-- the rest as it is. Each way to leave something out is a pair of patterns, looked at up to a bound.
WITH hit AS (
    SELECT DISTINCT ON (organisation.service_id)
        organisation.*,
        trigram.similarity(organisation.search_name, %(name)s) AS nearness
    FROM unnest(%(rests)s::text[], %(pieces)s::text[]) AS pattern (rest, piece)
    CROSS JOIN
        LATERAL (
            SELECT
                known.service_id, known.legal_name, known.jurisdiction, known.lei, known.status, known.location,
                known.provenance_id, known.search_name
            FROM serving.organisation AS known
            WHERE
                known.search_name LIKE pattern.rest AND known.search_name LIKE pattern.piece
                AND fragment.in_edition(known, %(edition)s)
                AND fragment.of_country(known)
            LIMIT %(most)s
        ) AS organisation
    ORDER BY organisation.service_id
),

nearest AS (
    SELECT hit.* FROM hit
    WHERE
        hit.nearness >= %(least)s
        AND (
            %(after_place)s::integer IS NULL
            OR (-hit.nearness, hit.search_name, hit.service_id)
            > (-(%(after_nearness)s::real), %(after_name)s, %(after_service_id)s)
        )
    ORDER BY hit.nearness DESC, hit.search_name ASC, hit.service_id ASC
    LIMIT %(rows)s
)

SELECT
    4 AS place,
    nearest.nearness::text AS nearness,
    nearest.search_name,
    nearest.service_id,
    nearest.legal_name,
    nearest.jurisdiction,
    nearest.lei,
    fragment.lei_status(nearest) AS lei_status,
    nearest.status,
    'similar' AS matched,
    provenance.document_ref || '#' || regexp_replace(nearest.location, %(paid_place)s, '\1') AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    nearest.provenance_id::text AS provenance_id
FROM nearest
INNER JOIN serving.provenance AS provenance ON nearest.provenance_id = provenance.provenance_id
ORDER BY nearest.nearness DESC, nearest.search_name ASC, nearest.service_id ASC;
