-- The ledger of filings: subjects, filings and facts as sources state them; and what was decided about ids.

CREATE TABLE ledger.subject (
    subject_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    identifier text NOT NULL UNIQUE
);
COMMENT ON TABLE ledger.subject IS 'Whom sources report about, by the identifier the source uses.';
COMMENT ON COLUMN ledger.subject.subject_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ledger.subject.identifier IS 'Scheme and value, such as cik:0000320193.';

CREATE TABLE ledger.concept (
    concept_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    concept text NOT NULL UNIQUE
);
COMMENT ON TABLE ledger.concept IS 'The sources'' own concepts; line items are decided at publish.';
COMMENT ON COLUMN ledger.concept.concept_id IS 'Short handle.';
COMMENT ON COLUMN ledger.concept.concept IS 'Taxonomy and tag, such as ifrs-full:Revenue.';

CREATE TABLE ledger.filing (
    filing_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    filing_number text NOT NULL,
    subject_id integer NOT NULL REFERENCES ledger.subject,
    form text,
    filed date NOT NULL,
    accepted_at timestamptz,
    available_at date NOT NULL,
    available_at_basis text NOT NULL CHECK (available_at_basis IN ('filing', 'publisher', 'first_seen')),
    report_period date,
    is_rounded boolean NOT NULL DEFAULT FALSE,
    true_end date,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT
    (subject_id, source, filing_number, filed, form, accepted_at, report_period, true_end)
);
COMMENT ON TABLE ledger.filing IS 'A filing as a source states it. Two statements that differ are two rows.';
COMMENT ON COLUMN ledger.filing.filing_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ledger.filing.source IS 'The source that lists the filing.';
COMMENT ON COLUMN ledger.filing.filing_number IS
'The regulator''s number for it; else the repository''s, or one made of the document.';
COMMENT ON COLUMN ledger.filing.subject_id IS 'Who filed.';
COMMENT ON COLUMN ledger.filing.form IS 'Form type, such as 20-F.';
COMMENT ON COLUMN ledger.filing.filed IS
'The regulator''s local day of filing; where none stamped it, the day of available_at_basis.';
COMMENT ON COLUMN ledger.filing.accepted_at IS 'Moment of acceptance, where the source has it.';
COMMENT ON COLUMN ledger.filing.available_at IS 'The day the public could know it: the later of local and UTC day.';
COMMENT ON COLUMN ledger.filing.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN ledger.filing.report_period IS 'Period end the filing states as its own, where the source has it.';
COMMENT ON COLUMN ledger.filing.is_rounded IS 'Whether the source rounds the days of periods to the ends of months.';
COMMENT ON COLUMN ledger.filing.true_end IS 'The day that is rounded to report_period, where the source shows it.';
COMMENT ON COLUMN ledger.filing.recorded_at IS 'When this row was written; the server''s clock.';

CREATE TABLE ledger.filing_declaration (
    filing_id integer NOT NULL REFERENCES ledger.filing,
    document_id integer NOT NULL REFERENCES ops.document,
    fiscal_year smallint,
    fiscal_period text,
    fiscal_year_end text CHECK (fiscal_year_end ~ '^[0-9]{4}$'),
    PRIMARY KEY (filing_id, document_id),
    CHECK (num_nonnulls(fiscal_year, fiscal_period, fiscal_year_end) > 0)
);
CREATE INDEX filing_declaration_by_document ON ledger.filing_declaration (document_id);
COMMENT ON TABLE ledger.filing_declaration IS
'What a filing says of its place in the fiscal year, as a document shows it.';
COMMENT ON COLUMN ledger.filing_declaration.filing_id IS 'The filing.';
COMMENT ON COLUMN ledger.filing_declaration.document_id IS 'The document that shows it.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_year IS
'Fiscal year that the filing is about, as the filer counts.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_period IS 'FY, Q1, Q2, Q3 …, as the source writes it.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_year_end IS 'Month and day on which fiscal years end: 0930.';

-- No foreign keys here: the one INSERT that writes this table takes its ids by joining the referenced
-- tables, and three look-ups a row would double the cost of loading a billion facts. Nor is there a primary key, whose
-- index would be as large as the facts: a document is read once, and that INSERT takes each of its facts once.
CREATE TABLE ledger.fact (
    filing_id integer NOT NULL,
    concept_id integer NOT NULL,
    period_start date NOT NULL,
    period_end date NOT NULL,
    document_id integer NOT NULL,
    scope serving.scope NOT NULL,
    decimals smallint NOT NULL,
    unit text NOT NULL,
    value numeric CHECK (scale(value) <= 12 AND abs(value) < 1e26)
);
-- Entries that are equal share one place.
CREATE INDEX fact_by_filing ON ledger.fact (filing_id, concept_id);
CREATE INDEX fact_by_document ON ledger.fact (document_id);
COMMENT ON TABLE ledger.fact IS 'One value of one filing, kept with the earliest fetched document that shows it.';
COMMENT ON COLUMN ledger.fact.filing_id IS 'The filing that states it.';
COMMENT ON COLUMN ledger.fact.concept_id IS 'The source''s own concept.';
COMMENT ON COLUMN ledger.fact.period_start IS 'First day of the period; -infinity for an instant.';
COMMENT ON COLUMN ledger.fact.period_end IS 'Last day of the period, or the instant.';
COMMENT ON COLUMN ledger.fact.document_id IS 'The document that shows it; its fetch time is the observation.';
COMMENT ON COLUMN ledger.fact.scope IS 'Group or company accounts.';
COMMENT ON COLUMN ledger.fact.decimals IS
'Stated precision (-3: to the thousand); 32767 where none is stated, since a null would need more room.';
COMMENT ON COLUMN ledger.fact.unit IS 'ISO 4217 code, shares, pure, or a ratio of these.';
COMMENT ON COLUMN ledger.fact.value IS 'Exact value; null where the filing reports nil.';

-- Without foreign keys, whose checks took a third of the load of a register: rows come from a join with the subjects, in
-- the transaction that writes the batch, and neither is ever deleted.
CREATE TABLE ops.batch_subject (
    batch_id integer NOT NULL,
    subject_id integer NOT NULL,
    PRIMARY KEY (batch_id, subject_id)
);
COMMENT ON TABLE ops.batch_subject IS 'Subjects a batch said something new about: what a publish must look at.';
COMMENT ON COLUMN ops.batch_subject.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.batch_subject.subject_id IS 'A subject it touched.';

CREATE TABLE ops.issued_id (
    subject_id integer PRIMARY KEY REFERENCES ledger.subject,
    service_id text NOT NULL UNIQUE CHECK (service_id ~ '^DC[0-9A-Z]{13}$'),
    issued_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.issued_id IS 'The service_id each subject was first given. Never reissued.';
COMMENT ON COLUMN ops.issued_id.subject_id IS 'The subject.';
COMMENT ON COLUMN ops.issued_id.service_id IS 'DC, twelve characters of a keyed hash, a check character.';
COMMENT ON COLUMN ops.issued_id.issued_at IS 'When it was given; the server''s clock.';

CREATE TABLE ledger.identity_decision (
    decision integer PRIMARY KEY,
    service_id text NOT NULL REFERENCES ops.issued_id(service_id),
    resolves_to text NOT NULL REFERENCES ops.issued_id(service_id),
    reason text NOT NULL,
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ledger.identity_decision IS 'Merges of duplicates, and splits that undo them (resolving an id to itself).';
COMMENT ON COLUMN ledger.identity_decision.decision IS 'Number of the decision; the newest about an id holds.';
COMMENT ON COLUMN ledger.identity_decision.service_id IS 'The id decided about.';
COMMENT ON COLUMN ledger.identity_decision.resolves_to IS 'The surviving id; the id itself where a merge is undone.';
COMMENT ON COLUMN ledger.identity_decision.reason IS 'Why, for whoever asks later.';
COMMENT ON COLUMN ledger.identity_decision.decided_by IS 'The login that decided.';
COMMENT ON COLUMN ledger.identity_decision.decided_at IS 'When; the server''s clock.';

CREATE TABLE ledger.takedown (
    takedown integer PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('issuer', 'fact', 'withheld')),
    target text NOT NULL,
    reason text NOT NULL,
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now(),
    service_id text,
    reach text CHECK (reach IN ('organisation', 'names', 'fact')),
    operator text CHECK (length(operator) BETWEEN 1 AND 100)
);
-- A party that turns from served to withheld is taken down each time it happens; the check itself keeps it out.
CREATE UNIQUE INDEX takedown_once ON ledger.takedown (kind, target) WHERE kind <> 'withheld';
COMMENT ON TABLE ledger.takedown IS 'What must not be shown, in any edition. Every publish, export and rebuild applies it.';
COMMENT ON COLUMN ledger.takedown.takedown IS 'Number, counted from 1 without a gap; part of the generation.';
COMMENT ON COLUMN ledger.takedown.kind IS
'issuer: everything of a service_id; fact: one fact_id; withheld: a party no longer established to be an organisation.';
COMMENT ON COLUMN ledger.takedown.target IS 'The service_id or fact_id.';
COMMENT ON COLUMN ledger.takedown.reason IS 'Why, for whoever asks later.';
COMMENT ON COLUMN ledger.takedown.decided_by IS 'The login of PostgreSQL that decided.';
COMMENT ON COLUMN ledger.takedown.decided_at IS 'When; the server''s clock.';
COMMENT ON COLUMN ledger.takedown.service_id IS 'The id that it is about.';
COMMENT ON COLUMN ledger.takedown.reach IS
'organisation: everything about the id; names: its former names; fact: one fact of it.';
COMMENT ON COLUMN ledger.takedown.operator IS
'Who decided: the operator''s login or a given name, never served; null where a rule decided.';

SELECT ops.keep_append_only(
    'ledger.subject', 'ledger.concept', 'ledger.filing', 'ledger.filing_declaration', 'ledger.fact',
    'ledger.identity_decision', 'ledger.takedown', 'ops.batch_subject', 'ops.issued_id'
);

GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO sankofa_ingest, sankofa_publish;
GRANT SELECT ON ops.batch_subject, ops.issued_id TO sankofa_ingest, sankofa_publish;
GRANT INSERT (identifier) ON ledger.subject TO sankofa_ingest;
GRANT INSERT ON ledger.filing_declaration, ledger.fact, ops.batch_subject TO sankofa_ingest;
GRANT INSERT (concept) ON ledger.concept TO sankofa_ingest, sankofa_publish;
GRANT INSERT (
    source, filing_number, subject_id, form, filed, accepted_at, available_at, available_at_basis, report_period,
    is_rounded, true_end
) ON ledger.filing TO sankofa_ingest;
GRANT INSERT (subject_id, service_id) ON ops.issued_id TO sankofa_publish;
GRANT INSERT (decision, service_id, resolves_to, reason) ON ledger.identity_decision TO sankofa_publish;
GRANT SELECT ON ledger.takedown, ops.issued_id, ledger.identity_decision TO sankofa_privacy;
