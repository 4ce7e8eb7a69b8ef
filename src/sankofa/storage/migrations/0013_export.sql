-- Exports: what a row of a bulk file is, which Parquet files were written whole, and which of them an edition lists.

-- A bulk row is made of rows of several tables. It belongs to the editions that hold all of them, so a change of
-- any of them ends it and begins another. (row_id, published_in) names it for ever.
CREATE VIEW serving.bulk_fund AS
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
    CASE WHEN fact.value IS NOT NULL THEN fact.fact_id::text END AS fact_id
FROM serving.fundamentals_fact AS fact
INNER JOIN serving.provenance AS provenance ON fact.provenance_id = provenance.provenance_id;
COMMENT ON VIEW serving.bulk_fund IS
'AF-FUND as bulk files hold it: every vintage of every reported value, of all editions.';
COMMENT ON COLUMN serving.bulk_fund.row_id IS 'Row id of the fact.';
COMMENT ON COLUMN serving.bulk_fund.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.bulk_fund.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_fund.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.bulk_fund.line_item IS 'The line item.';
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

CREATE VIEW serving.bulk_macro AS
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
    series.unit,
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
COMMENT ON VIEW serving.bulk_macro IS
'AF-MACRO as bulk files hold it: every vintage of every value of every series, of all editions.';
COMMENT ON COLUMN serving.bulk_macro.row_id IS 'Row id of the value.';
COMMENT ON COLUMN serving.bulk_macro.series_row IS 'Row id of what the series is.';
COMMENT ON COLUMN serving.bulk_macro.published_in IS 'First edition that holds both.';
COMMENT ON COLUMN serving.bulk_macro.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_macro.series IS 'Key of the series.';
COMMENT ON COLUMN serving.bulk_macro.series_type IS 'fx, cpi or indicator.';
COMMENT ON COLUMN serving.bulk_macro.frequency IS 'annual, quarterly, monthly or daily.';
COMMENT ON COLUMN serving.bulk_macro.country_iso2 IS 'ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_macro.country_iso3 IS 'ISO 3166-1 alpha-3.';
COMMENT ON COLUMN serving.bulk_macro.measure IS 'The indicator''s code for a value of a year that has one, else the series.';
COMMENT ON COLUMN serving.bulk_macro.indicator_name IS 'What the publisher calls it.';
COMMENT ON COLUMN serving.bulk_macro.period_start IS 'First day.';
COMMENT ON COLUMN serving.bulk_macro.period_end IS 'Last day.';
COMMENT ON COLUMN serving.bulk_macro.value IS 'As stated, to 12 places after the point.';
COMMENT ON COLUMN serving.bulk_macro.value_exact IS 'All digits, where there are more places than 12; else null.';
COMMENT ON COLUMN serving.bulk_macro.unit IS 'As stated.';
COMMENT ON COLUMN serving.bulk_macro.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_macro.available_at IS
'The day the public could know it; null of years, whose release nothing evidences.';
COMMENT ON COLUMN serving.bulk_macro.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_macro.withdrawn_at IS 'The day of the snapshot that had it no more.';
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
    organisation.service_id,
    organisation.legal_name AS entity_name,
    organisation.jurisdiction,
    fact.country AS portal_country,
    fact.measure,
    fact.value::numeric(38, 12) AS value,
    CASE WHEN scale(trim_scale(fact.value)) > 12 THEN trim_scale(fact.value)::text END AS value_exact,
    fact.unit,
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
COMMENT ON COLUMN serving.bulk_award.superseded_in IS 'First edition that does not; told by closings.';
COMMENT ON COLUMN serving.bulk_award.service_id IS 'The organisation that answers for the supplier.';
COMMENT ON COLUMN serving.bulk_award.entity_name IS 'Its legal name.';
COMMENT ON COLUMN serving.bulk_award.jurisdiction IS 'Where it is established; its country is told from it.';
COMMENT ON COLUMN serving.bulk_award.portal_country IS 'The portal''s country, ISO 3166-1 alpha-2.';
COMMENT ON COLUMN serving.bulk_award.measure IS 'award_value.';
COMMENT ON COLUMN serving.bulk_award.value IS 'As stated, to 12 places after the point.';
COMMENT ON COLUMN serving.bulk_award.value_exact IS 'All digits, where there are more places than 12; else null.';
COMMENT ON COLUMN serving.bulk_award.unit IS 'ISO 4217 code.';
COMMENT ON COLUMN serving.bulk_award.period_end IS 'Day of the release.';
COMMENT ON COLUMN serving.bulk_award.vintage IS '1, 2, 3 … in order of availability.';
COMMENT ON COLUMN serving.bulk_award.available_at IS 'The day the public could know it.';
COMMENT ON COLUMN serving.bulk_award.available_at_basis IS 'What evidences that day.';
COMMENT ON COLUMN serving.bulk_award.known_until IS
'The day another vintage took its place, or it was cancelled; null while neither.';
COMMENT ON COLUMN serving.bulk_award.source_ref IS 'Document and place.';
COMMENT ON COLUMN serving.bulk_award.license_class IS 'Licence of the source.';
COMMENT ON COLUMN serving.bulk_award.observed_at IS 'When the document was fetched.';
COMMENT ON COLUMN serving.bulk_award.extraction_confidence IS '0 to 1; null where values are read as stated.';
COMMENT ON COLUMN serving.bulk_award.method IS 'How it was read.';
COMMENT ON COLUMN serving.bulk_award.provenance_id IS 'Where it comes from.';
COMMENT ON COLUMN serving.bulk_award.fact_id IS 'Hash that never changes.';

CREATE TABLE ops.artifact (
    artifact_id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edition integer NOT NULL,
    first_edition integer NOT NULL,
    last_edition integer NOT NULL,
    part integer NOT NULL,
    parts integer NOT NULL,
    after_row bigint NOT NULL,
    until_row bigint NOT NULL,
    takedown integer NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL CHECK (length(sha256) = 32),
    subject text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('panel', 'rows', 'closings')),
    name text COLLATE "C" NOT NULL UNIQUE,
    license_class text NOT NULL,
    url text NOT NULL,
    object_key text NOT NULL,
    columns jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE ops.artifact IS 'Parquet files that were written whole and verified, each once.';
COMMENT ON COLUMN ops.artifact.artifact_id IS 'Handle.';
COMMENT ON COLUMN ops.artifact.edition IS 'The edition it was made from.';
COMMENT ON COLUMN ops.artifact.first_edition IS 'First published_in it holds; of closings, the first edition that closed.';
COMMENT ON COLUMN ops.artifact.last_edition IS 'Last one.';
COMMENT ON COLUMN ops.artifact.part IS 'Which part of the range, by row id; 0 where there is one.';
COMMENT ON COLUMN ops.artifact.parts IS 'How many parts the range has.';
COMMENT ON COLUMN ops.artifact.after_row IS 'Row ids of its facts are above this.';
COMMENT ON COLUMN ops.artifact.until_row IS 'And up to this.';
COMMENT ON COLUMN ops.artifact.takedown IS 'The newest takedown when it was read.';
COMMENT ON COLUMN ops.artifact.rows IS 'Rows of the file.';
COMMENT ON COLUMN ops.artifact.bytes IS 'Its length.';
COMMENT ON COLUMN ops.artifact.sha256 IS 'Of its bytes.';
COMMENT ON COLUMN ops.artifact.subject IS 'AF-FUND, AF-MACRO, AF-TENDER, or the key of a panel.';
COMMENT ON COLUMN ops.artifact.kind IS 'panel, rows or closings.';
COMMENT ON COLUMN ops.artifact.name IS 'Its name; of one content for ever.';
COMMENT ON COLUMN ops.artifact.license_class IS 'Licence of the file; of bulk files the strictest of its rows.';
COMMENT ON COLUMN ops.artifact.url IS 'Where it is read.';
COMMENT ON COLUMN ops.artifact.object_key IS 'Its key in the bucket of its kind.';
COMMENT ON COLUMN ops.artifact.columns IS 'Names and types, in order.';
COMMENT ON COLUMN ops.artifact.recorded_at IS 'When this row was written; the server''s clock.';
CREATE TABLE serving.artifact (
    row_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    reason serving.change_reason NOT NULL,
    edition integer NOT NULL,
    first_edition integer NOT NULL,
    last_edition integer NOT NULL,
    after_row bigint NOT NULL,
    until_row bigint NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    subject text NOT NULL,
    kind text NOT NULL,
    name text COLLATE "C" NOT NULL,
    license_class text NOT NULL,
    url text NOT NULL,
    object_key text NOT NULL,
    columns jsonb NOT NULL
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX artifact_by_name ON serving.artifact (name);
COMMENT ON TABLE serving.artifact IS 'Files that editions list.';
COMMENT ON COLUMN serving.artifact.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.artifact.published_in IS 'First edition that lists it.';
COMMENT ON COLUMN serving.artifact.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.artifact.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.artifact.edition IS 'The edition it was made from.';
COMMENT ON COLUMN serving.artifact.first_edition IS
'First published_in it holds; of closings, the first edition that closed.';
COMMENT ON COLUMN serving.artifact.last_edition IS 'Last one.';
COMMENT ON COLUMN serving.artifact.after_row IS 'Row ids of its facts are above this.';
COMMENT ON COLUMN serving.artifact.until_row IS 'And up to this.';
COMMENT ON COLUMN serving.artifact.rows IS 'Rows of the file.';
COMMENT ON COLUMN serving.artifact.bytes IS 'Its length.';
COMMENT ON COLUMN serving.artifact.sha256 IS 'Of its bytes.';
COMMENT ON COLUMN serving.artifact.subject IS 'AF-FUND, AF-MACRO, AF-TENDER, or the key of a panel.';
COMMENT ON COLUMN serving.artifact.kind IS 'panel, rows or closings.';
COMMENT ON COLUMN serving.artifact.name IS 'Its name; of one content for ever.';
COMMENT ON COLUMN serving.artifact.license_class IS 'Licence of the file.';
COMMENT ON COLUMN serving.artifact.url IS 'Where it is read.';
COMMENT ON COLUMN serving.artifact.object_key IS 'Its key in the bucket of its kind.';
COMMENT ON COLUMN serving.artifact.columns IS 'Names and types, in order.';

-- What has become of a file: an edition lists it, or the next one may, or it is void and its object goes. A takedown
-- reaches a file that is not listed by the rows it buried since the file was read; of awards, by any party's.
CREATE VIEW ops.artifact_standing AS
SELECT
    artifact.artifact_id,
    artifact.name,
    artifact.kind,
    CASE
        WHEN artifact.name IN (SELECT listed.name FROM serving.artifact AS listed) THEN 'listed'
        WHEN
            EXISTS (
                SELECT FROM ops.edition_holds AS held
                WHERE
                    held.kind = 'artifact' AND held.number = artifact.artifact_id
                    AND held.edition <= (SELECT max(edition.edition) FROM serving.edition AS edition)
            )
            OR (
                artifact.kind = 'rows'
                AND EXISTS (
                    SELECT FROM ops.tombstone AS buried
                    WHERE
                        buried.takedown > artifact.takedown
                        AND CASE artifact.subject
                            WHEN 'AF-FUND'
                                THEN
                                    buried.dataset = 'fundamentals_fact'
                                    AND buried.row_id > artifact.after_row AND buried.row_id <= artifact.until_row
                            WHEN 'AF-TENDER' THEN buried.dataset IN ('tender_fact', 'issued_id', 'organisation')
                            ELSE FALSE
                        END
                )
            )
            THEN 'void'
        ELSE 'pending'
    END AS standing
FROM ops.artifact AS artifact;
COMMENT ON VIEW ops.artifact_standing IS 'What has become of each file that was written.';
COMMENT ON COLUMN ops.artifact_standing.artifact_id IS 'The file.';
COMMENT ON COLUMN ops.artifact_standing.name IS 'Its name.';
COMMENT ON COLUMN ops.artifact_standing.kind IS 'panel, rows or closings.';
COMMENT ON COLUMN ops.artifact_standing.standing IS 'listed by an edition, pending, or void: its object may go.';

SELECT ops.keep_append_only('ops.artifact');
SELECT serving.keep_published('serving.artifact');

GRANT USAGE ON SCHEMA serving, ops TO sankofa_export;
GRANT SELECT ON serving.bulk_fund, serving.bulk_macro, serving.bulk_award, serving.signal, serving.closing,
serving.edition, serving.takedown, serving.artifact, ops.artifact, ops.artifact_standing, ops.instance
TO sankofa_export;
GRANT SELECT (row_id, published_in)
ON serving.fundamentals_fact, serving.macro_value, serving.series, serving.tender_fact, serving.issued_id,
serving.organisation TO sankofa_export;
GRANT INSERT (
    edition, first_edition, last_edition, part, parts, after_row, until_row, takedown, rows, bytes, sha256, subject,
    kind, name, license_class, url, object_key,
    columns
) ON ops.artifact TO sankofa_export;
GRANT SELECT ON ops.artifact, ops.artifact_standing TO sankofa_publish;
GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.artifact TO sankofa_publish;
GRANT SELECT ON ops.artifact_standing, ops.instance TO sankofa_privacy;
GRANT SELECT, DELETE ON serving.artifact TO sankofa_privacy;
GRANT SELECT ON serving.artifact TO sankofa_api;
