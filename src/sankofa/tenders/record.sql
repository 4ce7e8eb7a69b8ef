-- name: stage
CREATE TEMPORARY TABLE IF NOT EXISTS staged_release (
    staged integer NOT NULL, content uuid NOT NULL, ocid text NOT NULL, release_id text NOT NULL,
    released_at timestamptz, released_on date, text_flags text NOT NULL, texts jsonb NOT NULL, body jsonb NOT NULL,
    mentions jsonb NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS identified_release (
    staged integer NOT NULL, process_key uuid NOT NULL, release_key uuid NOT NULL, content uuid NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS appended_release (staged integer NOT NULL);
TRUNCATE staged_release, identified_release, appended_release;

-- name: copy
COPY staged_release FROM STDIN;

-- name: state
-- A release that a document repeats counts once.
INSERT INTO identified_release (staged, process_key, release_key, content)
SELECT DISTINCT ON (process_key, release_key, content) staged, process_key, release_key, content
FROM (
    SELECT
        release.staged,
        md5(concat_ws('|', %(source)s::text, release.ocid))::uuid AS process_key,
        md5(concat_ws('|', %(source)s::text, release.ocid, release.release_id))::uuid AS release_key,
        release.content
    FROM staged_release AS release
) AS hashed
ORDER BY process_key, release_key, content, staged;

-- name: append
-- Contents that are new.
WITH put AS (
    INSERT INTO ledger.release (
        process_key, release_key, content, released_at, released_on, source, country, ocid, release_id, text_flags,
        texts, body
    )
    SELECT
        identified.process_key, identified.release_key, identified.content, release.released_at, release.released_on,
        %(source)s, %(country)s, release.ocid, release.release_id, string_to_array(release.text_flags, ' '),
        array(SELECT jsonb_array_elements_text(release.texts)), release.body
    FROM identified_release AS identified
    INNER JOIN staged_release AS release ON identified.staged = release.staged
    ON CONFLICT DO NOTHING
    RETURNING process_key, release_key, content
)

INSERT INTO appended_release (staged)
SELECT identified.staged
FROM put
INNER JOIN identified_release AS identified
    ON
        put.process_key = identified.process_key AND put.release_key = identified.release_key
        AND put.content = identified.content;

-- name: append_parties
INSERT INTO ledger.release_party (
    process_key, release_key, content, subject_id, place, is_named_in_text, is_named_in_id, roles, record
)
SELECT
    identified.process_key,
    identified.release_key,
    identified.content,
    party.subject_id,
    mention.place - 1,
    (mention.fields ->> 1)::boolean,
    (mention.fields ->> 2)::boolean,
    array(SELECT jsonb_array_elements_text(mention.fields -> 3)),
    party.record
FROM appended_release AS appended
INNER JOIN identified_release AS identified ON appended.staged = identified.staged
INNER JOIN staged_release AS release ON appended.staged = release.staged
CROSS JOIN LATERAL jsonb_array_elements(release.mentions) WITH ORDINALITY AS mention (fields, place)
INNER JOIN mentioned AS party ON (mention.fields ->> 0)::integer = party.staged;

-- name: append_sightings
INSERT INTO ledger.release_sighting (process_key, release_key, content, document_id)
SELECT identified.process_key, identified.release_key, identified.content, %(document_id)s
FROM identified_release AS identified;

-- name: extent
SELECT count(DISTINCT staged.ocid), max(staged.released_on) FROM staged_release AS staged;

-- name: count_appended
SELECT count(*) FROM appended_release;

-- name: touch_processes
INSERT INTO ops.batch_process (batch_id, process_key)
SELECT DISTINCT %(batch_id)s::integer, identified.process_key
FROM identified_release AS identified;
