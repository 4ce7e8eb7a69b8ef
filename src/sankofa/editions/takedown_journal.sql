-- name: newest
SELECT coalesce(max(ordered.takedown), 0) AS newest FROM ops.takedown_order AS ordered;

-- name: takedowns_after
SELECT
    ordered.takedown,
    ordered.kind,
    ordered.reach,
    ordered.service_id,
    ordered.fact_id,
    ordered.decided_at,
    ordered.operator
FROM ops.takedown_order AS ordered
WHERE ordered.takedown > %(takedown)s
ORDER BY ordered.takedown
LIMIT 1000;

-- name: repeat
SELECT ops.repeat_take_down(
    %(takedown)s, %(kind)s, %(reach)s, %(service_id)s, %(fact_id)s, %(decided_at)s, %(operator)s
) IS NOT NULL AS is_new;
