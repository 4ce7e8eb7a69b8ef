-- fragment: may_be_held(pending)
-- The coming edition may take it in. Batches that are held back wait.
SELECT pending.kind <> 'batch' OR pending.number NOT IN (SELECT waiting.batch_id FROM ops.held_back AS waiting)
FROM pending;

-- name: unfinished
-- The build that has not become current, if there is one; its state is null if a crash of the server emptied it.
SELECT
    build.edition,
    state.before,
    state.versions_before,
    state.versions,
    coalesce(state.is_refused, TRUE) AS is_refused
FROM ops.edition_build AS build
LEFT JOIN build.current AS state ON build.edition = state.edition
WHERE build.edition > serving.current_edition();

-- name: newest
-- The newest edition's number, and the versions it was computed from.
SELECT
    coalesce(max(newest.edition), 0) AS edition,
    coalesce(jsonb_object_agg(version.part, version.version) FILTER (WHERE version.part IS NOT NULL), '{}')
FROM (SELECT serving.current_edition() AS edition) AS newest
LEFT JOIN ops.edition_version AS version ON newest.edition = version.edition;

-- name: anything_new
-- Something pending that may change a row.
SELECT pending.kind FROM ops.pending AS pending
WHERE NOT pending.changed_nothing AND fragment.may_be_held(pending)
LIMIT 1;

-- name: open
INSERT INTO ops.edition_build (edition) VALUES (%(edition)s);

-- name: begin
INSERT INTO build.current (edition, before, versions_before, versions)
VALUES (%(edition)s, %(before)s, %(versions_before)s, %(versions)s);

-- name: close_sources
INSERT INTO build.closed_source (source) SELECT unnest(%(sources)s::text[]);

-- name: hold
-- Everything that no edition holds yet, and that may be held, is this one's.
INSERT INTO ops.edition_holds (kind, number, edition)
SELECT pending.kind, pending.number, %(edition)s
FROM ops.pending AS pending
WHERE fragment.may_be_held(pending);

-- name: concern_held
-- The batches that make this edition differ: its own,
INSERT INTO build.concerned_batch (batch_id)
SELECT held.number
FROM ops.edition_holds AS held
WHERE held.kind = 'batch' AND held.edition = %(edition)s;

-- name: concern_sources
-- and all of a source that was opened or closed since the edition before.
INSERT INTO build.concerned_batch (batch_id)
SELECT batch.batch_id
FROM ops.document AS document
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id
INNER JOIN ops.edition_holds AS held ON batch.batch_id = held.number AND held.kind = 'batch'
WHERE document.source = any(%(sources)s::text[])
ON CONFLICT DO NOTHING;

-- name: concern_corrected
-- and documents that were read again since: rows that only the earlier reading had are removed.
INSERT INTO build.concerned_batch (batch_id)
SELECT batch.batch_id
FROM ops.edition_holds AS held
INNER JOIN ops.set_aside AS aside ON held.number = aside.correction
INNER JOIN ops.batch AS batch ON aside.document_id = batch.document_id
WHERE held.kind = 'correction' AND held.edition = %(edition)s
ON CONFLICT DO NOTHING;

-- name: stages
SELECT stage.stage, stage.is_finished FROM build.stage AS stage;

-- name: begin_stage
INSERT INTO build.stage (stage, is_finished) VALUES (%(stage)s, %(is_finished)s);

-- name: add_chunks
INSERT INTO build.chunk (stage, number, part, after, until)
SELECT %(stage)s, chunk.number, chunk.part, chunk.after, chunk.until
FROM
    unnest(%(numbers)s::integer[], %(parts)s::text[], %(after)s::text[], %(until)s::text[])
        AS chunk (number, part, after, until);

-- name: finish_stage
UPDATE build.stage SET is_finished = TRUE
WHERE stage = %(stage)s;

-- name: to_do
SELECT count(*) FROM build.chunk AS chunk
WHERE chunk.stage = %(stage)s AND chunk.done_at IS NULL;

-- name: claim
-- One chunk that no worker has claimed. The row lock is the claim: it ends with the transaction, or with its worker.
SELECT chunk.stage, chunk.number, chunk.part, chunk.after, chunk.until
FROM build.chunk AS chunk
WHERE chunk.done_at IS NULL
ORDER BY chunk.stage, chunk.number
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- name: await
-- The same, waiting for the worker that holds it; empty if that one has done it meanwhile.
SELECT chunk.stage, chunk.number, chunk.part, chunk.after, chunk.until
FROM build.chunk AS chunk
WHERE chunk.done_at IS NULL
ORDER BY chunk.stage, chunk.number
LIMIT 1
FOR UPDATE;

-- name: done
UPDATE build.chunk SET done_at = clock_timestamp(), changes = %(changes)s
WHERE stage = %(stage)s AND number = %(number)s;

-- name: changes
SELECT chunk.changes FROM build.chunk AS chunk
WHERE chunk.changes <> '{}';

-- name: current
SELECT state.edition, state.versions FROM build.current AS state
WHERE state.edition > serving.current_edition() AND NOT state.is_refused;

-- name: refuse
UPDATE build.current SET is_refused = TRUE;

-- name: call_workers
SELECT pg_notify('sankofa_build', '');

-- name: fence
-- Wait for the chunks that are being written, and block new ones.
LOCK TABLE build.chunk IN EXCLUSIVE MODE;

-- name: clear
SELECT build.clear();

-- name: held
SELECT coalesce(array_agg(held.kind), '{}') AS kinds, coalesce(array_agg(held.number), '{}') AS numbers
FROM ops.edition_holds AS held
WHERE held.edition = %(edition)s;

-- name: keep_waiting
-- Held entries that change no row wait for the next edition.
UPDATE ops.pending AS pending SET changed_nothing = TRUE
FROM unnest(%(kinds)s::text[], %(numbers)s::integer[]) AS held (kind, number)
WHERE pending.kind = held.kind AND pending.number = held.number;

-- name: release_blocks
DELETE FROM ops.digest_block
WHERE edition = %(edition)s;

-- name: release_held
DELETE FROM ops.edition_holds
WHERE edition = %(edition)s;

-- name: release_versions
DELETE FROM ops.edition_version
WHERE edition = %(edition)s;

-- name: release_number
DELETE FROM ops.edition_build
WHERE edition = %(edition)s;
