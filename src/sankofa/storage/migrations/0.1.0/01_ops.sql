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

SELECT ops.keep_append_only('ops.instance', 'ops.document', 'ops.batch', 'ops.rejection');

GRANT SELECT ON ops.instance, ops.document, ops.batch, ops.rejection TO sankofa_ingest, sankofa_publish;
GRANT SELECT ON ops.instance TO sankofa_privacy, sankofa_export, sankofa_keys, sankofa_follow;
GRANT SELECT ON ops.document, ops.batch TO sankofa_review;
GRANT INSERT (source, sha256, url, license_class, bytes, fetched_at, reading) ON ops.document TO sankofa_ingest;
GRANT INSERT (document_id, outcome, facts_read, facts_appended) ON ops.batch TO sankofa_ingest;
GRANT INSERT ON ops.rejection TO sankofa_ingest;
