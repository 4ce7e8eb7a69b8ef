-- name: has_new
SELECT 1 FROM ops.edition_holds AS held
WHERE held.kind = 'artifact' AND held.edition = %(edition)s
LIMIT 1;

-- name: files
-- All recorded files with their states.
SELECT
    artifact.name,
    artifact.artifact_id,
    artifact.first_edition,
    artifact.last_edition,
    artifact.part,
    artifact.parts,
    artifact.after_row,
    artifact.until_row,
    artifact.rows,
    standing.standing,
    live.name IS NOT NULL AS is_live,
    artifact.object_key,
    artifact.license_class,
    artifact.columns,
    artifact.subject,
    artifact.kind
FROM ops.artifact AS artifact
INNER JOIN ops.artifact_standing AS standing ON artifact.artifact_id = standing.artifact_id
LEFT JOIN serving.artifact AS live ON artifact.name = live.name AND fragment.is_live(live)
WHERE
    (%(subject)s::text IS NULL OR artifact.subject = %(subject)s)
    AND (%(kind)s::text IS NULL OR artifact.kind = %(kind)s);

-- name: enter
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT DISTINCT artifact.subject FROM ops.artifact AS artifact;

-- name: target
CREATE TEMPORARY TABLE target ON COMMIT DROP AS
SELECT
    row_number() OVER () AS target_id,
    artifact.name,
    artifact.subject,
    artifact.kind,
    artifact.edition,
    artifact.first_edition,
    artifact.last_edition,
    artifact.after_row,
    artifact.until_row,
    artifact.rows,
    artifact.bytes,
    artifact.sha256,
    artifact.license_class,
    artifact.url,
    artifact.object_key,
    artifact.columns
FROM ops.artifact AS artifact
WHERE artifact.name = any(%(names)s::text[]);
