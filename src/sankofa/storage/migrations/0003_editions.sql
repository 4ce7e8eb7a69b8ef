-- Editions: numbered publishes. Rows belong to edition e when published_in <= e < superseded_in.

CREATE TABLE serving.edition (
    edition integer PRIMARY KEY CHECK (edition > 0),
    mark text NOT NULL UNIQUE CHECK (mark ~ '^[0-9a-z]{8}$'),
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    changes jsonb NOT NULL
);
COMMENT ON TABLE serving.edition IS 'The editions that became current. This row, written last, is the publish.';
COMMENT ON COLUMN serving.edition.edition IS '1, 2, 3 …; a restore goes on above the highest number ever issued.';
COMMENT ON COLUMN serving.edition.mark IS 'Random: tells two editions of one number apart after a restore.';
COMMENT ON COLUMN serving.edition.published_at IS 'When it became current. Its UTC day is the default as_of.';
COMMENT ON COLUMN serving.edition.changes IS 'Per dataset: rows put and removed, by reason.';

CREATE TABLE serving.takedown (
    takedown integer PRIMARY KEY,
    in_edition integer NOT NULL,
    rows_removed bigint NOT NULL,
    taken_down_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE serving.takedown IS 'That takedowns happened, without what they removed.';
COMMENT ON COLUMN serving.takedown.takedown IS 'Number; the last one is part of the generation.';
COMMENT ON COLUMN serving.takedown.in_edition IS 'The edition that was current.';
COMMENT ON COLUMN serving.takedown.rows_removed IS 'Rows removed over all editions.';
COMMENT ON COLUMN serving.takedown.taken_down_at IS 'When; the server''s clock.';

CREATE TABLE ops.tombstone (
    dataset text NOT NULL,
    row_id bigint NOT NULL,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    service_id text NOT NULL,
    takedown integer NOT NULL REFERENCES serving.takedown,
    PRIMARY KEY (dataset, row_id)
);
COMMENT ON TABLE ops.tombstone IS 'Where a taken-down row stood: no content, but enough to verify the edition.';
COMMENT ON COLUMN ops.tombstone.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN ops.tombstone.row_id IS 'Its row id.';
COMMENT ON COLUMN ops.tombstone.published_in IS 'First edition that held it.';
COMMENT ON COLUMN ops.tombstone.superseded_in IS 'First edition that did not; the largest integer where none.';
COMMENT ON COLUMN ops.tombstone.digest IS 'sha256 of the row as it was.';
COMMENT ON COLUMN ops.tombstone.service_id IS 'Issuer the row was about, for the next publish.';
COMMENT ON COLUMN ops.tombstone.takedown IS 'The takedown that removed it.';

CREATE TABLE ops.edition_build (
    edition integer PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.edition_build IS 'The build that is under way, if any; a row without its edition is undone first.';
COMMENT ON COLUMN ops.edition_build.edition IS 'Number the build writes under.';
COMMENT ON COLUMN ops.edition_build.started_at IS 'When it began.';

CREATE TABLE ops.edition_holds (
    kind text NOT NULL CHECK (kind IN ('batch', 'decision', 'takedown', 'artifact')),
    number integer NOT NULL,
    edition integer NOT NULL,
    PRIMARY KEY (kind, number)
);
COMMENT ON TABLE ops.edition_holds IS 'What each edition took in. What is not here is new to the next publish.';
COMMENT ON COLUMN ops.edition_holds.kind IS 'batch, identity decision, takedown or artifact.';
COMMENT ON COLUMN ops.edition_holds.number IS 'Its number.';
COMMENT ON COLUMN ops.edition_holds.edition IS 'First edition that holds it; a build in progress until that is current.';

CREATE TABLE ops.edition_version (
    edition integer NOT NULL,
    part text NOT NULL,
    version text NOT NULL,
    PRIMARY KEY (edition, part)
);
COMMENT ON TABLE ops.edition_version IS 'Versions of all else an edition was computed from.';
COMMENT ON COLUMN ops.edition_version.edition IS 'The edition.';
COMMENT ON COLUMN ops.edition_version.part IS 'Which rule set, such as line_items.';
COMMENT ON COLUMN ops.edition_version.version IS 'Its version.';

CREATE FUNCTION serving.current_edition() RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT coalesce(max(edition), 0) FROM serving.edition
$$;
COMMENT ON FUNCTION serving.current_edition IS 'Number of the newest edition; 0 before the first.';

CREATE FUNCTION serving.guard_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    never constant integer := 2147483647;
    current_edition constant integer := serving.current_edition();
    unclosed record;
BEGIN
    IF tg_op = 'DELETE' THEN
        -- An unfinished build may be undone; published rows go by takedown only.
        IF old.published_in > current_edition OR current_user = 'sankofa_privacy' THEN
            RETURN old;
        END IF;
    ELSE
        unclosed := new;
        unclosed.superseded_in := old.superseded_in;
        IF unclosed IS NOT DISTINCT FROM old AND (
            (old.superseded_in = never AND new.superseded_in > current_edition)
            OR (old.superseded_in > current_edition AND new.superseded_in = never)
        ) THEN
            RETURN new;
        END IF;
        -- A fact that is taken down keeps its place and loses its value.
        IF current_user = 'sankofa_privacy' AND to_jsonb(new) ->> 'value' IS NULL
            AND to_jsonb(new) - 'value' = to_jsonb(old) - 'value' THEN
            RETURN new;
        END IF;
    END IF;
    RAISE EXCEPTION '% on %.% refused: published rows do not change', tg_op, tg_table_schema, tg_table_name
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION serving.guard_row IS 'Published rows do not change: only superseded_in, once, in a coming edition.';

CREATE FUNCTION serving.guard_arrivals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM arrivals
        WHERE published_in <= serving.current_edition() OR superseded_in <> 2147483647
    ) THEN
        RAISE EXCEPTION 'INSERT on %.% refused: rows arrive open, in a coming edition', tg_table_schema, tg_table_name
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION serving.guard_arrivals IS 'Rows arrive open and in a coming edition; history cannot be back-filled.';

CREATE FUNCTION serving.keep_published(VARIADIC tables regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    edition_rows regclass;
BEGIN
    FOREACH edition_rows IN ARRAY tables LOOP
        EXECUTE format('CREATE TRIGGER published BEFORE UPDATE OR DELETE ON %s '
            'FOR EACH ROW EXECUTE FUNCTION serving.guard_row()', edition_rows);
        EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite()', edition_rows);
        EXECUTE format('CREATE TRIGGER arriving AFTER INSERT ON %s REFERENCING NEW TABLE AS arrivals '
            'FOR EACH STATEMENT EXECUTE FUNCTION serving.guard_arrivals()', edition_rows);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER published', edition_rows);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_truncate', edition_rows);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER arriving', edition_rows);
    END LOOP;
END
$$;
COMMENT ON FUNCTION serving.keep_published IS 'For migrations: guards tables of edition rows, whoever asks.';

CREATE FUNCTION serving.guard_edition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.edition <= serving.current_edition() OR NOT EXISTS (
        SELECT FROM ops.edition_build AS build WHERE build.edition = new.edition
    ) THEN
        RAISE EXCEPTION 'edition % refused: not the build in progress', new.edition
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN new;
END
$$;
COMMENT ON FUNCTION serving.guard_edition IS 'Only the build in progress becomes current, above all editions before it.';

CREATE FUNCTION ops.guard_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Undoing an unfinished build releases what it had taken in; what an edition holds stays held.
    IF old.edition > serving.current_edition() THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION 'DELETE on %.% refused: edition % is published', tg_table_schema, tg_table_name, old.edition
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION ops.guard_holds IS 'What a published edition holds is never released.';

CREATE TRIGGER coming_edition BEFORE INSERT ON serving.edition
FOR EACH ROW EXECUTE FUNCTION serving.guard_edition();
ALTER TABLE serving.edition ENABLE ALWAYS TRIGGER coming_edition;

SELECT ops.keep_append_only('serving.edition', 'serving.takedown', 'ops.tombstone');
DO $$
DECLARE
    guarded regclass;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['ops.edition_holds', 'ops.edition_version', 'ops.edition_build']::regclass[] LOOP
        EXECUTE format('CREATE TRIGGER no_change BEFORE UPDATE OR TRUNCATE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite()', guarded);
        EXECUTE format('CREATE TRIGGER held BEFORE DELETE ON %s '
            'FOR EACH ROW EXECUTE FUNCTION ops.guard_holds()', guarded);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER no_change', guarded);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER held', guarded);
    END LOOP;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA serving, ops FROM public;
GRANT EXECUTE ON FUNCTION serving.current_edition TO sankofa_publish, sankofa_privacy;
GRANT SELECT ON serving.edition, serving.takedown TO sankofa_api, sankofa_publish, sankofa_privacy;
GRANT SELECT ON ops.edition_build, ops.edition_holds, ops.edition_version TO sankofa_publish;
GRANT INSERT (edition, mark, changes) ON serving.edition TO sankofa_publish;
GRANT INSERT (edition), DELETE ON ops.edition_build TO sankofa_publish;
GRANT INSERT, DELETE ON ops.edition_holds, ops.edition_version TO sankofa_publish;
GRANT SELECT ON ops.edition_build TO sankofa_privacy;
GRANT INSERT (takedown, in_edition, rows_removed) ON serving.takedown TO sankofa_privacy;
GRANT SELECT, INSERT ON ops.tombstone TO sankofa_privacy;
GRANT SELECT ON ops.tombstone TO sankofa_publish;
