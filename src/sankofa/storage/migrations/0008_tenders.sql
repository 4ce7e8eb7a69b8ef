-- Releases of public tenders as portals state them, and whom each one mentions. Not served from here.

CREATE TABLE ledger.release (
    release_key uuid NOT NULL,
    content uuid NOT NULL,
    document_id integer NOT NULL,
    available_at date NOT NULL,
    released_at timestamptz,
    available_at_basis text NOT NULL CHECK (available_at_basis IN ('publisher', 'first_seen')),
    source text NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    ocid text NOT NULL,
    release_id text NOT NULL,
    text_flags text[] NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (release_key, content, document_id)
);
COMMENT ON TABLE ledger.release IS
'A release''s content, kept with the earliest fetched document that shows it. Publishers refill releases without a word.';
COMMENT ON COLUMN ledger.release.release_key IS 'Hash of source, ocid and release id.';
COMMENT ON COLUMN ledger.release.content IS 'Hash of all that we read of it.';
COMMENT ON COLUMN ledger.release.document_id IS 'The document that shows it.';
COMMENT ON COLUMN ledger.release.available_at IS 'The day the public could know this content.';
COMMENT ON COLUMN ledger.release.released_at IS 'The publisher''s date; null where missing or impossible.';
COMMENT ON COLUMN ledger.release.available_at_basis IS 'What evidences the day.';
COMMENT ON COLUMN ledger.release.source IS 'The portal.';
COMMENT ON COLUMN ledger.release.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN ledger.release.ocid IS 'Contracting process.';
COMMENT ON COLUMN ledger.release.release_id IS 'The release''s id, unique within its process.';
COMMENT ON COLUMN ledger.release.text_flags IS 'Why its free text must not be served: email, telephone and the like.';
COMMENT ON COLUMN ledger.release.body IS 'What we read of it; parties stand as numbers into its list of mentions.';

CREATE TABLE ledger.release_party (
    subject_id integer NOT NULL,
    release_key uuid NOT NULL,
    content uuid NOT NULL,
    place smallint NOT NULL,
    is_named_in_text boolean NOT NULL,
    roles text[] NOT NULL,
    PRIMARY KEY (release_key, content, place)
);
CREATE INDEX release_party_by_subject ON ledger.release_party (subject_id);
COMMENT ON TABLE ledger.release_party IS 'Whom a release mentions.';
COMMENT ON COLUMN ledger.release_party.subject_id IS 'Who is mentioned.';
COMMENT ON COLUMN ledger.release_party.release_key IS 'The release.';
COMMENT ON COLUMN ledger.release_party.content IS 'The content that mentions it.';
COMMENT ON COLUMN ledger.release_party.place IS 'Place in the release''s list of parties, from 0; the body points here.';
COMMENT ON COLUMN ledger.release_party.is_named_in_text IS 'Whether its name stands in the free text.';
COMMENT ON COLUMN ledger.release_party.roles IS 'OCDS roles in this release.';

CREATE TABLE ops.batch_release (
    batch_id integer NOT NULL REFERENCES ops.batch,
    release_key uuid NOT NULL,
    PRIMARY KEY (batch_id, release_key)
);
COMMENT ON TABLE ops.batch_release IS 'Releases a batch said something new about: what a publish must look at.';
COMMENT ON COLUMN ops.batch_release.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.batch_release.release_key IS 'A release it touched.';

SELECT ops.keep_append_only('ledger.release', 'ledger.release_party', 'ops.batch_release');

GRANT SELECT ON ledger.release, ledger.release_party, ops.batch_release TO sankofa_ingest, sankofa_publish;
GRANT INSERT ON ledger.release, ledger.release_party, ops.batch_release TO sankofa_ingest;
