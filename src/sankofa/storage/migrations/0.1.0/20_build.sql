-- Builds that several workers share: what walks find out lives in tables that all connections of the publisher see.

CREATE SCHEMA build;
COMMENT ON SCHEMA build IS
'The edition in the making: stages, chunks, and what walks found out. Not logged: if a crash empties it, the build is undone.';

CREATE UNLOGGED TABLE build.current (
    edition integer PRIMARY KEY,
    before integer NOT NULL,
    versions_before jsonb NOT NULL,
    versions jsonb NOT NULL,
    is_refused boolean NOT NULL DEFAULT FALSE
);
COMMENT ON TABLE build.current IS 'The build in progress, in one row, or the last one.';
COMMENT ON COLUMN build.current.edition IS 'The edition that is being built.';
COMMENT ON COLUMN build.current.before IS 'The newest edition when it began; 0 for none.';
COMMENT ON COLUMN build.current.versions_before IS 'The rules that edition was computed from, by part.';
COMMENT ON COLUMN build.current.versions IS 'The rules of this build; workers with others do not join.';
COMMENT ON COLUMN build.current.is_refused IS 'True if it must not become current: it is undone before the next build.';

CREATE UNLOGGED TABLE build.stage (
    stage text PRIMARY KEY,
    is_finished boolean NOT NULL DEFAULT FALSE
);
COMMENT ON TABLE build.stage IS 'The stages that were begun: walks, then the sealing.';
COMMENT ON COLUMN build.stage.stage IS 'Its name.';
COMMENT ON COLUMN build.stage.is_finished IS 'True if all its chunks are done and the next stage may begin.';

CREATE UNLOGGED TABLE build.chunk (
    stage text NOT NULL,
    number integer NOT NULL,
    part text NOT NULL,
    after text NOT NULL,
    until text NOT NULL,
    done_at timestamptz,
    changes jsonb,
    PRIMARY KEY (stage, number)
);
CREATE INDEX chunk_to_do ON build.chunk (stage, number) WHERE done_at IS NULL;
COMMENT ON TABLE build.chunk IS 'Parts of a stage. A worker claims one by its row lock; its rows and done_at commit together.';
COMMENT ON COLUMN build.chunk.stage IS 'The stage.';
COMMENT ON COLUMN build.chunk.number IS 'Place within the stage, from 0.';
COMMENT ON COLUMN build.chunk.part IS 'The table, where a stage works on several; otherwise empty.';
COMMENT ON COLUMN build.chunk.after IS 'Its keys come after this one.';
COMMENT ON COLUMN build.chunk.until IS 'Its last key.';
COMMENT ON COLUMN build.chunk.done_at IS 'When it was done; null while it is not.';
COMMENT ON COLUMN build.chunk.changes IS 'Rows put and removed, by dataset and reason.';

CREATE UNLOGGED TABLE build.closed_source (source text PRIMARY KEY);
COMMENT ON TABLE build.closed_source IS 'Sources of which the build uses nothing.';
COMMENT ON COLUMN build.closed_source.source IS 'The source.';

CREATE UNLOGGED TABLE build.concerned_batch (batch_id integer PRIMARY KEY);
COMMENT ON TABLE build.concerned_batch IS 'Batches that make this edition differ: its own, and all of a source opened or closed.';
COMMENT ON COLUMN build.concerned_batch.batch_id IS 'The batch.';

-- The columns of serving.provenance, without the number that rows are given there.
CREATE UNLOGGED TABLE build.provenance (
    provenance_id uuid NOT NULL, document_ref text NOT NULL, license_class text NOT NULL,
    observed_at timestamptz NOT NULL, available_at_basis text NOT NULL, method text NOT NULL,
    extraction_confidence numeric, accepted_at timestamptz, form text, filing_id text
);
CREATE INDEX build_provenance_by_id ON build.provenance (provenance_id);
COMMENT ON TABLE build.provenance IS
'Provenance that chunks need, perhaps several times each; moved to serving.provenance when their stage is finished.';

CREATE UNLOGGED TABLE build.touched_subject (subject_id integer PRIMARY KEY);
COMMENT ON TABLE build.touched_subject IS 'Subjects that the edition looks at; written by the walk of judgements.';
CREATE UNLOGGED TABLE build.statement (
    subject_id integer NOT NULL, identifier text NOT NULL, document_id integer NOT NULL, available_at date NOT NULL,
    stated_at timestamptz NOT NULL, content uuid NOT NULL, source text NOT NULL, legal_name text NOT NULL,
    jurisdiction text, status text NOT NULL, available_at_basis text NOT NULL, duplicate_of text,
    marks text[] NOT NULL, identifiers jsonb NOT NULL
);
CREATE INDEX statement_by_subject ON build.statement (subject_id);
COMMENT ON TABLE build.statement IS 'What each source says of them now.';
CREATE UNLOGGED TABLE build.stated_before (
    subject_id integer NOT NULL, legal_name text NOT NULL, jurisdiction text, marks text[] NOT NULL,
    identifiers jsonb NOT NULL
);
CREATE INDEX stated_before_by_subject ON build.stated_before (subject_id);
COMMENT ON TABLE build.stated_before IS 'What it said before, under whichever names.';
CREATE UNLOGGED TABLE build.touched_id (service_id text PRIMARY KEY, survivor text NOT NULL);
CREATE INDEX touched_id_by_survivor ON build.touched_id (survivor);
COMMENT ON TABLE build.touched_id IS 'Their ids, each with the id that answers for it.';
CREATE UNLOGGED TABLE build.judgement (
    service_id text PRIMARY KEY, is_established boolean NOT NULL, input uuid NOT NULL, evidence text NOT NULL,
    vetoes text NOT NULL, established_by text NOT NULL, search_name text NOT NULL,
    subject_id integer NOT NULL, source text NOT NULL, content uuid NOT NULL
);
COMMENT ON TABLE build.judgement IS 'Whether each organisation may be shown, and why.';
CREATE UNLOGGED TABLE build.withheld_name (
    service_id text NOT NULL, legal_name text NOT NULL, is_person boolean NOT NULL, PRIMARY KEY (service_id, legal_name)
);
COMMENT ON TABLE build.withheld_name IS 'Other names of organisations that must not be shown.';
CREATE UNLOGGED TABLE build.answered_before (service_id text PRIMARY KEY, resolves_to text NOT NULL);
COMMENT ON TABLE build.answered_before IS 'What the touched ids resolved to in the edition before.';
CREATE UNLOGGED TABLE build.metric_span (
    metric serving.metric NOT NULL, country text COLLATE "C" NOT NULL, first_year smallint NOT NULL,
    last_year smallint NOT NULL
);
COMMENT ON TABLE build.metric_span IS 'Spans of years of new metric values; moved to serving.metric_span.';
CREATE UNLOGGED TABLE build.touched_series (series_key text COLLATE "C" PRIMARY KEY);
COMMENT ON TABLE build.touched_series IS 'Series that the edition looks at.';
CREATE UNLOGGED TABLE build.touched_process (process_key uuid PRIMARY KEY);
COMMENT ON TABLE build.touched_process IS 'Contracting processes that the edition looks at.';
CREATE UNLOGGED TABLE build.touched_party (service_id text PRIMARY KEY);
COMMENT ON TABLE build.touched_party IS 'Organisations whose parts in tenders are counted anew.';
CREATE UNLOGGED TABLE build.touched_country (country text COLLATE "C" PRIMARY KEY);
COMMENT ON TABLE build.touched_country IS 'Countries of the touched processes.';
CREATE UNLOGGED TABLE build.touched_cell (cell text COLLATE "C" PRIMARY KEY, country text NOT NULL, month date NOT NULL);
COMMENT ON TABLE build.touched_cell IS 'Countries and months whose signals are computed anew.';
CREATE UNLOGGED TABLE build.comparison (before integer NOT NULL);
COMMENT ON TABLE build.comparison IS 'The edition that quality compares this one with; 0 for none.';
CREATE UNLOGGED TABLE build.tallied (tally_key uuid PRIMARY KEY, kind text NOT NULL, name text NOT NULL);
COMMENT ON TABLE build.tallied IS 'Keys whose quality is counted anew.';
CREATE UNLOGGED TABLE build.tally_change (
    sku text COLLATE "C" NOT NULL, country text COLLATE "C" NOT NULL, part text NOT NULL, change bigint NOT NULL,
    now bigint NOT NULL
);
COMMENT ON TABLE build.tally_change IS 'What that changes of the sums.';

GRANT USAGE ON SCHEMA build TO sankofa_publish;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA build TO sankofa_publish;

-- What is committed while a build runs is not among them: the edition does not hold the correction.
CREATE VIEW build.set_aside AS
SELECT aside.document_id, aside.read_as
FROM ops.set_aside AS aside
INNER JOIN ops.edition_holds AS held ON aside.correction = held.number AND held.kind = 'correction';
COMMENT ON VIEW build.set_aside IS
'Documents that the build does not rest on, because a correction that it holds read them again.';
COMMENT ON COLUMN build.set_aside.document_id IS 'The reading that no longer counts.';
COMMENT ON COLUMN build.set_aside.read_as IS 'The reading that counts.';

CREATE VIEW build.held_document AS
SELECT
    document.document_id,
    document.source,
    document.sha256,
    document.license_class,
    document.fetched_at,
    document.source || '@sha256:' || encode(document.sha256, 'hex') AS document_ref,
    (
        to_char(document.fetched_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS') || encode(document.sha256, 'hex')
        || document.source
    ) COLLATE "C" AS place,
    CASE
        WHEN document.reading > 1 AND EXISTS (
            SELECT FROM ops.document AS before
            INNER JOIN ops.day_correction AS correction ON before.document_id = correction.document_id
            INNER JOIN ops.day_corrected AS done ON correction.correction = done.correction
            WHERE
                before.source = document.source AND before.sha256 = document.sha256
                AND before.reading < document.reading
        ) THEN document.fetched_at AT TIME ZONE 'UTC'
    END AS corrected
FROM ops.held_document AS held
INNER JOIN ops.document AS document ON held.document_id = document.document_id
WHERE
    document.source NOT IN (SELECT closed.source FROM build.closed_source AS closed)
    AND document.document_id NOT IN (SELECT aside.document_id FROM build.set_aside AS aside);
COMMENT ON VIEW build.held_document IS
'Documents that the build rests on: held, of a source that may be redistributed, and not read again since.';
COMMENT ON COLUMN build.held_document.document_id IS 'The document.';
COMMENT ON COLUMN build.held_document.source IS 'Its source.';
COMMENT ON COLUMN build.held_document.sha256 IS 'Hash of its bytes.';
COMMENT ON COLUMN build.held_document.license_class IS 'Licence the source is held under.';
COMMENT ON COLUMN build.held_document.fetched_at IS 'When it was fetched.';
COMMENT ON COLUMN build.held_document.document_ref IS 'Source and hash, as provenance names it.';
COMMENT ON COLUMN build.held_document.place IS 'Sorts documents by the moment of the fetch, then by hash and source.';
COMMENT ON COLUMN build.held_document.corrected IS
'The moment of the fetch in UTC if a correction gave it; else null. Part of provenance ids.';

CREATE VIEW build.known_provenance AS
SELECT served.provenance_id, served.license_class FROM serving.provenance AS served
UNION ALL
SELECT coming.provenance_id, coming.license_class FROM build.provenance AS coming;
COMMENT ON VIEW build.known_provenance IS 'Provenance of the rows that are served or written by the build; a row may come twice.';
COMMENT ON COLUMN build.known_provenance.provenance_id IS 'The provenance.';
COMMENT ON COLUMN build.known_provenance.license_class IS 'Its licence.';

CREATE FUNCTION build.clear() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    state regclass;
BEGIN
    FOR state IN
        SELECT class.oid FROM pg_class AS class
        WHERE class.relnamespace = 'build'::regnamespace AND class.relkind = 'r' AND pg_relation_size(class.oid) > 0
        ORDER BY class.relname
    LOOP
        EXECUTE format('TRUNCATE %s', state);
    END LOOP;
END
$$;
COMMENT ON FUNCTION build.clear IS 'Empties the tables of the build when it is done, and before the next one begins.';

CREATE FUNCTION build.renew_statistics(VARIADIC tables text[]) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    state text;
BEGIN
    FOREACH state IN ARRAY tables LOOP
        EXECUTE format('ANALYZE build.%I', state);
    END LOOP;
END
$$;
COMMENT ON FUNCTION build.renew_statistics IS
'Renews the statistics of tables of the build. Only an owner may, and no login owns one.';

REVOKE ALL ON FUNCTION build.clear, build.renew_statistics FROM public;
GRANT EXECUTE ON FUNCTION build.clear, build.renew_statistics TO sankofa_publish;
GRANT SELECT ON build.set_aside, build.held_document, build.known_provenance TO sankofa_publish;
