-- name: artifacts
-- The files of some kinds that an edition lists, by name.
SELECT
    artifact.name,
    artifact.subject,
    artifact.kind,
    artifact.edition,
    artifact.first_edition,
    artifact.last_edition,
    artifact.license_class,
    artifact.rows,
    artifact.bytes,
    encode(artifact.sha256, 'hex') AS sha256,
    artifact.columns,
    artifact.url
FROM serving.artifact AS artifact
WHERE
    artifact.name > %(after)s
    AND artifact.kind = any(%(kinds)s::text[])
    AND fragment.in_edition(artifact, %(edition)s)
ORDER BY artifact.name
LIMIT %(rows)s;

-- name: key_of_file
-- The object key of a licensed file that an edition lists.
SELECT artifact.object_key FROM serving.artifact AS artifact
WHERE
    artifact.name = %(name)s AND artifact.kind <> 'panel'
    AND fragment.in_edition(artifact, %(edition)s);

-- name: address_of_panel
-- The public URL of the newest file of a panel that an edition lists.
SELECT artifact.url FROM serving.artifact AS artifact
WHERE
    artifact.subject = %(panel)s AND artifact.kind = 'panel'
    AND fragment.in_edition(artifact, %(edition)s)
ORDER BY artifact.edition DESC, artifact.name ASC
LIMIT 1;

-- name: file_of_panel
-- The newest file of a panel that an edition lists, and the day of the edition that it was made from.
SELECT
    artifact.name,
    artifact.edition,
    (edition.published_at AT TIME ZONE 'UTC')::date AS day,
    artifact.license_class,
    artifact.bytes,
    encode(artifact.sha256, 'hex') AS sha256,
    artifact.columns
FROM serving.artifact AS artifact
INNER JOIN serving.edition AS edition ON artifact.edition = edition.edition
WHERE
    artifact.subject = %(panel)s AND artifact.kind = 'panel'
    AND fragment.in_edition(artifact, %(edition)s)
ORDER BY artifact.edition DESC, artifact.name ASC
LIMIT 1;

-- name: months_of_panel
-- The first and the last month of the rows that the file of a panel holds, if it was made from the edition: those
-- that `panel` of `panels.sql` selects.
WITH held AS NOT MATERIALIZED (
    SELECT signal.month FROM serving.signal AS signal
    WHERE
        signal.panel = %(panel)s
        AND signal.license_class = any(%(licences)s::text[])
        AND EXISTS (
            SELECT FROM serving.edition AS edition
            WHERE
                edition.edition >= signal.published_in AND edition.edition <= %(edition)s
                AND edition.edition < signal.superseded_in
                AND (edition.published_at AT TIME ZONE 'UTC')::date >= signal.month + interval '1 month'
        )
)

SELECT
    (SELECT held.month FROM held ORDER BY held.month ASC LIMIT 1) AS first_month,
    (SELECT held.month FROM held ORDER BY held.month DESC LIMIT 1) AS last_month;
