-- name: planned
-- How many parts an archive was divided into by an earlier attempt, and the moment of the fetch that it is known by.
SELECT count(part.part), document.fetched_at
FROM ops.document AS document
LEFT JOIN ops.archive_part AS part ON document.document_id = part.document_id
WHERE document.document_id = %(document_id)s
GROUP BY document.fetched_at;

-- name: plan
INSERT INTO ops.archive_part (document_id, part, place, members, is_screened)
VALUES (%(document_id)s, %(part)s, %(place)s, %(members)s, %(is_screened)s);

-- name: undone
SELECT part.part, part.place, part.members, part.is_screened
FROM ops.archive_part AS part
WHERE part.document_id = %(document_id)s AND part.done IS NULL
ORDER BY part.part;

-- name: is_undone
SELECT 1 FROM ops.archive_part AS part
WHERE part.document_id = %(document_id)s AND part.part = %(part)s AND part.done IS NULL;

-- name: known_members
-- Files of the archive fetched last before this one. A file of a held archive cannot be relied on, and hides those of
-- older archives.
SELECT last.name, last.packed_sha256, last.facts_read, last.newest, last.rejected
FROM (
    SELECT DISTINCT ON (member.name) member.*
    FROM ops.archive_member AS member
    INNER JOIN ops.document AS document ON member.document_id = document.document_id
    WHERE
        member.source = %(source)s AND member.name = any(%(names)s::text[])
        AND (document.fetched_at, document.sha256) < (%(fetched_at)s, %(sha256)s)
    ORDER BY member.name ASC, document.fetched_at DESC, document.sha256 DESC
) AS last
WHERE last.document_id NOT IN (SELECT waiting.document_id FROM ops.held_back AS waiting);

-- name: note_member
INSERT INTO ops.archive_member (source, name, document_id, packed_sha256, facts_read, newest, rejected)
VALUES (
    %(source)s, %(name)s, %(document_id)s, %(packed_sha256)s, %(facts_read)s, %(newest)s, %(rejected)s
);

-- name: done
UPDATE ops.archive_part
SET done = %(done)s, subjects = %(subjects)s
WHERE document_id = %(document_id)s AND part = %(part)s;

-- name: results
SELECT part.done::text FROM ops.archive_part AS part
WHERE part.document_id = %(document_id)s
ORDER BY part.part;

-- name: is_screened
SELECT 1 FROM ops.archive_part AS part
WHERE part.document_id = %(document_id)s AND part.is_screened
LIMIT 1;

-- name: touch
INSERT INTO ops.batch_subject (batch_id, subject_id)
SELECT DISTINCT %(batch_id)s::integer, touched.subject_id
FROM ops.archive_part AS part
CROSS JOIN LATERAL unnest(part.subjects) AS touched (subject_id)
WHERE part.document_id = %(document_id)s;

-- name: forget
DELETE FROM ops.archive_part WHERE document_id = %(document_id)s;

-- name: claim
SELECT pg_try_advisory_lock(%(lock)s);

-- name: await
SELECT pg_advisory_lock(%(lock)s);

-- name: give_up
SELECT pg_advisory_unlock(%(lock)s);

-- name: outside_runs
-- Documents of an open run count as held: a part must not depend on them, because a later run may release this archive
-- without them.
SELECT set_config('sankofa.run', '', FALSE);
