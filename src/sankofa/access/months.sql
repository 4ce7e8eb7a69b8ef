-- name: kept
-- The stored count of each requested counter, in the order of the request; 0 if there is none.
SELECT coalesce(usage_month.requests, 0) AS requests
FROM unnest(%(key_ids)s::text[], %(months)s::text[]) WITH ORDINALITY AS requested (key_id, month, place)
LEFT JOIN ops.usage_month AS usage_month ON requested.key_id = usage_month.key_id AND requested.month = usage_month.month
ORDER BY requested.place;

-- name: kept_after
-- The next keys with a count of a month, in order of their id.
SELECT usage_month.key_id
FROM ops.usage_month AS usage_month
WHERE usage_month.month = %(month)s AND usage_month.key_id > %(after)s
ORDER BY usage_month.key_id
LIMIT %(size)s;

-- name: keep
-- A count that did not change is not written.
INSERT INTO ops.usage_month AS kept (key_id, month, requests)
SELECT DISTINCT ON (counted.key_id, counted.month) counted.key_id, counted.month, counted.requests
FROM unnest(%(key_ids)s::text[], %(months)s::text[], %(requests)s::bigint[]) AS counted (key_id, month, requests)
ORDER BY counted.key_id ASC, counted.month ASC, counted.requests DESC
ON CONFLICT (month, key_id) DO UPDATE
    SET requests = excluded.requests, saved_at = clock_timestamp()
    WHERE kept.requests <> excluded.requests;
