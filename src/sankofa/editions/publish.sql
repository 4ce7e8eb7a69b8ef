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
-- Everything that no edition holds yet is this one's: batches, identity decisions, takedowns.
INSERT INTO ops.edition_holds (kind, number, edition)
SELECT pending.kind, pending.number, %(edition)s
FROM (
    SELECT 'batch' AS kind, batch.batch_id AS number FROM ops.batch AS batch
    UNION ALL
    SELECT 'decision' AS kind, decision.decision AS number FROM ledger.identity_decision AS decision
    UNION ALL
    SELECT 'takedown' AS kind, takedown.takedown AS number FROM ledger.takedown AS takedown
) AS pending
WHERE NOT EXISTS (
    SELECT FROM ops.edition_holds AS held
    WHERE held.kind = pending.kind AND held.number = pending.number
);

-- name: touch_held
-- Subjects that the held batches, decisions and takedowns concern.
INSERT INTO touched_subject (subject_id)
SELECT batch_subject.subject_id
FROM ops.edition_holds AS held
INNER JOIN ops.batch_subject AS batch_subject ON held.number = batch_subject.batch_id
WHERE held.edition = %(edition)s AND held.kind = 'batch'
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.identity_decision AS decision ON held.number = decision.decision
INNER JOIN ops.issued_id AS issued ON issued.service_id IN (decision.service_id, decision.resolves_to)
WHERE held.edition = %(edition)s AND held.kind = 'decision'
UNION
-- An undone merge also touches the id that had taken the rows over.
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.identity_decision AS decision ON held.number = decision.decision
INNER JOIN ledger.identity_decision AS earlier
    ON decision.service_id = earlier.service_id AND decision.decision > earlier.decision
INNER JOIN ops.issued_id AS issued ON earlier.resolves_to = issued.service_id
WHERE held.edition = %(edition)s AND held.kind = 'decision'
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown AND takedown.kind = 'issuer'
INNER JOIN ops.issued_id AS issued ON takedown.target = issued.service_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown'
UNION
SELECT issued.subject_id
FROM ops.edition_holds AS held
INNER JOIN ledger.takedown AS takedown ON held.number = takedown.takedown AND takedown.kind = 'fact'
INNER JOIN ops.tombstone AS tombstone ON takedown.takedown = tombstone.takedown
INNER JOIN ops.issued_id AS issued ON tombstone.service_id = issued.service_id
WHERE held.edition = %(edition)s AND held.kind = 'takedown'
ON CONFLICT DO NOTHING;

-- name: subjects_without_id
SELECT subject.subject_id, subject.identifier
FROM touched_subject AS touched
INNER JOIN ledger.subject AS subject ON touched.subject_id = subject.subject_id
WHERE
    NOT EXISTS (
        SELECT FROM ops.issued_id AS issued
        WHERE issued.subject_id = subject.subject_id
    )
ORDER BY subject.identifier;

-- name: issue_id
INSERT INTO ops.issued_id (subject_id, service_id) VALUES (%(subject_id)s, %(service_id)s);

-- name: resolve
-- The id that answers for each id ever decided about: decisions followed to their end.
WITH RECURSIVE newest AS (
    SELECT DISTINCT ON (decision.service_id) decision.service_id, decision.resolves_to
    FROM ledger.identity_decision AS decision
    ORDER BY decision.service_id ASC, decision.decision DESC
),

chain AS (
    SELECT newest.service_id, newest.resolves_to, 1 AS steps FROM newest
    UNION ALL
    SELECT chain.service_id, newest.resolves_to, chain.steps + 1
    FROM chain
    INNER JOIN newest ON chain.resolves_to = newest.service_id AND chain.resolves_to <> newest.resolves_to
    WHERE chain.steps < 100
)

INSERT INTO resolution (service_id, resolves_to)
SELECT DISTINCT ON (chain.service_id) chain.service_id, chain.resolves_to
FROM chain
WHERE chain.resolves_to <> chain.service_id
ORDER BY chain.service_id ASC, chain.steps DESC;

-- name: touch_ids
-- Ids of the touched subjects, the ids they resolve to, and all that resolve to those, by survivor.
WITH asked AS (
    SELECT coalesce(resolution.resolves_to, issued.service_id) AS survivor, issued.service_id
    FROM touched_subject AS touched
    INNER JOIN ops.issued_id AS issued ON touched.subject_id = issued.subject_id
    LEFT JOIN resolution ON issued.service_id = resolution.service_id
)

INSERT INTO touched_id (service_id, survivor)
SELECT asked.service_id, asked.survivor FROM asked
UNION
SELECT asked.survivor AS service_id, asked.survivor FROM asked
UNION
SELECT resolution.service_id, resolution.resolves_to
FROM asked INNER JOIN resolution ON asked.survivor = resolution.resolves_to;

-- name: chunk_bounds
-- Survivors in id order, so many at a time: the last one of each chunk.
SELECT survivor FROM (
    SELECT survivor, row_number() OVER (ORDER BY survivor) AS place, count(*) OVER () AS total
    FROM (SELECT DISTINCT survivor FROM touched_id) AS survivors
) AS placed
WHERE mod(place, %(size)s) = 0 OR place = total
ORDER BY survivor;

-- name: chunk
CREATE TEMPORARY TABLE touched ON COMMIT DROP AS
SELECT service_id, survivor FROM touched_id
WHERE survivor > %(after)s AND survivor <= %(until)s;

-- name: chunk_subjects
-- The subjects behind each touched survivor. A taken-down issuer has none that may be shown.
CREATE TEMPORARY TABLE resolved ON COMMIT DROP AS
SELECT
    issued.subject_id,
    touched.survivor AS resolves_to,
    (
        SELECT count(*) FROM ledger.takedown AS takedown
        WHERE takedown.kind = 'issuer' AND takedown.target IN (touched.service_id, touched.survivor)
    ) > 0 AS is_taken_down
FROM touched
INNER JOIN ops.issued_id AS issued ON touched.service_id = issued.service_id;

-- name: chunk_unheld
-- Documents that arrived since this build began: they belong to the next edition.
CREATE TEMPORARY TABLE unheld ON COMMIT DROP AS
SELECT batch.document_id
FROM ops.batch AS batch
WHERE NOT EXISTS (
    SELECT FROM ops.edition_holds AS held
    WHERE held.kind = 'batch' AND held.number = batch.batch_id
);

-- name: record_version
INSERT INTO ops.edition_version (edition, part, version) VALUES (%(edition)s, %(part)s, %(version)s);

-- name: make_current
INSERT INTO serving.edition (edition, mark, changes) VALUES (%(edition)s, %(mark)s, %(changes)s)
RETURNING published_at;

-- name: release_build
DELETE FROM ops.edition_holds
WHERE edition = %(edition)s;

-- name: release_versions
DELETE FROM ops.edition_version
WHERE edition = %(edition)s;

-- name: release_number
DELETE FROM ops.edition_build
WHERE edition = %(edition)s;
