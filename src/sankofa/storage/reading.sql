-- name: standing
-- Where this server stands: its newest edition, takedown and key event, and whether it is a replica.
SELECT
    newest.edition,
    newest.mark,
    newest.published_at,
    (SELECT coalesce(max(takedown.takedown), 0) FROM serving.takedown AS takedown) AS takedown,
    (SELECT key_registry.newest_event FROM serving.key_registry AS key_registry) AS key_event,
    pg_is_in_recovery() AS is_replica
FROM (SELECT 1) AS always
LEFT JOIN LATERAL (
    SELECT edition.edition, edition.mark, edition.published_at
    FROM serving.edition AS edition
    ORDER BY edition.edition DESC
    LIMIT 1
) AS newest ON true;

-- name: edition
SELECT edition.edition, edition.mark, edition.published_at::date AS day
FROM serving.edition AS edition
WHERE edition.edition = %(edition)s;
