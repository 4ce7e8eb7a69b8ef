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
    key_event.recorded_at
FROM ops.key_event AS key_event
WHERE key_event.event > %(event)s
ORDER BY key_event.event
LIMIT 1000;

-- name: enter
INSERT INTO ops.key_event (event, kind, key_id, key_hash, tier, label, is_public, ends_at, replaced_by, recorded_at)
SELECT
    greatest(%(event)s, (SELECT max(every.event) + 1 FROM ops.key_event AS every)) AS event,
    %(kind)s,
    left(%(key_hash)s, 12) AS key_id,
    %(key_hash)s,
    %(tier)s,
    coalesce(before.label, 'restored from the journal, which keeps no labels') AS label,
    %(is_public)s,
    least(%(ends_at)s::timestamptz, before.ends_at) AS ends_at,
    %(replaced_by)s,
    %(recorded_at)s
FROM (SELECT 1) AS always
LEFT JOIN LATERAL (
    SELECT newest.label, newest.ends_at
    FROM ops.key_event AS newest
    WHERE newest.key_id = left(%(key_hash)s, 12)
    ORDER BY newest.event DESC
    LIMIT 1
) AS before ON true
WHERE NOT EXISTS (
    SELECT FROM ops.key_event AS known
    WHERE known.key_hash = %(key_hash)s AND known.kind = %(kind)s AND known.recorded_at = %(recorded_at)s
);

-- name: is_complete
-- Whether no number is missing among the events.
SELECT count(*) = coalesce(max(key_event.event), 0) AS is_complete FROM ops.key_event AS key_event;

-- name: known_among
SELECT DISTINCT key_event.key_hash
FROM ops.key_event AS key_event
WHERE key_event.key_id = any(%(key_ids)s);
