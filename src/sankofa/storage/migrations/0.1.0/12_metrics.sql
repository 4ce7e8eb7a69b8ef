-- Metrics as they were known, for each full year that was once the last one published; and what the catalogue says
-- about issuers, line items, metrics and sources.

-- A row holds the value of a year for the days on which it was computed from the same facts. basis=as_known shows every
-- row on its days, basis=exact only rows whose facts were never replaced later.
CREATE TABLE serving.metric_value (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    period_end date NOT NULL,
    published_at date NOT NULL,
    known_from date NOT NULL CHECK (known_from >= published_at),
    known_until date NOT NULL CHECK (known_until > known_from),
    exact_from date CHECK (exact_from >= published_at),
    first_year smallint NOT NULL,
    last_year smallint NOT NULL,
    fiscal_year smallint,
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    metric text COLLATE "C" NOT NULL,
    value numeric,
    numerator numeric,
    denominator numeric CHECK (denominator > 0),
    absence text,
    inputs bigint[] NOT NULL,
    left_out text CHECK (left_out IN ('revised_after_as_of', 'completed_after_as_of', 'input_missing')),
    CHECK ((value IS NULL) = (absence IS NOT NULL)),
    CHECK ((value IS NULL) = (numerator IS NULL) AND (value IS NULL) = (denominator IS NULL)),
    CHECK ((left_out IS NULL) = (exact_from IS NOT NULL) AND (left_out IS NOT NULL OR value IS NOT NULL)),
    PRIMARY KEY (row_id, service_id)
) WITH (
    fillfactor = 90, vacuum_truncate = off,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
-- Entries that are equal share one place, so this takes little.
CREATE INDEX metric_value_by_issuer ON serving.metric_value (service_id, metric);
-- Which years were the last ones on any day: what a screen leaves out is counted among them.
CREATE INDEX metric_value_by_day ON serving.metric_value (metric, known_until, known_from);
-- Who is on top on any day: the values that stand on it lie in few spans of years, each in order of value.
-- Dates are carried along, so that what does not stand on the day is passed over within the index.
CREATE INDEX metric_value_by_rank ON serving.metric_value
(metric, first_year, last_year, value) INCLUDE (known_from, known_until, row_id)
WHERE value IS NOT NULL;
-- Whether hardly anything was served by a day, and what.
CREATE INDEX metric_value_by_first_day ON serving.metric_value (metric, known_from) WHERE value IS NOT NULL;
CREATE INDEX metric_value_by_country ON serving.metric_value
(metric, country, first_year, last_year, value) INCLUDE (known_from, known_until, row_id)
WHERE value IS NOT NULL;
COMMENT ON TABLE serving.metric_value IS
'Metrics of all editions: the value of a full year of an issuer on the days on which it was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.metric_value.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.metric_value.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.metric_value.period_end IS 'Last day of the year.';
COMMENT ON COLUMN serving.metric_value.published_at IS
'First day on which the year was known to be one, and an input of it was known.';
COMMENT ON COLUMN serving.metric_value.known_from IS
'First day on which the year was the last one published and the value was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.known_until IS
'First day on which another row replaces this one: other facts or a later year; infinity while there is none.';
COMMENT ON COLUMN serving.metric_value.exact_from IS
'First day from which on these facts decide the value, up to the end of the edition; null if they were replaced.';
COMMENT ON COLUMN serving.metric_value.first_year IS 'Calendar year of known_from.';
COMMENT ON COLUMN serving.metric_value.last_year IS 'Calendar year of known_until; 9999 for infinity.';
COMMENT ON COLUMN serving.metric_value.fiscal_year IS 'The issuer''s fiscal year.';
COMMENT ON COLUMN serving.metric_value.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.metric_value.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.metric_value.country IS 'ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.';
COMMENT ON COLUMN serving.metric_value.metric IS 'Slug of metrics-v1.';
COMMENT ON COLUMN serving.metric_value.value IS 'Rounded once, half to even, to ten places; null where there is none.';
COMMENT ON COLUMN serving.metric_value.numerator IS 'Of the exact value; ranks among values that round alike.';
COMMENT ON COLUMN serving.metric_value.denominator IS 'Of the exact value, in lowest terms.';
COMMENT ON COLUMN serving.metric_value.absence IS 'Why there is no value.';
COMMENT ON COLUMN serving.metric_value.inputs IS 'Rows of serving.fundamentals_fact that the value rests on.';
COMMENT ON COLUMN serving.metric_value.left_out IS
'Why basis=exact leaves the row out; null if it shows the row.';

CREATE TABLE serving.metric_span (
    metric text COLLATE "C" NOT NULL,
    country text COLLATE "C" NOT NULL,
    first_year smallint NOT NULL,
    last_year smallint NOT NULL,
    row_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    PRIMARY KEY (metric, country, first_year, last_year)
);
COMMENT ON TABLE serving.metric_span IS
'The spans of years that any edition has values in. More than an edition has do no harm: they are empty in it.';
COMMENT ON COLUMN serving.metric_span.metric IS 'Slug of metrics-v1.';
COMMENT ON COLUMN serving.metric_span.country IS 'ISO 3166-1 alpha-2; empty for all together.';
COMMENT ON COLUMN serving.metric_span.first_year IS 'Year in which values begin to stand.';
COMMENT ON COLUMN serving.metric_span.last_year IS 'Year in which they cease; 9999 for never.';
COMMENT ON COLUMN serving.metric_span.row_id IS 'Given in publish order.';

CREATE TABLE serving.issuer_coverage (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    first_known_at date NOT NULL,
    first_year_at date,
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    keys text[] NOT NULL,
    first_dates date[] NOT NULL,
    last_dates date[] NOT NULL,
    license_classes text[] NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX issuer_coverage_by_service_id ON serving.issuer_coverage (service_id);
CREATE INDEX issuer_coverage_by_shelf ON serving.issuer_coverage (left(service_id, 3));
COMMENT ON TABLE serving.issuer_coverage IS 'Issuers of all editions: since when anything of each is known, and what.';
COMMENT ON COLUMN serving.issuer_coverage.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.issuer_coverage.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.issuer_coverage.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.issuer_coverage.first_known_at IS 'First day on which anything that it reported was known.';
COMMENT ON COLUMN serving.issuer_coverage.first_year_at IS 'First day on which a full year was known; null without one.';
COMMENT ON COLUMN serving.issuer_coverage.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.issuer_coverage.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.issuer_coverage.country IS 'ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.';
COMMENT ON COLUMN serving.issuer_coverage.keys IS 'What there is of it, as kind/key of the catalogue.';
COMMENT ON COLUMN serving.issuer_coverage.first_dates IS 'For each key the first period end.';
COMMENT ON COLUMN serving.issuer_coverage.last_dates IS 'For each key the last period end.';
COMMENT ON COLUMN serving.issuer_coverage.license_classes IS 'For each key the licences that it is held under.';

CREATE TABLE serving.coverage (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    coverage_id uuid NOT NULL,
    issuers integer NOT NULL CHECK (issuers > 0),
    first_date date,
    last_date date,
    reason serving.change_reason NOT NULL,
    shelf text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    country text COLLATE "C" NOT NULL,
    license_classes text[] NOT NULL,
    PRIMARY KEY (row_id, shelf)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX coverage_by_shelf ON serving.coverage (shelf);
CREATE INDEX coverage_by_key ON serving.coverage (kind, key);
COMMENT ON TABLE serving.coverage IS
'How many issuers a country has for a key of the catalogue, by shelf: issuers whose ids begin alike, counted together.';
COMMENT ON COLUMN serving.coverage.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.coverage.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.coverage.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.coverage.coverage_id IS 'Hash of shelf, kind, key and country.';
COMMENT ON COLUMN serving.coverage.issuers IS 'Issuers that have it.';
COMMENT ON COLUMN serving.coverage.first_date IS 'First period end that any of them has; null where none has one.';
COMMENT ON COLUMN serving.coverage.last_date IS 'Last period end; null where none has one.';
COMMENT ON COLUMN serving.coverage.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.coverage.shelf IS 'First characters of the issuers'' ids.';
COMMENT ON COLUMN serving.coverage.kind IS 'line-items, metrics or exchanges.';
COMMENT ON COLUMN serving.coverage.key IS 'The line item, metric or exchange.';
COMMENT ON COLUMN serving.coverage.country IS 'ISO 3166-1 alpha-2; empty where not known.';
COMMENT ON COLUMN serving.coverage.license_classes IS 'Licences of what is behind it.';

CREATE TABLE serving.source (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    documents integer NOT NULL CHECK (documents > 0),
    first_fetched_at timestamptz NOT NULL,
    last_fetched_at timestamptz NOT NULL,
    reason serving.change_reason NOT NULL,
    source text COLLATE "C" NOT NULL,
    publisher text NOT NULL,
    country text COLLATE "C" NOT NULL,
    license_class text NOT NULL,
    PRIMARY KEY (row_id, source)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX source_by_name ON serving.source (source);
COMMENT ON TABLE serving.source IS 'The sources that an edition rests on. One that may not be redistributed is not here.';
COMMENT ON COLUMN serving.source.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.source.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.source.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.source.documents IS 'Documents of it that the edition holds.';
COMMENT ON COLUMN serving.source.first_fetched_at IS 'When the first of them was fetched.';
COMMENT ON COLUMN serving.source.last_fetched_at IS 'When the last of them was fetched.';
COMMENT ON COLUMN serving.source.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.source.source IS 'Its name: the first part of source_ref.';
COMMENT ON COLUMN serving.source.publisher IS 'Who publishes it.';
COMMENT ON COLUMN serving.source.country IS 'ISO 3166-1 alpha-2 of a portal; empty for others.';
COMMENT ON COLUMN serving.source.license_class IS 'Licence that its data is held under.';

SELECT serving.keep_published(
    'serving.metric_value', 'serving.issuer_coverage', 'serving.coverage', 'serving.source'
);
SELECT ops.keep_append_only('serving.metric_span');

GRANT SELECT ON
serving.metric_value, serving.metric_span, serving.issuer_coverage, serving.coverage, serving.source TO sankofa_api;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.metric_value, serving.issuer_coverage, serving.coverage, serving.source TO sankofa_publish;
GRANT SELECT, INSERT ON serving.metric_span TO sankofa_publish;
