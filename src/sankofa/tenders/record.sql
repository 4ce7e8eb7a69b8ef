-- name: stage
CREATE TEMPORARY TABLE IF NOT EXISTS staged_release (
    staged integer NOT NULL, ocid text NOT NULL, release_id text NOT NULL, released_at timestamptz, day date,
    text_flags text NOT NULL, body jsonb NOT NULL, mentions jsonb NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS stated_release (
    staged integer NOT NULL, release_key uuid NOT NULL, content uuid NOT NULL
);
CREATE TEMPORARY TABLE IF NOT EXISTS appended_release (release_key uuid NOT NULL, content uuid NOT NULL);
TRUNCATE staged_release, stated_release, appended_release;

-- name: copy
COPY staged_release FROM STDIN;

-- name: state
-- What each staged release says is its identity; a document that repeats one says it once.
INSERT INTO stated_release (staged, release_key, content)
SELECT DISTINCT ON (release_key, content) staged, release_key, content
FROM (
    SELECT
        release.staged,
        md5(concat_ws('|', %(source)s::text, release.ocid, release.release_id))::uuid AS release_key,
        md5(concat_ws(
            '|', release.released_at, release.text_flags, release.body, release.mentions
        ))::uuid AS content
    FROM staged_release AS release
) AS hashed
ORDER BY release_key, content, staged;

-- name: append
-- Contents that no document fetched earlier shows. The first content of a release that we saw counts from the
-- publisher's date on; another one of the same release, from the day we saw it.
WITH put AS (
    INSERT INTO ledger.release (
        release_key, content, document_id, available_at, released_at, available_at_basis, source, country, ocid,
        release_id, text_flags, body
    )
    SELECT
        stated.release_key, stated.content, %(document_id)s, coalesce(release.day, %(fetched_on)s),
        release.released_at, CASE WHEN release.day IS NULL THEN 'first_seen' ELSE 'publisher' END,
        %(source)s, %(country)s, release.ocid, release.release_id,
        string_to_array(release.text_flags, ' '), release.body
    FROM stated_release AS stated
    INNER JOIN staged_release AS release ON stated.staged = release.staged
    WHERE
        NOT EXISTS (
            SELECT FROM ledger.release AS known
            INNER JOIN ops.document AS document ON known.document_id = document.document_id
            WHERE
                known.release_key = stated.release_key AND known.content = stated.content
                AND (document.fetched_at, document.sha256) <= (%(fetched_at)s, %(sha256)s)
        )
    ON CONFLICT DO NOTHING
    RETURNING release_key, content
)

INSERT INTO appended_release SELECT release_key, content FROM put;

-- name: append_parties
INSERT INTO ledger.release_party (subject_id, release_key, content, place, is_named_in_text, roles)
SELECT
    subject.subject_id,
    stated.release_key,
    stated.content,
    mention.place - 1,
    (mention.told ->> 1)::boolean,
    array(SELECT jsonb_array_elements_text(mention.told -> 2))
FROM appended_release AS appended
INNER JOIN stated_release AS stated
    ON appended.release_key = stated.release_key AND appended.content = stated.content
INNER JOIN staged_release AS release ON stated.staged = release.staged
CROSS JOIN LATERAL jsonb_array_elements(release.mentions) WITH ORDINALITY AS mention (told, place)
INNER JOIN ledger.subject AS subject ON mention.told ->> 0 = subject.identifier
ON CONFLICT DO NOTHING;

-- name: count_appended
SELECT count(*) FROM appended_release;

-- name: touch_releases
INSERT INTO ops.batch_release (batch_id, release_key)
SELECT DISTINCT %(batch_id)s::integer, appended.release_key
FROM appended_release AS appended;
