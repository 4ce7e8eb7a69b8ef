-- What each edition touched: an answer keeps its name until an edition touches something that the answer reads.

CREATE TABLE serving.touched (
    edition integer NOT NULL,
    bucket smallint NOT NULL CHECK (bucket BETWEEN -1 AND 4095),
    dataset text NOT NULL,
    PRIMARY KEY (dataset, bucket)
) WITH (fillfactor = 70);
CREATE INDEX touched_by_edition ON serving.touched (edition);
COMMENT ON TABLE serving.touched IS
'The newest edition that put or closed a row in each bucket of keys; readers round the current edition down to it.';
COMMENT ON COLUMN serving.touched.edition IS 'The edition.';
COMMENT ON COLUMN serving.touched.bucket IS 'First 12 bits of the MD5 of the key; -1 stands for all keys of the dataset.';
COMMENT ON COLUMN serving.touched.dataset IS
'Serving table; edition is touched by every edition, day by the first edition of each UTC day.';

CREATE TABLE ops.due (
    day date NOT NULL,
    dataset text NOT NULL,
    key text NOT NULL,
    PRIMARY KEY (dataset, day, key)
);
COMMENT ON TABLE ops.due IS
'Keys with a row that was published before one of its days. The first edition of that day or later touches them.';
COMMENT ON COLUMN ops.due.day IS 'The day on which answers change although no row does, such as available_at.';
COMMENT ON COLUMN ops.due.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN ops.due.key IS 'Key of the row in that table; empty for all keys, after a bulk load.';

CREATE FUNCTION serving.guard_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF new.edition > serving.current_edition() AND EXISTS (
        SELECT FROM ops.edition_build AS build WHERE build.edition = new.edition
    ) THEN
        RETURN new;
    END IF;
    RAISE EXCEPTION '% on serving.touched refused: edition % is not the build in progress', tg_op, new.edition
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION serving.guard_touched IS 'Only the build in progress can touch something; nothing becomes untouched.';
CREATE TRIGGER coming_edition BEFORE INSERT OR UPDATE ON serving.touched
FOR EACH ROW EXECUTE FUNCTION serving.guard_touched();
CREATE TRIGGER no_removal BEFORE DELETE OR TRUNCATE ON serving.touched
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite();
ALTER TABLE serving.touched ENABLE ALWAYS TRIGGER coming_edition;
ALTER TABLE serving.touched ENABLE ALWAYS TRIGGER no_removal;
SELECT ops.keep_append_only('ops.due');

REVOKE ALL ON FUNCTION serving.guard_touched FROM public;
GRANT SELECT ON serving.touched TO sankofa_api;
GRANT SELECT, INSERT, UPDATE (edition) ON serving.touched TO sankofa_publish;
GRANT SELECT, INSERT ON ops.due TO sankofa_publish;
