-- The change feed: facts of every dataset in one shape, in the order in which editions put and removed them.

-- A fact that was taken down keeps its place, and neither its value nor what could be used to guess it: its id is
-- a hash of the value.
CREATE VIEW serving.fact_row AS
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
    fact.first_filing_held,
    fact.days_rounded,
    NULL::boolean AS joint
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
    NULL::boolean AS first_filing_held,
    NULL::text AS days_rounded,
    fact.joint
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
    fact.available_at,
    provenance.available_at_basis,
    nullif(fact.known_until, 'infinity') AS known_until,
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
    NULL::boolean AS first_filing_held,
    NULL::text AS days_rounded,
    NULL::boolean AS joint
FROM serving.macro_value AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.fact_row IS 'Facts of all datasets and editions in one shape, as the change feed tells them.';
COMMENT ON COLUMN serving.fact_row.dataset IS 'AF-FUND, AF-TENDER or AF-MACRO.';
COMMENT ON COLUMN serving.fact_row.row_id IS 'Its number within the dataset, given in publish order.';
COMMENT ON COLUMN serving.fact_row.fact_id IS 'The fact; null once it is taken down.';
COMMENT ON COLUMN serving.fact_row.service_id IS 'The issuer; null where the row itself is of none.';
COMMENT ON COLUMN serving.fact_row.country IS
'The portal''s or the series'' country, alpha-2 or alpha-3; null where the row itself is of none.';
COMMENT ON COLUMN serving.fact_row.measure IS 'Line item, tender_value or award_value, indicator or series.';
COMMENT ON COLUMN serving.fact_row.value IS 'As stated, exact; null once the fact is taken down.';
COMMENT ON COLUMN serving.fact_row.unit IS 'ISO 4217 code, shares, index, percent …';
COMMENT ON COLUMN serving.fact_row.scope IS 'Group or company accounts; null outside AF-FUND.';
COMMENT ON COLUMN serving.fact_row.period_start IS 'First day of the period; null for an instant, and for tenders.';
COMMENT ON COLUMN serving.fact_row.period_end IS 'Last day of the period, the instant, or the day of the release.';
COMMENT ON COLUMN serving.fact_row.period_type IS 'FY, H1, Q1 …; null where there is none.';
COMMENT ON COLUMN serving.fact_row.fiscal_year IS 'The issuer''s fiscal year; null outside AF-FUND.';
COMMENT ON COLUMN serving.fact_row.reported_as IS 'own or comparative; null outside AF-FUND.';
COMMENT ON COLUMN serving.fact_row.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.fact_row.available_at IS 'The day the public could know it; null where nothing evidences it.';
COMMENT ON COLUMN serving.fact_row.available_at_basis IS 'What evidences available_at.';
COMMENT ON COLUMN serving.fact_row.known_until IS 'The day it was withdrawn or, outside AF-FUND, replaced; null while neither.';
COMMENT ON COLUMN serving.fact_row.source_ref IS 'The document and the place in it.';
COMMENT ON COLUMN serving.fact_row.license_class IS 'Licence the source is held under.';
COMMENT ON COLUMN serving.fact_row.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.fact_row.extraction_confidence IS '0 to 1; null where nothing was extracted by guesswork.';
COMMENT ON COLUMN serving.fact_row.method IS 'How the value was taken from the document.';
COMMENT ON COLUMN serving.fact_row.provenance_id IS 'Where the value comes from.';
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
COMMENT ON COLUMN serving.fact_row.days_rounded IS
'Which days of the period the source rounds: start, all; null where none.';
COMMENT ON COLUMN serving.fact_row.joint IS
'Of an award: whether several suppliers won it together, each with the whole value; null of all else.';

-- A row that is gone still has its closing: in the edition that closed it or, if it was live when it was taken
-- down, in the first one after that.
CREATE VIEW serving.taken_down AS
SELECT tombstone.service_id, closing.dataset, closing.row_id, closing.closed_in, closing.reason
FROM ops.tombstone AS tombstone
INNER JOIN serving.takedown AS takedown ON tombstone.takedown = takedown.takedown
CROSS JOIN
    LATERAL (
        SELECT one.dataset, one.row_id, one.closed_in, one.reason
        FROM serving.closing AS one
        WHERE
            one.dataset = tombstone.dataset AND one.row_id = tombstone.row_id
            AND one.closed_in IN (
                tombstone.superseded_in,
                (
                    SELECT min(following.edition) FROM serving.edition AS following
                    WHERE following.edition > takedown.in_edition
                )
            )
        LIMIT 1
    ) AS closing;
COMMENT ON VIEW serving.taken_down IS 'When the rows that takedowns removed or emptied left their dataset; no content.';
COMMENT ON COLUMN serving.taken_down.service_id IS 'The id that the takedown named.';
COMMENT ON COLUMN serving.taken_down.dataset IS 'Serving table of the row.';
COMMENT ON COLUMN serving.taken_down.row_id IS 'Its row id.';
COMMENT ON COLUMN serving.taken_down.closed_in IS 'First edition that does not hold it.';
COMMENT ON COLUMN serving.taken_down.reason IS 'Why it was removed.';

GRANT SELECT ON serving.fact_row, serving.taken_down TO sankofa_api;
