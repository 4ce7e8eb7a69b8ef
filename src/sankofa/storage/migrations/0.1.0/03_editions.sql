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

CREATE TYPE serving.change_reason AS ENUM (
    'added', 'restated', 'renumbered', 'corrected', 'merged', 'withdrawn'
);
COMMENT ON TYPE serving.change_reason IS 'Why an edition put or removed a row.';

CREATE TABLE serving.closing (
    dataset text NOT NULL,
    closed_in integer NOT NULL,
    row_id bigint NOT NULL,
    reason serving.change_reason NOT NULL,
    PRIMARY KEY (dataset, closed_in, row_id)
);
-- An edition's removals in the order of the change feed.
CREATE INDEX closing_by_reason ON serving.closing (dataset, reason, closed_in, row_id);
COMMENT ON TABLE serving.closing IS 'Rows an edition removed, and why: the change feed''s removals.';
COMMENT ON COLUMN serving.closing.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN serving.closing.closed_in IS 'First edition that does not hold it.';
COMMENT ON COLUMN serving.closing.row_id IS 'Its row id.';
COMMENT ON COLUMN serving.closing.reason IS 'Why it was removed.';

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
    published_in integer,
    superseded_in integer,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    service_id text NOT NULL,
    -- A takedown counts its tombstones before it is recorded.
    takedown integer NOT NULL REFERENCES serving.takedown DEFERRABLE INITIALLY DEFERRED,
    remains bytea CHECK (length(remains) = 32),
    -- A row may be taken down twice: emptied with one fact, and then removed with its issuer.
    PRIMARY KEY (dataset, row_id, takedown)
);
CREATE INDEX tombstone_by_takedown ON ops.tombstone (takedown);
CREATE INDEX tombstone_by_service_id ON ops.tombstone (service_id);
COMMENT ON TABLE ops.tombstone IS 'Where a taken-down row stood: no content, but enough to verify the edition.';
COMMENT ON COLUMN ops.tombstone.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN ops.tombstone.row_id IS 'Its row id.';
COMMENT ON COLUMN ops.tombstone.published_in IS 'First edition that held it; null for provenance, which no edition holds alone.';
COMMENT ON COLUMN ops.tombstone.superseded_in IS 'First edition that did not, as it stood at the takedown.';
COMMENT ON COLUMN ops.tombstone.digest IS 'Hash of the row as it was, the same that the digests are made of.';
COMMENT ON COLUMN ops.tombstone.service_id IS 'Issuer the row was about, for the next publish.';
COMMENT ON COLUMN ops.tombstone.takedown IS 'The takedown that removed it.';
COMMENT ON COLUMN ops.tombstone.remains IS 'Hash of what the takedown left of the row; null where nothing is left.';

CREATE TABLE ops.edition_build (
    edition integer PRIMARY KEY,
    started_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.edition_build IS 'The build that is under way, if any; a row without its edition is undone first.';
COMMENT ON COLUMN ops.edition_build.edition IS 'Number the build writes under.';
COMMENT ON COLUMN ops.edition_build.started_at IS 'When it began.';

CREATE TABLE ops.edition_holds (
    kind text NOT NULL CHECK (kind IN ('batch', 'decision', 'takedown', 'artifact', 'correction')),
    number integer NOT NULL,
    edition integer NOT NULL,
    PRIMARY KEY (kind, number)
);
CREATE INDEX edition_holds_by_edition ON ops.edition_holds (edition);
COMMENT ON TABLE ops.edition_holds IS 'What each edition took in. What is not here is new to the next publish.';
COMMENT ON COLUMN ops.edition_holds.kind IS 'batch, identity decision, takedown, artifact or correction of a day.';
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

-- A published row goes only after its tombstone was written, whoever asks.
CREATE FUNCTION serving.guard_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    never constant integer := 2147483647;
    current_edition constant integer := serving.current_edition();
    unclosed record;
BEGIN
    IF tg_op = 'DELETE' THEN
        -- An unfinished build may be undone; published rows go by takedown only.
        IF old.published_in > current_edition OR EXISTS (
            SELECT FROM ops.tombstone AS tombstone
            WHERE tombstone.dataset = tg_table_name AND tombstone.row_id = old.row_id AND tombstone.remains IS NULL
        ) THEN
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
        IF to_jsonb(new) = jsonb_set(to_jsonb(old), '{value}', 'null', false) AND EXISTS (
            SELECT FROM ops.tombstone AS tombstone
            WHERE tombstone.dataset = tg_table_name AND tombstone.row_id = old.row_id AND tombstone.remains IS NOT NULL
        ) THEN
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
        WHERE published_in <= (SELECT serving.current_edition()) OR superseded_in <> 2147483647
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

CREATE FUNCTION serving.guard_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF tg_op = 'DELETE' AND old.closed_in > serving.current_edition() THEN
        RETURN old;
    END IF;
    IF tg_op = 'INSERT' AND new.closed_in > serving.current_edition() THEN
        RETURN new;
    END IF;
    RAISE EXCEPTION '% on serving.closing refused: that edition is published', tg_op
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION serving.guard_closing IS 'Closings belong to a coming edition; published ones stay.';

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

CREATE TRIGGER published BEFORE INSERT OR DELETE ON serving.closing
FOR EACH ROW EXECUTE FUNCTION serving.guard_closing();
CREATE TRIGGER no_change BEFORE UPDATE OR TRUNCATE ON serving.closing
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite();
ALTER TABLE serving.closing ENABLE ALWAYS TRIGGER published;
ALTER TABLE serving.closing ENABLE ALWAYS TRIGGER no_change;

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
GRANT EXECUTE ON FUNCTION serving.current_edition TO sankofa_publish;
GRANT SELECT ON serving.edition, serving.takedown, serving.closing TO sankofa_api, sankofa_publish, sankofa_export;
GRANT SELECT ON ops.tombstone, ops.edition_build, ops.edition_holds, ops.edition_version TO sankofa_publish;
-- What is usual of a source is what editions hold of it.
GRANT SELECT ON ops.edition_holds, serving.edition TO sankofa_ingest;
GRANT INSERT (edition, mark, changes) ON serving.edition TO sankofa_publish;
GRANT INSERT, DELETE ON serving.closing TO sankofa_publish;
GRANT INSERT (edition), DELETE ON ops.edition_build TO sankofa_publish;
GRANT INSERT, DELETE ON ops.edition_holds, ops.edition_version TO sankofa_publish;
