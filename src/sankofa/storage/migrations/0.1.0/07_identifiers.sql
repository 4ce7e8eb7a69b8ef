-- Identifiers of organisations with the days on which they were known, and who filed accounts, since when.
CREATE TABLE serving.identifier (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    claim_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    available_at date NOT NULL,
    valid_from date,
    valid_to date,
    known_from date NOT NULL CHECK (known_from >= available_at),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    evidence text NOT NULL CHECK (evidence IN ('register', 'third_party')),
    id_type text NOT NULL CHECK (id_type IN ('lei', 'ticker', 'registry', 'aggregator', 'isin', 'figi')),
    issuer text NOT NULL,
    id_value text NOT NULL,
    location text NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX identifier_by_service_id ON serving.identifier (service_id);
CREATE INDEX identifier_by_value ON serving.identifier (serving.identifier_key(id_value), id_type);
CREATE INDEX identifier_by_exchange ON serving.identifier (issuer, service_id) WHERE id_type = 'ticker';
ALTER TABLE serving.identifier
ALTER COLUMN id_value SET STATISTICS 0,
ALTER COLUMN location SET STATISTICS 0;
COMMENT ON TABLE serving.identifier IS 'Identifiers of organisations of all editions: the crosswalk.';
COMMENT ON COLUMN serving.identifier.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.identifier.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.identifier.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.identifier.claim_id IS 'Hash of the subject that claims it, type, issuer and value.';
COMMENT ON COLUMN serving.identifier.provenance_id IS 'Where the claim comes from.';
COMMENT ON COLUMN serving.identifier.available_at IS 'The day from which the public could know the claim.';
COMMENT ON COLUMN serving.identifier.valid_from IS 'First day it holds; null where the source does not say.';
COMMENT ON COLUMN serving.identifier.valid_to IS 'Day it was retired; null while it holds.';
COMMENT ON COLUMN serving.identifier.known_from IS 'First day on which the claim was known as it is here.';
COMMENT ON COLUMN serving.identifier.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.identifier.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.identifier.evidence IS
'register: a register, regulator or list of an exchange states it; third_party: only somebody else does.';
COMMENT ON COLUMN serving.identifier.id_type IS 'lei, ticker, registry, aggregator, isin or figi.';
COMMENT ON COLUMN serving.identifier.issuer IS 'The registry or exchange it is unique in; empty where unique worldwide.';
COMMENT ON COLUMN serving.identifier.id_value IS 'As the source writes it.';
COMMENT ON COLUMN serving.identifier.location IS 'Where in the document: the last part of source_ref.';

CREATE TABLE serving.identifier_earlier (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    version_id uuid NOT NULL,
    provenance_id uuid NOT NULL,
    available_at date NOT NULL,
    valid_from date,
    valid_to date,
    known_from date NOT NULL CHECK (known_from >= available_at),
    known_until date NOT NULL CHECK (known_until > known_from),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    evidence text NOT NULL CHECK (evidence IN ('register', 'third_party')),
    id_type text NOT NULL CHECK (id_type IN ('lei', 'ticker', 'registry', 'aggregator', 'isin', 'figi')),
    issuer text NOT NULL,
    id_value text NOT NULL,
    location text NOT NULL,
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX identifier_earlier_by_service_id ON serving.identifier_earlier (service_id);
CREATE INDEX identifier_earlier_by_value ON serving.identifier_earlier (serving.identifier_key(id_value), id_type);
CREATE INDEX identifier_earlier_by_exchange ON serving.identifier_earlier (issuer, service_id) WHERE id_type = 'ticker';
ALTER TABLE serving.identifier_earlier
ALTER COLUMN id_value SET STATISTICS 0,
ALTER COLUMN location SET STATISTICS 0;
COMMENT ON TABLE serving.identifier_earlier IS
'What was known of identifiers before the days of serving.identifier, such as before an end of one was known.';
COMMENT ON COLUMN serving.identifier_earlier.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.identifier_earlier.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.identifier_earlier.superseded_in IS
'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.identifier_earlier.version_id IS 'Hash of organisation, type, issuer, value and known_from.';
COMMENT ON COLUMN serving.identifier_earlier.provenance_id IS 'Where the claim comes from.';
COMMENT ON COLUMN serving.identifier_earlier.available_at IS 'The day from which the public could know the claim.';
COMMENT ON COLUMN serving.identifier_earlier.valid_from IS 'First day it holds; null where the source does not say.';
COMMENT ON COLUMN serving.identifier_earlier.valid_to IS 'Day it was retired, as known then; null where none was known.';
COMMENT ON COLUMN serving.identifier_earlier.known_from IS 'First day on which the claim was known as it is here.';
COMMENT ON COLUMN serving.identifier_earlier.known_until IS 'First day of the next version.';
COMMENT ON COLUMN serving.identifier_earlier.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.identifier_earlier.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.identifier_earlier.evidence IS
'register: a register, regulator or list of an exchange states it; third_party: only somebody else does.';
COMMENT ON COLUMN serving.identifier_earlier.id_type IS 'lei, ticker, registry, aggregator, isin or figi.';
COMMENT ON COLUMN serving.identifier_earlier.issuer IS
'The registry or exchange it is unique in; empty where unique worldwide.';
COMMENT ON COLUMN serving.identifier_earlier.id_value IS 'As the source writes it.';
COMMENT ON COLUMN serving.identifier_earlier.location IS 'Where in the document: the last part of source_ref.';

CREATE VIEW serving.identifier_version AS
SELECT
    identifier.published_in,
    identifier.superseded_in,
    identifier.provenance_id,
    identifier.valid_from,
    identifier.valid_to,
    identifier.known_from,
    'infinity'::date AS known_until,
    identifier.service_id,
    identifier.evidence,
    identifier.id_type,
    identifier.issuer,
    identifier.id_value,
    identifier.location
FROM serving.identifier AS identifier
UNION ALL
SELECT
    earlier.published_in,
    earlier.superseded_in,
    earlier.provenance_id,
    earlier.valid_from,
    earlier.valid_to,
    earlier.known_from,
    earlier.known_until,
    earlier.service_id,
    earlier.evidence,
    earlier.id_type,
    earlier.issuer,
    earlier.id_value,
    earlier.location
FROM serving.identifier_earlier AS earlier;
COMMENT ON VIEW serving.identifier_version IS
'Identifiers as they were known, current and earlier: at most one row for a claim, edition and day.';
COMMENT ON COLUMN serving.identifier_version.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.identifier_version.superseded_in IS
'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.identifier_version.provenance_id IS 'Where the claim comes from.';
COMMENT ON COLUMN serving.identifier_version.valid_from IS 'First day it holds; null where the source does not say.';
COMMENT ON COLUMN serving.identifier_version.valid_to IS 'Day it was retired, as known then; null where none was known.';
COMMENT ON COLUMN serving.identifier_version.known_from IS 'First day of the version.';
COMMENT ON COLUMN serving.identifier_version.known_until IS 'First day of the next version; infinity where there is none.';
COMMENT ON COLUMN serving.identifier_version.service_id IS 'The organisation.';
COMMENT ON COLUMN serving.identifier_version.evidence IS
'register: a register, regulator or list of an exchange states it; third_party: only somebody else does.';
COMMENT ON COLUMN serving.identifier_version.id_type IS 'lei, ticker, registry, aggregator, isin or figi.';
COMMENT ON COLUMN serving.identifier_version.issuer IS
'The registry or exchange it is unique in; empty where unique worldwide.';
COMMENT ON COLUMN serving.identifier_version.id_value IS 'As the source writes it.';
COMMENT ON COLUMN serving.identifier_version.location IS 'Where in the document: the last part of source_ref.';

CREATE TABLE serving.issuer (
    row_id bigint GENERATED ALWAYS AS IDENTITY,
    published_in integer NOT NULL,
    superseded_in integer NOT NULL DEFAULT 2147483647,
    provenance_id uuid NOT NULL,
    first_filed date NOT NULL,
    known_from date NOT NULL,
    known_until date NOT NULL CHECK (known_until > known_from),
    reason serving.change_reason NOT NULL,
    service_id text NOT NULL,
    country text COLLATE "C" NOT NULL,
    sic text COLLATE "C",
    filed_on date[] NOT NULL CHECK (cardinality(filed_on) > 0),
    PRIMARY KEY (row_id, service_id)
) WITH (fillfactor = 90, vacuum_truncate = off);
CREATE INDEX issuer_by_service_id ON serving.issuer (service_id);
CREATE INDEX issuer_by_country ON serving.issuer (country, service_id);
CREATE INDEX issuer_by_industry ON serving.issuer (sic, service_id) WHERE sic IS NOT NULL;
COMMENT ON TABLE serving.issuer IS
'Organisations that filed accounts, of all editions: at most one row for an organisation, edition and day.';
COMMENT ON COLUMN serving.issuer.row_id IS 'Given in publish order.';
COMMENT ON COLUMN serving.issuer.published_in IS 'First edition that holds the row.';
COMMENT ON COLUMN serving.issuer.superseded_in IS 'First edition that does not; the largest integer while none.';
COMMENT ON COLUMN serving.issuer.provenance_id IS 'Where the first filing comes from.';
COMMENT ON COLUMN serving.issuer.first_filed IS 'The day its first filing that is held became available.';
COMMENT ON COLUMN serving.issuer.known_from IS 'First day on which country and industry were known as they are here.';
COMMENT ON COLUMN serving.issuer.known_until IS 'First day of the next row; infinity where there is none.';
COMMENT ON COLUMN serving.issuer.reason IS 'Why the edition put the row.';
COMMENT ON COLUMN serving.issuer.service_id IS 'The issuer.';
COMMENT ON COLUMN serving.issuer.country IS 'ISO 3166-1 alpha-2 of its jurisdiction then; empty where not known.';
COMMENT ON COLUMN serving.issuer.sic IS 'Its industry then, by the Standard Industrial Classification; null where not known.';
COMMENT ON COLUMN serving.issuer.filed_on IS 'The days on which its filings became available, one for each, in order.';

SELECT serving.keep_published('serving.identifier', 'serving.identifier_earlier', 'serving.issuer');

GRANT SELECT, INSERT, DELETE, UPDATE (superseded_in)
ON serving.identifier, serving.identifier_earlier, serving.issuer TO sankofa_publish;
GRANT SELECT ON serving.identifier_version TO sankofa_api, sankofa_publish;
GRANT SELECT (
    row_id, published_in, superseded_in, provenance_id, available_at, valid_from, valid_to, known_from, service_id, evidence,
    id_type, issuer, id_value, location
) ON serving.identifier TO sankofa_api;
GRANT SELECT (
    published_in, superseded_in, provenance_id, valid_from, valid_to, known_from, known_until, service_id, evidence, id_type,
    issuer, id_value, location
) ON serving.identifier_earlier TO sankofa_api;
GRANT SELECT (
    published_in, superseded_in, provenance_id, first_filed, known_from, known_until, service_id, country, sic, filed_on
) ON serving.issuer TO sankofa_api;
