-- What no edition holds yet, as a list that is kept, so that nobody has to search for it.

CREATE TABLE ops.pending (
    kind text NOT NULL,
    number integer NOT NULL,
    changed_nothing boolean NOT NULL DEFAULT FALSE,
    PRIMARY KEY (kind, number)
) WITH (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
    autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000
);
COMMENT ON TABLE ops.pending IS 'What no edition holds yet. Triggers keep it: arrivals enter, and what a build holds leaves.';
COMMENT ON COLUMN ops.pending.kind IS 'batch, decision, takedown, artifact or correction, as in ops.edition_holds.';
COMMENT ON COLUMN ops.pending.number IS 'Its number within the kind.';
COMMENT ON COLUMN ops.pending.changed_nothing IS
'True if a build found that it changes no row: it waits for the next edition and does not cause one.';

CREATE TABLE ops.held_document (
    document_id integer PRIMARY KEY,
    edition integer NOT NULL
);
CREATE INDEX held_document_by_edition ON ops.held_document (edition);
COMMENT ON TABLE ops.held_document IS 'Documents with an accepted batch that an edition holds; follows ops.edition_holds.';
COMMENT ON COLUMN ops.held_document.document_id IS 'The document.';
COMMENT ON COLUMN ops.held_document.edition IS 'The first edition that holds it.';

CREATE FUNCTION ops.note_arrivals() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('INSERT INTO ops.pending (kind, number) SELECT %L, %I FROM arrivals', tg_argv[0], tg_argv[1]);
    PERFORM pg_notify('sankofa_arrivals', '');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.note_arrivals IS 'Lists new rows as pending and wakes the publisher; arguments: kind, number column.';

CREATE FUNCTION ops.note_release() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('sankofa_arrivals', '');
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.note_release IS 'Wakes the publisher when something that was held back is released.';

CREATE FUNCTION ops.note_held() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    DELETE FROM ops.pending AS pending USING arrivals
    WHERE pending.kind = arrivals.kind AND pending.number = arrivals.number;
    INSERT INTO ops.held_document (document_id, edition)
    SELECT batch.document_id, arrivals.edition
    FROM arrivals INNER JOIN ops.batch AS batch ON arrivals.kind = 'batch' AND arrivals.number = batch.batch_id
    WHERE batch.outcome = 'accepted'
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.note_held IS 'What an edition holds is no longer pending, and its documents are held.';

CREATE FUNCTION ops.note_unheld() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO ops.pending (kind, number) SELECT gone.kind, gone.number FROM gone;
    DELETE FROM ops.held_document AS held WHERE held.edition IN (SELECT gone.edition FROM gone);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.note_unheld IS 'What an undone build had held is pending again.';

CREATE TRIGGER pending AFTER INSERT ON ops.batch REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_arrivals('batch', 'batch_id');
CREATE TRIGGER pending AFTER INSERT ON ledger.identity_decision REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_arrivals('decision', 'decision');
CREATE TRIGGER pending AFTER INSERT ON ledger.takedown REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_arrivals('takedown', 'takedown');
CREATE TRIGGER pending AFTER INSERT ON ops.artifact REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_arrivals('artifact', 'artifact_id');
CREATE TRIGGER pending AFTER INSERT ON ops.day_corrected REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_arrivals('correction', 'correction');
CREATE TRIGGER released AFTER INSERT ON ops.held_decision
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_release();
CREATE TRIGGER pending AFTER INSERT ON ops.edition_holds REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_held();
CREATE TRIGGER unheld AFTER DELETE ON ops.edition_holds REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION ops.note_unheld();
ALTER TABLE ops.batch ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ledger.identity_decision ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ledger.takedown ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ops.artifact ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ops.day_corrected ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ops.edition_holds ENABLE ALWAYS TRIGGER pending;
ALTER TABLE ops.edition_holds ENABLE ALWAYS TRIGGER unheld;

REVOKE ALL ON FUNCTION ops.note_arrivals, ops.note_release, ops.note_held, ops.note_unheld FROM public;
GRANT SELECT, UPDATE (changed_nothing) ON ops.pending TO sankofa_publish;
GRANT SELECT ON ops.held_document TO sankofa_publish;
