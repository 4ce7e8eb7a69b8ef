-- Decisions about documents. Drift: those that change more than is usual wait for one; so do too many takedowns at once.
-- Corrections: one that was ingested with a wrong day is read again with the right one.

CREATE TABLE ops.held (
    held integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    batch_id integer REFERENCES ops.batch,
    rules text,
    run integer REFERENCES ops.run,
    dataset text NOT NULL,
    reasons jsonb NOT NULL,
    takedowns integer NOT NULL DEFAULT 0 CHECK (takedowns >= 0),
    held_by text NOT NULL DEFAULT session_user,
    held_at timestamptz NOT NULL DEFAULT now(),
    CHECK (num_nonnulls(batch_id, rules, run) = 1)
);
CREATE INDEX held_by_batch ON ops.held (batch_id);
CREATE INDEX held_by_run ON ops.held (run);
COMMENT ON TABLE ops.held IS 'What waits for a decision before an edition may hold it, and why.';
COMMENT ON COLUMN ops.held.held IS 'Number of the hold; decisions name it.';
COMMENT ON COLUMN ops.held.batch_id IS 'The batch that no edition takes in; null where rules or a run are the cause.';
COMMENT ON COLUMN ops.held.rules IS 'Version of the organisation rules that would take down too many; null for others.';
COMMENT ON COLUMN ops.held.run IS 'The run that fell short of what is expected of its source; null for others.';
COMMENT ON COLUMN ops.held.dataset IS 'The dataset whose bounds were exceeded.';
COMMENT ON COLUMN ops.held.reasons IS 'Each bound exceeded: how many rows, of how many, the bound, and the first rows by name.';
COMMENT ON COLUMN ops.held.takedowns IS 'How many takedowns a release of this hold allows.';
COMMENT ON COLUMN ops.held.held_by IS 'The login that found it.';
COMMENT ON COLUMN ops.held.held_at IS 'When; the server''s clock.';

CREATE TABLE ops.held_decision (
    decision integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    held integer NOT NULL REFERENCES ops.held,
    is_released boolean NOT NULL,
    because text NOT NULL CHECK (because <> ''),
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX held_decision_by_held ON ops.held_decision (held);
COMMENT ON TABLE ops.held_decision IS 'What was decided about holds. A release may follow a refusal; nothing follows a release.';
COMMENT ON COLUMN ops.held_decision.decision IS 'Number of the decision.';
COMMENT ON COLUMN ops.held_decision.held IS 'The hold decided about.';
COMMENT ON COLUMN ops.held_decision.is_released IS 'True: the next edition takes it in. False: none ever does.';
COMMENT ON COLUMN ops.held_decision.because IS 'Why, for whoever asks later.';
COMMENT ON COLUMN ops.held_decision.decided_by IS 'The login that decided.';
COMMENT ON COLUMN ops.held_decision.decided_at IS 'When; the server''s clock.';

CREATE TABLE ops.day_correction (
    correction integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL REFERENCES ops.document,
    fetched_at timestamptz NOT NULL,
    because text NOT NULL CHECK (because <> ''),
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX day_correction_by_document ON ops.day_correction (document_id);
COMMENT ON TABLE ops.day_correction IS
'Decisions that a document was really fetched at another moment than it was ingested with.';
COMMENT ON COLUMN ops.day_correction.correction IS 'Number of the correction.';
COMMENT ON COLUMN ops.day_correction.document_id IS 'The document, as it was read with the wrong moment.';
COMMENT ON COLUMN ops.day_correction.fetched_at IS 'When it was really fetched.';
COMMENT ON COLUMN ops.day_correction.because IS 'Why, for whoever asks later.';
COMMENT ON COLUMN ops.day_correction.decided_by IS 'The login that decided.';
COMMENT ON COLUMN ops.day_correction.decided_at IS 'When; the server''s clock.';

CREATE TABLE ops.set_aside (
    document_id integer PRIMARY KEY REFERENCES ops.document,
    correction integer NOT NULL REFERENCES ops.day_correction,
    read_as integer NOT NULL UNIQUE REFERENCES ops.document
);
CREATE INDEX set_aside_by_correction ON ops.set_aside (correction);
COMMENT ON TABLE ops.set_aside IS
'Documents that a correction made us read again: the one with the wrong day, and those of its source ingested after it.';
COMMENT ON COLUMN ops.set_aside.document_id IS 'The reading that no edition from the correction on rests on.';
COMMENT ON COLUMN ops.set_aside.correction IS 'The correction.';
COMMENT ON COLUMN ops.set_aside.read_as IS 'The same bytes, read again.';

CREATE TABLE ops.day_corrected (
    correction integer PRIMARY KEY REFERENCES ops.day_correction,
    done_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.day_corrected IS 'Corrections that were carried out, each in one transaction with all that was read again.';
COMMENT ON COLUMN ops.day_corrected.correction IS 'The correction.';
COMMENT ON COLUMN ops.day_corrected.done_at IS 'When; the server''s clock.';

CREATE VIEW ops.held_back AS
SELECT batch.batch_id, batch.document_id
FROM ops.held AS held
INNER JOIN ops.batch AS batch ON held.batch_id = batch.batch_id
WHERE
    held.held NOT IN (
        SELECT decision.held FROM ops.held_decision AS decision
        WHERE decision.is_released
    )
UNION ALL
SELECT batch.batch_id, batch.document_id
FROM ops.set_aside AS aside
INNER JOIN ops.batch AS batch ON aside.document_id = batch.document_id
UNION ALL
SELECT waiting.batch_id, waiting.document_id
FROM ops.run_waiting AS waiting
WHERE waiting.run IS DISTINCT FROM nullif(current_setting('sankofa.run', TRUE), '')::integer
UNION ALL
SELECT DISTINCT 0 AS batch_id, part.document_id
FROM ops.archive_part AS part;
COMMENT ON VIEW ops.held_back IS
'Batches with a hold that nobody released, undecided or refused; those of documents that were read again; those of
runs that are not good, but for the run that this connection says it belongs to, whose documents come and go together; and
archives that were not read to their end.';
COMMENT ON COLUMN ops.held_back.batch_id IS 'The batch; 0 for an archive that has none yet.';
COMMENT ON COLUMN ops.held_back.document_id IS 'Its document, which later documents are not compared with.';

CREATE FUNCTION ops.refuse_held() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM arrivals
        INNER JOIN ops.held_back AS held ON arrivals.number = held.batch_id
        WHERE arrivals.kind = 'batch'
    ) THEN
        RAISE EXCEPTION 'INSERT on ops.edition_holds refused: a batch is held back and not released'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.refuse_held IS 'No edition takes in a batch that is held back, whoever publishes.';
CREATE TRIGGER not_held AFTER INSERT ON ops.edition_holds REFERENCING NEW TABLE AS arrivals
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_held();
ALTER TABLE ops.edition_holds ENABLE ALWAYS TRIGGER not_held;

CREATE FUNCTION ops.free_released_run() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF new.is_released THEN
        DELETE FROM ops.run_waiting AS waiting USING ops.held AS held
        WHERE held.held = new.held AND waiting.run = held.run;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.free_released_run IS 'What a released run brought no longer waits.';
CREATE TRIGGER free AFTER INSERT ON ops.held_decision FOR EACH ROW EXECUTE FUNCTION ops.free_released_run();
ALTER TABLE ops.held_decision ENABLE ALWAYS TRIGGER free;

CREATE FUNCTION ops.movement(was numeric, now numeric, tolerance numeric, leap numeric) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN was IS NULL OR was IS NOT DISTINCT FROM now THEN NULL
        WHEN now IS NULL THEN 'gone'
        WHEN was <> 0 AND now = 0 THEN 'zeroed'
        WHEN was <> 0 AND greatest(abs(was), abs(now)) >= leap * least(abs(was), abs(now)) THEN 'leapt'
        WHEN abs(now - was) > tolerance * abs(was) THEN 'restated'
    END
$$;
COMMENT ON FUNCTION ops.movement IS
'What became of a known value: gone, zeroed, leapt by a factor, restated by more than a share; null if nothing did.';

-- 100 in 24 hours: ordinary days have a handful. More is a broken rule, a poisoned register or a stolen login.
CREATE FUNCTION ops.takedowns_left() RETURNS bigint LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
    SELECT 100
        + (
            SELECT coalesce(sum(held.takedowns), 0)
            FROM ops.held_decision AS decision
            INNER JOIN ops.held AS held ON decision.held = held.held
            WHERE decision.is_released AND decision.decided_at > now() - interval '24 hours'
        )
        - (
            SELECT count(*)
            FROM ledger.takedown AS takedown
            WHERE takedown.kind = 'withheld' AND takedown.decided_at > now() - interval '24 hours'
        )
$$;
COMMENT ON FUNCTION ops.takedowns_left IS
'How many ids the publisher may still take down: 100 in 24 hours, and what was released in that time.';

SELECT ops.keep_append_only('ops.held', 'ops.held_decision', 'ops.day_correction', 'ops.set_aside', 'ops.day_corrected');

REVOKE ALL ON FUNCTION ops.refuse_held, ops.free_released_run, ops.movement, ops.takedowns_left FROM public;
GRANT USAGE ON SCHEMA ops TO sankofa_review;
GRANT SELECT ON ops.held, ops.held_decision, ops.held_back, ops.day_correction, ops.set_aside, ops.day_corrected
TO sankofa_ingest, sankofa_publish, sankofa_review;
GRANT INSERT (batch_id, rules, run, dataset, reasons, takedowns) ON ops.held TO sankofa_ingest, sankofa_publish;
GRANT INSERT (held, is_released, because) ON ops.held_decision TO sankofa_review;
GRANT INSERT (document_id, fetched_at, because) ON ops.day_correction TO sankofa_review;
GRANT INSERT ON ops.set_aside TO sankofa_ingest;
GRANT INSERT (correction) ON ops.day_corrected TO sankofa_ingest;
GRANT EXECUTE ON FUNCTION ops.movement TO sankofa_ingest;
GRANT EXECUTE ON FUNCTION ops.takedowns_left TO sankofa_publish;
