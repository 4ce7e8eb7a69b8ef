-- Variants instead of one statement with optional filters, so that each is planned for its index. Without a variant, a
-- country's releases are read; `marked` finds those with the requested traits, `worded` by words of titles too, and
-- `of_process` those of one process.

-- order: newest_first(candidate)
SELECT FROM candidate
ORDER BY candidate.sorted_at DESC, candidate.ocid ASC, candidate.release_id ASC, candidate.source ASC;

-- fragment: page(most)
SELECT
    (
        SELECT candidate.*
        FROM serving.tender_release AS candidate
        WHERE
            candidate.country = %(country)s
            AND candidate.sorted_at <= fragment.newest_in(%(country)s)
            AND fragment.is_on_page(candidate)
        ORDER BY fragment.newest_first(candidate)
        LIMIT most
    )
FROM most;

-- fragment: page(most) if marked
SELECT
    (
        SELECT found.*
        FROM (
            SELECT one.number
            FROM generate_series(%(last_month)s::bigint, %(first_month)s::bigint, -1) AS one (number)
            WHERE fragment.is_held(one.number, %(country)s)
            ORDER BY one.number DESC
        ) AS month
        CROSS JOIN
            LATERAL (
                SELECT candidate.*
                FROM serving.tender_release AS candidate
                WHERE
                    fragment.has_all(candidate.marks, month.number)
                    AND fragment.is_on_page(candidate)
                    AND fragment.is_valued(candidate)
                ORDER BY fragment.newest_first(candidate)
                LIMIT most
            ) AS found
        ORDER BY month.number DESC, fragment.newest_first(found)
        LIMIT most
    )
FROM most;

-- fragment: page(most) if worded
SELECT
    (
        SELECT found.*
        FROM (
            SELECT one.number
            FROM generate_series(%(last_month)s::bigint, %(first_month)s::bigint, -1) AS one (number)
            WHERE fragment.is_held(one.number, %(country)s)
            ORDER BY one.number DESC
        ) AS month
        CROSS JOIN
            LATERAL (
                SELECT candidate.*
                FROM serving.tender_text AS titled
                INNER JOIN serving.tender_release AS candidate
                    ON titled.process_key = candidate.process_key AND titled.fact_id = candidate.fact_id
                WHERE
                    fragment.has_all(titled.marks, month.number)
                    AND fragment.in_edition(titled, %(edition)s)
                    AND fragment.is_on_page(candidate)
                    AND fragment.is_valued(candidate)
                ORDER BY fragment.newest_first(candidate)
                LIMIT most
            ) AS found
        ORDER BY month.number DESC, fragment.newest_first(found)
        LIMIT most
    )
FROM most;

-- fragment: page(most) if of_process
SELECT
    (
        SELECT candidate.*
        FROM serving.tender_release AS candidate
        LEFT JOIN serving.tender_text AS titled
            ON candidate.fact_id = titled.fact_id AND fragment.in_edition(titled, %(edition)s)
        CROSS JOIN LATERAL (SELECT fragment.month_of(candidate.sorted_at) AS number) AS month
        CROSS JOIN LATERAL (SELECT coalesce(titled.marks, candidate.marks) AS marks) AS known
        WHERE
            candidate.marks @> ARRAY[%(process)s::bigint]
            AND candidate.ocid = %(ocid)s
            AND fragment.has_all(known.marks, month.number)
            AND fragment.is_on_page(candidate)
            AND fragment.is_valued(candidate)
        ORDER BY fragment.newest_first(candidate)
        LIMIT most
    )
FROM most;

-- name: releases
-- Releases, newest first, each with the content and the names known on a day. A page begins where the last
-- one ended, or at the newest release of the edition.
SELECT
    release.ocid,
    release.release_id AS id,
    release.sorted_at AS date,
    release.body::text AS body,
    coalesce(known.parties::text, '[]') AS parties,
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
    release.fact_id::text AS fact_id,
    release.process_key::text AS process_key
FROM fragment.page(%(rows)s) AS release
INNER JOIN serving.provenance AS provenance ON release.provenance_id = provenance.provenance_id
LEFT JOIN serving.tender_text AS free
    ON
        release.fact_id = free.fact_id
        AND fragment.in_edition(free, %(edition)s)
CROSS JOIN
    LATERAL (
        SELECT
            json_agg(
                json_build_array(
                    party.place - 1, organisation.service_id, named.legal_name, party.fields -> 1, named.name_as_of
                ) ORDER BY party.place
            ) AS parties
        FROM jsonb_array_elements(release.parties) WITH ORDINALITY AS party (fields, place)
        -- There is at most one row of each; LIMIT 1 makes each a look-up, whatever the planner expects.
        CROSS JOIN
            LATERAL (
                SELECT issued.resolves_to
                FROM serving.issued_id AS issued
                WHERE
                    issued.service_id = party.fields ->> 0
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
ORDER BY fragment.newest_first(release);
