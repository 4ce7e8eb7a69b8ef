-- name: unfinished_build
SELECT build.edition
FROM ops.edition_build AS build
LEFT JOIN serving.edition AS edition ON build.edition = edition.edition
WHERE edition.edition IS NULL AND build.edition > (SELECT coalesce(max(e.edition), 0) FROM serving.edition AS e);

-- name: newest
-- The newest edition's number, and the versions it was computed from.
SELECT
    coalesce(max(newest.edition), 0) AS edition,
    coalesce(jsonb_object_agg(version.part, version.version) FILTER (WHERE version.part IS NOT NULL), '{}')
FROM (SELECT max(edition.edition) AS edition FROM serving.edition AS edition) AS newest
LEFT JOIN ops.edition_version AS version ON newest.edition = version.edition;

-- name: open_build
INSERT INTO ops.edition_build (edition) VALUES (%(edition)s);

-- name: hold
-- Everything that no edition holds yet is this one's: batches, identity decisions, takedowns, exported files. Batches
-- that are held back for their drift wait.
INSERT INTO ops.edition_holds (kind, number, edition)
SELECT pending.kind, pending.number, %(edition)s
FROM (
    SELECT 'batch' AS kind, batch.batch_id AS number FROM ops.batch AS batch
    WHERE batch.batch_id NOT IN (SELECT waiting.batch_id FROM ops.held_back AS waiting)
    UNION ALL
    SELECT 'decision' AS kind, decision.decision AS number FROM ledger.identity_decision AS decision
    UNION ALL
    SELECT 'takedown' AS kind, takedown.takedown AS number FROM ledger.takedown AS takedown
    UNION ALL
    SELECT 'artifact' AS kind, artifact.artifact_id AS number FROM ops.artifact AS artifact
) AS pending
WHERE NOT EXISTS (
    SELECT FROM ops.edition_holds AS held
    WHERE held.kind = pending.kind AND held.number = pending.number
);

-- name: held_tables
CREATE TEMPORARY TABLE held_document (
    document_id integer PRIMARY KEY, place integer NOT NULL, document_ref text NOT NULL,
    license_class text NOT NULL, fetched_at timestamptz NOT NULL
);
CREATE TEMPORARY TABLE concerned_batch (batch_id integer PRIMARY KEY);

-- name: list_documents
-- The documents that this edition rests on: held by it or by one before it, and of a source that may be
-- redistributed. A list of what may be used: whatever is committed from here on is not on it.
INSERT INTO held_document (document_id, place, document_ref, license_class, fetched_at)
SELECT
    document.document_id,
    row_number() OVER (ORDER BY document.fetched_at, document.sha256, document.source) AS place,
    document.source || '@sha256:' || encode(document.sha256, 'hex'),
    document.license_class,
    document.fetched_at
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE
    held.kind = 'batch' AND batch.outcome = 'accepted'
    AND document.source <> all(%(closed_sources)s::text[]);

-- name: list_batches
-- The batches that make this edition differ: its own, and all of a source opened or closed since the one before.
INSERT INTO concerned_batch (batch_id)
SELECT batch.batch_id
FROM ops.edition_holds AS held
INNER JOIN ops.batch AS batch ON held.number = batch.batch_id
INNER JOIN ops.document AS document ON batch.document_id = document.document_id
WHERE
    held.kind = 'batch'
    AND (held.edition = %(edition)s OR document.source = any(%(opened_or_closed)s::text[]));

-- name: tell_taken_down
-- Rows that were taken down while the edition before was current: who has them must hear that they are gone. A row
-- that a build had closed has its closing already; a fact that only lost its value is closed like any other.
INSERT INTO serving.closing (dataset, closed_in, row_id, reason)
SELECT tombstone.dataset, %(edition)s, tombstone.row_id, 'withdrawn'
FROM serving.takedown AS takedown
INNER JOIN ops.tombstone AS tombstone ON takedown.takedown = tombstone.takedown
WHERE
    takedown.in_edition = %(before)s
    AND tombstone.published_in <= %(before)s
    AND NOT EXISTS (
        SELECT FROM serving.closing AS closing
        WHERE
            closing.dataset = tombstone.dataset AND closing.closed_in = tombstone.superseded_in
            AND closing.row_id = tombstone.row_id
    )
    AND NOT (
        tombstone.dataset = 'fundamentals_fact'
        AND EXISTS (
            SELECT FROM serving.fundamentals_fact AS emptied
            WHERE emptied.row_id = tombstone.row_id
        )
    )
ON CONFLICT DO NOTHING;

-- name: renew_statistics
SELECT ops.renew_statistics(%(dataset)s);

-- name: record_version
INSERT INTO ops.edition_version (edition, part, version) VALUES (%(edition)s, %(part)s, %(version)s);

-- name: make_current
INSERT INTO serving.edition (edition, mark, changes) VALUES (%(edition)s, %(mark)s, %(changes)s)
RETURNING published_at;

-- name: release_blocks
DELETE FROM ops.digest_block
WHERE edition = %(edition)s;

-- name: release_build
DELETE FROM ops.edition_holds
WHERE edition = %(edition)s;

-- name: release_versions
DELETE FROM ops.edition_version
WHERE edition = %(edition)s;

-- name: release_number
DELETE FROM ops.edition_build
WHERE edition = %(edition)s;
