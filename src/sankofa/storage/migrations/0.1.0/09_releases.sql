-- The ledger of public tenders: releases as portals state them, and whom each one mentions.

CREATE TABLE ledger.release (
    process_key uuid NOT NULL,
    release_key uuid NOT NULL,
    content uuid NOT NULL,
    released_at timestamptz,
    released_on date,
    source text NOT NULL,
    country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
    ocid text NOT NULL,
    release_id text NOT NULL,
    text_flags text[] NOT NULL,
    texts text[] NOT NULL,
    body jsonb NOT NULL,
    PRIMARY KEY (process_key, release_key, content)
);
COMMENT ON TABLE ledger.release IS
'The contents that a release was ever seen with, each once. Publishers refill releases without a word.';
COMMENT ON COLUMN ledger.release.process_key IS 'Hash of source and ocid.';
COMMENT ON COLUMN ledger.release.release_key IS 'Hash of source, ocid and release id.';
COMMENT ON COLUMN ledger.release.content IS 'Hash of all that we read of it.';
COMMENT ON COLUMN ledger.release.released_at IS 'The publisher''s date; null where missing or impossible.';
COMMENT ON COLUMN ledger.release.released_on IS 'The later of that moment''s day as written and in UTC.';
COMMENT ON COLUMN ledger.release.source IS 'The portal.';
COMMENT ON COLUMN ledger.release.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN ledger.release.ocid IS 'Contracting process.';
COMMENT ON COLUMN ledger.release.release_id IS 'The release''s id, unique within its process.';
COMMENT ON COLUMN ledger.release.text_flags IS 'Why its free text must not be served: email, telephone and the like.';
COMMENT ON COLUMN ledger.release.texts IS 'What somebody wrote freely; the body points here by place.';
COMMENT ON COLUMN ledger.release.body IS 'What else we read of it; parties stand as places in its list of mentions.';

CREATE TABLE ledger.release_sighting (
    process_key uuid NOT NULL,
    release_key uuid NOT NULL,
    content uuid NOT NULL,
    document_id integer NOT NULL,
    PRIMARY KEY (process_key, release_key, content, document_id)
);
CREATE INDEX release_sighting_by_document ON ledger.release_sighting (document_id);
COMMENT ON TABLE ledger.release_sighting IS
'That a document shows a release with a content: one that returns to an earlier content is told by this alone.';
COMMENT ON COLUMN ledger.release_sighting.process_key IS 'The contracting process.';
COMMENT ON COLUMN ledger.release_sighting.release_key IS 'The release.';
COMMENT ON COLUMN ledger.release_sighting.content IS 'What it says.';
COMMENT ON COLUMN ledger.release_sighting.document_id IS 'The document that shows it.';

CREATE TABLE ledger.release_party (
    process_key uuid NOT NULL,
    release_key uuid NOT NULL,
    content uuid NOT NULL,
    subject_id integer NOT NULL,
    place smallint NOT NULL,
    is_named_in_text boolean NOT NULL,
    is_named_in_id boolean NOT NULL,
    roles text[] NOT NULL,
    record uuid NOT NULL,
    PRIMARY KEY (process_key, release_key, content, place)
);
CREATE INDEX release_party_by_subject ON ledger.release_party (subject_id);
COMMENT ON TABLE ledger.release_party IS 'Whom a release mentions.';
COMMENT ON COLUMN ledger.release_party.process_key IS 'The contracting process.';
COMMENT ON COLUMN ledger.release_party.release_key IS 'The release.';
COMMENT ON COLUMN ledger.release_party.content IS 'The content that mentions it.';
COMMENT ON COLUMN ledger.release_party.subject_id IS 'Who is mentioned.';
COMMENT ON COLUMN ledger.release_party.place IS 'Place in the release''s list of parties, from 0; the body points here.';
COMMENT ON COLUMN ledger.release_party.is_named_in_text IS 'Whether its name stands in the free text.';
COMMENT ON COLUMN ledger.release_party.is_named_in_id IS 'Whether its name stands in an id that the release is served with.';
COMMENT ON COLUMN ledger.release_party.roles IS 'OCDS roles in this release.';
COMMENT ON COLUMN ledger.release_party.record IS 'Content of the record that this content has of the party.';

CREATE TABLE ops.batch_process (
    batch_id integer NOT NULL REFERENCES ops.batch,
    process_key uuid NOT NULL,
    PRIMARY KEY (batch_id, process_key)
);
COMMENT ON TABLE ops.batch_process IS 'Contracting processes a batch showed anything of: what a publish must look at.';
COMMENT ON COLUMN ops.batch_process.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.batch_process.process_key IS 'A process it touched.';

SELECT ops.keep_append_only('ledger.release', 'ledger.release_sighting', 'ledger.release_party', 'ops.batch_process');

GRANT SELECT ON ledger.release, ledger.release_sighting, ledger.release_party, ops.batch_process
TO sankofa_ingest, sankofa_publish;
GRANT INSERT ON ledger.release, ledger.release_sighting, ledger.release_party, ops.batch_process TO sankofa_ingest;
