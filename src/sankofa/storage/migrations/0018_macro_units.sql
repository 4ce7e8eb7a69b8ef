-- A value in a bulk file has the unit that it was stated in, as in all other answers (MAC-4). Rows of early editions
-- hold no unit; they keep that of their series.
CREATE OR REPLACE VIEW serving.bulk_macro AS
SELECT
    fact.row_id,
    series.row_id AS series_row,
    greatest(fact.published_in, series.published_in) AS published_in,
    least(fact.superseded_in, series.superseded_in) AS superseded_in,
    fact.series_key AS series,
    series.series_type,
    CASE fact.frequency WHEN 'A' THEN 'annual' WHEN 'Q' THEN 'quarterly' WHEN 'M' THEN 'monthly' ELSE 'daily' END
        AS frequency,
    series.country_iso2,
    series.country_iso3,
    fact.measure,
    series.indicator_name,
    fact.period_start,
    fact.period_end,
    fact.value::numeric(38, 12) AS value,
    CASE WHEN scale(trim_scale(fact.value)) > 12 THEN trim_scale(fact.value)::text END AS value_exact,
    coalesce(fact.unit, series.unit) AS unit,
    fact.vintage::integer AS vintage,
    CASE WHEN fact.frequency <> 'A' THEN fact.available_at END AS available_at,
    CASE WHEN fact.frequency <> 'A' THEN provenance.available_at_basis END AS available_at_basis,
    fact.withdrawn_at,
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
