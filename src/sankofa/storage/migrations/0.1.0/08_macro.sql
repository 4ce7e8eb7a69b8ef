-- Macroeconomic series: what sources state of them, snapshot by snapshot, and every vintage that is served.

CREATE TABLE ledger.series (
    series_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    series_key text COLLATE "C" NOT NULL,
    frequency text NOT NULL CHECK (frequency IN ('A', 'Q', 'M', 'D')),
    indicator text NOT NULL,
    UNIQUE (series_key, source, frequency)
);
CREATE INDEX series_by_indicator ON ledger.series (source, indicator, frequency);
COMMENT ON TABLE ledger.series IS 'A series as one source states it. Two sources that state one key are two rows.';
COMMENT ON COLUMN ledger.series.series_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ledger.series.source IS 'The source that states it.';
COMMENT ON COLUMN ledger.series.series_key IS 'Its key, such as FX.USD.KES or WB.NY.GDP.MKTP.CD.KEN.';
COMMENT ON COLUMN ledger.series.frequency IS 'How often its periods come: A, Q, M or D.';
COMMENT ON COLUMN ledger.series.indicator IS 'The source''s own code; empty where it has none.';

CREATE TABLE ledger.series_head (
    head_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    series_type text NOT NULL CHECK (series_type IN ('fx', 'cpi', 'indicator')),
    country_iso2 text,
    country_iso3 text,
    unit text,
    indicator_name text,
    UNIQUE NULLS NOT DISTINCT (indicator_name, country_iso3, country_iso2, series_type, unit)
);
COMMENT ON TABLE ledger.series_head IS 'What a snapshot says a series is, apart from its values. Equal heads are one row.';
COMMENT ON COLUMN ledger.series_head.head_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ledger.series_head.series_type IS 'fx, cpi or indicator.';
COMMENT ON COLUMN ledger.series_head.country_iso2 IS 'ISO 3166-1 alpha-2; null where it is of no single country.';
COMMENT ON COLUMN ledger.series_head.country_iso3 IS 'ISO 3166-1 alpha-3; null where it is of no single country.';
COMMENT ON COLUMN ledger.series_head.unit IS 'USD, USD billions, index, percent …; null where the source does not say.';
COMMENT ON COLUMN ledger.series_head.indicator_name IS 'The source''s own name for it; null where it has none.';

CREATE TABLE ledger.coverage (
    document_id integer NOT NULL REFERENCES ops.document,
    source text NOT NULL,
    key_prefix text NOT NULL,
    frequency text NOT NULL,
    indicator text NOT NULL,
    available_at date NOT NULL,
    available_at_basis text NOT NULL CHECK (available_at_basis IN ('filing', 'publisher', 'first_seen')),
    PRIMARY KEY (source, indicator, frequency, key_prefix, document_id)
);
CREATE INDEX coverage_by_document ON ledger.coverage (document_id);
COMMENT ON TABLE ledger.coverage IS
'Groups of series that a document states completely: what it does not name of a group is not there any more.';
COMMENT ON COLUMN ledger.coverage.document_id IS 'The document.';
COMMENT ON COLUMN ledger.coverage.source IS 'Its source; it covers no other source''s series.';
COMMENT ON COLUMN ledger.coverage.key_prefix IS 'How the keys of the group begin.';
COMMENT ON COLUMN ledger.coverage.frequency IS 'The frequency of the group: a table by year says nothing of quarters.';
COMMENT ON COLUMN ledger.coverage.indicator IS
'The indicator of the group, as FP.CPI.TOTL.ZG begins like FP.CPI.TOTL; empty where it has none.';
COMMENT ON COLUMN ledger.coverage.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN ledger.coverage.available_at_basis IS 'What evidences that day.';

-- A snapshot is kept even where it says nothing new: one that arrives late is compared with its neighbours.
CREATE TABLE ledger.snapshot (
    snapshot_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    series_id integer NOT NULL,
    document_id integer NOT NULL,
    head_id integer,
    available_at date NOT NULL,
    is_released_daily boolean NOT NULL,
    available_at_basis text NOT NULL CHECK (available_at_basis IN ('filing', 'publisher', 'first_seen')),
    stated date[],
    brought_by integer NOT NULL,
    UNIQUE (series_id, available_at, document_id, available_at_basis)
);
-- Rows are found again by the document that brought them. One that arrives late may add to what earlier ones say.
CREATE INDEX snapshot_by_bringer ON ledger.snapshot (brought_by);
COMMENT ON TABLE ledger.snapshot IS
'That a document states a series as of a day. In order: available_at, then the document''s fetch time and hash.';
COMMENT ON COLUMN ledger.snapshot.snapshot_id IS 'Short handle; load order, so it decides nothing.';
COMMENT ON COLUMN ledger.snapshot.series_id IS 'The series.';
COMMENT ON COLUMN ledger.snapshot.document_id IS 'The document.';
COMMENT ON COLUMN ledger.snapshot.head_id IS 'What it says the series is; null where it covers the series without naming it.';
COMMENT ON COLUMN ledger.snapshot.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN ledger.snapshot.is_released_daily IS
'True where the publisher releases each value on its own day: the first statement of a value counts from then.';
COMMENT ON COLUMN ledger.snapshot.available_at_basis IS 'What evidences available_at.';
COMMENT ON COLUMN ledger.snapshot.stated IS
'First days of the periods it speaks of; null where it is whole, and speaks of all there are.';
COMMENT ON COLUMN ledger.snapshot.brought_by IS 'The document whose reading appended the row, perhaps about another one.';

-- No foreign keys here: the one INSERT that writes this table takes its ids from the referenced tables.
CREATE TABLE ledger.observation (
    series_id integer NOT NULL,
    snapshot_id integer NOT NULL,
    period_start date NOT NULL,
    period_end date NOT NULL,
    value numeric CHECK (scale(value) <= 30 AND abs(value) < 1e26),
    brought_by integer NOT NULL,
    PRIMARY KEY (series_id, period_start, snapshot_id)
);
CREATE INDEX observation_by_bringer ON ledger.observation (brought_by);
COMMENT ON TABLE ledger.observation IS
'Values by which a snapshot differs from the one before it. What it repeats has no row here.';
COMMENT ON COLUMN ledger.observation.series_id IS 'The series.';
COMMENT ON COLUMN ledger.observation.snapshot_id IS 'The snapshot that states it.';
COMMENT ON COLUMN ledger.observation.period_start IS 'First day of the period.';
COMMENT ON COLUMN ledger.observation.period_end IS 'Last day of the period.';
COMMENT ON COLUMN ledger.observation.value IS 'Exact, without trailing zeros; null where the snapshot has it no more.';
COMMENT ON COLUMN ledger.observation.brought_by IS 'The document whose reading appended the row, perhaps about another one.';

CREATE TABLE ops.batch_series (
    batch_id integer NOT NULL REFERENCES ops.batch,
    series_id integer NOT NULL,
    PRIMARY KEY (batch_id, series_id)
);
COMMENT ON TABLE ops.batch_series IS 'Series a batch said something new about: what a publish must look at.';
COMMENT ON COLUMN ops.batch_series.batch_id IS 'The batch.';
COMMENT ON COLUMN ops.batch_series.series_id IS 'A series it touched.';

-- Reading: the row of a key in edition e is the one with published_in <= e < superseded_in. There is one at most.
CREATE TABLE serving.series (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    reason serving.change_reason NOT NULL,
    series_key text COLLATE "C" NOT NULL,
    source text NOT NULL,
    series_type text NOT NULL,
    frequency text NOT NULL,
    country_iso2 text,
    country_iso3 text,
    area text COLLATE "C" NOT NULL,
    unit text,
    indicator text COLLATE "C",
    indicator_name text,
    PRIMARY KEY (row_id, series_key)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX series_by_key ON serving.series (series_key);
CREATE INDEX series_by_indicator ON serving.series (indicator);
COMMENT ON TABLE serving.series IS 'What each series is, of all editions: one row for a key in an edition.';
COMMENT ON COLUMN serving.series.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.series.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.series.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.series.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.series.series_key IS 'The series.';
COMMENT ON COLUMN serving.series.source IS 'The most authoritative source that states it; each value cites its own.';
COMMENT ON COLUMN serving.series.series_type IS 'fx, cpi or indicator.';
COMMENT ON COLUMN serving.series.frequency IS 'A, Q, M or D.';
COMMENT ON COLUMN serving.series.country_iso2 IS 'ISO 3166-1 alpha-2; null for aggregates and what is of no country.';
COMMENT ON COLUMN serving.series.country_iso3 IS 'ISO 3166-1 alpha-3; null for aggregates and what is of no country.';
COMMENT ON COLUMN serving.series.area IS
'What the series is of: country_iso3, or the publisher''s code of an aggregate; empty where it is of neither.';
COMMENT ON COLUMN serving.series.unit IS 'USD, USD billions, index, percent …; null where the source does not say.';
COMMENT ON COLUMN serving.series.indicator IS 'The source''s own code; null where it has none.';
COMMENT ON COLUMN serving.series.indicator_name IS 'The source''s own name for it; null where it has none.';

-- Reading at a day d: of a series and period, the row with available_at <= d < known_until; there is one at most.
-- available_at never falls as vintage rises.
CREATE TABLE serving.macro_value (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    fact_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    period_start date NOT NULL,
    period_end date NOT NULL,
    available_at date NOT NULL,
    known_until date NOT NULL,
    reason serving.change_reason NOT NULL,
    vintage smallint NOT NULL CHECK (vintage > 0),
    frequency text NOT NULL,
    country_iso3 text,
    area text COLLATE "C" NOT NULL,
    series_key text COLLATE "C" NOT NULL,
    measure text COLLATE "C" NOT NULL,
    value numeric NOT NULL CHECK (scale(value) <= 30 AND abs(value) < 1e26),
    -- What a value counts is part of the value: a series whose unit changes has other values, not the same ones.
    unit text,
    PRIMARY KEY (row_id, series_key)
) WITH (
    fillfactor = 90, vacuum_truncate = off,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
-- Each index holds the whole order of its pages, so that a page is read without sorting and ends where it is full: of a
-- series, of a country or an aggregate, of an indicator, of all. A page of all goes on in the middle of a day that may
-- have a million rows. There days and years count backwards, so that the rest of the order is one range. superseded_in
-- stands in no index and no predicate, so that closing a row stays a HOT update.
CREATE INDEX macro_value_by_series ON serving.macro_value (series_key, period_end DESC, vintage);
CREATE INDEX macro_value_by_area ON serving.macro_value (area, period_end DESC, measure, series_key, vintage)
WHERE area <> '';
CREATE INDEX macro_value_by_indicator
ON serving.macro_value (measure, period_end DESC, area, series_key, vintage)
WHERE frequency = 'A' AND country_iso3 IS NOT NULL;
CREATE INDEX macro_value_by_year
ON serving.macro_value ((9999 - extract(YEAR FROM period_end)), measure, area, series_key, vintage)
WHERE frequency = 'A' AND country_iso3 IS NOT NULL;
CREATE INDEX macro_value_by_day
ON serving.macro_value (('9999-12-31'::date - period_end), measure, area, series_key, vintage);
-- As in serving.fundamentals_fact: an edition's puts of one reason, in the order of the change feed.
CREATE INDEX macro_value_by_edition ON serving.macro_value (reason, published_in, row_id);
COMMENT ON TABLE serving.macro_value IS 'Every vintage of every value of every series, of all editions.';
COMMENT ON COLUMN serving.macro_value.row_id IS 'Given in publish order: an edition''s puts are one range.';
COMMENT ON COLUMN serving.macro_value.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.macro_value.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.macro_value.fact_id IS
'Hash of source, series, period, the day it became available, and value; it never changes.';
COMMENT ON COLUMN serving.macro_value.provenance_id IS 'Where the value comes from, and what evidences available_at.';
COMMENT ON COLUMN serving.macro_value.period_start IS 'First day of the period.';
COMMENT ON COLUMN serving.macro_value.period_end IS 'Last day of the period; equal to the first for a day.';
COMMENT ON COLUMN serving.macro_value.available_at IS
'The day the public could know this vintage, by the snapshot that shows it first.';
COMMENT ON COLUMN serving.macro_value.known_until IS
'The day another vintage took its place or a snapshot had the value no more; infinity while neither.';
COMMENT ON COLUMN serving.macro_value.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.macro_value.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.macro_value.frequency IS 'A, Q, M or D.';
COMMENT ON COLUMN serving.macro_value.country_iso3 IS 'ISO 3166-1 alpha-3; null for aggregates and what is of no country.';
COMMENT ON COLUMN serving.macro_value.area IS
'What the series is of: country_iso3, or the publisher''s code of an aggregate; empty where it is of neither.';
COMMENT ON COLUMN serving.macro_value.series_key IS 'The series.';
COMMENT ON COLUMN serving.macro_value.measure IS
'What is measured: the indicator''s code for a value of a year that has one, else the series.';
COMMENT ON COLUMN serving.macro_value.value IS 'As stated, exact.';
COMMENT ON COLUMN serving.macro_value.unit IS 'USD, USD billions, index, percent …; null where the source does not say.';

SELECT ops.keep_append_only(
    'ledger.series', 'ledger.series_head', 'ledger.coverage', 'ledger.snapshot', 'ledger.observation',
    'ops.batch_series'
);
SELECT serving.keep_published('serving.series', 'serving.macro_value');

GRANT SELECT ON ledger.series, ledger.series_head, ledger.coverage, ledger.snapshot, ledger.observation
TO sankofa_ingest, sankofa_publish;
GRANT SELECT ON ops.batch_series TO sankofa_ingest, sankofa_publish;
GRANT INSERT (source, series_key, frequency, indicator) ON ledger.series TO sankofa_ingest;
GRANT INSERT (series_type, country_iso2, country_iso3, unit, indicator_name)
ON ledger.series_head TO sankofa_ingest;
GRANT INSERT (series_id, document_id, head_id, available_at, is_released_daily, available_at_basis, stated, brought_by)
ON ledger.snapshot TO sankofa_ingest;
GRANT INSERT ON ledger.coverage, ledger.observation, ops.batch_series TO sankofa_ingest;
GRANT SELECT ON serving.series, serving.macro_value TO sankofa_api;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.series, serving.macro_value TO sankofa_publish;
