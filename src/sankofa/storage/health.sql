-- name: server
-- Who this login is, what server it has reached, and that server's clock.
SELECT
    session_user::text,
    (SELECT login.rolsuper FROM pg_catalog.pg_roles AS login WHERE login.rolname = session_user),
    pg_catalog.pg_is_in_recovery(),
    pg_catalog.current_setting('server_version_num')::integer,
    pg_catalog.clock_timestamp();
