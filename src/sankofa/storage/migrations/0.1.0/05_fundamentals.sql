-- The fundamentals read model: issuers, provenance and facts of all editions. Labels have days of their own: what
-- filings declare about the fiscal year makes the type of each period on each day.

CREATE TABLE serving.issued_id (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    service_id text NOT NULL,
    resolves_to text NOT NULL,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    reason serving.change_reason NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX issued_id_by_service_id ON serving.issued_id (service_id);
CREATE INDEX issued_id_by_survivor ON serving.issued_id (resolves_to);
COMMENT ON TABLE serving.issued_id IS 'Issuers known to an edition, and which id answers for each (itself, or a survivor).';
COMMENT ON COLUMN serving.issued_id.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.issued_id.service_id IS 'An id that answers.';
COMMENT ON COLUMN serving.issued_id.resolves_to IS 'The id whose rows it answers with.';
COMMENT ON COLUMN serving.issued_id.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.issued_id.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.issued_id.reason IS 'Why it was put.';

CREATE TABLE serving.provenance (
    provenance_id uuid PRIMARY KEY,
    document_ref text NOT NULL,
    license_class text NOT NULL,
    observed_at timestamptz NOT NULL,
    available_at_basis text NOT NULL,
    method text NOT NULL,
    extraction_confidence numeric CHECK (extraction_confidence BETWEEN 0 AND 1),
    -- Numbered although no edition holds it alone, so that rows are sealed in the order they came.
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    accepted_at timestamptz,
    form text,
    filing_id text
) WITH (vacuum_truncate = off);
CREATE INDEX provenance_by_row_id ON serving.provenance (row_id);
COMMENT ON TABLE serving.provenance IS 'Where values come from: one row per filing and document, shared by its facts.';
COMMENT ON COLUMN serving.provenance.provenance_id IS 'Hash of the row''s content, so it never changes.';
COMMENT ON COLUMN serving.provenance.document_ref IS 'Source, filing and document; the first part of source_ref.';
COMMENT ON COLUMN serving.provenance.license_class IS 'Licence the source is held under.';
COMMENT ON COLUMN serving.provenance.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.provenance.available_at_basis IS 'What evidences available_at.';
COMMENT ON COLUMN serving.provenance.method IS 'How the value was taken from the document.';
COMMENT ON COLUMN serving.provenance.extraction_confidence IS '0 to 1; null where nothing was extracted by guesswork.';
COMMENT ON COLUMN serving.provenance.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.provenance.accepted_at IS
'Moment at which the regulator accepted the filing; null where the source has none.';
COMMENT ON COLUMN serving.provenance.form IS 'Form type of the filing, such as 10-K.';
COMMENT ON COLUMN serving.provenance.filing_id IS 'The regulator''s number of the filing.';

CREATE TABLE serving.fundamentals_fact (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    fact_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    period_end date NOT NULL,
    period_start date NOT NULL,
    available_at date NOT NULL,
    withdrawn_at date,
    scope serving.scope NOT NULL,
    reason serving.change_reason NOT NULL,
    vintage smallint NOT NULL CHECK (vintage > 0),
    fiscal_year smallint,
    is_own_period boolean NOT NULL,
    service_id text NOT NULL,
    line_item text NOT NULL,
    period_type text NOT NULL CHECK (period_type IN ('', 'FY', 'H1', 'H2', 'Q1', 'Q2', 'Q3', 'Q4', '9M', 'TTM')),
    unit text NOT NULL,
    concept text NOT NULL,
    value numeric CHECK (scale(value) <= 12 AND abs(value) < 1e26),
    -- Each of these is empty where nothing out of the ordinary is to be said.
    labelled_from date,
    labelled_until date,
    unlabelled text CHECK (unlabelled IN ('not_declared', 'off_calendar', 'odd_length', 'short_year')),
    revision text CHECK (revision IN ('rescaled', 'rounded', 'reclassified', 'corrected', 'restated')),
    passed_over boolean,
    decimals smallint,
    first_filing_held boolean,
    days_rounded text CHECK (days_rounded IN ('start', 'all'))
) WITH (
    fillfactor = 95, vacuum_truncate = off,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
CREATE INDEX fundamentals_fact_by_row_id ON serving.fundamentals_fact (row_id);
-- Entries that are equal share one place: all vintages of a line item and year cost little more than one. superseded_in
-- stands in no index and no predicate, so that closing a row stays a HOT update.
CREATE INDEX fundamentals_fact_by_issuer ON serving.fundamentals_fact (service_id, line_item, fiscal_year);
-- One fact by its id. Ids are random, so whole ids in an index would take four times the place: it holds 22 bits of a
-- hash, and the few dozen facts that share them are told apart by their ids.
CREATE INDEX fundamentals_fact_by_hash ON serving.fundamentals_fact ((uuid_hash(fact_id) & 4194303));
-- An edition's puts of one reason, in the order of the change feed. All that decides the place of a change is in the
-- index, so a page finds its rows before it reads any.
CREATE INDEX fundamentals_fact_by_edition ON serving.fundamentals_fact (reason, published_in, row_id);
COMMENT ON TABLE serving.fundamentals_fact IS 'Every vintage of every value of every edition.';
COMMENT ON COLUMN serving.fundamentals_fact.row_id IS 'Given in publish order: an edition''s puts are one range.';
COMMENT ON COLUMN serving.fundamentals_fact.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.fundamentals_fact.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.fundamentals_fact.fact_id IS 'Hash of source, filing, location and value; it never changes.';
COMMENT ON COLUMN serving.fundamentals_fact.provenance_id IS 'Where the value comes from.';
COMMENT ON COLUMN serving.fundamentals_fact.period_end IS 'Last day of the period, or the instant.';
COMMENT ON COLUMN serving.fundamentals_fact.period_start IS 'First day of the period; -infinity for an instant.';
COMMENT ON COLUMN serving.fundamentals_fact.available_at IS 'The day the public could know the value.';
COMMENT ON COLUMN serving.fundamentals_fact.withdrawn_at IS 'The day a filing reported it as nil.';
COMMENT ON COLUMN serving.fundamentals_fact.scope IS 'Group or company accounts.';
COMMENT ON COLUMN serving.fundamentals_fact.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.fundamentals_fact.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.fundamentals_fact.fiscal_year IS 'Year in which the issuer''s fiscal year ends; null without a type.';
COMMENT ON COLUMN serving.fundamentals_fact.is_own_period IS 'True for the filing''s own period, false for a comparative.';
COMMENT ON COLUMN serving.fundamentals_fact.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.fundamentals_fact.line_item IS 'Line item of the map; the concept where the fact stands for none.';
COMMENT ON COLUMN serving.fundamentals_fact.period_type IS 'FY, H1, H2, Q1 to Q4, 9M; empty where the dates fit none.';
COMMENT ON COLUMN serving.fundamentals_fact.unit IS 'ISO 4217 code, shares, pure, or a ratio of these.';
COMMENT ON COLUMN serving.fundamentals_fact.concept IS 'The source''s own concept: the location within the document.';
COMMENT ON COLUMN serving.fundamentals_fact.value IS 'As reported, exact; null once the fact is taken down.';
COMMENT ON COLUMN serving.fundamentals_fact.labelled_from IS
'First day on which the period has these labels; null if it had them from the start.';
COMMENT ON COLUMN serving.fundamentals_fact.labelled_until IS
'First day on which it has others; null while it has these.';
COMMENT ON COLUMN serving.fundamentals_fact.unlabelled IS 'Why the period has no type; null where it has one.';
COMMENT ON COLUMN serving.fundamentals_fact.revision IS
'How the value differs from the vintage before; null for the first.';
COMMENT ON COLUMN serving.fundamentals_fact.passed_over IS
'True if the vintage only rounds the one before it, so that latest passes over it.';
COMMENT ON COLUMN serving.fundamentals_fact.decimals IS
'Precision that the filing states (-3: to the thousand); null where it states none.';
COMMENT ON COLUMN serving.fundamentals_fact.first_filing_held IS
'Whether vintage 1 comes from the filing whose own period it is.';
COMMENT ON COLUMN serving.fundamentals_fact.days_rounded IS
'Which days of the period the source rounds: start, all; null where none.';

CREATE TABLE ops.line_item_map (
    map_version text NOT NULL,
    line_item text NOT NULL,
    rank smallint NOT NULL,
    concept_id integer NOT NULL REFERENCES ledger.concept,
    kind text NOT NULL,
    unless integer[] NOT NULL,
    needs integer[] NOT NULL,
    PRIMARY KEY (map_version, concept_id, line_item)
);
COMMENT ON TABLE ops.line_item_map IS 'Ordered map from concepts to line items, every version that was published with.';
COMMENT ON COLUMN ops.line_item_map.map_version IS 'Hash of the map''s content.';
COMMENT ON COLUMN ops.line_item_map.line_item IS 'Line item.';
COMMENT ON COLUMN ops.line_item_map.rank IS '1 is preferred where one filing reports several.';
COMMENT ON COLUMN ops.line_item_map.concept_id IS 'The concept.';
COMMENT ON COLUMN ops.line_item_map.kind IS 'monetary, shares, per_share or ratio: which units fit.';
COMMENT ON COLUMN ops.line_item_map.unless IS 'Concepts; it stands for the line item only in filings that state none of them.';
COMMENT ON COLUMN ops.line_item_map.needs IS 'Concepts; if there are any, only in filings that state one of them.';

-- In what units values are stated.
CREATE FUNCTION ops.per_share(unit text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN CASE WHEN unit ~ '^[A-Z]{3}$' THEN unit || '/shares' ELSE unit END;
COMMENT ON FUNCTION ops.per_share IS 'The unit of a value per share, of which a filing may state the currency alone.';

CREATE FUNCTION ops.fits(unit text, kind text) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN CASE kind
    WHEN 'monetary' THEN unit ~ '^[A-Z]{3}$'
    WHEN 'per_share' THEN unit ~ '^[A-Z]{3}/shares$'
    WHEN 'shares' THEN unit = 'shares'
    ELSE unit = 'pure'
END;
COMMENT ON FUNCTION ops.fits IS 'Whether a value in this unit can be of a line item of this kind.';

-- What becomes of days where a source rounds them to the ends of months, and lengths to quarters.
CREATE FUNCTION ops.rounded_end(day date) RETURNS date LANGUAGE sql IMMUTABLE
RETURN CASE
    WHEN extract(DAY FROM day) * 2 >= extract(DAY FROM date_trunc('month', day::timestamp) + '1 month - 1 day'::interval)
        THEN (date_trunc('month', day::timestamp) + '1 month - 1 day'::interval)::date
    ELSE date_trunc('month', day::timestamp)::date - 1
END;
COMMENT ON FUNCTION ops.rounded_end IS 'The end of a month that is nearest to a day.';

CREATE FUNCTION ops.rounded_start(first_day date, last_day date) RETURNS date LANGUAGE sql IMMUTABLE
RETURN CASE
    WHEN NOT isfinite(first_day) OR round((last_day - first_day) / 91.3125) = 0 THEN '-infinity'
    ELSE (
        date_trunc('month', ops.rounded_end(last_day)::timestamp)
        - make_interval(months => round((last_day - first_day) / 91.3125)::integer * 3 - 1)
    )::date
END;
COMMENT ON FUNCTION ops.rounded_start IS
'The first day of as many quarters as the period has, rounded, up to its rounded end; -infinity where that is none.';

-- How vintages are counted, one reported value at a time.
CREATE TYPE ops.vintage_state AS (vintage smallint, value numeric, decimals smallint, opens boolean);
COMMENT ON TYPE ops.vintage_state IS 'Vintage reached, the value it holds (null: withdrawn), and whether this row opened it.';

CREATE FUNCTION ops.next_vintage(before ops.vintage_state, value numeric, decimals smallint)
RETURNS ops.vintage_state LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF value IS NULL THEN
        RETURN (coalesce(before.vintage, 0), NULL, NULL, false)::ops.vintage_state;
    END IF;
    -- A value that repeats the one before it, or agrees with it at the coarser stated precision, confirms.
    IF before.value = value OR round(before.value, least(before.decimals, decimals))
        = round(value, least(before.decimals, decimals)) THEN
        RETURN (before.vintage, before.value, before.decimals, false)::ops.vintage_state;
    END IF;
    RETURN (coalesce(before.vintage, 0) + 1, value, decimals, true)::ops.vintage_state;
END
$$;
COMMENT ON FUNCTION ops.next_vintage IS 'The vintage rule: a differing value opens a vintage, nil withdraws, the rest confirms.';

CREATE AGGREGATE ops.vintage(numeric, smallint) (sfunc = ops.next_vintage, stype = ops.vintage_state);
COMMENT ON AGGREGATE ops.vintage (numeric, smallint) IS 'The vintage rule as a running window: one step per reported value.';

-- How two vintages of a value differ.
CREATE FUNCTION ops.is_rescaled(before numeric, after numeric) RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN before * after > 0 AND before <> after
AND trim(TRAILING '0' FROM replace(ltrim(abs(before)::text, '0.'), '.', ''))
= trim(TRAILING '0' FROM replace(ltrim(abs(after)::text, '0.'), '.', ''));
COMMENT ON FUNCTION ops.is_rescaled IS 'Whether one value is the other times a power of ten: the digits are the same.';

CREATE FUNCTION ops.last_place(value numeric) RETURNS numeric LANGUAGE sql IMMUTABLE
RETURN CASE
    WHEN min_scale(value) > 0 THEN power(10::numeric, -min_scale(value))
    ELSE power(10::numeric, length(value::text) - length(rtrim(trim_scale(value)::text, '0')))
END;
COMMENT ON FUNCTION ops.last_place IS 'The unit of a number''s last digit that is not zero: 1000 for 294604000.';

CREATE FUNCTION ops.is_rounded(fine numeric, coarse numeric, decimals smallint)
RETURNS boolean LANGUAGE sql IMMUTABLE
RETURN coarse <> fine AND abs(coarse - fine) * 2 <= greatest(
    power(10::numeric, -decimals),
    CASE WHEN abs(coarse) >= 100 * ops.last_place(coarse) THEN ops.last_place(coarse) END
) AND ops.last_place(coarse) > ops.last_place(fine);
COMMENT ON FUNCTION ops.is_rounded IS
'Whether coarse is fine rounded: to its stated precision, or to its trailing zeros with three digits left of them.';

SELECT serving.keep_published('serving.issued_id', 'serving.fundamentals_fact');

CREATE FUNCTION serving.guard_provenance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM ops.tombstone AS tombstone
        WHERE tombstone.dataset = 'provenance' AND tombstone.row_id = old.row_id
    ) THEN
        RETURN old;
    END IF;
    RAISE EXCEPTION 'DELETE on serving.provenance refused: no takedown removes this row'
        USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION serving.guard_provenance IS 'A provenance goes only after its tombstone was written.';
CREATE TRIGGER published BEFORE DELETE ON serving.provenance
FOR EACH ROW EXECUTE FUNCTION serving.guard_provenance();
ALTER TABLE serving.provenance ENABLE ALWAYS TRIGGER published;
CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON serving.provenance
FOR EACH STATEMENT EXECUTE FUNCTION ops.refuse_rewrite();
ALTER TABLE serving.provenance ENABLE ALWAYS TRIGGER append_only;
SELECT ops.keep_append_only('ops.line_item_map');

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA serving, ops FROM public;
GRANT EXECUTE ON FUNCTION ops.vintage(numeric, smallint) TO sankofa_publish;
GRANT EXECUTE ON FUNCTION ops.per_share, ops.fits, ops.rounded_end, ops.rounded_start TO sankofa_publish;
GRANT EXECUTE ON FUNCTION ops.next_vintage, ops.is_rescaled, ops.last_place, ops.is_rounded TO sankofa_publish;

GRANT SELECT ON serving.issued_id, serving.provenance, serving.fundamentals_fact TO sankofa_api;
-- Which ids are one organisation.
GRANT SELECT ON serving.issued_id TO sankofa_privacy;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.issued_id, serving.fundamentals_fact TO sankofa_publish;
GRANT SELECT, INSERT ON serving.provenance, ops.line_item_map TO sankofa_publish;
