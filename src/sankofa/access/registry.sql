-- name: issue
INSERT INTO ops.key_event (event, kind, key_id, key_hash, tier, label, is_public, pepper_id, operator)
SELECT
    coalesce(max(newest.event), 0) + 1, 'issued', %(key_id)s, %(key_hash)s, %(tier)s, %(label)s, %(is_public)s,
    %(pepper_id)s, %(operator)s
FROM ops.key_event AS newest;

-- name: standing
SELECT newest.tier, newest.label, newest.is_public, newest.ends_at
FROM (
    SELECT key_event.tier, key_event.label, key_event.is_public, key_event.ends_at
    FROM ops.key_event AS key_event
    WHERE key_event.key_id = %(key_id)s
    ORDER BY key_event.event DESC
    LIMIT 1
) AS newest
WHERE newest.ends_at IS NULL OR newest.ends_at > clock_timestamp();

-- name: decide
-- The key's newest event again, with what this decision changes.
INSERT INTO ops.key_event (event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by, pepper_id, operator)
SELECT
    (SELECT max(every.event) + 1 FROM ops.key_event AS every) AS event,
    %(kind)s,
    newest.key_id,
    newest.key_hash,
    coalesce(%(tier)s, newest.tier) AS tier,
    newest.label,
    newest.is_public,
    coalesce(clock_timestamp() + %(ends_in)s, newest.ends_at) AS ends_at,
    %(replaced_by)s,
    newest.pepper_id,
    %(operator)s
FROM ops.key_event AS newest
WHERE newest.key_id = %(key_id)s
ORDER BY newest.event DESC
LIMIT 1;

-- name: registered
SELECT
    key_event.key_id,
    (array_agg(key_event.tier ORDER BY key_event.event DESC))[1] AS tier,
    (array_agg(key_event.label ORDER BY key_event.event DESC))[1] AS label,
    bool_or(key_event.is_public) AS is_public,
    min(key_event.recorded_at) AS issued_at,
    (array_agg(key_event.ends_at ORDER BY key_event.event DESC))[1] AS ends_at,
    max(key_event.replaced_by) AS replaced_by,
    max(key_event.pepper_id) AS pepper_id,
    max(key_event.operator) FILTER (WHERE key_event.kind = 'issued') AS issued_by,
    (array_agg(key_event.operator ORDER BY key_event.event DESC))[1] AS changed_by
FROM ops.key_event AS key_event
GROUP BY key_event.key_id
ORDER BY min(key_event.event);

-- name: history
-- Every decision, or those about one key, in their order.
SELECT
    key_event.event,
    key_event.recorded_at,
    key_event.kind,
    key_event.key_id,
    key_event.tier,
    key_event.ends_at,
    key_event.replaced_by,
    key_event.operator
FROM ops.key_event AS key_event
WHERE key_event.key_id = coalesce(%(key_id)s, key_event.key_id)
ORDER BY key_event.event;

-- name: peppers
-- The number of valid keys by pepper.
SELECT
    newest.pepper_id,
    count(*) AS valid_keys
FROM (
    SELECT DISTINCT ON (key_event.key_id)
        key_event.pepper_id,
        key_event.ends_at
    FROM ops.key_event AS key_event
    ORDER BY key_event.key_id ASC, key_event.event DESC
) AS newest
WHERE newest.ends_at IS NULL OR newest.ends_at > clock_timestamp()
GROUP BY newest.pepper_id;

-- name: batch
-- The next keys in order of their id, in their present state.
SELECT DISTINCT ON (key_event.key_id)
    key_event.key_id,
    key_event.key_hash,
    key_event.tier,
    key_event.is_public,
    (extract(EPOCH FROM key_event.ends_at) * 1000)::bigint AS ends_at_ms,
    key_event.ends_at IS NULL OR key_event.ends_at > clock_timestamp() AS is_valid
FROM ops.key_event AS key_event
WHERE key_event.key_id > %(after)s
ORDER BY key_event.key_id ASC, key_event.event DESC
LIMIT %(size)s;

-- name: changed
-- The keys of the events after a generation, in their present state.
SELECT DISTINCT ON (key_event.key_id)
    key_event.key_id,
    key_event.key_hash,
    key_event.tier,
    key_event.is_public,
    (extract(EPOCH FROM key_event.ends_at) * 1000)::bigint AS ends_at_ms,
    key_event.ends_at IS NULL OR key_event.ends_at > clock_timestamp() AS is_valid
FROM ops.key_event AS key_event
WHERE
    key_event.key_id IN (
        SELECT later.key_id
        FROM ops.key_event AS later
        WHERE later.event > %(generation)s
    )
ORDER BY key_event.key_id ASC, key_event.event DESC;

-- name: valid_among
SELECT newest.key_hash
FROM (
    SELECT DISTINCT ON (key_event.key_id)
        key_event.key_hash,
        key_event.ends_at
    FROM ops.key_event AS key_event
    WHERE key_event.key_id = any(%(key_ids)s)
    ORDER BY key_event.key_id ASC, key_event.event DESC
) AS newest
WHERE newest.ends_at IS NULL OR newest.ends_at > clock_timestamp();
