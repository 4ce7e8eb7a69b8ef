-- name: edition
-- The current edition: its number, when it was published, how long its build took, and what it changed.
SELECT
    edition.edition,
    extract(EPOCH FROM edition.published_at)::float8 AS published_at,
    extract(EPOCH FROM edition.published_at - build.started_at)::float8 AS build_seconds,
    edition.changes
FROM serving.edition AS edition
LEFT JOIN ops.edition_build AS build ON edition.edition = build.edition
ORDER BY edition.edition DESC
LIMIT 1;

-- name: publishing
-- The age of a build that is not current yet, arrivals that no edition holds, and the number of takedowns.
SELECT
    coalesce((
        SELECT extract(EPOCH FROM clock_timestamp() - min(build.started_at))::float8 FROM ops.edition_build AS build
        WHERE build.edition > coalesce(serving.current_edition(), 0)
    ), 0) AS building_seconds,
    (SELECT count(*) FROM ops.pending AS pending WHERE pending.changed_nothing IS FALSE) AS pending,
    (SELECT count(*) FROM serving.takedown) AS takedowns;

-- name: usage_settled
SELECT extract(EPOCH FROM settled.settled_at)::float8 AS settled_at FROM ops.usage_settled AS settled;

-- name: jobs
SELECT job.status::text AS status, count(*) AS jobs FROM queue.procrastinate_jobs AS job
GROUP BY job.status;
