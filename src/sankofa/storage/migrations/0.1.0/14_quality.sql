-- Quality: what each edition holds, counted key by key and added up; results of audits and samples; overrides.

-- The old counts of a key are known although its rows may be gone: so sums can follow by differences alone.
CREATE TABLE serving.quality_key (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    tally_key uuid NOT NULL,
    newest_at date,
    reason serving.change_reason NOT NULL,
    sku text COLLATE "C" NOT NULL,
    country text COLLATE "C" NOT NULL,
    counts jsonb NOT NULL,
    PRIMARY KEY (row_id, tally_key)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX quality_key_by_key ON serving.quality_key (tally_key);
CREATE INDEX quality_key_by_newest ON serving.quality_key (sku, country, newest_at DESC, published_in DESC)
WHERE newest_at IS NOT NULL;
COMMENT ON TABLE serving.quality_key IS
'What is counted of each issuer, party, series, process and batch, of all editions. Read by the publisher alone.';
COMMENT ON COLUMN serving.quality_key.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.quality_key.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.quality_key.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.quality_key.tally_key IS 'Hash of what is counted; it names nobody.';
COMMENT ON COLUMN serving.quality_key.newest_at IS 'The last day on which anything of it became available.';
COMMENT ON COLUMN serving.quality_key.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.quality_key.sku IS 'The dataset it counts for.';
COMMENT ON COLUMN serving.quality_key.country IS 'ISO 3166-1 alpha-2; empty where there is none, or it is not known.';
COMMENT ON COLUMN serving.quality_key.counts IS 'Numbers by part; quality/measures.py says what each part is.';

CREATE TABLE serving.quality_total (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    total_id uuid NOT NULL,
    newest_at date,
    reason serving.change_reason NOT NULL,
    sku text COLLATE "C" NOT NULL,
    country text COLLATE "C" NOT NULL,
    counts jsonb NOT NULL,
    PRIMARY KEY (row_id, total_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
-- A total changes in nearly every edition: its version in one is found here, not by passing over the others.
CREATE INDEX quality_total_by_country ON serving.quality_total (sku, country, published_in DESC);
CREATE INDEX quality_total_by_id ON serving.quality_total (total_id);
COMMENT ON TABLE serving.quality_total IS 'The counts of all keys of a dataset and country, of all editions.';
COMMENT ON COLUMN serving.quality_total.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.quality_total.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.quality_total.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.quality_total.total_id IS 'Hash of dataset and country.';
COMMENT ON COLUMN serving.quality_total.newest_at IS 'The last day on which anything became available.';
COMMENT ON COLUMN serving.quality_total.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.quality_total.sku IS 'The dataset.';
COMMENT ON COLUMN serving.quality_total.country IS 'ISO 3166-1 alpha-2; empty where there is none, or it is not known.';
COMMENT ON COLUMN serving.quality_total.counts IS 'Numbers by part, none of them 0.';

CREATE TABLE serving.quality_result (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    result_id uuid NOT NULL,
    good bigint NOT NULL,
    measured bigint NOT NULL CHECK (measured > 0),
    measured_at timestamptz NOT NULL,
    reason serving.change_reason NOT NULL,
    sku text COLLATE "C" NOT NULL,
    measure text COLLATE "C" NOT NULL,
    PRIMARY KEY (row_id, sku)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX quality_result_by_sku ON serving.quality_result (sku, measure);
COMMENT ON TABLE serving.quality_result IS
'What was measured apart from publishing, as it stood when each edition was published: the last result of each.';
COMMENT ON COLUMN serving.quality_result.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.quality_result.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.quality_result.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.quality_result.result_id IS 'Hash of dataset and measure.';
COMMENT ON COLUMN serving.quality_result.good IS 'How many of those looked at count.';
COMMENT ON COLUMN serving.quality_result.measured IS 'How many were looked at.';
COMMENT ON COLUMN serving.quality_result.measured_at IS 'When.';
COMMENT ON COLUMN serving.quality_result.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.quality_result.sku IS 'The dataset.';
COMMENT ON COLUMN serving.quality_result.measure IS 'The measure.';

CREATE TABLE serving.quality_override (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    reason serving.change_reason NOT NULL DEFAULT 'added',
    sku text COLLATE "C" NOT NULL,
    measure text COLLATE "C" NOT NULL,
    PRIMARY KEY (row_id, sku)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX quality_override_by_edition ON serving.quality_override (published_in);
COMMENT ON TABLE serving.quality_override IS
'Floors that an edition was published below, on an operator''s word: of the edition it was published in alone.';
COMMENT ON COLUMN serving.quality_override.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.quality_override.published_in IS 'The edition.';
COMMENT ON COLUMN serving.quality_override.superseded_in IS 'As in all tables of editions; the row is of one edition.';
COMMENT ON COLUMN serving.quality_override.reason IS 'Why the edition put the row; the operator''s reason is in ops.';
COMMENT ON COLUMN serving.quality_override.sku IS 'The dataset.';
COMMENT ON COLUMN serving.quality_override.measure IS 'The measure whose floor was not reached.';

CREATE TABLE ops.quality_override (
    override_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edition integer NOT NULL,
    sku text NOT NULL,
    measure text NOT NULL,
    value numeric NOT NULL,
    floor numeric NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    decided_by text NOT NULL DEFAULT session_user,
    decided_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.quality_override IS 'Floors that an operator let an edition be published below, and why.';
COMMENT ON COLUMN ops.quality_override.override_id IS 'Handle of the override.';
COMMENT ON COLUMN ops.quality_override.edition IS 'Number under which the edition was built.';
COMMENT ON COLUMN ops.quality_override.sku IS 'The dataset.';
COMMENT ON COLUMN ops.quality_override.measure IS 'The measure whose floor was not reached.';
COMMENT ON COLUMN ops.quality_override.value IS 'What was measured over the keys of the build.';
COMMENT ON COLUMN ops.quality_override.floor IS 'What should have been.';
COMMENT ON COLUMN ops.quality_override.reason IS 'Why, in the operator''s words. Never served.';
COMMENT ON COLUMN ops.quality_override.decided_by IS 'The login that decided.';
COMMENT ON COLUMN ops.quality_override.decided_at IS 'When; the server''s clock.';

CREATE TABLE ops.quality_result (
    result_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edition integer NOT NULL,
    sku text NOT NULL,
    measure text NOT NULL,
    good bigint NOT NULL CHECK (good BETWEEN 0 AND measured),
    measured bigint NOT NULL CHECK (measured > 0),
    sample_sha256 bytea CHECK (length(sample_sha256) = 32),
    measured_by text NOT NULL DEFAULT session_user,
    measured_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.quality_result IS 'Results of whole audits and of labelled samples, each of one edition.';
COMMENT ON COLUMN ops.quality_result.result_id IS 'Handle; of one measure, the highest is the last.';
COMMENT ON COLUMN ops.quality_result.edition IS 'The edition that was looked at.';
COMMENT ON COLUMN ops.quality_result.sku IS 'The dataset.';
COMMENT ON COLUMN ops.quality_result.measure IS 'The measure.';
COMMENT ON COLUMN ops.quality_result.good IS 'How many of those looked at count.';
COMMENT ON COLUMN ops.quality_result.measured IS 'How many were looked at.';
COMMENT ON COLUMN ops.quality_result.sample_sha256 IS 'Identity of the labelled sample; null for an audit.';
COMMENT ON COLUMN ops.quality_result.measured_by IS 'The login that measured.';
COMMENT ON COLUMN ops.quality_result.measured_at IS 'When; the server''s clock.';

CREATE TABLE ops.quality_label (
    sample_sha256 bytea NOT NULL CHECK (length(sample_sha256) = 32),
    line integer NOT NULL CHECK (line > 0),
    sku text NOT NULL,
    measure text NOT NULL,
    label jsonb NOT NULL,
    PRIMARY KEY (sample_sha256, line)
);
COMMENT ON TABLE ops.quality_label IS 'Labelled samples as operators supplied them: what somebody checked by hand.';
COMMENT ON COLUMN ops.quality_label.sample_sha256 IS 'Identity of the file.';
COMMENT ON COLUMN ops.quality_label.line IS 'Line of the file, from 1 after its header.';
COMMENT ON COLUMN ops.quality_label.sku IS 'The dataset.';
COMMENT ON COLUMN ops.quality_label.measure IS 'What the line is a label for.';
COMMENT ON COLUMN ops.quality_label.label IS 'The line, by column.';

SELECT serving.keep_published(
    'serving.quality_key', 'serving.quality_total', 'serving.quality_result', 'serving.quality_override'
);
SELECT ops.keep_append_only('ops.quality_override', 'ops.quality_result', 'ops.quality_label');

GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.quality_key, serving.quality_total, serving.quality_result, serving.quality_override TO sankofa_publish;
GRANT SELECT ON serving.quality_total, serving.quality_result, serving.quality_override TO sankofa_api;
GRANT SELECT ON ops.quality_override, ops.quality_result, ops.quality_label TO sankofa_publish;
GRANT INSERT (edition, sku, measure, value, floor, reason) ON ops.quality_override TO sankofa_publish;
GRANT INSERT (edition, sku, measure, good, measured, sample_sha256) ON ops.quality_result TO sankofa_publish;
GRANT INSERT ON ops.quality_label TO sankofa_publish;
