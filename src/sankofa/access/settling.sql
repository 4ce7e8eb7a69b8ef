-- name: keep_tally
INSERT INTO ops.usage_tally AS kept (tally, day, is_complete)
VALUES (%(tally)s, %(day)s, %(is_complete)s)
ON CONFLICT (tally) DO UPDATE
    SET is_complete = TRUE
    WHERE excluded.is_complete AND kept.is_complete IS FALSE;

-- name: keep
-- A count never becomes smaller, so a repeated or late call changes nothing.
INSERT INTO ops.usage_day AS kept (day, key_id, tally, requests)
SELECT %(day)s::date, counted.key_id, %(tally)s, counted.requests
FROM unnest(%(key_ids)s::text[], %(requests)s::bigint[]) AS counted (key_id, requests)
ORDER BY counted.key_id
ON CONFLICT (day, key_id, tally) DO UPDATE
    SET requests = excluded.requests, saved_at = clock_timestamp()
    WHERE kept.requests < excluded.requests;

-- name: settled
-- At most once in 5 s.
INSERT INTO ops.usage_settled AS kept (settled_at) VALUES (clock_timestamp())
ON CONFLICT (is_only) DO UPDATE
    SET settled_at = excluded.settled_at
    WHERE kept.settled_at < excluded.settled_at - interval '5 seconds';
