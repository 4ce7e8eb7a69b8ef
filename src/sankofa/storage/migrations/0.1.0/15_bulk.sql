-- Bulk files: what a row of each is.

-- A bulk row is made of rows of several tables. It belongs to the editions that hold all of them, so a change of
-- any of them ends it and begins another. (row_id, published_in) names it for ever.
CREATE VIEW serving.bulk_fund AS
SELECT
    fact.row_id,
    fact.published_in,
    fact.superseded_in,
    fact.reason::text AS reason,
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
    fact.first_filing_held,
    fact.concept,
    fact.days_rounded
FROM serving.fundamentals_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_fund IS
'AF-FUND as bulk files hold it: every vintage of every reported value, of all editions.';
COMMENT ON COLUMN serving.bulk_fund.row_id IS 'Row id of the fact.';
COMMENT ON COLUMN serving.bulk_fund.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_fund.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_fund.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_fund.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.bulk_fund.line_item IS 'The line item; the concept where the fact stands for none.';
COMMENT ON COLUMN serving.bulk_fund.value_reported IS 'As reported, exact; null where it was taken down.';
COMMENT ON COLUMN serving.bulk_fund.currency_reported IS 'ISO 4217 code; null for a value that is not money.';
COMMENT ON COLUMN serving.bulk_fund.unit IS 'As reported.';
COMMENT ON COLUMN serving.bulk_fund.scope IS 'Whose accounts.';
COMMENT ON COLUMN serving.bulk_fund.period_start IS 'First day; null of an instant.';
COMMENT ON COLUMN serving.bulk_fund.period_end IS 'Last day.';
COMMENT ON COLUMN serving.bulk_fund.period_type IS 'FY, H1 and so on; null of other periods.';
COMMENT ON COLUMN serving.bulk_fund.fiscal_year IS 'The issuer''s fiscal year.';
COMMENT ON COLUMN serving.bulk_fund.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_fund.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN serving.bulk_fund.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_fund.withdrawn_at IS 'The day it was withdrawn; null where it was not.';
COMMENT ON COLUMN serving.bulk_fund.reported_as IS 'own or comparative.';
COMMENT ON COLUMN serving.bulk_fund.source_ref IS 'Document and concept.';
COMMENT ON COLUMN serving.bulk_fund.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_fund.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.bulk_fund.extraction_confidence IS '0 to 1; null where values are read as stated.';
COMMENT ON COLUMN serving.bulk_fund.method IS 'How it was read.';
COMMENT ON COLUMN serving.bulk_fund.provenance_id IS 'Where it comes from.';
COMMENT ON COLUMN serving.bulk_fund.fact_id IS 'Hash that never changes; null where the value was taken down.';
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
COMMENT ON COLUMN serving.bulk_fund.concept IS 'The source''s own concept: the location within the document.';
COMMENT ON COLUMN serving.bulk_fund.days_rounded IS
'Which days of the period the source rounds: start, all; null where none.';

-- A value has the unit that it was stated in, as in all other answers (MAC-4); without one, that of its series.
CREATE VIEW serving.bulk_macro AS
SELECT
    fact.row_id,
    series.row_id AS series_row,
    greatest(fact.published_in, series.published_in) AS published_in,
    least(fact.superseded_in, series.superseded_in) AS superseded_in,
    CASE WHEN fact.published_in >= series.published_in THEN fact.reason ELSE series.reason END::text AS reason,
    fact.series_key AS series,
    series.series_type,
    CASE fact.frequency WHEN 'A' THEN 'annual' WHEN 'Q' THEN 'quarterly' WHEN 'M' THEN 'monthly' ELSE 'daily' END
        AS frequency,
    series.country_iso2,
    series.country_iso3,
    CASE WHEN series.country_iso3 IS NULL THEN nullif(series.area, '') END AS aggregate,
    fact.measure,
    series.indicator_name,
    fact.period_start,
    fact.period_end,
    fact.value::numeric(38, 12) AS value,
    CASE WHEN scale(trim_scale(fact.value)) > 12 THEN trim_scale(fact.value)::text END AS value_exact,
    coalesce(fact.unit, series.unit) AS unit,
    fact.vintage::integer AS vintage,
    fact.available_at,
    provenance.available_at_basis,
    nullif(fact.known_until, 'infinity') AS known_until,
    provenance.document_ref || '#' || fact.series_key AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence::numeric(38, 12) AS extraction_confidence,
    provenance.method,
    fact.provenance_id::text AS provenance_id,
    fact.fact_id::text AS fact_id
FROM serving.macro_value AS fact
INNER JOIN serving.series AS series
    ON
        fact.series_key = series.series_key
        AND greatest(fact.published_in, series.published_in) < least(fact.superseded_in, series.superseded_in)
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_macro IS
'AF-MACRO as bulk files hold it: every vintage of every value of every series, of all editions.';
COMMENT ON COLUMN serving.bulk_macro.row_id IS 'Row id of the value.';
COMMENT ON COLUMN serving.bulk_macro.series_row IS 'Row id of what the series is.';
COMMENT ON COLUMN serving.bulk_macro.published_in IS 'First edition that holds both.';
COMMENT ON COLUMN serving.bulk_macro.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_macro.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_macro.series IS 'Key of the series.';
COMMENT ON COLUMN serving.bulk_macro.series_type IS 'fx, cpi or indicator.';
COMMENT ON COLUMN serving.bulk_macro.frequency IS 'annual, quarterly, monthly or daily.';
COMMENT ON COLUMN serving.bulk_macro.country_iso2 IS 'ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_macro.country_iso3 IS 'ISO 3166-1 alpha-3.';
COMMENT ON COLUMN serving.bulk_macro.aggregate IS 'The publisher''s code of an aggregate of countries; null of a country.';
COMMENT ON COLUMN serving.bulk_macro.measure IS 'The indicator''s code for a value of a year that has one, else the series.';
COMMENT ON COLUMN serving.bulk_macro.indicator_name IS 'What the publisher calls it.';
COMMENT ON COLUMN serving.bulk_macro.period_start IS 'First day.';
COMMENT ON COLUMN serving.bulk_macro.period_end IS 'Last day.';
COMMENT ON COLUMN serving.bulk_macro.value IS 'As stated, to 12 places after the point.';
COMMENT ON COLUMN serving.bulk_macro.value_exact IS 'All digits, where there are more places than 12; else null.';
COMMENT ON COLUMN serving.bulk_macro.unit IS 'As stated.';
COMMENT ON COLUMN serving.bulk_macro.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_macro.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN serving.bulk_macro.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_macro.known_until IS
'The day another vintage took its place or a snapshot had it no more; null while neither.';
COMMENT ON COLUMN serving.bulk_macro.source_ref IS 'Document and series.';
COMMENT ON COLUMN serving.bulk_macro.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_macro.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.bulk_macro.extraction_confidence IS '0 to 1; null where values are read as stated.';
COMMENT ON COLUMN serving.bulk_macro.method IS 'How it was read.';
COMMENT ON COLUMN serving.bulk_macro.provenance_id IS 'Where it comes from.';
COMMENT ON COLUMN serving.bulk_macro.fact_id IS 'Hash that never changes.';

-- An award is here while an established organisation answers for its supplier, and under that one's name.
CREATE VIEW serving.bulk_award AS
SELECT
    fact.row_id,
    answering.row_id AS id_row,
    organisation.row_id AS organisation_row,
    greatest(fact.published_in, answering.published_in, organisation.published_in) AS published_in,
    least(fact.superseded_in, answering.superseded_in, organisation.superseded_in) AS superseded_in,
    CASE greatest(fact.published_in, answering.published_in, organisation.published_in)
        WHEN fact.published_in THEN fact.reason
        WHEN answering.published_in THEN answering.reason
        ELSE organisation.reason
    END::text AS reason,
    organisation.service_id,
    organisation.legal_name AS entity_name,
    organisation.jurisdiction,
    fact.country AS portal_country,
    fact.measure,
    fact.value::numeric(38, 12) AS value,
    CASE WHEN scale(trim_scale(fact.value)) > 12 THEN trim_scale(fact.value)::text END AS value_exact,
    fact.unit,
    fact.joint,
    fact.period_end,
    fact.vintage::integer AS vintage,
    fact.available_at,
    provenance.available_at_basis,
    nullif(fact.known_until, 'infinity') AS known_until,
    provenance.document_ref || '#' || fact.location AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence::numeric(38, 12) AS extraction_confidence,
    provenance.method,
    fact.provenance_id::text AS provenance_id,
    fact.fact_id::text AS fact_id
FROM serving.tender_fact AS fact
INNER JOIN serving.issued_id AS answering ON fact.party = answering.service_id
INNER JOIN serving.organisation AS organisation
    ON
        answering.resolves_to = organisation.service_id
        AND greatest(fact.published_in, answering.published_in, organisation.published_in)
        < least(fact.superseded_in, answering.superseded_in, organisation.superseded_in)
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id
WHERE fact.measure = 'award_value';
COMMENT ON VIEW serving.bulk_award IS
'AF-TENDER as bulk files hold it: every vintage of what established organisations were awarded, of all editions.';
COMMENT ON COLUMN serving.bulk_award.row_id IS 'Row id of the award value.';
COMMENT ON COLUMN serving.bulk_award.id_row IS 'Row id of which id answers.';
COMMENT ON COLUMN serving.bulk_award.organisation_row IS 'Row id of the organisation.';
COMMENT ON COLUMN serving.bulk_award.published_in IS 'First edition that holds all three.';
COMMENT ON COLUMN serving.bulk_award.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_award.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_award.service_id IS 'The organisation that answers for the supplier.';
COMMENT ON COLUMN serving.bulk_award.entity_name IS 'Its legal name.';
COMMENT ON COLUMN serving.bulk_award.jurisdiction IS 'Where it is established; its country is told from it.';
COMMENT ON COLUMN serving.bulk_award.portal_country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_award.measure IS 'award_value.';
COMMENT ON COLUMN serving.bulk_award.value IS 'As stated, to 12 places after the point.';
COMMENT ON COLUMN serving.bulk_award.value_exact IS 'All digits, where there are more places than 12; else null.';
COMMENT ON COLUMN serving.bulk_award.unit IS 'ISO 4217 code.';
COMMENT ON COLUMN serving.bulk_award.joint IS 'Whether several won it together: each has the whole value.';
COMMENT ON COLUMN serving.bulk_award.period_end IS 'Day of the release.';
COMMENT ON COLUMN serving.bulk_award.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_award.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN serving.bulk_award.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_award.known_until IS
'The day another vintage took its place, or it was cancelled or went to others; null while neither.';
COMMENT ON COLUMN serving.bulk_award.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_award.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_award.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.bulk_award.extraction_confidence IS '0 to 1; null where values are read as stated.';
COMMENT ON COLUMN serving.bulk_award.method IS 'How it was read.';
COMMENT ON COLUMN serving.bulk_award.provenance_id IS 'Where it comes from.';
COMMENT ON COLUMN serving.bulk_award.fact_id IS 'Hash that never changes.';

GRANT SELECT ON serving.bulk_fund, serving.bulk_macro, serving.bulk_award TO sankofa_export;
GRANT SELECT (row_id, published_in)
ON serving.fundamentals_fact, serving.macro_value, serving.series, serving.tender_fact, serving.issued_id,
serving.organisation TO sankofa_export;
