-- name: session
SELECT pg_advisory_lock(%(lock)s);

-- name: try_once
-- Whether the lock was free; it is held from then on.
SELECT pg_try_advisory_lock(%(lock)s);

-- name: release
SELECT pg_advisory_unlock(%(lock)s);

-- name: transaction
SELECT pg_advisory_xact_lock(%(lock)s);

-- name: transaction_shared
SELECT pg_advisory_xact_lock_shared(%(lock)s);

-- name: holder
-- The session that holds a lock: pg_locks shows the key's upper and lower half.
SELECT held.pid, activity.usename
FROM pg_locks AS held
INNER JOIN pg_stat_activity AS activity ON held.pid = activity.pid
WHERE
    held.locktype = 'advisory'
    AND held.granted
    AND held.objsubid = 1
    AND held.database = activity.datid
    AND activity.datname = current_database()
    AND held.classid::bigint = (%(lock)s::bigint >> 32)
    AND held.objid::bigint = (%(lock)s::bigint & 4294967295)
ORDER BY held.pid
LIMIT 1;
