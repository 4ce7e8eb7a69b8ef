-- name: standing
-- The state of this server: its newest edition, takedown and key events, and whether it is a replica. In addition the
-- buckets touched after the process's edition, or all if this server does not hold that edition, as after a restore. A
-- server that lags behind that edition has nothing to add.
SELECT
    newest.edition,
    newest.mark,
    newest.published_at,
    (SELECT coalesce(max(takedown.takedown), 0) FROM serving.takedown AS takedown) AS takedown,
    key_registry.newest_event,
    key_registry.recent_keys,
    pg_is_in_recovery() AS is_replica,
    known.is_held AS follows,
    recent.editions,
    recent.touched
FROM (
    SELECT count(*) > 0 AS is_held
    FROM serving.edition AS held
    WHERE held.edition = %(since)s AND held.mark = %(mark)s
) AS known
CROSS JOIN serving.key_registry AS key_registry
LEFT JOIN LATERAL (
    SELECT edition.edition, edition.mark, edition.published_at
    FROM serving.edition AS edition
    ORDER BY edition.edition DESC
    LIMIT 1
) AS newest ON TRUE
CROSS JOIN
    LATERAL (
        -- One JSON array for each dataset: a process that starts reads tens of thousands of buckets at once.
        WITH recent AS MATERIALIZED (
            SELECT touched.edition, touched.bucket, touched.dataset
            FROM serving.touched AS touched
            WHERE
                touched.edition > CASE WHEN known.is_held THEN %(since)s ELSE 0 END
                AND newest.edition >= %(since)s
        )

        SELECT
            (
                SELECT json_agg(json_build_array(touching.edition, touching.mark, touching.published_at::date))
                FROM serving.edition AS touching
                WHERE touching.edition IN (SELECT recent.edition FROM recent)
            ) AS editions,
            (
                SELECT json_agg(json_build_array(one.dataset, one.buckets, one.editions))
                FROM (
                    SELECT
                        recent.dataset,
                        array_agg(recent.bucket) AS buckets,
                        array_agg(recent.edition) AS editions
                    FROM recent
                    GROUP BY recent.dataset
                ) AS one
            ) AS touched
    ) AS recent;

-- name: edition
SELECT edition.edition, edition.mark, edition.published_at::date AS day
FROM serving.edition AS edition
WHERE edition.edition = %(edition)s;
