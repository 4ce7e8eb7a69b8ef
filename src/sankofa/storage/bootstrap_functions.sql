-- Functions of PostgreSQL that everybody may call unless it is revoked. Run in the database of the service by an
-- administrator; safe to repeat. A stolen reader could otherwise hold the locks of the writers for ever, fill
-- the disk with large objects, or write to the WAL.
DO $$
DECLARE
    called regprocedure;
BEGIN
    FOR called IN
        SELECT p.oid::regprocedure FROM pg_proc AS p
        WHERE p.pronamespace = 'pg_catalog'::regnamespace
            AND (p.proname ~ '^(lo_|lowrite$|loread$|pg_logical_emit_message$)' OR p.proname ~ '_advisory_')
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', called);
        IF called::text ~ '_advisory_' THEN
            EXECUTE format(
                'GRANT EXECUTE ON FUNCTION %s TO sankofa_migrate, sankofa_ingest, sankofa_publish, sankofa_privacy, '
                'sankofa_keys, sankofa_export, sankofa_follow',
                called
            );
        END IF;
    END LOOP;
END
$$;
