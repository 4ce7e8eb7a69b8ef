-- Tamper evidence: what each edition was made of, as digests that are chained from edition to edition.

CREATE TABLE ops.digest_block (
    part text COLLATE "C" NOT NULL,
    edition integer NOT NULL,
    block integer NOT NULL CHECK (block >= 0),
    row_count integer NOT NULL CHECK (row_count > 0),
    last_key text NOT NULL,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    marks bytea NOT NULL CHECK (length(marks) = 3 * row_count),
    PRIMARY KEY (part, edition, block)
);
CREATE INDEX digest_block_by_edition ON ops.digest_block (edition);
-- Its rows carry no edition: the one that sealed a row is found by the row's number.
CREATE INDEX digest_block_of_provenance ON ops.digest_block ((last_key::bigint)) WHERE part = 'serving.provenance';
COMMENT ON TABLE ops.digest_block IS
'Rows of one table in one edition, at most 256 in the order of their keys: a subtree of its Merkle tree.';
COMMENT ON COLUMN ops.digest_block.part IS 'The table, with its schema.';
COMMENT ON COLUMN ops.digest_block.edition IS 'The edition that took the rows in, or put them.';
COMMENT ON COLUMN ops.digest_block.block IS 'Place among the blocks of the table and edition, from 0.';
COMMENT ON COLUMN ops.digest_block.row_count IS 'Rows in the block.';
COMMENT ON COLUMN ops.digest_block.last_key IS 'Key of its last row, as text.';
COMMENT ON COLUMN ops.digest_block.digest IS 'Root of the tree over the rows'' hashes.';
COMMENT ON COLUMN ops.digest_block.marks IS 'The first three bytes of each row''s hash: enough to name the row that changed.';

CREATE TABLE ops.digest_group (
    part text COLLATE "C" NOT NULL,
    edition integer NOT NULL,
    digest_group integer NOT NULL CHECK (digest_group >= 0),
    digest bytea NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (part, edition, digest_group)
);
COMMENT ON TABLE ops.digest_group IS
'At most 256 blocks of one table in one edition, so that a proof reads hundreds of digests and not all.';
COMMENT ON COLUMN ops.digest_group.part IS 'The table, with its schema.';
COMMENT ON COLUMN ops.digest_group.edition IS 'The edition that sealed the rows.';
COMMENT ON COLUMN ops.digest_group.digest_group IS 'Number of each of its blocks, divided by 256.';
COMMENT ON COLUMN ops.digest_group.digest IS 'Root of the tree over the blocks'' digests.';

CREATE TABLE serving.edition_digest (
    edition integer PRIMARY KEY REFERENCES serving.edition,
    digest bytea NOT NULL CHECK (length(digest) = 32),
    manifest text NOT NULL,
    signature bytea CHECK (length(signature) = 64),
    public_key bytea CHECK (length(public_key) = 32)
);
COMMENT ON TABLE serving.edition_digest IS 'The digest of each edition, over the one before it and all that it holds.';
COMMENT ON COLUMN serving.edition_digest.edition IS 'The edition.';
COMMENT ON COLUMN serving.edition_digest.digest IS 'Root of the Merkle tree over the lines of the manifest; shown to everybody.';
COMMENT ON COLUMN serving.edition_digest.manifest IS
'The digest before, and for each table its rows and their digest; S3 keeps the same text.';
COMMENT ON COLUMN serving.edition_digest.signature IS 'Ed25519 signature of the digest; null if no signing key was set.';
COMMENT ON COLUMN serving.edition_digest.public_key IS 'The public key that verifies the signature.';

SELECT ops.keep_append_only('serving.edition_digest');
SELECT ops.keep_append_only('ops.digest_group');
CREATE TRIGGER no_change BEFORE UPDATE OR TRUNCATE ON ops.digest_block
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite();
CREATE TRIGGER held BEFORE DELETE ON ops.digest_block
FOR EACH ROW EXECUTE FUNCTION ops.guard_holds();
ALTER TABLE ops.digest_block ENABLE ALWAYS TRIGGER no_change;
ALTER TABLE ops.digest_block ENABLE ALWAYS TRIGGER held;

GRANT SELECT, INSERT, DELETE ON ops.digest_block TO sankofa_publish;
GRANT SELECT, INSERT ON serving.edition_digest, ops.digest_group TO sankofa_publish;
GRANT SELECT (edition, digest, signature, public_key) ON serving.edition_digest TO sankofa_api;
