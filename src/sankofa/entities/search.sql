-- Variants of each statement instead of optional filters, so that each is planned for its index.
-- A name or an identifier finds an organisation as of a day only if it was known by then. One that it no longer had on the
-- day finds it too, and is marked as former.

-- fragment: is_marked(version)
-- The organisation is of the requested country, and an issuer if only issuers are requested; both are in the index.
SELECT
    ARRAY[left(version.jurisdiction, 2), CASE WHEN version.is_issuer THEN 'issuer' END] @> %(marks)s::text[]
FROM version;

-- fragment: is_marked(version) if anybody
SELECT TRUE;

-- fragment: is_there(found)
-- The country of the day is the requested one. The index of the newest names has it; for all other hits it is looked up.
SELECT
    found.is_newest
    OR EXISTS (
        SELECT FROM serving.organisation_version AS version
        WHERE
            version.service_id = found.service_id AND fragment.in_edition(version, %(edition)s)
            AND fragment.stood_on(version, %(day)s) AND fragment.is_marked(version)
    )
FROM found;

-- fragment: is_there(found) if anybody
SELECT TRUE;

-- fragment: is_of_kind(found)
SELECT TRUE;

-- fragment: is_of_kind(found) if issuers
SELECT fragment.had_filed(found) FROM found;

-- fragment: is_of_kind(found) if others
SELECT NOT fragment.had_filed(found) FROM found;

-- columns: of_name(known)
-- A hit on the newest name of an organisation.
SELECT
    known.service_id, known.search_name, known.legal_name AS text, known.name_as_of AS since,
    NULL::date AS until, known.name_provenance_id AS provenance_id, known.name_location AS location, TRUE AS is_newest
FROM known;

-- columns: of_earlier_name(earlier)
-- A hit on a name of earlier days. `until` is null if the organisation had it on the day that is asked for.
SELECT
    earlier.service_id, earlier.search_name, earlier.legal_name AS text, earlier.name_as_of AS since,
    CASE WHEN fragment.was_over(earlier, %(day)s) THEN earlier.known_until END AS until, earlier.provenance_id,
    earlier.location, FALSE AS is_newest
FROM earlier;

-- fragment: is_settled(subject)
-- A name that only releases of tenders state is dated by other statements about the party, which may come later. So it
-- matches nothing on a day before the edition's.
SELECT %(is_past)s IS NOT TRUE OR NOT starts_with(subject, 'party:') FROM subject;

-- fragment: was_known(known)
SELECT
    fragment.in_edition(known, %(edition)s) AND coalesce(known.known_from, '-infinity') <= %(day)s
    AND fragment.is_settled(known.name_location)
FROM known;

-- fragment: was_known_then(earlier)
SELECT
    fragment.in_edition(earlier, %(edition)s) AND earlier.known_from <= %(day)s
    AND fragment.is_settled(earlier.location)
FROM earlier;

-- columns: hit_columns(nearest, named, lei, provenance)
-- The columns of a hit: the organisation on the day, what matched, and its provenance.
SELECT
    nearest.place,
    nearest.nearness::text AS nearness,
    nearest.search_name,
    nearest.service_id,
    named.legal_name,
    named.jurisdiction,
    lei.id_value AS lei,
    CASE WHEN fragment.had_filed(nearest) THEN 'issuer' ELSE 'other' END AS kind,
    CASE
        WHEN nearest.place > 2 AND nearest.until IS NOT NULL THEN 'former_name'
        ELSE
            (ARRAY[
                'identifier', 'former_identifier', 'name', 'former_name', 'words', 'former_name', 'similar'
            ])[nearest.place]
    END AS matched,
    nearest.text AS matched_text,
    nearest.since,
    nearest.until,
    provenance.document_ref || '#' || regexp_replace(nearest.location, %(paid_place)s, '\1') AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    nearest.provenance_id::text AS provenance_id
FROM nearest
CROSS JOIN named
CROSS JOIN lei
CROSS JOIN provenance;

-- fragment: has_words(name, words)
-- All of the words, which are one text, are words of the name. The index has the words of each name.
SELECT string_to_array(name.search_name, ' ') @> string_to_array(words, ' ') FROM name CROSS JOIN words;

-- fragment: agrees(name, variation)
-- The name has the words that stay, and what is left of the others.
SELECT fragment.has_words(name, variation.rest) AND name.search_name LIKE variation.piece FROM name CROSS JOIN variation;

-- fragment: agrees(name, variation) if parts
-- No word is known to be whole. A condition that holds for all names would read the whole index.
SELECT name.search_name LIKE variation.piece FROM name CROSS JOIN variation;

-- name: by_identifier_or_words
-- Organisations by an identifier, then by the whole name, then by all words of it, each nearest name first; former
-- identifiers and names after those of the day. The number of names with the words is bounded, so that a common word
-- costs little more than a rare one.
WITH hit AS (
    SELECT
        claim.service_id,
        '' AS search_name,
        CASE WHEN claim.id_type = 'ticker' THEN claim.issuer || ':' || claim.id_value ELSE claim.id_value END AS text,
        claim.valid_from AS since,
        CASE WHEN fragment.had_ended(claim, %(day)s) THEN claim.valid_to END AS until,
        claim.provenance_id,
        -- Every tier sees the identifier's own location in the document: the subject may be named by a paid number.
        CASE claim.id_type
            WHEN 'lei' THEN 'lei:' || claim.id_value
            WHEN 'ticker' THEN 'ticker:' || claim.issuer || ':' || claim.id_value
            ELSE claim.location
        END AS location,
        FALSE AS is_newest,
        CASE WHEN fragment.had_ended(claim, %(day)s) THEN 2 ELSE 1 END AS place
    FROM serving.identifier_version AS claim
    WHERE
        fragment.is_requested(claim)
        AND claim.id_type = any(%(open_types)s::text[])
        AND (%(issuer)s::text IS NULL OR (claim.issuer = %(issuer)s AND claim.id_type = 'ticker'))
        AND fragment.in_edition(claim, %(edition)s)
        AND fragment.stood_on(claim, %(day)s)
        AND fragment.is_settled(claim.location)
        AND (claim.valid_from IS NULL OR claim.valid_from <= %(day)s)
    UNION ALL
    (
        SELECT fragment.of_name(known), 3 AS place
        FROM serving.organisation AS known
        -- IS TRUE: country and kind are no keys here, since the index would list all organisations that have them.
        WHERE
            known.search_name COLLATE "C" = nullif(%(name)s, '')
            AND fragment.was_known(known) AND (fragment.is_marked(known)) IS TRUE
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT fragment.of_earlier_name(earlier), CASE WHEN fragment.was_over(earlier, %(day)s) THEN 4 ELSE 3 END AS place
        FROM serving.organisation_name AS earlier
        WHERE earlier.search_name COLLATE "C" = nullif(%(name)s, '') AND fragment.was_known_then(earlier)
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT fragment.of_name(known), 5 AS place
        FROM serving.organisation AS known
        WHERE fragment.has_words(known, %(words)s) AND fragment.was_known(known) AND fragment.is_marked(known)
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT fragment.of_earlier_name(earlier), CASE WHEN fragment.was_over(earlier, %(day)s) THEN 6 ELSE 5 END AS place
        FROM serving.organisation_name AS earlier
        WHERE fragment.has_words(earlier, %(words)s) AND fragment.was_known_then(earlier)
        LIMIT %(most)s
    )
),

best AS (
    SELECT DISTINCT ON (hit.service_id)
        hit.*,
        -- The share of the name that the words are.
        CASE WHEN hit.place > 2 THEN (length(%(name)s) / length(hit.search_name)::real)::real ELSE 0 END AS nearness
    FROM hit
    ORDER BY hit.service_id ASC, hit.place ASC, nearness DESC, hit.until DESC NULLS FIRST
),

found AS (
    SELECT best.* FROM best
    WHERE fragment.is_there(best) AND fragment.is_of_kind(best)
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

SELECT fragment.hit_columns(nearest, named, lei, provenance)
FROM nearest
INNER JOIN serving.provenance AS provenance ON nearest.provenance_id = provenance.provenance_id
LEFT JOIN LATERAL (
    SELECT
        CASE WHEN version.search_name <> '' THEN version.legal_name END AS legal_name,
        version.jurisdiction
    FROM serving.organisation_version AS version
    WHERE
        version.service_id = nearest.service_id AND fragment.in_edition(version, %(edition)s)
        AND fragment.stood_on(version, %(day)s)
) AS named ON TRUE
LEFT JOIN LATERAL (
    SELECT min(held.id_value) AS id_value
    FROM serving.identifier_version AS held
    WHERE
        held.service_id = nearest.service_id AND held.id_type = 'lei' AND held.evidence = 'register'
        AND fragment.in_edition(held, %(edition)s)
        AND fragment.stood_on(held, %(day)s) AND fragment.valid_on(held, %(day)s)
) AS lei ON TRUE
ORDER BY nearest.place ASC, nearest.nearness DESC, nearest.search_name ASC, nearest.service_id ASC;

-- name: similar
-- Names that agree with the requested one except for a word or half a word, since a typing error leaves the rest
-- unchanged. Each way to leave something out is the words that stay and a pattern, with a bounded number of matches.
WITH hit AS (
    SELECT DISTINCT ON (name.service_id)
        name.*,
        7 AS place,
        trigram.similarity(name.search_name, %(name)s) AS nearness
    FROM unnest(%(rests)s::text[], %(pieces)s::text[]) AS variation (rest, piece)
    CROSS JOIN
        LATERAL (
            (
                SELECT fragment.of_name(known)
                FROM serving.organisation AS known
                WHERE
                    fragment.agrees(known, variation)
                    AND fragment.was_known(known) AND fragment.is_marked(known)
                LIMIT %(most_similar)s
            )
            UNION ALL
            (
                SELECT fragment.of_earlier_name(earlier)
                FROM serving.organisation_name AS earlier
                WHERE fragment.agrees(earlier, variation) AND fragment.was_known_then(earlier)
                LIMIT %(most_similar)s
            )
        ) AS name
    ORDER BY name.service_id ASC, nearness DESC, name.until DESC NULLS FIRST
),

nearest AS (
    SELECT hit.* FROM hit
    WHERE
        (
            hit.nearness >= %(least)s
            OR hit.search_name LIKE %(parts)s
            OR trigram.strict_word_similarity(%(name)s, hit.search_name) >= %(least_of_words)s
        )
        AND (
            %(after_place)s::integer IS NULL
            OR (-hit.nearness, hit.search_name, hit.service_id)
            > (-(%(after_nearness)s::real), %(after_name)s, %(after_service_id)s)
        )
        AND fragment.is_there(hit) AND fragment.is_of_kind(hit)
    ORDER BY hit.nearness DESC, hit.search_name ASC, hit.service_id ASC
    LIMIT %(rows)s
)

SELECT fragment.hit_columns(nearest, named, lei, provenance)
FROM nearest
INNER JOIN serving.provenance AS provenance ON nearest.provenance_id = provenance.provenance_id
LEFT JOIN LATERAL (
    SELECT
        CASE WHEN version.search_name <> '' THEN version.legal_name END AS legal_name,
        version.jurisdiction
    FROM serving.organisation_version AS version
    WHERE
        version.service_id = nearest.service_id AND fragment.in_edition(version, %(edition)s)
        AND fragment.stood_on(version, %(day)s)
) AS named ON TRUE
LEFT JOIN LATERAL (
    SELECT min(held.id_value) AS id_value
    FROM serving.identifier_version AS held
    WHERE
        held.service_id = nearest.service_id AND held.id_type = 'lei' AND held.evidence = 'register'
        AND fragment.in_edition(held, %(edition)s)
        AND fragment.stood_on(held, %(day)s) AND fragment.valid_on(held, %(day)s)
) AS lei ON TRUE
ORDER BY nearest.nearness DESC, nearest.search_name ASC, nearest.service_id ASC;
