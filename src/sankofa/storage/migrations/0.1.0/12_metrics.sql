-- Metrics as they were known, for each full year that was once the last one published; and what the catalogue says
-- about issuers, line items, metrics and sources.

-- In the order of their slugs. A metric more is a label more, in its place: ALTER TYPE … ADD VALUE … BEFORE ….
CREATE TYPE serving.metric AS ENUM (
    'asset_growth', 'asset_turnover', 'capital_intensity', 'cash_conversion', 'cash_flow_to_debt', 'cash_ratio',
    'claims_ratio', 'cost_to_income', 'credit_loss_rate', 'current_ratio', 'debt_to_equity', 'dividend_payout',
    'ebitda_margin', 'equity_growth', 'equity_ratio', 'free_cash_flow_margin', 'gross_margin', 'interest_coverage',
    'inventory_turnover', 'liabilities_to_assets', 'loan_to_deposit', 'net_debt_to_ebitda', 'net_income_growth',
    'net_interest_to_assets', 'net_margin', 'operating_income_growth', 'operating_margin', 'pretax_margin', 'quick_ratio',
    'receivables_turnover', 'research_intensity', 'return_on_assets', 'return_on_capital_employed', 'return_on_equity',
    'revenue_growth', 'tax_burden'
);
COMMENT ON TYPE serving.metric IS 'The metrics of metrics-v1, by slug: four bytes for a name that millions of rows repeat.';

CREATE FUNCTION serving.row_ids(packed bytea) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array(
    SELECT ('x' || encode(substr(packed, 6 * place - 5, 6), 'hex'))::bit(48)::bigint
    FROM generate_series(1, length(packed) / 6) AS place
    ORDER BY place
);
COMMENT ON FUNCTION serving.row_ids IS 'Row ids that are kept one after the other, six bytes for each.';

-- A row holds the value of a year for the days on which it was computed from the same facts. The first of these days may
-- be those on which it was the last year published: then it is ranked. basis=as_known shows every row on its days,
-- basis=exact only rows whose facts were never replaced later. A row that was not replaced has no nulls, so that it needs
-- no room to mark them; columns stand in an order that leaves no gaps.
CREATE TABLE serving.metric_value (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    metric serving.metric NOT NULL,
    period_end date NOT NULL,
    published_at date NOT NULL,
    known_from date NOT NULL CHECK (known_from >= published_at),
    known_until date NOT NULL CHECK (known_until > known_from),
    last_until date NOT NULL CHECK (last_until BETWEEN known_from AND known_until),
    exact_from date CHECK (exact_from >= published_at),
    reason serving.change_reason NOT NULL,
    first_year smallint NOT NULL,
    last_year smallint NOT NULL,
    fiscal_year smallint,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    value numeric NOT NULL,
    numerator numeric NOT NULL,
    denominator numeric NOT NULL CHECK (denominator > 0),
    inputs bytea NOT NULL CHECK (length(inputs) % 6 = 0)
) WITH (
    fillfactor = 90, vacuum_truncate = off,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
CREATE INDEX metric_value_by_row_id ON serving.metric_value (row_id);
-- Entries that are equal share one place, so this takes little.
CREATE INDEX metric_value_by_issuer ON serving.metric_value (service_id, metric);
-- Who is on top on any day: the values that stand on it lie in few spans of years, each in order of value. Days stand
-- beside them, so that what is not that of the last year on the day is passed over within the index. A value as a float
-- takes less room and keeps the order; those that are alike are told apart by the row.
CREATE INDEX metric_value_by_rank ON serving.metric_value
(metric, first_year, last_year, (value::float8), known_from, last_until)
WHERE last_until > known_from;
CREATE INDEX metric_value_by_country ON serving.metric_value
(metric, first_year, last_year, country, (value::float8), known_from, last_until)
WHERE last_until > known_from;
-- Whether hardly anything was served by a day, and what.
CREATE INDEX metric_value_by_first_day ON serving.metric_value (metric, known_from) WHERE last_until > known_from;
COMMENT ON TABLE serving.metric_value IS
'Metrics of all editions: the value of a full year of an issuer on the days on which it was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.metric_value.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.metric_value.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.metric_value.metric IS 'Slug of metrics-v1.';
COMMENT ON COLUMN serving.metric_value.period_end IS 'Last day of the year.';
COMMENT ON COLUMN serving.metric_value.published_at IS
'First day on which the year was known to be one, and an input of it was known.';
COMMENT ON COLUMN serving.metric_value.known_from IS 'First day on which the value was computed from these facts.';
COMMENT ON COLUMN serving.metric_value.known_until IS
'First day on which it was computed from others, or not at all; infinity while there is none.';
COMMENT ON COLUMN serving.metric_value.last_until IS
'From known_from up to this day the year was the last one published; known_from itself if not.';
COMMENT ON COLUMN serving.metric_value.exact_from IS
'First day from which on these facts decide the value, up to the end of the edition; null if they were replaced.';
COMMENT ON COLUMN serving.metric_value.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.metric_value.first_year IS 'Calendar year of known_from.';
COMMENT ON COLUMN serving.metric_value.last_year IS 'Calendar year of last_until; 9999 for infinity.';
COMMENT ON COLUMN serving.metric_value.fiscal_year IS 'The issuer''s fiscal year.';
COMMENT ON COLUMN serving.metric_value.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.metric_value.country IS 'ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.';
COMMENT ON COLUMN serving.metric_value.value IS 'Rounded once, half to even, to ten places.';
COMMENT ON COLUMN serving.metric_value.numerator IS 'Of the exact value; ranks among values that round alike.';
COMMENT ON COLUMN serving.metric_value.denominator IS 'Of the exact value, in lowest terms.';
COMMENT ON COLUMN serving.metric_value.inputs IS
'Rows of serving.fundamentals_fact that the value rests on, six bytes for each.';

-- Most years lack a value for many metrics at once, for the same reason and on the same days: one row for all of them.
CREATE TABLE serving.metric_absence (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    period_end date NOT NULL,
    known_from date NOT NULL,
    known_until date NOT NULL CHECK (known_until > known_from),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    left_out text NOT NULL CHECK (left_out IN ('revised_after_as_of', 'completed_after_as_of', 'input_missing')),
    metrics serving.metric[] NOT NULL
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX metric_absence_by_row_id ON serving.metric_absence (row_id);
CREATE INDEX metric_absence_by_issuer ON serving.metric_absence (service_id);
-- Which years were the last ones on any day: what a screen leaves out is counted among them.
CREATE INDEX metric_absence_by_day ON serving.metric_absence (known_until, known_from);
COMMENT ON TABLE serving.metric_absence IS
'Metrics of all editions that had no value for the last year published, on some days.';
COMMENT ON COLUMN serving.metric_absence.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.metric_absence.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.metric_absence.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.metric_absence.period_end IS 'Last day of the year.';
COMMENT ON COLUMN serving.metric_absence.known_from IS
'First day on which the year was the last one published and there was no value.';
COMMENT ON COLUMN serving.metric_absence.known_until IS
'First day on which that was otherwise; infinity while there is none.';
COMMENT ON COLUMN serving.metric_absence.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.metric_absence.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.metric_absence.country IS 'ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.';
COMMENT ON COLUMN serving.metric_absence.left_out IS 'Why basis=exact shows no value.';
COMMENT ON COLUMN serving.metric_absence.metrics IS 'The metrics that had none, as slugs of metrics-v1.';

CREATE TABLE serving.metric_span (
    metric serving.metric NOT NULL,
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
CREATE INDEX issuer_coverage_by_key ON serving.issuer_coverage USING gin (keys);
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
    'serving.metric_value', 'serving.metric_absence', 'serving.issuer_coverage', 'serving.coverage', 'serving.source'
);
SELECT ops.keep_append_only('serving.metric_span');

REVOKE ALL ON FUNCTION serving.row_ids FROM public;
GRANT EXECUTE ON FUNCTION serving.row_ids TO sankofa_api;
GRANT SELECT ON
serving.metric_value, serving.metric_absence, serving.metric_span, serving.issuer_coverage, serving.coverage, serving.source
TO sankofa_api;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.metric_value, serving.metric_absence, serving.issuer_coverage, serving.coverage, serving.source
TO sankofa_publish;
GRANT SELECT, INSERT ON serving.metric_span TO sankofa_publish;
