-- name: releases_of_country
-- A country's releases, newest first, each in the content and with the names that were known on a day. A page
-- begins where the last one ended, or at the newest release of the edition: what was released since is passed over.
SELECT
    release.ocid,
    release.release_id AS id,
    release.sorted_at AS date,
    release.body::text AS body,
    coalesce(known.parties, '[]') AS parties,
    free.texts,
    release.has_text,
    release.country,
    jsonb_array_length(release.parties) AS mentioned,
    release.vintage,
    release.available_at,
    provenance.available_at_basis,
    provenance.document_ref || '#' || release.ocid || '/' || release.release_id AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    release.provenance_id::text AS provenance_id,
    release.fact_id::text AS fact_id
FROM (
    SELECT told.*
    FROM serving.tender_release AS told
    WHERE
        told.country = %(country)s
        AND told.sorted_at >= %(since)s
        AND told.sorted_at <= least(
            %(until)s, %(day)s::date + interval '2 days',
            (
                SELECT newest.newest_at
                FROM serving.tender_country AS newest
                WHERE
                    newest.country = %(country)s
                    AND fragment.in_edition(newest, %(edition)s)
            )
        )
        AND (
            told.sorted_at < %(until)s
            OR (told.ocid, told.release_id, told.source) > (%(after_ocid)s, %(after_release)s, %(after_source)s)
        )
        AND fragment.in_edition(told, %(edition)s)
        AND fragment.known_on(told, %(day)s)
    ORDER BY told.sorted_at DESC, told.ocid ASC, told.release_id ASC, told.source ASC
    LIMIT %(rows)s
) AS release
INNER JOIN serving.provenance AS provenance ON release.provenance_id = provenance.provenance_id
LEFT JOIN serving.tender_text AS free
    ON
        release.fact_id = free.fact_id
        AND fragment.in_edition(free, %(edition)s)
CROSS JOIN
    LATERAL (
        SELECT
            jsonb_agg(
                jsonb_build_array(
                    party.place - 1, organisation.service_id, named.legal_name, party.told -> 1, named.name_as_of
                ) ORDER BY party.place
            ) AS parties
        FROM jsonb_array_elements(release.parties) WITH ORDINALITY AS party (told, place)
        -- There is one row at most of each; saying so makes each a look-up, however many the planner expects.
        CROSS JOIN
            LATERAL (
                SELECT issued.resolves_to
                FROM serving.issued_id AS issued
                WHERE
                    issued.service_id = party.told ->> 0
                    AND fragment.in_edition(issued, %(edition)s)
                LIMIT 1
            ) AS answering
        CROSS JOIN
            LATERAL (
                SELECT known.service_id
                FROM serving.organisation AS known
                WHERE
                    known.service_id = answering.resolves_to
                    AND fragment.in_edition(known, %(edition)s)
                LIMIT 1
            ) AS organisation
        LEFT JOIN LATERAL (
            SELECT known.legal_name, known.name_as_of
            FROM serving.organisation_version AS known
            WHERE
                known.service_id = answering.resolves_to
                AND fragment.in_edition(known, %(edition)s)
                AND fragment.stood_on(known, %(day)s)
            LIMIT 1
        ) AS named ON TRUE
    ) AS known
ORDER BY release.sorted_at DESC, release.ocid ASC, release.release_id ASC, release.source ASC;

-- columns: part_row(part, organisation, provenance)
SELECT
    part.service_id,
    organisation.legal_name AS name,
    part.role,
    part.country,
    part.first_release,
    part.last_release,
    part.releases,
    organisation.established_by,
    organisation.rule_version,
    provenance.document_ref || CASE part.location WHEN '' THEN '' ELSE '#' || part.location END AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    part.provenance_id::text AS provenance_id
FROM part
CROSS JOIN organisation
CROSS JOIN provenance;

-- name: parts_of_all
-- The parts that organisations play, in the order of their ids.
SELECT fragment.part_row(part, organisation, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
WHERE
    (part.service_id, part.role, part.country) > (%(after_service_id)s, %(after_role)s, %(after_country)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
ORDER BY part.service_id ASC, part.role ASC, part.country ASC
LIMIT %(rows)s;

-- name: parts_of_country
-- The parts that organisations play in one country.
SELECT fragment.part_row(part, organisation, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
WHERE
    part.country = %(country)s
    AND (part.service_id, part.role) > (%(after_service_id)s, %(after_role)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
ORDER BY part.service_id ASC, part.role ASC
LIMIT %(rows)s;

-- name: parts_of_organisation
-- The parts that one organisation plays, under the id that answers for the one asked about.
SELECT fragment.part_row(part, organisation, provenance)
FROM serving.issued_id AS asked
INNER JOIN serving.tender_party AS part ON asked.resolves_to = part.service_id
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
WHERE
    asked.service_id = %(service_id)s
    AND fragment.in_edition(asked, %(edition)s)
    AND (part.service_id, part.role, part.country) > (%(after_service_id)s, %(after_role)s, %(after_country)s)
    AND (%(country)s::text IS NULL OR part.country = %(country)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
ORDER BY part.service_id ASC, part.role ASC, part.country ASC
LIMIT %(rows)s;
