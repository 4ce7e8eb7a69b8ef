-- The triggers that every table of a kind has, put on by one call.

CREATE FUNCTION ops.keep_append_only(VARIADIC guarded regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one regclass;
BEGIN
    FOREACH one IN ARRAY guarded LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite()', one);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only', one);
    END LOOP;
END
$$;
COMMENT ON FUNCTION ops.keep_append_only IS 'Refuse UPDATE, DELETE and TRUNCATE on tables, whoever asks.';

CREATE FUNCTION serving.keep_published(VARIADIC guarded regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    one regclass;
BEGIN
    FOREACH one IN ARRAY guarded LOOP
        EXECUTE format('CREATE TRIGGER published BEFORE UPDATE OR DELETE ON %s '
            'FOR EACH ROW EXECUTE FUNCTION serving.guard_row()', one);
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite()', one);
        EXECUTE format('CREATE TRIGGER arriving AFTER INSERT ON %s REFERENCING NEW TABLE AS arrivals '
            'FOR EACH STATEMENT EXECUTE FUNCTION serving.guard_arrivals()', one);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER published', one);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_truncate', one);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER arriving', one);
    END LOOP;
END
$$;
COMMENT ON FUNCTION serving.keep_published IS 'Guard tables of edition rows: they arrive open and are only ever closed.';

REVOKE ALL ON FUNCTION ops.keep_append_only, serving.keep_published FROM public;
