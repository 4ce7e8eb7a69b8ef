-- Names have days: which name and jurisdiction of an organisation was known from when.
ALTER TABLE serving.organisation ADD COLUMN known_from date, ADD COLUMN name_as_of date;
COMMENT ON COLUMN serving.organisation.known_from IS
'First day on which name and jurisdiction were known; -infinity where nothing dates them; null in rows older than the column.';
COMMENT ON COLUMN serving.organisation.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';

CREATE TABLE serving.organisation_name (
    row_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    decision_id bigint NOT NULL,
    name_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    known_from date NOT NULL,
    known_until date NOT NULL CHECK (known_from < known_until),
    name_as_of date,
    is_established boolean NOT NULL DEFAULT TRUE CHECK (is_established),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    legal_name text,
    jurisdiction text,
    location text NOT NULL,
    -- As in serving.organisation: no name without a judgement that found evidence about this very party.
    FOREIGN KEY (decision_id, service_id, is_established)
    REFERENCES ops.organisation_decision (decision_id, service_id, is_established)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX organisation_name_by_service_id ON serving.organisation_name (service_id);
-- As in serving.organisation: the planner's samples would outlive a takedown.
ALTER TABLE serving.organisation_name
ALTER COLUMN legal_name SET STATISTICS 0,
ALTER COLUMN location SET STATISTICS 0;
COMMENT ON TABLE serving.organisation_name IS
'What organisations were called, and where they were at home, before the days of serving.organisation.';
COMMENT ON COLUMN serving.organisation_name.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.organisation_name.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.organisation_name.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.organisation_name.decision_id IS 'The judgement that lets the organisation be shown.';
COMMENT ON COLUMN serving.organisation_name.name_id IS 'Hash of the organisation and known_from.';
COMMENT ON COLUMN serving.organisation_name.provenance_id IS 'Where the name comes from.';
COMMENT ON COLUMN serving.organisation_name.known_from IS
'First day of the version; -infinity for the days before any dated record.';
COMMENT ON COLUMN serving.organisation_name.known_until IS 'First day of the next version.';
COMMENT ON COLUMN serving.organisation_name.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.organisation_name.is_established IS 'Always true: part of the key to the judgement.';
COMMENT ON COLUMN serving.organisation_name.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.organisation_name.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.organisation_name.legal_name IS
'Its name then, as the source writes it; null where none is known or shown.';
COMMENT ON COLUMN serving.organisation_name.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known then.';
COMMENT ON COLUMN serving.organisation_name.location IS 'Where in the document: the last part of source_ref.';

CREATE VIEW serving.organisation_version AS
SELECT
    organisation.published_in,
    organisation.superseded_in,
    organisation.service_id,
    coalesce(organisation.known_from, '-infinity') AS known_from,
    'infinity'::date AS known_until,
    organisation.name_as_of,
    organisation.legal_name,
    organisation.jurisdiction
FROM serving.organisation AS organisation
UNION ALL
SELECT
    earlier.published_in,
    earlier.superseded_in,
    earlier.service_id,
    earlier.known_from,
    earlier.known_until,
    earlier.name_as_of,
    earlier.legal_name,
    earlier.jurisdiction
FROM serving.organisation_name AS earlier;
COMMENT ON VIEW serving.organisation_version IS
'Names and jurisdictions with their days, current and earlier: at most one row for an organisation, edition and day.';
COMMENT ON COLUMN serving.organisation_version.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.organisation_version.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.organisation_version.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.organisation_version.known_from IS 'First day of the version.';
COMMENT ON COLUMN serving.organisation_version.known_until IS 'First day of the next version; infinity where there is none.';
COMMENT ON COLUMN serving.organisation_version.name_as_of IS
'The day from which a dated record states the name; null where nothing dates it.';
COMMENT ON COLUMN serving.organisation_version.legal_name IS 'The name known on these days; null where none was.';
COMMENT ON COLUMN serving.organisation_version.jurisdiction IS 'ISO 3166-1 alpha-2 or 3166-2; null where not known then.';

SELECT serving.keep_published('serving.organisation_name');

GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in) ON serving.organisation_name TO sankofa_publish;
GRANT SELECT, DELETE ON serving.organisation_name TO sankofa_privacy;
GRANT SELECT (known_from, name_as_of) ON serving.organisation TO sankofa_api;
GRANT SELECT (
    published_in, superseded_in, provenance_id, known_from, known_until, name_as_of, service_id, legal_name,
    jurisdiction, location
) ON serving.organisation_name TO sankofa_api;
GRANT SELECT ON serving.organisation_version TO sankofa_api;
