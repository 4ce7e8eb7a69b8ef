-- Tamper evidence: what each edition was made of, as digests that are chained from edition to edition.

-- Rows are found again by the document that brought them. One that arrives late may add to what earlier ones say.
ALTER TABLE ledger.snapshot ADD COLUMN brought_by integer NOT NULL DEFAULT 0;
ALTER TABLE ledger.snapshot ALTER COLUMN brought_by DROP DEFAULT;
ALTER TABLE ledger.observation ADD COLUMN brought_by integer NOT NULL DEFAULT 0;
ALTER TABLE ledger.observation ALTER COLUMN brought_by DROP DEFAULT;
COMMENT ON COLUMN ledger.snapshot.brought_by IS 'The document whose reading appended the row, perhaps about another one.';
COMMENT ON COLUMN ledger.observation.brought_by IS 'The document whose reading appended the row, perhaps about another one.';
GRANT INSERT (brought_by) ON ledger.snapshot TO sankofa_ingest;
CREATE INDEX fact_by_document ON ledger.fact (document_id);
CREATE INDEX organisation_record_by_document ON ledger.organisation_record (document_id);
CREATE INDEX coverage_by_document ON ledger.coverage (document_id);
CREATE INDEX snapshot_by_bringer ON ledger.snapshot (brought_by);
CREATE INDEX observation_by_bringer ON ledger.observation (brought_by);
CREATE INDEX release_sighting_by_document ON ledger.release_sighting (document_id);
CREATE INDEX edition_holds_by_edition ON ops.edition_holds (edition);

-- Served rows that belong to no edition alone are numbered too, so that they are sealed in the order they came.
ALTER TABLE serving.provenance ADD COLUMN row_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
ALTER TABLE serving.metric_span ADD COLUMN row_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE;
COMMENT ON COLUMN serving.provenance.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.metric_span.row_id IS 'Given in publish order.';

-- A row may be taken down twice: emptied with one fact, and then removed with its issuer.
ALTER TABLE ops.tombstone
DROP CONSTRAINT tombstone_pkey,
ADD PRIMARY KEY (dataset, row_id, takedown),
ALTER COLUMN published_in DROP NOT NULL,
ALTER COLUMN superseded_in DROP NOT NULL,
ADD COLUMN remains bytea CHECK (length(remains) = 32);
COMMENT ON COLUMN ops.tombstone.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN ops.tombstone.published_in IS 'First edition that held it; null for provenance, which no edition holds alone.';
COMMENT ON COLUMN ops.tombstone.superseded_in IS 'First edition that did not, as it stood at the takedown.';
COMMENT ON COLUMN ops.tombstone.digest IS 'Hash of the row as it was, the same that the digests are made of.';
COMMENT ON COLUMN ops.tombstone.remains IS 'Hash of what the takedown left of the row; null where nothing is left.';

CREATE TABLE ops.digest_block (
    part text COLLATE "C" NOT NULL,
    edition integer NOT NULL,
    block integer NOT NULL CHECK (block >= 0),
    row_count integer NOT NULL CHECK (row_count > 0),
    last_key text NOT NULL,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    marks bytea NOT NULL CHECK (length(marks) = 4 * row_count),
    PRIMARY KEY (part, edition, block)
);
CREATE INDEX digest_block_by_edition ON ops.digest_block (edition);
COMMENT ON TABLE ops.digest_block IS 'Rows of one table in one edition, a thousand at a time in the order of their keys.';
COMMENT ON COLUMN ops.digest_block.part IS 'The table, with its schema.';
COMMENT ON COLUMN ops.digest_block.edition IS 'The edition that took the rows in, or put them.';
COMMENT ON COLUMN ops.digest_block.block IS 'Place among the blocks of the table and edition, from 0.';
COMMENT ON COLUMN ops.digest_block.row_count IS 'Rows in the block.';
COMMENT ON COLUMN ops.digest_block.last_key IS 'Key of its last row, as text.';
COMMENT ON COLUMN ops.digest_block.digest IS 'SHA-256 over the SHA-256 of each row.';
COMMENT ON COLUMN ops.digest_block.marks IS 'The first four bytes of each row''s hash: enough to name the row that changed.';

CREATE TABLE serving.edition_digest (
    edition integer PRIMARY KEY REFERENCES serving.edition,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    manifest text NOT NULL
);
COMMENT ON TABLE serving.edition_digest IS 'The digest of each edition, over the one before it and all that it holds.';
COMMENT ON COLUMN serving.edition_digest.edition IS 'The edition.';
COMMENT ON COLUMN serving.edition_digest.digest IS 'SHA-256 of the manifest; shown to everybody.';
COMMENT ON COLUMN serving.edition_digest.manifest IS
'The digest before, and for each table its rows and their digest; S3 keeps the same text.';

SELECT ops.keep_append_only('serving.edition_digest');
CREATE TRIGGER no_change BEFORE UPDATE OR TRUNCATE ON ops.digest_block
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite();
CREATE TRIGGER held BEFORE DELETE ON ops.digest_block
FOR EACH ROW EXECUTE FUNCTION ops.guard_holds();
ALTER TABLE ops.digest_block ENABLE ALWAYS TRIGGER no_change;
ALTER TABLE ops.digest_block ENABLE ALWAYS TRIGGER held;

GRANT SELECT, INSERT, DELETE ON ops.digest_block TO sankofa_publish;
GRANT SELECT, INSERT ON serving.edition_digest TO sankofa_publish;
GRANT SELECT (edition, digest) ON serving.edition_digest TO sankofa_api;
