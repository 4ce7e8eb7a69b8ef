-- name: open
-- The run that is under way, or a new one.
WITH known AS (
    SELECT fragment.run_under_way(%(source)s) AS run
),

put AS (
    INSERT INTO ops.run (source) SELECT %(source)s FROM known
    WHERE known.run IS NULL
    RETURNING run
)

SELECT coalesce((SELECT put.run FROM put), known.run) FROM known;

-- name: last_good
SELECT max(run.began_at)
FROM ops.run AS run
INNER JOIN ops.run_end AS ended ON run.run = ended.run AND ended.outcome = 'good'
WHERE run.source = %(source)s;

-- name: unchanged
-- The document with the last known version of an address was offered again. It counts as it was read last.
INSERT INTO ops.run_batch (run, batch_id)
SELECT %(run)s, batch.batch_id
FROM ops.file_version AS version
INNER JOIN ops.document AS fetched ON version.document_id = fetched.document_id
INNER JOIN ops.document AS document ON fetched.source = document.source AND fetched.sha256 = document.sha256
INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id AND batch.outcome = 'accepted'
WHERE version.url = %(url)s AND fetched.source = %(source)s
ORDER BY version.file_version DESC, document.reading DESC
LIMIT 1
ON CONFLICT DO NOTHING;

-- name: waits
-- The newest document of an address, if it came with a run that was not good.
SELECT 1
FROM (
    SELECT batch.batch_id
    FROM ops.document AS document
    INNER JOIN ops.batch AS batch ON document.document_id = batch.document_id AND batch.outcome = 'accepted'
    WHERE document.source = %(source)s AND document.url = %(url)s
    ORDER BY document.fetched_at DESC, document.document_id DESC
    LIMIT 1
) AS newest
INNER JOIN ops.run_waiting AS waiting ON newest.batch_id = waiting.batch_id;

-- name: brought
-- An interrupted run may have fetched two versions of a file. Documents, rows and keys are those of the newest
-- version at each URL; unreadable documents count in all versions.
SELECT
    count(*) FILTER (WHERE part.is_newest) AS documents,
    count(waiting.batch_id) AS new_documents,
    count(*) FILTER (WHERE part.outcome = 'refused') AS unreadable,
    coalesce(sum(part.facts_read) FILTER (WHERE part.is_newest), 0)::bigint AS facts,
    coalesce(sum(rejected.counted) FILTER (WHERE part.outcome = 'accepted'), 0)::bigint AS rejected,
    coalesce(sum(extent.keys) FILTER (WHERE part.is_newest), 0)::bigint AS keys,
    max(extent.newest) AS newest
FROM (
    SELECT
        one.run,
        one.batch_id,
        batch.outcome,
        batch.facts_read,
        document.url IS NULL
        OR one.batch_id = max(one.batch_id) OVER (PARTITION BY document.source, document.url) AS is_newest
    FROM ops.run_batch AS one
    INNER JOIN ops.batch AS batch ON one.batch_id = batch.batch_id
    INNER JOIN ops.document AS document ON batch.document_id = document.document_id
    WHERE one.run = %(run)s
) AS part
LEFT JOIN ops.batch_extent AS extent ON part.batch_id = extent.batch_id
LEFT JOIN ops.run_waiting AS waiting ON part.batch_id = waiting.batch_id AND part.run = waiting.run
LEFT JOIN LATERAL (
    SELECT sum(rejection.rows_rejected) AS counted
    FROM ops.rejection AS rejection
    WHERE rejection.batch_id = part.batch_id
) AS rejected ON TRUE;

-- name: good_before
SELECT ended.documents, ended.new_documents, ended.facts_read, ended.keys, ended.newest
FROM ops.run AS run
INNER JOIN ops.run_end AS ended ON run.run = ended.run AND ended.outcome = 'good'
WHERE run.source = %(source)s
ORDER BY run.run DESC
LIMIT 1;

-- name: unreadable
-- Why documents of a run could not be read, each reason once, with what it was found in: a column, a place.
SELECT DISTINCT concat_ws(': ', rejection.reason, nullif(rejection.sample, '')) AS reason
FROM ops.run_batch AS part
INNER JOIN ops.batch AS batch ON part.batch_id = batch.batch_id AND batch.outcome = 'refused'
INNER JOIN ops.rejection AS rejection ON batch.batch_id = rejection.batch_id
WHERE part.run = %(run)s
ORDER BY reason;

-- name: fault
INSERT INTO ops.run_fault (run, reason) VALUES (%(run)s, %(reason)s);

-- name: end
INSERT INTO ops.run_end (run, outcome, reasons, documents, new_documents, facts_read, keys, newest)
VALUES (
    %(run)s, %(outcome)s, %(reasons)s, %(documents)s, %(new_documents)s, %(rows)s, %(keys)s, %(newest)s
);

-- name: states
-- Of each source that was ever run or paused: its last run, its last good one, and whether it is paused.
SELECT
    source.source,
    run.run,
    run.began_at,
    ended.outcome,
    ended.ended_at,
    coalesce(ended.reasons, array(
        SELECT fault.reason FROM ops.run_fault AS fault
        WHERE fault.run = run.run
        ORDER BY fault.fault DESC
        LIMIT 1
    )) AS reasons,
    good.began_at AS good_at,
    good.documents,
    good.facts_read,
    coalesce(pause.is_paused, FALSE) AS is_paused,
    pause.because,
    noted.is_served,
    noted.is_frozen,
    noted.known_at,
    noted.good_at AS noted_good_at,
    noted.next_due,
    noted.stale_at
FROM (SELECT unnest(%(sources)s::text[]) AS source) AS source
LEFT JOIN LATERAL (
    SELECT one.run, one.began_at FROM ops.run AS one
    WHERE one.source = source.source
    ORDER BY one.run DESC
    LIMIT 1
) AS run ON TRUE
LEFT JOIN ops.run_end AS ended ON run.run = ended.run
LEFT JOIN LATERAL (
    SELECT one.began_at, held.documents, held.facts_read
    FROM ops.run AS one
    INNER JOIN ops.run_end AS held ON one.run = held.run AND held.outcome = 'good'
    WHERE one.source = source.source
    ORDER BY one.run DESC
    LIMIT 1
) AS good ON TRUE
LEFT JOIN LATERAL (
    SELECT one.is_paused, one.because FROM ops.feed_pause AS one
    WHERE one.source = source.source
    ORDER BY one.pause DESC
    LIMIT 1
) AS pause ON TRUE
LEFT JOIN ops.feed_standing AS noted ON source.source = noted.source;

-- name: note_standing
INSERT INTO ops.feed_standing AS noted (source, is_served, is_frozen, known_at, good_at, next_due, stale_at)
VALUES (%(source)s, %(is_served)s, %(is_frozen)s, %(known_at)s, %(good_at)s, %(next_due)s, %(stale_at)s)
ON CONFLICT (source) DO UPDATE
    SET
        is_served = excluded.is_served, is_frozen = excluded.is_frozen, good_at = excluded.good_at,
        next_due = excluded.next_due, stale_at = excluded.stale_at;

-- name: note_gone
-- Sources whose declarations are gone, or that are not fetched any more: they have no promised dates.
UPDATE ops.feed_standing AS noted SET is_served = FALSE, next_due = NULL, stale_at = NULL
WHERE noted.source <> all(%(sources)s::text[]) AND (noted.is_served OR noted.stale_at IS NOT NULL);

-- name: queued
-- The sources that have a job already. A second one could not be retried: the queue keeps one of them waiting at most.
SELECT job.lock FROM queue.procrastinate_jobs AS job
WHERE job.status IN ('todo', 'doing') AND job.lock IS NOT NULL;

-- name: tidy_jobs
-- Remove jobs that ended some days ago. The queue's own trigger and keys remove their other rows.
DELETE FROM queue.procrastinate_jobs AS job
WHERE
    job.status NOT IN ('todo', 'doing')
    AND NOT EXISTS (
        SELECT FROM queue.procrastinate_events AS event
        WHERE event.job_id = job.id AND event.at > clock_timestamp() - make_interval(days => %(days)s)
    );

-- name: workers_alive
SELECT count(*) FROM queue.procrastinate_workers AS worker
WHERE worker.last_heartbeat > clock_timestamp() - interval '1 minute';

-- name: pause
INSERT INTO ops.feed_pause (source, is_paused, because) VALUES (%(source)s, %(is_paused)s, %(because)s);

-- name: take_turn
-- Reserve the next time at which a host may be called; return the seconds until then.
INSERT INTO ops.host_turn AS turn (host, next_at)
VALUES (%(host)s, clock_timestamp() + make_interval(secs => %(pause)s))
ON CONFLICT (host) DO UPDATE
    SET next_at = greatest(turn.next_at, clock_timestamp()) + make_interval(secs => %(pause)s)
RETURNING greatest(0, extract(EPOCH FROM turn.next_at - clock_timestamp()) - %(pause)s)::float8;

-- name: rest
INSERT INTO ops.host_turn AS turn (host, next_at)
VALUES (%(host)s, clock_timestamp() + make_interval(secs => %(seconds)s))
ON CONFLICT (host) DO UPDATE
    SET next_at = greatest(turn.next_at, clock_timestamp() + make_interval(secs => %(seconds)s));
