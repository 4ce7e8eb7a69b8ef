-- name: newest
SELECT coalesce(max(key_event.event), 0) AS newest FROM ops.key_event AS key_event;

-- name: events_after
SELECT
    key_event.event,
    key_event.kind,
    key_event.key_hash,
    key_event.tier,
    key_event.is_public,
    key_event.ends_at,
    key_event.replaced_by,
    key_event.recorded_at,
    key_event.pepper_id,
    key_event.operator
FROM ops.key_event AS key_event
WHERE key_event.event > %(event)s
ORDER BY key_event.event
LIMIT 1000;

-- name: enter
SELECT ops.repeat_key_event(
    %(event)s, %(kind)s, %(key_hash)s, %(tier)s, %(is_public)s, %(ends_at)s, %(replaced_by)s, %(recorded_at)s,
    %(pepper_id)s, %(operator)s
) IS NOT NULL AS is_new;

-- name: is_complete
-- Whether no number is missing among the events.
SELECT count(*) = coalesce(max(key_event.event), 0) AS is_complete FROM ops.key_event AS key_event;

-- name: known_among
SELECT DISTINCT key_event.key_hash
FROM ops.key_event AS key_event
WHERE key_event.key_id = any(%(key_ids)s);
