-- name: newest
-- The edition to export, and the newest takedown.
SELECT
    edition.edition,
    (SELECT coalesce(max(takedown.takedown), 0) FROM serving.takedown AS takedown) AS takedown
FROM serving.edition AS edition
ORDER BY edition.edition DESC
LIMIT 1;

-- name: prefix
-- The key prefix of this installation's files.
SELECT left(instance.instance_id::text, 8) || '/' AS prefix FROM ops.instance AS instance;

-- name: sha256_of
SELECT artifact.sha256 FROM ops.artifact AS artifact
WHERE artifact.name = %(name)s;

-- name: record
-- A file about organisations, or a table of such files, is recorded only if no takedown happened meanwhile.
INSERT INTO ops.artifact (
    edition, first_edition, last_edition, part, parts, after_row, until_row, takedown, rows, bytes, sha256, subject,
    kind, name, license_class, url, object_key, columns
)
SELECT
    %(edition)s, %(first)s, %(last)s, %(part)s, %(parts)s, %(after)s, %(until)s, %(takedown)s, %(rows)s, %(bytes)s,
    %(sha256)s, %(subject)s, %(kind)s, %(name)s, %(license_class)s, %(url)s, %(object_key)s, %(columns)s::jsonb
WHERE
    %(kind)s NOT IN ('rows', 'rows_table', 'rows_manifest')
    OR %(takedown)s = (SELECT coalesce(max(takedown.takedown), 0) FROM serving.takedown AS takedown)
RETURNING artifact_id;

-- name: kept
-- Files whose objects must stay.
SELECT standing.name FROM ops.artifact_standing AS standing
WHERE standing.standing <> 'void';

-- name: void
-- Files with rows about organisations, and tables of these, whose objects must be removed.
SELECT standing.name FROM ops.artifact_standing AS standing
WHERE standing.standing = 'void' AND standing.kind IN ('rows', 'rows_table', 'rows_manifest');

-- name: listed
-- Files of the open or of the licensed bucket that editions list, with the first of them, or those of one edition.
SELECT min(artifact.published_in) AS edition, artifact.name, artifact.object_key, artifact.sha256
FROM serving.artifact AS artifact
WHERE (artifact.kind = 'panel') = %(is_open)s
GROUP BY artifact.name, artifact.object_key, artifact.sha256
HAVING %(edition)s::integer IS NULL OR min(artifact.published_in) = %(edition)s
ORDER BY edition, artifact.name;

-- name: closings_until
-- The last of the next `step` row ids that editions closed.
SELECT max(following.row_id) FROM (
    SELECT closing.row_id FROM serving.closing AS closing
    WHERE
        closing.dataset = %(table)s AND closing.closed_in BETWEEN %(first)s AND %(last)s
        AND closing.row_id > %(after)s
    ORDER BY closing.row_id
    LIMIT %(step)s
) AS following;
