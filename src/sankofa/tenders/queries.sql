-- name: members
-- All ids of the organisation of the requested id, unless it was taken down.
SELECT answering.service_id
FROM serving.issued_id AS requested
INNER JOIN serving.organisation AS organisation ON requested.resolves_to = organisation.service_id
INNER JOIN serving.issued_id AS answering ON organisation.service_id = answering.resolves_to
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(organisation, %(edition)s)
    AND fragment.in_edition(requested, %(edition)s)
    AND fragment.in_edition(answering, %(edition)s);

-- name: titles
-- The titles of processes as their compiled records have them (TEN-8): that of the last release known on the day that states
-- one, and none if the text of that release is withheld.
SELECT process.process_key::text AS process_key, free.texts[latest.place + 1] AS title
FROM unnest(%(processes)s::uuid[]) AS process (process_key)
CROSS JOIN
    LATERAL (
        SELECT candidate.fact_id, (candidate.body #>> '{tender,title}')::integer AS place
        FROM serving.tender_release AS candidate
        WHERE
            candidate.process_key = process.process_key
            AND candidate.sorted_at <= fragment.latest_on(%(day)s)
            AND fragment.in_edition(candidate, %(edition)s)
            AND fragment.known_on(candidate, %(day)s)
            AND candidate.body #>> '{tender,title}' IS NOT NULL
        ORDER BY candidate.sorted_at DESC, candidate.release_id DESC
        LIMIT 1
    ) AS latest
CROSS JOIN
    LATERAL (
        SELECT held.texts
        FROM serving.tender_text AS held
        WHERE held.fact_id = latest.fact_id AND fragment.in_edition(held, %(edition)s)
        LIMIT 1
    ) AS free;

-- fragment: name_on(part, day)
-- The name of the organisation as known on the day.
SELECT
    (
        SELECT known.legal_name
        FROM serving.organisation_version AS known
        WHERE
            known.service_id = part.service_id
            AND fragment.in_edition(known, %(edition)s)
            AND fragment.stood_on(known, day)
        LIMIT 1
    )
FROM part
CROSS JOIN day;

-- columns: part_row(part, organisation, named, provenance)
SELECT
    part.service_id,
    named.legal_name AS name,
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
CROSS JOIN named
CROSS JOIN provenance;

-- name: parts_of_all
-- The roles of organisations, in the order of their ids.
SELECT fragment.part_row(part, organisation, named, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN LATERAL fragment.name_on(part, %(day)s) AS named ON TRUE
WHERE
    (part.service_id, part.role, part.country) > (%(after_service_id)s, %(after_role)s, %(after_country)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
    AND fragment.known_on(part, %(day)s)
ORDER BY part.service_id ASC, part.role ASC, part.country ASC
LIMIT %(rows)s;

-- name: parts_of_country
-- The roles of organisations in one country.
SELECT fragment.part_row(part, organisation, named, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN LATERAL fragment.name_on(part, %(day)s) AS named ON TRUE
WHERE
    part.country = %(country)s
    AND (part.service_id, part.role) > (%(after_service_id)s, %(after_role)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
    AND fragment.known_on(part, %(day)s)
ORDER BY part.service_id ASC, part.role ASC
LIMIT %(rows)s;

-- fragment: is_after(part)
-- The role comes after the last one of the previous page, in the order of the number of releases.
SELECT
    part.releases <= %(after_releases)s
    AND (
        part.releases < %(after_releases)s
        OR (part.service_id, part.role, part.country) > (%(after_service_id)s, %(after_role)s, %(after_country)s)
    )
FROM part;

-- name: largest_parts_of_all
-- The roles of organisations, most releases first.
SELECT fragment.part_row(part, organisation, named, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN LATERAL fragment.name_on(part, %(day)s) AS named ON TRUE
WHERE
    fragment.is_after(part)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
    AND fragment.known_on(part, %(day)s)
ORDER BY part.releases DESC, part.service_id ASC, part.role ASC, part.country ASC
LIMIT %(rows)s;

-- name: largest_parts_of_country
-- The roles of organisations in one country, most releases first.
SELECT fragment.part_row(part, organisation, named, provenance)
FROM serving.tender_party AS part
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN LATERAL fragment.name_on(part, %(day)s) AS named ON TRUE
WHERE
    part.country = %(country)s
    AND fragment.is_after(part)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
    AND fragment.known_on(part, %(day)s)
ORDER BY part.releases DESC, part.service_id ASC, part.role ASC
LIMIT %(rows)s;

-- name: parts_of_organisation
-- The roles of one organisation, under the id that the requested one resolves to.
SELECT fragment.part_row(part, organisation, named, provenance)
FROM serving.issued_id AS requested
INNER JOIN serving.tender_party AS part ON requested.resolves_to = part.service_id
INNER JOIN serving.provenance AS provenance ON part.provenance_id = provenance.provenance_id
INNER JOIN serving.organisation AS organisation
    ON
        part.service_id = organisation.service_id
        AND fragment.in_edition(organisation, %(edition)s)
LEFT JOIN LATERAL fragment.name_on(part, %(day)s) AS named ON TRUE
WHERE
    requested.service_id = %(service_id)s
    AND fragment.in_edition(requested, %(edition)s)
    AND (part.service_id, part.role, part.country) > (%(after_service_id)s, %(after_role)s, %(after_country)s)
    AND (%(country)s::text IS NULL OR part.country = %(country)s)
    AND (%(role)s::text IS NULL OR part.role = %(role)s)
    AND fragment.in_edition(part, %(edition)s)
    AND fragment.known_on(part, %(day)s)
ORDER BY part.service_id ASC, part.role ASC, part.country ASC
LIMIT %(rows)s;
