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
