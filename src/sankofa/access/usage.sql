-- name: days
-- Requests by key and day. A day is final if it is over, all counts of it were copied, and every process that
-- counted on it has reported that it is done.
SELECT
    usage_day.key_id,
    usage_day.day,
    sum(usage_day.requests)::bigint AS requests,
    ops.is_final(usage_day.day) AS is_final
FROM ops.usage_day AS usage_day
WHERE
    usage_day.day BETWEEN %(first)s AND %(last)s
    AND usage_day.key_id = coalesce(%(key_id)s, usage_day.key_id)
GROUP BY usage_day.key_id, usage_day.day
ORDER BY usage_day.key_id, usage_day.day;

-- name: open_tallies
-- Processes that counted on a day that is over, and did not report that they are done.
SELECT tally.tally
FROM ops.usage_tally AS tally
WHERE
    tally.is_complete IS FALSE AND tally.day BETWEEN %(first)s AND %(last)s
    AND tally.day < (clock_timestamp() AT TIME ZONE 'UTC')::date
ORDER BY tally.tally;

-- name: settled_at
SELECT settled.settled_at FROM ops.usage_settled AS settled;

-- name: is_issued
SELECT count(*) > 0 AS is_issued FROM ops.key_event AS key_event
WHERE key_event.key_id = %(key_id)s;
