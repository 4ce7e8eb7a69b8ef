-- Schemas, and ops: what was fetched, what each ingest run appended, which edition holds it.
REVOKE ALL ON SCHEMA public FROM public;

CREATE SCHEMA ledger;
CREATE SCHEMA serving;
CREATE SCHEMA ops;
COMMENT ON SCHEMA ledger IS 'Append-only record of what sources said, in the sources'' own words. Never served.';
COMMENT ON SCHEMA serving IS 'The read models of all editions: the only schema the API''s role can see.';
COMMENT ON SCHEMA ops IS 'How the data came in and went out: documents, batches, issued ids, versions.';

GRANT USAGE ON SCHEMA ledger TO sankofa_ingest, sankofa_publish, sankofa_privacy;
GRANT USAGE ON SCHEMA serving TO sankofa_ingest, sankofa_publish, sankofa_api, sankofa_privacy, sankofa_export;
GRANT USAGE ON SCHEMA ops
TO sankofa_ingest, sankofa_publish, sankofa_privacy, sankofa_keys, sankofa_export, sankofa_follow, sankofa_review;

CREATE TYPE serving.scope AS ENUM ('consolidated', 'separate');
COMMENT ON TYPE serving.scope IS 'Whose accounts: the group''s or the company''s own.';

CREATE FUNCTION ops.refuse_rewrite() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on %.% refused: the record is append-only', tg_op, tg_table_schema, tg_table_name
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION ops.refuse_rewrite IS 'Statement trigger of every append-only table: no UPDATE, DELETE, TRUNCATE.';

CREATE FUNCTION ops.keep_append_only(VARIADIC records regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    record regclass;
BEGIN
    FOREACH record IN ARRAY records LOOP
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s '
            'FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite()', record);
        EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER append_only', record);
    END LOOP;
END
$$;
COMMENT ON FUNCTION ops.keep_append_only IS 'For migrations: makes tables append-only, whoever asks.';
REVOKE ALL ON FUNCTION ops.refuse_rewrite, ops.keep_append_only FROM public;

CREATE TABLE ops.instance (
    instance_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.instance IS 'One row: which installation this is; survives backup and restore.';
COMMENT ON COLUMN ops.instance.instance_id IS 'Names this installation''s own objects in S3.';
COMMENT ON COLUMN ops.instance.created_at IS 'When the first migration ran.';
INSERT INTO ops.instance DEFAULT VALUES;

CREATE TABLE ops.document (
    document_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    sha256 bytea NOT NULL CHECK (length(sha256) = 32),
    url text,
    license_class text NOT NULL,
    bytes bigint NOT NULL,
    fetched_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    reading smallint NOT NULL DEFAULT 1 CHECK (reading > 0),
    UNIQUE (source, sha256, reading)
);
CREATE INDEX document_by_source ON ops.document (source, document_id);
COMMENT ON TABLE ops.document IS 'Bytes fetched from a source. The bytes themselves are in S3 under their sha256.';
COMMENT ON COLUMN ops.document.document_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ops.document.source IS 'Which source definition the document came in by.';
COMMENT ON COLUMN ops.document.sha256 IS 'Identity of the bytes.';
COMMENT ON COLUMN ops.document.url IS 'Where it was fetched from, where it was fetched.';
COMMENT ON COLUMN ops.document.license_class IS 'Licence the source is held under.';
COMMENT ON COLUMN ops.document.bytes IS 'Length of the document.';
COMMENT ON COLUMN ops.document.fetched_at IS 'When we fetched it; served as observed_at.';
COMMENT ON COLUMN ops.document.recorded_at IS 'When this row was written; the server''s clock.';
COMMENT ON COLUMN ops.document.reading IS '1; the next number where a correction of a day made us read the bytes again.';

CREATE TABLE ops.batch (
    batch_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL REFERENCES ops.document,
    outcome text NOT NULL CHECK (outcome IN ('accepted', 'refused')),
    facts_read bigint NOT NULL,
    facts_appended bigint NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (document_id, outcome)
);
COMMENT ON TABLE ops.batch IS 'What one document added to the ledger; commits together with the rows it counts.';
COMMENT ON COLUMN ops.batch.batch_id IS 'Handle of the batch. Never a watermark: a lower id may commit later.';
COMMENT ON COLUMN ops.batch.document_id IS 'The document that was read.';
COMMENT ON COLUMN ops.batch.outcome IS 'accepted, or refused as a whole; the rejection row says why.';
COMMENT ON COLUMN ops.batch.facts_read IS 'Facts the parser yielded.';
COMMENT ON COLUMN ops.batch.facts_appended IS 'Ledger rows that were new.';
COMMENT ON COLUMN ops.batch.recorded_at IS 'When the batch was written; the server''s clock.';

-- An archive of many files is read in parts, by several processes at the same time.
CREATE TABLE ops.archive_part (
    document_id integer NOT NULL REFERENCES ops.document,
    part integer NOT NULL,
    place bigint NOT NULL,
    members integer NOT NULL,
    is_screened boolean NOT NULL,
    done jsonb,
    subjects integer[],
    PRIMARY KEY (document_id, part)
);
COMMENT ON TABLE ops.archive_part IS
'Archives that are being read, in parts. A kept list: an archive leaves it with its batch, and counts from then on.';
COMMENT ON COLUMN ops.archive_part.document_id IS 'The archive.';
COMMENT ON COLUMN ops.archive_part.part IS 'Number of the part, from 1.';
COMMENT ON COLUMN ops.archive_part.place IS 'Where its first entry begins in the directory of the archive.';
COMMENT ON COLUMN ops.archive_part.members IS 'How many entries it has.';
COMMENT ON COLUMN ops.archive_part.is_screened IS 'Whether what it changes is compared with what was known before.';
COMMENT ON COLUMN ops.archive_part.done IS 'What reading it brought; null until then. Commits together with its rows.';
COMMENT ON COLUMN ops.archive_part.subjects IS 'Whom it said something new about.';

CREATE TABLE ops.archive_member (
    source text NOT NULL,
    name text NOT NULL,
    document_id integer NOT NULL REFERENCES ops.document,
    packed_sha256 bytea NOT NULL CHECK (length(packed_sha256) = 32),
    facts_read bigint NOT NULL,
    newest date,
    rejected jsonb NOT NULL,
    PRIMARY KEY (source, name, document_id)
);
CREATE INDEX archive_member_by_document ON ops.archive_member (document_id);
COMMENT ON TABLE ops.archive_member IS
'Files of archives as they were read. One that is the same in the next archive is not read again, and has no row of that.';
COMMENT ON COLUMN ops.archive_member.source IS 'The source of the archive.';
COMMENT ON COLUMN ops.archive_member.name IS 'Name of the file in it.';
COMMENT ON COLUMN ops.archive_member.document_id IS 'The archive.';
COMMENT ON COLUMN ops.archive_member.packed_sha256 IS 'SHA-256 of the bytes of the file as they are packed in the archive.';
COMMENT ON COLUMN ops.archive_member.facts_read IS 'Facts in it.';
COMMENT ON COLUMN ops.archive_member.newest IS 'The last day of the newest period in it; null where it has no periods.';
COMMENT ON COLUMN ops.archive_member.rejected IS 'Rows that were not taken, by reason.';

CREATE TABLE ops.file_version (
    file_version integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document_id integer NOT NULL REFERENCES ops.document,
    url text NOT NULL,
    etag text NOT NULL,
    last_modified text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (etag <> '' OR last_modified <> '')
);
CREATE INDEX file_version_by_url ON ops.file_version (url, file_version);
CREATE INDEX file_version_by_document ON ops.file_version (document_id);
COMMENT ON TABLE ops.file_version IS
'What publishers call the versions of files that could be read. The last row of an address is sent with the next request.';
COMMENT ON COLUMN ops.file_version.file_version IS 'Number of the row; those of one source are in order.';
COMMENT ON COLUMN ops.file_version.document_id IS 'The document with the bytes of this version.';
COMMENT ON COLUMN ops.file_version.url IS 'Where it was fetched from.';
COMMENT ON COLUMN ops.file_version.etag IS 'ETag of the answer, word for word; empty if it had none.';
COMMENT ON COLUMN ops.file_version.last_modified IS
'Last-Modified of the answer, word for word; empty if it had none, or one that another version may have as well.';
COMMENT ON COLUMN ops.file_version.seen_at IS 'When this row was written; the server''s clock.';

CREATE TABLE ops.rejection (
    batch_id integer NOT NULL REFERENCES ops.batch,
    reason text NOT NULL,
    rows_rejected bigint NOT NULL,
    sample text NOT NULL,
    PRIMARY KEY (batch_id, reason)
);
COMMENT ON TABLE ops.rejection IS 'What a batch did not take, and why: a reason is a row, not a log line.';
COMMENT ON COLUMN ops.rejection.batch_id IS 'The batch that rejected.';
COMMENT ON COLUMN ops.rejection.reason IS 'Stable word for the reason.';
COMMENT ON COLUMN ops.rejection.rows_rejected IS 'How many rows fell to it.';
COMMENT ON COLUMN ops.rejection.sample IS 'One short example, for the operator.';

CREATE TABLE ops.batch_extent (
    batch_id integer PRIMARY KEY REFERENCES ops.batch,
    keys bigint NOT NULL,
    newest date
);
COMMENT ON TABLE ops.batch_extent IS 'How far a document reaches, for what is expected of its source.';
COMMENT ON COLUMN ops.batch_extent.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.batch_extent.keys IS 'Different issuers, series, processes or organisations it speaks of.';
COMMENT ON COLUMN ops.batch_extent.newest IS 'The last day of the newest period it speaks of; null where it has no periods.';

-- A run asks a source for all that is new. An edition takes in all of its documents together, or none.
CREATE TABLE ops.run (
    run integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    began_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX run_by_source ON ops.run (source, run);
COMMENT ON TABLE ops.run IS 'Runs of feeds. One that was interrupted goes on; a source has one at a time.';
COMMENT ON COLUMN ops.run.run IS 'Number of the run.';
COMMENT ON COLUMN ops.run.source IS 'The source that is asked.';
COMMENT ON COLUMN ops.run.began_at IS 'When; the server''s clock.';

CREATE TABLE ops.run_batch (
    run integer NOT NULL REFERENCES ops.run,
    batch_id integer NOT NULL REFERENCES ops.batch,
    PRIMARY KEY (run, batch_id)
);
CREATE INDEX run_batch_by_batch ON ops.run_batch (batch_id);
COMMENT ON TABLE ops.run_batch IS 'What the source offered in a run: new, seen before, or unchanged.';
COMMENT ON COLUMN ops.run_batch.run IS 'The run.';
COMMENT ON COLUMN ops.run_batch.batch_id IS 'What became of the document when it was first read.';

CREATE TABLE ops.run_fault (
    fault integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run integer NOT NULL REFERENCES ops.run,
    reason text NOT NULL,
    failed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX run_fault_by_run ON ops.run_fault (run);
COMMENT ON TABLE ops.run_fault IS 'Attempts of a run that failed. The run goes on with the next attempt, if there is one.';
COMMENT ON COLUMN ops.run_fault.fault IS 'Number of the fault.';
COMMENT ON COLUMN ops.run_fault.run IS 'The run.';
COMMENT ON COLUMN ops.run_fault.reason IS 'Why, as the operator is told.';
COMMENT ON COLUMN ops.run_fault.failed_at IS 'When; the server''s clock.';

CREATE TABLE ops.run_end (
    run integer PRIMARY KEY REFERENCES ops.run,
    outcome text NOT NULL CHECK (outcome IN ('good', 'held', 'failed')),
    reasons text[] NOT NULL,
    documents integer NOT NULL,
    new_documents integer NOT NULL,
    facts_read bigint NOT NULL,
    keys bigint NOT NULL,
    newest date,
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE ops.run_end IS 'How runs ended.';
COMMENT ON COLUMN ops.run_end.run IS 'The run.';
COMMENT ON COLUMN ops.run_end.outcome IS 'good; held: it fell short of what is expected; failed: no attempt was left.';
COMMENT ON COLUMN ops.run_end.reasons IS 'Each expectation that was not met, or the last fault; none of a good run.';
COMMENT ON COLUMN ops.run_end.documents IS 'Documents that the source offered.';
COMMENT ON COLUMN ops.run_end.new_documents IS 'Those of them that were not seen before.';
COMMENT ON COLUMN ops.run_end.facts_read IS 'Facts in all of them.';
COMMENT ON COLUMN ops.run_end.keys IS 'Issuers, series, processes or organisations in each of them, added up.';
COMMENT ON COLUMN ops.run_end.newest IS 'The last day of the newest period in any of them.';
COMMENT ON COLUMN ops.run_end.ended_at IS 'When; the server''s clock.';

CREATE TABLE ops.run_waiting (
    batch_id integer PRIMARY KEY REFERENCES ops.batch,
    document_id integer NOT NULL REFERENCES ops.document,
    run integer NOT NULL REFERENCES ops.run
);
CREATE INDEX run_waiting_by_run ON ops.run_waiting (run);
CREATE INDEX run_waiting_by_document ON ops.run_waiting (document_id);
COMMENT ON TABLE ops.run_waiting IS
'Batches that wait until a run that offered them is good, or somebody releases theirs. A kept list.';
COMMENT ON COLUMN ops.run_waiting.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.run_waiting.document_id IS 'Its document.';
COMMENT ON COLUMN ops.run_waiting.run IS 'The run that brought it.';

CREATE FUNCTION ops.free_good_run() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF new.outcome = 'good' THEN
        DELETE FROM ops.run_waiting AS waiting USING ops.run_batch AS part
        WHERE part.run = new.run AND waiting.batch_id = part.batch_id;
        PERFORM pg_notify('sankofa_arrivals', '');
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION ops.free_good_run IS 'What a good run offered no longer waits, whichever run brought it.';
CREATE TRIGGER free AFTER INSERT ON ops.run_end FOR EACH ROW EXECUTE FUNCTION ops.free_good_run();
ALTER TABLE ops.run_end ENABLE ALWAYS TRIGGER free;

CREATE TABLE ops.feed_pause (
    pause integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    is_paused boolean NOT NULL,
    because text NOT NULL CHECK (because <> ''),
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX feed_pause_by_source ON ops.feed_pause (source, pause);
COMMENT ON TABLE ops.feed_pause IS 'Decisions to stop asking a source, and to go on; the last one counts.';
COMMENT ON COLUMN ops.feed_pause.pause IS 'Number of the decision.';
COMMENT ON COLUMN ops.feed_pause.source IS 'The source.';
COMMENT ON COLUMN ops.feed_pause.is_paused IS 'True: it is not asked.';
COMMENT ON COLUMN ops.feed_pause.because IS 'Why, for whoever asks later.';
COMMENT ON COLUMN ops.feed_pause.decided_by IS 'The login that decided.';
COMMENT ON COLUMN ops.feed_pause.decided_at IS 'When; the server''s clock.';

CREATE TABLE ops.host_turn (
    host text PRIMARY KEY,
    next_at timestamptz NOT NULL
);
COMMENT ON TABLE ops.host_turn IS 'When each host may be asked again, over all workers.';
COMMENT ON COLUMN ops.host_turn.host IS 'The host.';
COMMENT ON COLUMN ops.host_turn.next_at IS 'Not before this moment; the server''s clock.';

CREATE TABLE ops.feed_standing (
    source text PRIMARY KEY,
    is_served boolean NOT NULL,
    is_frozen boolean NOT NULL,
    known_at timestamptz NOT NULL,
    good_at timestamptz,
    next_due timestamptz,
    stale_at timestamptz
);
COMMENT ON TABLE ops.feed_standing IS
'When each source that is fetched was last good, is due and becomes stale, noted beforehand: if all workers end, it tells so.';
COMMENT ON COLUMN ops.feed_standing.source IS 'The source.';
COMMENT ON COLUMN ops.feed_standing.is_served IS 'True if its file exists and allows its data to be served.';
COMMENT ON COLUMN ops.feed_standing.is_frozen IS 'True if the publisher adds nothing any more.';
COMMENT ON COLUMN ops.feed_standing.known_at IS 'When its file was first met.';
COMMENT ON COLUMN ops.feed_standing.good_at IS 'When its last good run began; null before the first.';
COMMENT ON COLUMN ops.feed_standing.next_due IS 'When it is asked next; null if only when somebody asks, or while paused.';
COMMENT ON COLUMN ops.feed_standing.stale_at IS
'From this moment on it is stale, unless a good run moves it; null if it is never due.';

CREATE VIEW serving.source_freshness AS
SELECT standing.source, standing.is_frozen, standing.good_at, standing.next_due, standing.stale_at
FROM ops.feed_standing AS standing
WHERE standing.is_served;
COMMENT ON VIEW serving.source_freshness IS
'Freshness of the sources that may be served. It is of no edition: it changes with the clock.';
COMMENT ON COLUMN serving.source_freshness.source IS 'The source.';
COMMENT ON COLUMN serving.source_freshness.is_frozen IS 'True if the publisher adds nothing any more.';
COMMENT ON COLUMN serving.source_freshness.good_at IS 'When its last good run began.';
COMMENT ON COLUMN serving.source_freshness.next_due IS 'When it is asked next.';
COMMENT ON COLUMN serving.source_freshness.stale_at IS 'From when on it is stale.';

SELECT ops.keep_append_only(
    'ops.instance', 'ops.document', 'ops.batch', 'ops.rejection', 'ops.batch_extent', 'ops.archive_member',
    'ops.file_version', 'ops.run', 'ops.run_batch', 'ops.run_fault', 'ops.run_end', 'ops.feed_pause'
);

GRANT SELECT ON ops.instance, ops.document, ops.batch, ops.rejection TO sankofa_ingest, sankofa_publish;
GRANT SELECT ON ops.instance TO sankofa_privacy, sankofa_export, sankofa_keys, sankofa_follow;
GRANT SELECT ON ops.document, ops.batch TO sankofa_review;
GRANT INSERT (source, sha256, url, license_class, bytes, fetched_at, reading) ON ops.document TO sankofa_ingest;
GRANT INSERT (document_id, outcome, facts_read, facts_appended) ON ops.batch TO sankofa_ingest;
GRANT SELECT, INSERT, UPDATE (done, subjects), DELETE ON ops.archive_part TO sankofa_ingest;
GRANT SELECT ON ops.archive_part TO sankofa_review;
GRANT SELECT, INSERT ON ops.archive_member TO sankofa_ingest;
GRANT SELECT ON ops.file_version TO sankofa_ingest;
GRANT INSERT (document_id, url, etag, last_modified) ON ops.file_version TO sankofa_ingest;
GRANT INSERT ON ops.rejection TO sankofa_ingest;
REVOKE ALL ON FUNCTION ops.free_good_run FROM public;
GRANT SELECT ON ops.batch_extent, ops.run, ops.run_batch, ops.run_fault, ops.run_end, ops.run_waiting, ops.feed_pause
TO sankofa_ingest;
GRANT SELECT ON ops.run_waiting TO sankofa_publish;
GRANT SELECT ON ops.run, ops.run_batch, ops.run_end, ops.run_waiting TO sankofa_review;
GRANT INSERT ON ops.batch_extent, ops.run_batch, ops.run_waiting TO sankofa_ingest;
GRANT INSERT (source) ON ops.run TO sankofa_ingest;
GRANT INSERT (run, reason) ON ops.run_fault TO sankofa_ingest;
GRANT INSERT (run, outcome, reasons, documents, new_documents, facts_read, keys, newest) ON ops.run_end TO sankofa_ingest;
GRANT INSERT (source, is_paused, because) ON ops.feed_pause TO sankofa_ingest;
GRANT SELECT, INSERT, UPDATE ON ops.host_turn, ops.feed_standing TO sankofa_ingest;
GRANT SELECT ON ops.feed_standing TO sankofa_publish;
GRANT SELECT ON serving.source_freshness TO sankofa_api;
