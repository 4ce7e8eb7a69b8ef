-- name: touch
-- Organisations that touched processes mention, and those that a party no longer resolves to.
INSERT INTO build.touched_party (service_id)
SELECT answering.resolves_to
FROM build.touched_process AS touched
INNER JOIN ledger.release_party AS party ON touched.process_key = party.process_key
INNER JOIN ops.issued_id AS issued ON party.subject_id = issued.subject_id
INNER JOIN serving.issued_id AS answering
    ON issued.service_id = answering.service_id AND fragment.is_live(answering)
UNION
SELECT was.resolves_to
FROM build.answered_before AS was
LEFT JOIN serving.issued_id AS now ON was.service_id = now.service_id AND fragment.is_live(now)
WHERE now.resolves_to IS DISTINCT FROM was.resolves_to;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT service_id FROM build.touched_party
WHERE service_id > %(after)s AND service_id <= %(until)s;

-- name: members
-- The ids that resolve to each organisation of the chunk, and their subjects.
CREATE TEMPORARY TABLE member ON COMMIT DROP AS
SELECT
    touched.service_id AS survivor,
    answering.service_id,
    issued.subject_id,
    array_agg(answering.service_id) OVER (PARTITION BY touched.service_id) AS all_ids
FROM touched
INNER JOIN serving.issued_id AS answering
    ON touched.service_id = answering.resolves_to AND fragment.is_live(answering)
INNER JOIN ops.issued_id AS issued ON answering.service_id = issued.service_id;

-- name: processes
CREATE TEMPORARY TABLE process ON COMMIT DROP AS
SELECT DISTINCT party.process_key
FROM member
INNER JOIN ledger.release_party AS party ON member.subject_id = party.subject_id;

-- name: parts
-- The roles of organisations in the contents of releases of these processes, with the days on which each was the latest
-- known and was served (`latest_on`).
CREATE TEMPORARY TABLE part ON COMMIT DROP AS
SELECT
    party.entry ->> 0 AS service_id,
    role.name AS role,
    release.country,
    release.fact_id,
    release.provenance_id,
    release.sorted_at,
    greatest(release.available_at, (release.sorted_at AT TIME ZONE 'UTC' - interval '1 day 1 microsecond')::date)
        AS known_from,
    release.known_until,
    release.named_in_ids,
    release.ocid || '/' || release.release_id AS location,
    concat_ws(chr(1), release.ocid, release.release_id, release.source) COLLATE "C" AS place
FROM process
INNER JOIN serving.tender_release AS release
    ON
        process.process_key = release.process_key
        AND fragment.is_live(release)
CROSS JOIN LATERAL jsonb_array_elements(release.parties) AS party (entry)
CROSS JOIN LATERAL jsonb_array_elements_text(party.entry -> 1) AS role (name);

-- name: moved
-- Roles that moved to another organisation because an id resolves to another one than before: as the old organisation
-- had them, and as the new one has them.
CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
SELECT DISTINCT of_either.part_id
FROM build.answered_before AS was
INNER JOIN serving.issued_id AS now
    ON
        was.service_id = now.service_id AND was.resolves_to <> now.resolves_to
        AND fragment.is_live(now)
INNER JOIN touched ON touched.service_id IN (was.resolves_to, now.resolves_to)
INNER JOIN serving.tender_party AS held
    ON was.resolves_to = held.service_id AND fragment.in_edition(held, %(edition)s - 1)
CROSS JOIN LATERAL (
    VALUES (held.part_id), (md5(concat_ws('|', now.resolves_to, held.role, held.country))::uuid)
) AS of_either (part_id);

-- name: spans
-- The releases of each role by the days from and until which they count so. A release counts once, even if it names the
-- organisation by several ids. The newest one is cited, without its id if that names another party; of several, the first
-- in the order of TEN-1.
WITH played AS (
    SELECT DISTINCT
        member.survivor,
        part.role,
        part.country,
        part.fact_id,
        part.provenance_id,
        part.sorted_at,
        part.known_from,
        part.known_until,
        part.place,
        CASE WHEN part.named_in_ids <@ member.all_ids THEN part.location ELSE '' END AS location
    FROM member
    INNER JOIN part ON member.service_id = part.service_id
    WHERE part.known_from < part.known_until
)

SELECT
    played.survivor,
    played.role,
    played.country,
    played.known_from,
    nullif(played.known_until, 'infinity') AS known_until,
    count(*) AS releases,
    min(played.sorted_at) AS first_at,
    max(played.sorted_at) AS last_at,
    (array_agg(played.place ORDER BY played.sorted_at DESC, played.place ASC))[1] AS place,
    (array_agg(played.provenance_id::text ORDER BY played.sorted_at DESC, played.place ASC))[1] AS provenance_id,
    (array_agg(played.location ORDER BY played.sorted_at DESC, played.place ASC))[1] AS location
FROM played
GROUP BY played.survivor, played.role, played.country, played.known_from, played.known_until
ORDER BY played.survivor, played.role, played.country;

-- name: vintages
CREATE TEMPORARY TABLE vintage (
    service_id text NOT NULL, role text NOT NULL, country text NOT NULL, available_at date NOT NULL,
    known_until date NOT NULL, first_release date NOT NULL, last_release date NOT NULL, releases integer NOT NULL,
    provenance_id uuid NOT NULL, location text NOT NULL
) ON COMMIT DROP;

-- name: copy_vintages
COPY vintage FROM STDIN;

-- name: target_parties
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    vintage.*,
    md5(concat_ws('|', vintage.service_id, vintage.role, vintage.country))::uuid AS part_id
FROM vintage;
