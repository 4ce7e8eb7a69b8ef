-- Organisations: what sources say about them, how they were judged, who is shown under which name, and since when.
CREATE SCHEMA trigram;
COMMENT ON SCHEMA trigram IS 'PostgreSQL''s pg_trgm, kept apart from our own tables.';
CREATE EXTENSION pg_trgm SCHEMA trigram;
GRANT USAGE ON SCHEMA trigram TO sankofa_publish, sankofa_api;

CREATE TABLE ledger.organisation_record (
    subject_id integer NOT NULL,
    document_id integer NOT NULL,
    available_at date NOT NULL,
    stated_at timestamptz NOT NULL,
    content uuid NOT NULL,
    source text NOT NULL,
    legal_name text NOT NULL,
    jurisdiction text,
    status text NOT NULL CHECK (status IN ('active', 'inactive', 'unknown')),
    available_at_basis text NOT NULL CHECK (available_at_basis IN ('filing', 'publisher', 'first_seen')),
    duplicate_of text,
    is_mention boolean NOT NULL,
    marks text[] NOT NULL,
    identifiers jsonb NOT NULL,
    PRIMARY KEY (subject_id, source, stated_at, content, document_id)
);
CREATE INDEX organisation_record_by_document ON ledger.organisation_record (document_id);
COMMENT ON TABLE ledger.organisation_record IS
'A vintage of what a source states about a subject, kept with the earliest fetched document that shows it.';
COMMENT ON COLUMN ledger.organisation_record.subject_id IS 'Whom it is about.';
COMMENT ON COLUMN ledger.organisation_record.document_id IS 'The document that shows it.';
COMMENT ON COLUMN ledger.organisation_record.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN ledger.organisation_record.stated_at IS 'The source''s own moment of this vintage.';
COMMENT ON COLUMN ledger.organisation_record.content IS 'Hash of all that is stated, without its dates.';
COMMENT ON COLUMN ledger.organisation_record.source IS 'The source that states it.';
COMMENT ON COLUMN ledger.organisation_record.legal_name IS 'The name as the source writes it; empty where it states none.';
COMMENT ON COLUMN ledger.organisation_record.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where none is stated.';
COMMENT ON COLUMN ledger.organisation_record.status IS 'active, inactive or unknown.';
COMMENT ON COLUMN ledger.organisation_record.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN ledger.organisation_record.duplicate_of IS 'The subject that survives, where the source states a duplicate.';
COMMENT ON COLUMN ledger.organisation_record.is_mention IS
'True where a document only mentions the subject: it then stands beside the source''s other mentions, and replaces none.';
COMMENT ON COLUMN ledger.organisation_record.marks IS 'What else is stated that bears on the organisation check, as word:value.';
COMMENT ON COLUMN ledger.organisation_record.identifiers IS
'Identifiers claimed: arrays of type, issuer, value, first and last day.';

CREATE FUNCTION serving.identifier_key(id_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN upper(regexp_replace(normalize(id_value, nfkc), '[[:space:][:punct:]]', '', 'g'));
COMMENT ON FUNCTION serving.identifier_key IS 'How identifiers are compared: without case, spaces and punctuation.';

CREATE TABLE ops.organisation_claim (
    subject_id integer NOT NULL,
    kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 7),
    key text NOT NULL,
    PRIMARY KEY (key, subject_id, kind)
);
CREATE INDEX organisation_claim_by_subject ON ops.organisation_claim (subject_id);
COMMENT ON TABLE ops.organisation_claim IS
'By what a subject can be recognised as the same as another: the publisher''s working copy, made from the records.';
COMMENT ON COLUMN ops.organisation_claim.subject_id IS 'The subject.';
COMMENT ON COLUMN ops.organisation_claim.kind IS
'Strength: 1 LEI, 2 registry number, 3 ISIN, 4 FIGI, 5 ticker, 6 name within a country; 7 what only a third party says.';
COMMENT ON COLUMN ops.organisation_claim.key IS 'Type, issuer and normalised value.';

CREATE TABLE ops.organisation_decision (
    decision_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service_id text NOT NULL,
    is_established boolean NOT NULL,
    rule_version text NOT NULL,
    input uuid NOT NULL,
    evidence text[] NOT NULL,
    vetoes text[] NOT NULL,
    decided_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (service_id, rule_version, input),
    UNIQUE (decision_id, service_id, is_established)
);
COMMENT ON TABLE ops.organisation_decision IS
'Each judgement whether a party is an organisation, with its evidence: why served, or why withheld.';
COMMENT ON COLUMN ops.organisation_decision.decision_id IS 'Handle of the judgement.';
COMMENT ON COLUMN ops.organisation_decision.service_id IS 'Whom it is about.';
COMMENT ON COLUMN ops.organisation_decision.is_established IS 'True: shown; false: withheld.';
COMMENT ON COLUMN ops.organisation_decision.rule_version IS 'Version of the rules it was judged by.';
COMMENT ON COLUMN ops.organisation_decision.input IS 'Hash of all that was known and judged.';
COMMENT ON COLUMN ops.organisation_decision.evidence IS 'For it: kind, grade and rule. Never a name.';
COMMENT ON COLUMN ops.organisation_decision.vetoes IS 'Against it: kind, grade and rule. Never a name.';
COMMENT ON COLUMN ops.organisation_decision.decided_at IS 'When; the server''s clock.';

CREATE TABLE serving.organisation (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    decision_id bigint NOT NULL,
    provenance_id uuid NOT NULL,
    is_established boolean NOT NULL DEFAULT TRUE CHECK (is_established),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    legal_name text,
    search_name text NOT NULL,
    jurisdiction text,
    sic text,
    lei text,
    status text NOT NULL,
    established_by text[] NOT NULL CHECK (cardinality(established_by) > 0),
    rule_version text NOT NULL,
    location text NOT NULL,
    name_provenance_id uuid NOT NULL,
    name_location text NOT NULL,
    known_from date,
    name_as_of date,
    is_issuer boolean NOT NULL,
    -- Nobody stands here without a judgement that found evidence about this very party.
    FOREIGN KEY (decision_id, service_id, is_established)
    REFERENCES ops.organisation_decision(decision_id, service_id, is_established),
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX organisation_by_service_id ON serving.organisation (service_id);
CREATE INDEX organisation_by_search_name ON serving.organisation USING gin (
    search_name trigram.gin_trgm_ops,
    (string_to_array(search_name, ' ')),
    (ARRAY[left(jurisdiction, 2), CASE WHEN is_issuer THEN 'issuer' END])
);
-- Its own collation: the index of trigrams knows equality too, and compares every part of a name for it.
CREATE INDEX organisation_by_name ON serving.organisation USING hash (search_name COLLATE "C");
-- The planner's samples outlive a takedown and can be read by whoever may read the column: none are taken.
ALTER TABLE serving.organisation
ALTER COLUMN legal_name SET STATISTICS 0,
ALTER COLUMN search_name SET STATISTICS 0,
ALTER COLUMN lei SET STATISTICS 0,
ALTER COLUMN location SET STATISTICS 0,
ALTER COLUMN name_location SET STATISTICS 0;
ALTER INDEX serving.organisation_by_search_name ALTER COLUMN 2 SET STATISTICS 0;
COMMENT ON TABLE serving.organisation IS 'Organisations of all editions: the one place that holds names.';
COMMENT ON COLUMN serving.organisation.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.organisation.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.organisation.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.organisation.decision_id IS 'The judgement that lets it be shown.';
COMMENT ON COLUMN serving.organisation.provenance_id IS 'Where the record comes from.';
COMMENT ON COLUMN serving.organisation.is_established IS 'Always true: part of the key to the judgement.';
COMMENT ON COLUMN serving.organisation.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.organisation.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.organisation.legal_name IS 'Its name as the source writes it; null where no source names it.';
COMMENT ON COLUMN serving.organisation.search_name IS 'The name as search compares it.';
COMMENT ON COLUMN serving.organisation.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known.';
COMMENT ON COLUMN serving.organisation.sic IS 'Its industry by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.organisation.lei IS 'Its LEI; null where it has none.';
COMMENT ON COLUMN serving.organisation.status IS 'active, inactive or unknown.';
COMMENT ON COLUMN serving.organisation.established_by IS 'Kinds of evidence that it is an organisation.';
COMMENT ON COLUMN serving.organisation.rule_version IS 'Version of the rules it was judged by.';
COMMENT ON COLUMN serving.organisation.location IS 'Where in the document: the last part of source_ref.';
COMMENT ON COLUMN serving.organisation.name_provenance_id IS
'Where the name comes from: the record that stated it on known_from, whatever was recorded since.';
COMMENT ON COLUMN serving.organisation.name_location IS 'Where in that document.';
COMMENT ON COLUMN serving.organisation.known_from IS
'First day on which name and jurisdiction were known; -infinity or null where nothing dates them.';
COMMENT ON COLUMN serving.organisation.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.organisation.is_issuer IS
'Whether a filing of it is held; serving.issuer has the days, and this only narrows a search.';

CREATE TABLE serving.organisation_name (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    decision_id bigint NOT NULL,
    name_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    known_from date NOT NULL,
    known_until date NOT NULL CHECK (known_from < known_until),
    name_as_of date,
    is_established boolean NOT NULL DEFAULT TRUE CHECK (is_established),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    legal_name text,
    search_name text NOT NULL,
    jurisdiction text,
    sic text,
    location text NOT NULL,
    is_issuer boolean NOT NULL,
    -- As in serving.organisation: no name without a judgement that found evidence about this very party.
    FOREIGN KEY (decision_id, service_id, is_established)
    REFERENCES ops.organisation_decision(decision_id, service_id, is_established),
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX organisation_name_by_service_id ON serving.organisation_name (service_id);
CREATE INDEX organisation_name_by_search_name ON serving.organisation_name
USING gin (search_name trigram.gin_trgm_ops, (string_to_array(search_name, ' ')));
CREATE INDEX organisation_name_by_name ON serving.organisation_name USING hash (search_name COLLATE "C");
-- As in serving.organisation: the planner's samples would outlive a takedown.
ALTER TABLE serving.organisation_name
ALTER COLUMN legal_name SET STATISTICS 0,
ALTER COLUMN search_name SET STATISTICS 0,
ALTER COLUMN location SET STATISTICS 0;
ALTER INDEX serving.organisation_name_by_search_name ALTER COLUMN 2 SET STATISTICS 0;
COMMENT ON TABLE serving.organisation_name IS
'What organisations were called, and where they were at home, before the days of serving.organisation.';
COMMENT ON COLUMN serving.organisation_name.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.organisation_name.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.organisation_name.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.organisation_name.decision_id IS 'The judgement that lets the organisation be shown.';
COMMENT ON COLUMN serving.organisation_name.name_id IS 'Hash of the organisation and known_from.';
COMMENT ON COLUMN serving.organisation_name.provenance_id IS 'Where the name comes from.';
COMMENT ON COLUMN serving.organisation_name.known_from IS
'First day of the version; -infinity for the days before any dated record.';
COMMENT ON COLUMN serving.organisation_name.known_until IS 'First day of the next version.';
COMMENT ON COLUMN serving.organisation_name.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.organisation_name.is_established IS 'Always true: part of the key to the judgement.';
COMMENT ON COLUMN serving.organisation_name.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.organisation_name.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.organisation_name.legal_name IS
'Its name then, as the source writes it; null where none is known or shown.';
COMMENT ON COLUMN serving.organisation_name.search_name IS
'The name as search compares it; empty where there is none, or one that became known later stands in.';
COMMENT ON COLUMN serving.organisation_name.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known then.';
COMMENT ON COLUMN serving.organisation_name.sic IS
'Its industry then, by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.organisation_name.location IS 'Where in the document: the last part of source_ref.';
COMMENT ON COLUMN serving.organisation_name.is_issuer IS 'Whether a filing of the organisation is held.';

CREATE VIEW serving.organisation_version AS
SELECT
    organisation.published_in,
    organisation.superseded_in,
    organisation.service_id,
    coalesce(organisation.known_from, '-infinity') AS known_from,
    'infinity'::date AS known_until,
    organisation.name_as_of,
    organisation.legal_name,
    organisation.jurisdiction,
    organisation.sic,
    organisation.search_name,
    organisation.is_issuer,
    organisation.name_provenance_id AS provenance_id,
    organisation.name_location AS location
FROM serving.organisation AS organisation
UNION ALL
SELECT
    earlier.published_in,
    earlier.superseded_in,
    earlier.service_id,
    earlier.known_from,
    earlier.known_until,
    earlier.name_as_of,
    earlier.legal_name,
    earlier.jurisdiction,
    earlier.sic,
    earlier.search_name,
    earlier.is_issuer,
    earlier.provenance_id,
    earlier.location
FROM serving.organisation_name AS earlier;
COMMENT ON VIEW serving.organisation_version IS
'Names and jurisdictions with their days, current and earlier: at most one row for an organisation, edition and day.';
COMMENT ON COLUMN serving.organisation_version.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.organisation_version.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.organisation_version.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.organisation_version.known_from IS 'First day of the version.';
COMMENT ON COLUMN serving.organisation_version.known_until IS 'First day of the next version; infinity where there is none.';
COMMENT ON COLUMN serving.organisation_version.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.organisation_version.legal_name IS 'The name known on these days; null where none was.';
COMMENT ON COLUMN serving.organisation_version.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known then.';
COMMENT ON COLUMN serving.organisation_version.sic IS
'Its industry then, by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.organisation_version.search_name IS
'The name as search compares it; empty where there is none, or one that became known later stands in.';
COMMENT ON COLUMN serving.organisation_version.is_issuer IS 'Whether a filing of the organisation is held.';
COMMENT ON COLUMN serving.organisation_version.provenance_id IS 'Where the name comes from.';
COMMENT ON COLUMN serving.organisation_version.location IS 'Where in the document: the last part of source_ref.';

SELECT ops.keep_append_only('ledger.organisation_record', 'ops.organisation_decision');
SELECT serving.keep_published('serving.organisation', 'serving.organisation_name');

REVOKE ALL ON FUNCTION serving.identifier_key FROM public;
GRANT EXECUTE ON FUNCTION serving.identifier_key TO sankofa_api, sankofa_publish;
GRANT SELECT ON ledger.organisation_record TO sankofa_ingest, sankofa_publish;
GRANT INSERT ON ledger.organisation_record TO sankofa_ingest;
GRANT SELECT, INSERT, DELETE ON ops.organisation_claim TO sankofa_publish;
GRANT SELECT ON ops.organisation_decision TO sankofa_publish;
GRANT INSERT (service_id, is_established, rule_version, input, evidence, vetoes)
ON ops.organisation_decision TO sankofa_publish;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.organisation, serving.organisation_name TO sankofa_publish;
GRANT SELECT (
    published_in, superseded_in, provenance_id, service_id, legal_name, search_name, jurisdiction, sic, lei, status,
    established_by, rule_version, location, name_provenance_id, name_location, known_from, name_as_of, is_issuer
) ON serving.organisation TO sankofa_api;
GRANT SELECT (
    published_in, superseded_in, provenance_id, known_from, known_until, name_as_of, service_id, legal_name,
    search_name, jurisdiction, sic, location, is_issuer
) ON serving.organisation_name TO sankofa_api;
GRANT SELECT ON serving.organisation_version TO sankofa_api, sankofa_publish;
