-- More tables of bulk files: releases, organisations, identifiers, metrics and signals. Each row is one row of a table.

CREATE VIEW serving.bulk_organisation AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.service_id,
    record.legal_name,
    record.jurisdiction,
    record.sic,
    record.lei,
    record.status,
    record.established_by,
    nullif(record.known_from, '-infinity') AS available_at,
    record.name_as_of,
    provenance.document_ref || CASE record.location WHEN '' THEN '' ELSE '#' || record.location END AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.organisation AS record
INNER JOIN serving.provenance AS provenance ON record.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_organisation IS 'The organisations of each edition, with the name and place known last.';
COMMENT ON COLUMN serving.bulk_organisation.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_organisation.row_id IS 'Row id.';
COMMENT ON COLUMN serving.bulk_organisation.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_organisation.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_organisation.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.bulk_organisation.legal_name IS
'Its name as the source writes it; null where no source names it.';
COMMENT ON COLUMN serving.bulk_organisation.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known.';
COMMENT ON COLUMN serving.bulk_organisation.sic IS
'Its industry by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.bulk_organisation.lei IS 'Its LEI; null where it has none.';
COMMENT ON COLUMN serving.bulk_organisation.status IS 'active, inactive or unknown.';
COMMENT ON COLUMN serving.bulk_organisation.established_by IS 'Kinds of evidence that it is an organisation.';
COMMENT ON COLUMN serving.bulk_organisation.available_at IS
'First day on which name and place were known; null if undated.';
COMMENT ON COLUMN serving.bulk_organisation.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.bulk_organisation.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_organisation.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_organisation.observed_at IS 'When the document was fetched.';

CREATE VIEW serving.bulk_name AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.service_id,
    record.legal_name,
    record.jurisdiction,
    record.sic,
    nullif(record.known_from, '-infinity') AS available_at,
    nullif(record.known_until, 'infinity') AS known_until,
    record.name_as_of,
    provenance.document_ref || CASE record.location WHEN '' THEN '' ELSE '#' || record.location END AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.organisation_name AS record
INNER JOIN serving.provenance AS provenance ON record.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_name IS
'Earlier names and places of organisations, with the days on which they were known.';
COMMENT ON COLUMN serving.bulk_name.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_name.row_id IS 'Row id.';
COMMENT ON COLUMN serving.bulk_name.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_name.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_name.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.bulk_name.legal_name IS
'Its name then, as the source writes it; null where none is known or shown.';
COMMENT ON COLUMN serving.bulk_name.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known then.';
COMMENT ON COLUMN serving.bulk_name.sic IS
'Its industry then, by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.bulk_name.available_at IS 'First day of the version; null before any dated record.';
COMMENT ON COLUMN serving.bulk_name.known_until IS 'First day of the next version.';
COMMENT ON COLUMN serving.bulk_name.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.bulk_name.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_name.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_name.observed_at IS 'When the document was fetched.';

CREATE VIEW serving.bulk_identifier AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.service_id,
    record.id_type,
    record.issuer,
    record.id_value,
    record.evidence,
    record.valid_from,
    record.valid_to,
    record.available_at,
    record.known_from,
    provenance.document_ref || CASE record.location WHEN '' THEN '' ELSE '#' || record.location END AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.identifier AS record
INNER JOIN serving.provenance AS provenance ON record.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_identifier IS 'Identifiers of organisations as they are known last.';
COMMENT ON COLUMN serving.bulk_identifier.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_identifier.row_id IS 'Row id.';
COMMENT ON COLUMN serving.bulk_identifier.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_identifier.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_identifier.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.bulk_identifier.id_type IS 'lei, ticker, registry, aggregator, isin or figi.';
COMMENT ON COLUMN serving.bulk_identifier.issuer IS
'The registry or exchange it is unique in; empty where unique worldwide.';
COMMENT ON COLUMN serving.bulk_identifier.id_value IS 'As the source writes it.';
COMMENT ON COLUMN serving.bulk_identifier.evidence IS
'register: a register, regulator or list of an exchange states it; third_party: only somebody else does.';
COMMENT ON COLUMN serving.bulk_identifier.valid_from IS 'First day it holds; null where the source does not say.';
COMMENT ON COLUMN serving.bulk_identifier.valid_to IS 'Day it was retired; null while it holds.';
COMMENT ON COLUMN serving.bulk_identifier.available_at IS 'The day from which the public could know the claim.';
COMMENT ON COLUMN serving.bulk_identifier.known_from IS 'First day on which the claim was known as it is here.';
COMMENT ON COLUMN serving.bulk_identifier.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_identifier.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_identifier.observed_at IS 'When the document was fetched.';

CREATE VIEW serving.bulk_identifier_earlier AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.service_id,
    record.id_type,
    record.issuer,
    record.id_value,
    record.evidence,
    record.valid_from,
    record.valid_to,
    record.available_at,
    record.known_from,
    record.known_until,
    provenance.document_ref || CASE record.location WHEN '' THEN '' ELSE '#' || record.location END AS source_ref,
    provenance.license_class,
    provenance.observed_at
FROM serving.identifier_earlier AS record
INNER JOIN serving.provenance AS provenance ON record.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_identifier_earlier IS 'Identifiers of organisations as they were known on earlier days.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.row_id IS 'Row id.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.id_type IS 'lei, ticker, registry, aggregator, isin or figi.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.issuer IS
'The registry or exchange it is unique in; empty where unique worldwide.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.id_value IS 'As the source writes it.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.evidence IS
'register: a register, regulator or list of an exchange states it; third_party: only somebody else does.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.valid_from IS
'First day it holds; null where the source does not say.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.valid_to IS
'Day it was retired, as known then; null where none was known.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.available_at IS 'The day from which the public could know the claim.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.known_from IS 'First day on which the claim was known as it is here.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.known_until IS 'First day of the next version.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_identifier_earlier.observed_at IS 'When the document was fetched.';

-- Without parties, which are served only while they are established, and without texts that may name them.
CREATE VIEW serving.bulk_release AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.country,
    record.source,
    record.ocid,
    record.release_id,
    record.sorted_at AS date,
    array(SELECT jsonb_array_elements_text(record.body -> 'tags')) AS tag,
    record.body ->> 'language' AS language,
    record.body #>> '{tender,status}' AS tender_status,
    record.body #>> '{tender,procurement_method}' AS procurement_method,
    coalesce(record.body #>> '{tender,portal_category}', record.body #>> '{tender,main_category}') AS category,
    (record.body #>> '{tender,value,amount}')::numeric(38, 12) AS tender_value,
    record.body #>> '{tender,value,currency}' AS tender_currency,
    (record.body #>> '{tender,number_of_tenderers}')::integer AS number_of_tenderers,
    coalesce(jsonb_array_length(record.body -> 'awards'), 0) AS awards,
    coalesce(jsonb_array_length(record.body -> 'contracts'), 0) AS contracts,
    record.vintage::integer AS vintage,
    record.available_at,
    provenance.available_at_basis,
    nullif(record.known_until, 'infinity') AS known_until,
    provenance.document_ref || '#' || record.release_id AS source_ref,
    provenance.license_class,
    provenance.observed_at,
    provenance.extraction_confidence::numeric(38, 12) AS extraction_confidence,
    provenance.method,
    record.provenance_id::text AS provenance_id,
    record.fact_id::text AS fact_id
FROM serving.tender_release AS record
INNER JOIN serving.provenance AS provenance ON record.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_release IS
'Every content of every release of a contracting process, without parties and free text.';
COMMENT ON COLUMN serving.bulk_release.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_release.row_id IS 'Row id of the content.';
COMMENT ON COLUMN serving.bulk_release.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_release.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_release.country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_release.source IS 'The portal.';
COMMENT ON COLUMN serving.bulk_release.ocid IS 'Contracting process.';
COMMENT ON COLUMN serving.bulk_release.release_id IS 'The release''s id, unique within its process.';
COMMENT ON COLUMN serving.bulk_release.date IS 'The publisher''s date, as answers sort by it.';
COMMENT ON COLUMN serving.bulk_release.tag IS 'OCDS release tags.';
COMMENT ON COLUMN serving.bulk_release.language IS 'Language that the portal states.';
COMMENT ON COLUMN serving.bulk_release.tender_status IS 'OCDS tender status.';
COMMENT ON COLUMN serving.bulk_release.procurement_method IS 'OCDS procurement method.';
COMMENT ON COLUMN serving.bulk_release.category IS 'The portal''s own category, else the OCDS one.';
COMMENT ON COLUMN serving.bulk_release.tender_value IS 'Value of the tender, to 12 places after the point.';
COMMENT ON COLUMN serving.bulk_release.tender_currency IS 'ISO 4217 code of that value.';
COMMENT ON COLUMN serving.bulk_release.number_of_tenderers IS 'How many tendered, where stated.';
COMMENT ON COLUMN serving.bulk_release.awards IS 'Awards that the release states.';
COMMENT ON COLUMN serving.bulk_release.contracts IS 'Contracts that the release states.';
COMMENT ON COLUMN serving.bulk_release.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_release.available_at IS 'The day the public could know this content.';
COMMENT ON COLUMN serving.bulk_release.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_release.known_until IS 'The day another content took its place; null while none.';
COMMENT ON COLUMN serving.bulk_release.source_ref IS 'Document and release.';
COMMENT ON COLUMN serving.bulk_release.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_release.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.bulk_release.extraction_confidence IS '0 to 1; null where values are read as stated.';
COMMENT ON COLUMN serving.bulk_release.method IS 'How it was read.';
COMMENT ON COLUMN serving.bulk_release.provenance_id IS 'Where it comes from.';
COMMENT ON COLUMN serving.bulk_release.fact_id IS 'Hash that never changes.';

CREATE VIEW serving.bulk_metric AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.service_id,
    record.country,
    record.metric::text AS metric,
    record.period_end,
    record.fiscal_year::integer AS fiscal_year,
    record.value::numeric(38, 12) AS value,
    record.published_at,
    record.known_from AS available_at,
    nullif(record.known_until, 'infinity') AS known_until,
    record.exact_from,
    serving.row_ids(record.inputs) AS inputs
FROM serving.metric_value AS record;
COMMENT ON VIEW serving.bulk_metric IS 'Every value of every metric, with the days on which it was known.';
COMMENT ON COLUMN serving.bulk_metric.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_metric.row_id IS 'Row id of the value.';
COMMENT ON COLUMN serving.bulk_metric.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_metric.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_metric.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.bulk_metric.country IS 'ISO 3166-1 alpha-2 of its jurisdiction; empty where not known.';
COMMENT ON COLUMN serving.bulk_metric.metric IS 'Slug of metrics-v1.';
COMMENT ON COLUMN serving.bulk_metric.period_end IS 'Last day of the year.';
COMMENT ON COLUMN serving.bulk_metric.fiscal_year IS 'The issuer''s fiscal year.';
COMMENT ON COLUMN serving.bulk_metric.value IS 'Rounded once, half to even, to ten places.';
COMMENT ON COLUMN serving.bulk_metric.published_at IS
'First day on which the year was known to be one, and an input of it was known.';
COMMENT ON COLUMN serving.bulk_metric.available_at IS 'First day on which the value was computed from these facts.';
COMMENT ON COLUMN serving.bulk_metric.known_until IS 'First day on which it was not any more; null while none.';
COMMENT ON COLUMN serving.bulk_metric.exact_from IS
'First day from which on these facts decide the value, up to the end of the edition; null if they were replaced.';
COMMENT ON COLUMN serving.bulk_metric.inputs IS '`row_id` of the facts in `fundamentals` that it rests on.';

CREATE VIEW serving.bulk_signal AS
SELECT
    record.row_id,
    record.published_in,
    record.superseded_in,
    record.reason::text AS reason,
    record.panel,
    record.country,
    record.breakdown,
    record.month,
    (record.month + interval '1 month')::date AS available_at,
    record.figures::text AS figures,
    record.methodology_ref,
    record.source_ref,
    record.license_class,
    record.observed_at
FROM serving.signal AS record;
COMMENT ON VIEW serving.bulk_signal IS
'Every version of the figures of every panel, whatever the licence of their sources.';
COMMENT ON COLUMN serving.bulk_signal.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_signal.row_id IS 'Row id of the figures.';
COMMENT ON COLUMN serving.bulk_signal.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_signal.reason IS
'Why that edition put it: added, restated, renumbered, corrected or merged.';
COMMENT ON COLUMN serving.bulk_signal.panel IS 'Key of the panel.';
COMMENT ON COLUMN serving.bulk_signal.country IS 'The portals'' country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_signal.breakdown IS 'The portal''s category or an ISO 4217 code, as the panel has it.';
COMMENT ON COLUMN serving.bulk_signal.month IS 'First day of the month.';
COMMENT ON COLUMN serving.bulk_signal.available_at IS 'First day after the month: no earlier answer shows the figures.';
COMMENT ON COLUMN serving.bulk_signal.figures IS 'The panel''s figures by name, as JSON.';
COMMENT ON COLUMN serving.bulk_signal.methodology_ref IS 'The method, and its version, that the figures were made by.';
COMMENT ON COLUMN serving.bulk_signal.source_ref IS 'The documents of the inputs, sorted.';
COMMENT ON COLUMN serving.bulk_signal.license_class IS 'The strictest licence among the inputs.';
COMMENT ON COLUMN serving.bulk_signal.observed_at IS 'When the latest document of the inputs was fetched.';

GRANT SELECT ON
serving.bulk_release, serving.bulk_organisation, serving.bulk_name, serving.bulk_identifier,
serving.bulk_identifier_earlier, serving.bulk_metric, serving.bulk_signal
TO sankofa_export;
GRANT SELECT (row_id, published_in) ON
serving.tender_release, serving.organisation_name, serving.identifier, serving.identifier_earlier,
serving.metric_value
TO sankofa_export;
GRANT EXECUTE ON FUNCTION serving.row_ids TO sankofa_export;
