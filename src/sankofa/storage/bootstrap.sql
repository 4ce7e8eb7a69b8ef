-- The ten roles of the service. Run once per cluster by an administrator; safe to repeat.
-- Passwords are set by the operator; a local stack trusts its own loopback.
DO $$
DECLARE
    role_name text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'sankofa_owner') THEN
        CREATE ROLE sankofa_owner NOLOGIN;
    END IF;
    FOREACH role_name IN ARRAY ARRAY[
        'sankofa_migrate', 'sankofa_ingest', 'sankofa_publish', 'sankofa_api', 'sankofa_privacy',
        'sankofa_keys', 'sankofa_export', 'sankofa_follow', 'sankofa_review'
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', role_name);
        END IF;
    END LOOP;
    -- Migrations act as the owner; no other role can become it.
    GRANT sankofa_owner TO sankofa_migrate;
    -- A stolen reader must not be able to write even where a grant slipped.
    ALTER ROLE sankofa_api SET default_transaction_read_only = on;
    ALTER ROLE sankofa_api SET statement_timeout = '5s';
    ALTER ROLE sankofa_api SET idle_in_transaction_session_timeout = '10s';
    -- Exports read much, in short statements; the one table they append to is named where they do so.
    ALTER ROLE sankofa_export SET default_transaction_read_only = on;
    ALTER ROLE sankofa_export SET statement_timeout = '5s';
    ALTER ROLE sankofa_export SET idle_in_transaction_session_timeout = '10s';
END
$$;
