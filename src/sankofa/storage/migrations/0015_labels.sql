-- Labels with days of their own: what filings declare about the fiscal year, what that makes of each period on each
-- day, how a vintage differs from the one before, and which filing it is from.

CREATE TABLE ledger.filing_declaration (
    filing_id integer NOT NULL REFERENCES ledger.filing,
    document_id integer NOT NULL REFERENCES ops.document,
    fiscal_year smallint,
    fiscal_period text,
    fiscal_year_end text CHECK (fiscal_year_end ~ '^[0-9]{4}$'),
    PRIMARY KEY (filing_id, document_id),
    CHECK (num_nonnulls(fiscal_year, fiscal_period, fiscal_year_end) > 0)
);
COMMENT ON TABLE ledger.filing_declaration IS
'What a filing says of its place in the fiscal year, as a document shows it.';
COMMENT ON COLUMN ledger.filing_declaration.filing_id IS 'The filing.';
COMMENT ON COLUMN ledger.filing_declaration.document_id IS 'The document that shows it.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_year IS
'Fiscal year that the filing is about, as the filer counts.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_period IS 'FY, Q1, Q2, Q3 …, as the source writes it.';
COMMENT ON COLUMN ledger.filing_declaration.fiscal_year_end IS 'Month and day on which fiscal years end: 0930.';
SELECT ops.keep_append_only('ledger.filing_declaration');
GRANT SELECT ON ledger.filing_declaration TO sankofa_ingest, sankofa_publish;
GRANT INSERT ON ledger.filing_declaration TO sankofa_ingest;

ALTER TABLE serving.provenance ADD COLUMN accepted_at timestamptz, ADD COLUMN form text, ADD COLUMN filing_id text;
COMMENT ON COLUMN serving.provenance.accepted_at IS
'Moment at which the regulator accepted the filing; null where the source has none.';
COMMENT ON COLUMN serving.provenance.form IS 'Form type of the filing, such as 10-K.';
COMMENT ON COLUMN serving.provenance.filing_id IS 'The regulator''s number of the filing.';

-- Each column is empty where nothing out of the ordinary is to be said, so that rows of earlier editions, which lack
-- them, keep their meaning and their digests.
ALTER TABLE serving.fundamentals_fact
ADD COLUMN labelled_from date,
ADD COLUMN labelled_until date,
ADD COLUMN unlabelled text CHECK (unlabelled IN ('not_declared', 'off_calendar', 'odd_length', 'short_year')),
ADD COLUMN revision text CHECK (revision IN ('rescaled', 'rounded', 'reclassified', 'corrected', 'restated')),
ADD COLUMN passed_over boolean,
ADD COLUMN decimals smallint,
ADD COLUMN first_filing_held boolean,
DROP CONSTRAINT fundamentals_fact_period_type_check,
ADD CONSTRAINT fundamentals_fact_period_type_check
CHECK (period_type IN ('', 'FY', 'H1', 'H2', 'Q1', 'Q2', 'Q3', 'Q4', '9M', 'TTM'));
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
REVOKE ALL ON FUNCTION ops.is_rescaled, ops.last_place, ops.is_rounded FROM public;
GRANT EXECUTE ON FUNCTION ops.is_rescaled, ops.last_place, ops.is_rounded TO sankofa_publish;

CREATE OR REPLACE VIEW serving.fact_row AS
SELECT
    'AF-FUND' AS dataset,
    fact.row_id,
    CASE WHEN fact.value IS NOT NULL THEN fact.fact_id::text END AS fact_id,
    fact.service_id,
    NULL::text AS country,
    fact.line_item AS measure,
    fact.value,
    fact.unit,
    fact.scope::text AS scope,
    nullif(fact.period_start, '-infinity') AS period_start,
    fact.period_end,
    nullif(fact.period_type, '') AS period_type,
    fact.fiscal_year,
    CASE WHEN fact.is_own_period THEN 'own' ELSE 'comparative' END AS reported_as,
    fact.vintage,
    fact.available_at,
    provenance.available_at_basis,
    fact.withdrawn_at AS known_until,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence,
    provenance.method,
    provenance.provenance_id::text AS provenance_id,
    fact.labelled_from,
    fact.labelled_until,
    fact.revision,
    fact.decimals,
    provenance.accepted_at,
    provenance.form,
    provenance.filing_id,
    fact.first_filing_held
FROM serving.fundamentals_fact AS fact
LEFT JOIN serving.provenance AS provenance
    ON fact.provenance_id = provenance.provenance_id AND fact.value IS NOT NULL
UNION ALL
SELECT
    'AF-TENDER' AS dataset,
    fact.row_id,
    fact.fact_id::text AS fact_id,
    NULL::text AS service_id,
    fact.country,
    fact.measure,
    fact.value,
    fact.unit,
    NULL::text AS scope,
    NULL::date AS period_start,
    fact.period_end,
    NULL::text AS period_type,
    NULL::smallint AS fiscal_year,
    NULL::text AS reported_as,
    fact.vintage,
    fact.available_at,
    provenance.available_at_basis,
    nullif(fact.known_until, 'infinity') AS known_until,
    provenance.document_ref || '#' || fact.location AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence,
    provenance.method,
    provenance.provenance_id::text AS provenance_id,
    NULL::date AS labelled_from,
    NULL::date AS labelled_until,
    NULL::text AS revision,
    NULL::smallint AS decimals,
    NULL::timestamptz AS accepted_at,
    NULL::text AS form,
    NULL::text AS filing_id,
    NULL::boolean AS first_filing_held
FROM serving.tender_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
UNION ALL
SELECT
    'AF-MACRO' AS dataset,
    fact.row_id,
    fact.fact_id::text AS fact_id,
    NULL::text AS service_id,
    fact.country_iso3 AS country,
    fact.measure,
    fact.value,
    fact.unit,
    NULL::text AS scope,
    fact.period_start,
    fact.period_end,
    CASE fact.frequency WHEN 'A' THEN 'FY' WHEN 'Q' THEN 'Q' || extract(QUARTER FROM fact.period_end) END AS period_type,
    NULL::smallint AS fiscal_year,
    NULL::text AS reported_as,
    fact.vintage,
    CASE WHEN fact.frequency <> 'A' THEN fact.available_at END AS available_at,
    CASE WHEN fact.frequency <> 'A' THEN provenance.available_at_basis END AS available_at_basis,
    fact.withdrawn_at AS known_until,
    provenance.document_ref || '#' || fact.series_key AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence,
    provenance.method,
    provenance.provenance_id::text AS provenance_id,
    NULL::date AS labelled_from,
    NULL::date AS labelled_until,
    NULL::text AS revision,
    NULL::smallint AS decimals,
    NULL::timestamptz AS accepted_at,
    NULL::text AS form,
    NULL::text AS filing_id,
    NULL::boolean AS first_filing_held
FROM serving.macro_value AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON COLUMN serving.fact_row.labelled_from IS
'First day on which the period has these labels; null if it had them from the start.';
COMMENT ON COLUMN serving.fact_row.labelled_until IS 'First day on which it has others; null while it has these.';
COMMENT ON COLUMN serving.fact_row.revision IS 'How the value differs from the vintage before; null for the first.';
COMMENT ON COLUMN serving.fact_row.decimals IS
'Precision that the filing states (-3: to the thousand); null where it states none.';
COMMENT ON COLUMN serving.fact_row.accepted_at IS
'Moment at which the regulator accepted the filing; null where the source has none.';
COMMENT ON COLUMN serving.fact_row.form IS 'Form type of the filing, such as 10-K.';
COMMENT ON COLUMN serving.fact_row.filing_id IS 'The regulator''s number of the filing.';
COMMENT ON COLUMN serving.fact_row.first_filing_held IS
'Whether vintage 1 comes from the filing whose own period it is.';

CREATE OR REPLACE VIEW serving.bulk_fund AS
SELECT
    fact.row_id,
    fact.published_in,
    fact.superseded_in,
    fact.service_id,
    fact.line_item,
    fact.value::numeric(38, 12) AS value_reported,
    CASE WHEN fact.unit ~ '^[A-Z]{3}(/|$)' THEN left(fact.unit, 3) END AS currency_reported,
    fact.unit,
    fact.scope::text AS scope,
    nullif(fact.period_start, '-infinity') AS period_start,
    fact.period_end,
    nullif(fact.period_type, '') AS period_type,
    fact.fiscal_year::integer AS fiscal_year,
    fact.vintage::integer AS vintage,
    fact.available_at,
    provenance.available_at_basis,
    fact.withdrawn_at,
    CASE WHEN fact.is_own_period THEN 'own' ELSE 'comparative' END AS reported_as,
    provenance.document_ref || '#' || fact.concept AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence::numeric(38, 12) AS extraction_confidence,
    provenance.method,
    fact.provenance_id::text AS provenance_id,
    CASE WHEN fact.value IS NOT NULL THEN fact.fact_id::text END AS fact_id,
    fact.labelled_from,
    fact.labelled_until,
    fact.revision,
    fact.passed_over,
    fact.decimals::integer AS decimals,
    provenance.accepted_at,
    provenance.form,
    provenance.filing_id,
    fact.first_filing_held
FROM serving.fundamentals_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON COLUMN serving.bulk_fund.labelled_from IS
'First day on which the period has these labels; null if it had them from the start.';
COMMENT ON COLUMN serving.bulk_fund.labelled_until IS 'First day on which it has others; null while it has these.';
COMMENT ON COLUMN serving.bulk_fund.revision IS 'How the value differs from the vintage before; null for the first.';
COMMENT ON COLUMN serving.bulk_fund.passed_over IS
'True if the vintage only rounds the one before it, so that latest passes over it.';
COMMENT ON COLUMN serving.bulk_fund.decimals IS
'Precision that the filing states (-3: to the thousand); null where it states none.';
COMMENT ON COLUMN serving.bulk_fund.accepted_at IS
'Moment at which the regulator accepted the filing; null where the source has none.';
COMMENT ON COLUMN serving.bulk_fund.form IS 'Form type of the filing, such as 10-K.';
COMMENT ON COLUMN serving.bulk_fund.filing_id IS 'The regulator''s number of the filing.';
COMMENT ON COLUMN serving.bulk_fund.first_filing_held IS
'Whether vintage 1 comes from the filing whose own period it is.';
